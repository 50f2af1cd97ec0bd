//! Interruptions of the measured window: a stopped generator or a stalled server, and whether the seconds of the window add up.

use messages::message;
use model::{Interval, Stretch};

use super::kind::Severity;
use super::rule::{Context, Found};
use crate::input::TrialInput;

/// Share of the window that may be stalled without a warning.
pub(super) const STALLED_WARN: f64 = 0.02;
/// Share from which the mean is that of no state of the server: it was neither working nor standing still.
pub(super) const STALLED_INVALID: f64 = 0.1;
/// Minimum length of the longest stall for that, seconds: in a window of a few seconds a tenth is soon reached.
pub(super) const STALL_INVALID_S: f64 = 1.0;
/// Tolerance for the sum of the seconds, as a share and in seconds.
pub(super) const WINDOW_TOLERANCE: f64 = 0.001;
const WINDOW_TOLERANCE_S: f64 = 0.002;

/// Periods in which the generator stood still, clipped to the measured window of a trial.
pub(crate) fn stood_still(trial: &TrialInput<'_>) -> Vec<Stretch> {
    let (from_s, to_s) =
        (trial.result.measured.warmup_s, trial.result.measured.warmup_s + trial.result.measured.measured_s);
    let within = |one: &Stretch| {
        let length_s = one.within(from_s, to_s);
        (length_s > 0.0).then_some(Stretch { from_s: one.from_s.max(from_s), length_s })
    };
    trial.result.measured.stood_still.iter().filter_map(within).collect()
}

/// The generator was stopped, or its machine was suspended: nothing was offered and nothing measured meanwhile.
pub(super) fn generator_paused(c: &Context<'_>) -> Option<Found> {
    let all_s = |stretches: &[Stretch]| stretches.iter().map(|one| one.length_s).sum::<f64>();
    let trials = c.completed.iter().map(|trial| stood_still(trial));
    let worst = trials.max_by(|a, b| all_s(a).total_cmp(&all_s(b)))?;
    let longest = worst.iter().max_by(|a, b| a.length_s.total_cmp(&b.length_s))?;
    let all = all_s(&worst);
    Some(Found {
        severity: Severity::Invalid,
        text: message!(
            "generator-paused",
            times = Count(worst.len() as u64),
            all = Seconds(all),
            longest = Seconds(longest.length_s),
            from = Seconds(longest.from_s),
        ),
        evidence: vec![("stood_still_s", all), ("from_s", longest.from_s), ("length_s", longest.length_s)],
    })
}

/// No client completed a transaction: the mean is that of working and standing still.
pub(super) fn stall(c: &Context<'_>) -> Option<Found> {
    let runs = c.cell.over_time.as_ref().map_or(&[][..], |over_time| &over_time.runs);
    let found = runs.iter().filter_map(|run| Some((run.silence.as_ref()?, run.measured_s)));
    // A stall that spans the end of the window is timed to its own end; of the window it is no more than the whole.
    let inside = found.map(|(stalls, measured_s)| (stalls, stalls.silent_s.min(measured_s), measured_s));
    let shares =
        inside.filter(|(stalls, ..)| stalls.found).map(|(s, silent_s, of_s)| (silent_s / of_s, silent_s, s));
    let (share, silent_s, worst) = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let severity = match share {
        share if share > STALLED_INVALID && worst.longest_s >= STALL_INVALID_S => Severity::Invalid,
        share if share > STALLED_WARN => Severity::Warn,
        _ => Severity::Note,
    };
    Some(Found {
        severity,
        text: message!(
            "stall",
            all = Seconds(silent_s),
            share = Percent(share),
            stalls = Count(worst.count),
            longest = Seconds(worst.longest_s),
        ),
        evidence: vec![("stalled_s", silent_s), ("stall_longest_s", worst.longest_s)],
    })
}

/// The seconds of a recording lie side by side, and together they are its measured window. Earlier versions added up what
/// overlapped whenever a worker was late, and counted the window too long and throughput too low.
pub(super) fn windows_differ(c: &Context<'_>) -> Option<Found> {
    let differs = |trial: &TrialInput<'_>| {
        let measured: Vec<&Interval> = trial.intervals.iter().filter(|i| !i.warmup).collect();
        let (first, last) = (measured.first()?, measured.last()?);
        // What was lost with a part of the file is another matter.
        let transactions: u64 = measured.iter().map(|i| i.transactions).sum();
        if transactions != trial.result.measured.transactions {
            return None;
        }
        let (counted_s, sum_s) =
            (trial.result.measured.measured_s, measured.iter().map(|i| i.length_s).sum::<f64>());
        let true_s = last.end_s - (first.end_s - first.length_s);
        let off = |s: f64| (s - true_s).abs() > WINDOW_TOLERANCE_S.max(WINDOW_TOLERANCE * true_s);
        [counted_s, sum_s].into_iter().find(|s| off(*s)).map(|s| (s, true_s))
    };
    let found = c.completed.iter().filter(|t| t.result.stated.is_none()).filter_map(|t| differs(t));
    let off = |(counted_s, true_s): &(f64, f64)| (counted_s / true_s - 1.0).abs();
    let (counted_s, true_s) = found.max_by(|a, b| off(a).total_cmp(&off(b)))?;
    Some(Found {
        severity: Severity::Invalid,
        text: message!("windows-differ", counted = Hundredths(counted_s), window = Hundredths(true_s)),
        evidence: vec![("off", off(&(counted_s, true_s))), ("counted_s", counted_s), ("window_s", true_s)],
    })
}
