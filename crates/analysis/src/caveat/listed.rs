//! The condition of each caveat, in a sentence with its thresholds, for the reference page.

use super::generator::{
    LITTLE_DEVIATION_MAX, STARVED, STARVED_BESIDE_SERVER, STARVED_BY_OTHERS, WORKER_BUSY_MAX,
};
use super::interruptions::{STALL_INVALID_S, STALLED_INVALID, STALLED_WARN, WINDOW_TOLERANCE};
use super::kind::{RUNS_MIN, Severity};
use super::rule::{Rule, Scope};
use super::runs::{DRIFT_MAX, ERROR_SHARE_MAX};
use super::surroundings::{CLOCK_SHARE_INVALID, STEAL_MAX, SWAP_MAX_PER_S};
use super::tpcc::ROUNDING_PCT;
use super::window::{
    CHANGE_MAX, TRANSACTIONS_FOR_P99, TRANSACTIONS_MIN, TREND_MAX, WARMUP_CHANGE_MAX, WINDOW_S_MIN,
};
use super::{RULES, limits, server, surroundings, topology};
use crate::open_loop::{BACKLOG_MAX, TIMER_P99_MAX_NS, UNSTARTED_MAX};
use messages::number::{percent, thousands};

/// A caveat as the reference lists it.
pub struct ListedCaveat {
    /// Its id, as in JSON.
    pub id: &'static str,
    /// The severities that it may have, worst first.
    pub severities: Vec<Severity>,
    /// True if it is about one trial, which is set aside where it is not valid; otherwise about the cell.
    pub of_trial: bool,
    /// The condition under which it is given.
    pub when: String,
}

/// Every caveat, in the order of a report.
pub fn listed() -> Vec<ListedCaveat> {
    let one = |rule: &Rule| {
        let (severities, when) = described(rule.id)?;
        let severities = severities.to_vec();
        Some(ListedCaveat { id: rule.id, severities, of_trial: rule.scope == Scope::Trial, when })
    };
    RULES.iter().filter_map(one).collect()
}

/// Severities and condition of a rule; none for an undescribed rule, which a test rejects.
#[rustfmt::skip] // a table
fn described(id: &str) -> Option<(&'static [Severity], String)> {
    use Severity::{Invalid, Note, Warn};
    let [own_warn, _, own_invalid] = STARVED.map(percent);
    let [beside_note, _, beside_invalid] = STARVED_BESIDE_SERVER.map(percent);
    let [_, _, others_invalid] = STARVED_BY_OTHERS.map(percent);
    Some(match id {
        "windows_differ" => (&[Invalid], format!("The intervals of the trial add up to another length than its window, by more than {}. Recordings of early versions only.", percent(WINDOW_TOLERANCE))),
        "generator_paused" => (&[Invalid], "The generator was stopped (SIGSTOP, Ctrl-Z), or its machine was suspended, within the window.".into()),
        "no_transactions" => (&[Invalid], "No transaction completed.".into()),
        "event_failed" => (&[Invalid], "An event that was to happen during the load did not: the server refused it, the statement was not answered before the end, or the load ended first.".into()),
        "imported" => (&[Warn], "Another tool measured: nothing is known of warm-up, generator and server beyond what it printed.".into()),
        "inconsistent" => (&[Invalid], "A TPC-C consistency condition, or the additional check of order counts, does not hold after a trial.".into()),
        "servers_differ" => (&[Invalid], "After a trial a server of a topology of sandboxes holds other rows than the primary (CHECKSUM TABLE).".into()),
        "topology_degraded" => (&[Invalid, Note], format!("While the load went on the topology was not what its label says: a replica did not receive or apply, semisynchronous replication was off or a replica did not acknowledge, a member was not online or not synced, a server did not answer. It is asked twice a second. A note only if all of it began during a `link_cut` or an event, or within {} s after it, or after an event that ended a server: that is what was asked for.", topology::CUT_SHOWS_S)),
        "replicas_behind" => (&[Warn], format!("Replicas needed more than {} s, and more than {} of the measured window, to apply the rest after the load.", topology::BEHIND_S, percent(topology::BEHIND_SHARE))),
        "flow_control" => (&[Warn], format!("Flow control held commits back: Galera for more than {} of the window, Group Replication at more than {} of the readings (a queue of some member was longer than its threshold).", percent(topology::FLOW_CONTROL_MIN), percent(topology::FLOW_CONTROL_MIN))),
        "network_late" => (&[Warn], format!("Packets of the simulated network arrived later than asked for: p99 more than {} ms, and more than {} of the delay.", topology::LATE_NS as f64 / 1e6, percent(topology::LATE_SHARE))),
        "equality_unknown" => (&[Warn], "It is not known when the replicas had caught up, or whether the servers hold the same rows; the sentence says why.".into()),
        "check_missing" => (&[Warn], "The TPC-C check was asked for and could not be made.".into()),
        "tpcc_limits" => (&[Warn], "p90 of a transaction type is beyond the limit of TPC-C clause 5.2.5.3.".into()),
        "tpcc_mix" => (&[Warn], format!("A transaction type has a smaller share than clause 5.2.3 asks for, by more than {ROUNDING_PCT} percentage points.")),
        "generator_bottleneck" => (&[Invalid], format!("A worker used more than {} of a CPU.", percent(WORKER_BUSY_MAX))),
        "overload" => (&[Warn, Note], format!("Open loop. Warning: more than {} of the transactions due were never started, and more than there are clients. Note: the backlog exceeded {} of them and was worked off.", percent(UNSTARTED_MAX), percent(BACKLOG_MAX))),
        "late_timers" => (&[Warn], format!("Open loop: transactions started late although a client was free (p99 above {} ms).", TIMER_P99_MAX_NS / 1_000_000)),
        "littles_law" => (&[Invalid], format!("Closed loop without think time: throughput times response time differs from the number of clients by more than {} (Little's law).", percent(LITTLE_DEVIATION_MAX))),
        "cpu_contention" => (&[Invalid, Warn, Note], format!("Workers were runnable and had no CPU. Generator on its own machine: warning above {own_warn} of the time, not valid above {own_invalid}. Beside the server: note above {beside_note}, not valid above {beside_invalid}, or above {others_invalid} where other processes used more than {} of the CPUs.", percent(surroundings::OTHERS_INVALID))),
        "other_clients" => (&[Invalid, Warn], format!("Other clients sent more than {} of the statements, and more than {} a second; not valid above {}.", percent(server::OTHERS_MAX), server::OTHERS_PER_S_MAX, percent(server::OTHERS_INVALID))),
        "variables_changed" => (&[Invalid], "A server variable that matters changed during the trial.".into()),
        "other_processes" => (&[Invalid, Warn], format!("Other processes used more than {} of the CPUs that generator and server may use; not valid above {} where the server is a sandbox.", percent(surroundings::OTHERS_MAX), percent(surroundings::OTHERS_INVALID))),
        "steal" => (&[Warn], format!("The hypervisor withheld more than {} of the CPU time.", percent(STEAL_MAX))),
        "swap" => (&[Warn], format!("The machine swapped more than {:.0} MB/s.", SWAP_MAX_PER_S / 1e6)),
        "clock_steps" => (&[Invalid, Warn, Note], format!("Note: the wall clock was set. Warning: the monotonic clock went back; not valid above {} of the window.", percent(CLOCK_SHARE_INVALID))),
        "saturated_thread" => (&[Note], format!("A thread of a server on this machine that serves no client used more than {} of one CPU over the window, while at least {} of the machine's CPU time was idle and the placement of the server left it room.", percent(limits::THREAD_BUSY_MIN), percent(limits::IDLE_MIN))),
        "saturated_router" => (&[Note], format!("A thread of MySQL Router used more than {} of one CPU over the window, while at least {} of the machine's CPU time was idle.", percent(limits::THREAD_BUSY_MIN), percent(limits::IDLE_MIN))),
        "connections_lost" => (&[Warn], "Connections were lost and opened again.".into()),
        "saturated_histogram" => (&[Warn], "Latencies above an hour count as an hour.".into()),
        "set_aside" => (&[Warn], "Trials that were not valid were left out of the figures.".into()),
        "interrupted" => (&[Warn], "Trials were interrupted; they do not count.".into()),
        "some_runs_failed" => (&[Warn], "Trials failed; they do not count.".into()),
        "errors" => (&[Warn], format!("More than {} of the attempted transactions failed with an error.", percent(ERROR_SHARE_MAX))),
        "warmup_not_over" => (&[Warn], format!("The beginning of the window differs from the rest by more than {} (MSER); suggests a longer warm-up.", percent(WARMUP_CHANGE_MAX))),
        "change_point" => (&[Warn], format!("Throughput changed its level by more than {} within the window.", percent(CHANGE_MAX))),
        "stall" => (&[Invalid, Warn, Note], format!("No client completed a transaction for a tenth of a second or more. Warning above {} of the window; not valid above {} with a stall of {STALL_INVALID_S} s or more.", percent(STALLED_WARN), percent(STALLED_INVALID))),
        "trend" => (&[Warn], format!("The last third of the window differs from the first by more than {}, and by more than chance gives.", percent(TREND_MAX))),
        "damaged_file" => (&[Warn], "A file of a completed trial is truncated or unreadable.".into()),
        "short_window" => (&[Warn], format!("The measured window is shorter than {WINDOW_S_MIN} s, unless the number of events ended it.")),
        "few_transactions" => (&[Warn, Note], format!("Fewer than {TRANSACTIONS_MIN} transactions; note below {}, where p99 has too few samples.", thousands(TRANSACTIONS_FOR_P99))),
        "few_runs" => (&[Warn], format!("Fewer than {RUNS_MIN} trials of the cell: no interval, or a wide one.")),
        "drift" => (&[Warn], format!("The machine's level changed by more than {} from the first trial to the last (trend over repeated cells, or the drift check).", percent(DRIFT_MAX))),
        "data_not_restored" => (&[Warn, Note], "Earlier trials wrote to the data and nothing restored them. Warning if the tables changed in size, otherwise a note.".into()),
        "histograms_lost" => (&[Warn], "Histograms of a trial are missing, so there are no percentiles over all trials.".into()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_described() {
        let missing: Vec<_> = RULES.iter().map(|rule| rule.id).filter(|id| described(id).is_none()).collect();
        assert_eq!(missing, [""; 0]);
    }

    /// A debug build panics at a word that the catalogue does not have.
    #[test]
    fn whatever_is_not_valid_can_be_said_of_a_target() {
        for rule in listed().into_iter().filter(|rule| rule.severities.contains(&Severity::Invalid)) {
            let caveat = crate::Caveat {
                id: rule.id.to_owned(),
                severity: Severity::Invalid,
                text: "".into(),
                evidence: Vec::new(),
                trials: None,
                worst: None,
            };
            assert!(caveat.of_target("a").en.starts_with("a: "));
        }
    }
}
