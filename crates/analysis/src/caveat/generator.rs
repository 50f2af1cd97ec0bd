//! What the generator itself did to a figure, and whether its figures add up.

use model::{TargetKind, TrialResult};

use super::window::TRANSACTIONS_FOR_P99;
use super::{Context, Found, Severity};
use crate::text::{count, figure, percent};
use crate::{Words, open_loop, tpcc};

/// Share of one CPU above which a worker has no time left to notice answers promptly.
const WORKER_BUSY_MAX: f64 = 0.9;
/// Share of the window that workers may wait for a CPU.
const RUN_QUEUE_SHARE_MAX: f64 = 0.1;
const LITTLE_DEVIATION_MAX: f64 = 0.05;

pub(super) fn generator_bottleneck(c: &Context<'_>) -> Option<Found> {
    let busiest = c.cell.generator?.busiest_worker;
    (busiest > WORKER_BUSY_MAX).then(|| {
        let share = percent(busiest);
        Found {
            severity: Severity::Invalid,
            text: Words::new(
                format!(
                    "the generator was the bottleneck: a worker used {share} of a CPU; give it more workers or a \
                     machine of its own"
                ),
                format!("瓶颈在发压端：某个工作线程用了 {share} 的 CPU；请增加工作线程或使用单独的机器"),
            ),
            evidence: vec![("busiest_worker", busiest)],
        }
    })
}

/// An open loop whose backlog was not worked off, so that its response times tell the length of the run as much as the
/// server; or one with a backlog that was.
pub(super) fn overload(c: &Context<'_>) -> Option<Found> {
    let open = c.cell.open_loop.as_ref()?;
    if open.caught_up() {
        let evidence = vec![("backlog_max", open.backlog_max as f64)];
        return Some(Found { severity: Severity::Note, text: open.backlog(), evidence });
    }
    open.overloaded().then(|| Found {
        severity: Severity::Warn,
        text: open.overload(),
        evidence: vec![("unstarted", open.unstarted as f64), ("offered", open.offered as f64)],
    })
}

/// Response times hold what the generator's own timers add.
pub(super) fn late_timers(c: &Context<'_>) -> Option<Found> {
    let timers = c.completed.iter().filter_map(|t| t.result.open_loop.map(|open| open.timer));
    let worst = timers.filter(open_loop::timers_late).map(|timer| timer.p99_ns).max()?;
    let ms = figure(worst as f64 / 1e6);
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the generator started transactions late although a client was free (p99 {ms} ms): its machine was busy"
            ),
            format!("客户端空闲时发压端仍延迟开始事务（p99 {ms} 毫秒）：其主机繁忙"),
        ),
        evidence: vec![("timer_p99_ms", worst as f64 / 1e6)],
    })
}

/// N = X R for a closed loop without think time (Little, 1961). Transactions that straddle an end of the window are
/// counted whole or not at all, so that much deviation is allowed on top.
pub(super) fn littles_law(c: &Context<'_>) -> Option<Found> {
    let thinking =
        c.load().think_s > 0.0 || tpcc::options(c.plan, c.planned).is_some_and(|options| options.think > 0.0);
    if c.load().rate.is_some() || c.load().events > 0 || thinking {
        return None;
    }
    let deviation = |t: &TrialResult| {
        let response = &t.operations.first()?.response;
        // Clients that are connecting, or wait to try again, are not in a transaction.
        if response.count == 0 || t.reconnects > 0 || t.measured_s <= 0.0 {
            return None;
        }
        let clients = f64::from(t.cell.threads);
        let found = response.count as f64 / t.measured_s * response.mean_ns / 1e9;
        // One that straddles the beginning can be as long as the longest; among many it is an ordinary long one.
        let straddler_ns =
            if response.count < TRANSACTIONS_FOR_P99 { response.max_ns } else { response.p99_ns };
        let edges_ns = straddler_ns as f64 + t.in_flight_longest_ns.map_or(response.mean_ns, |ns| ns as f64);
        let allowed = LITTLE_DEVIATION_MAX + edges_ns / 1e9 / t.measured_s;
        let deviation = (clients - found).abs() / clients;
        (deviation > allowed).then_some((deviation, found))
    };
    let worst = c.completed.iter().filter_map(|t| deviation(t.result)).max_by(|a, b| a.0.total_cmp(&b.0));
    worst.map(|(deviation, found)| Found {
        severity: Severity::Invalid,
        text: Words::new(
            format!(
                "the figures do not add up: throughput times response time gives {} clients, {} were running \
                 (Little's law)",
                figure(found),
                count(c.cell.threads.into())
            ),
            format!(
                "数据不自洽：吞吐量乘以响应时间得 {} 个客户端，实际为 {} 个（利特尔法则）",
                figure(found),
                count(c.cell.threads.into())
            ),
        ),
        evidence: vec![("deviation", deviation), ("clients_by_littles_law", found)],
    })
}

pub(super) fn cpu_contention(c: &Context<'_>) -> Option<Found> {
    let share = |t: &TrialResult| {
        let available_s = t.measured_s * f64::from(t.generator.workers);
        if available_s > 0.0 { t.generator.run_queue_wait_s / available_s } else { 0.0 }
    };
    let worst = c.completed.iter().map(|t| share(t.result)).fold(0.0, f64::max);
    if worst <= RUN_QUEUE_SHARE_MAX {
        return None;
    }
    let shared = percent(worst);
    let sandboxed = c
        .plan
        .targets
        .iter()
        .any(|t| t.target.label == c.cell.target && matches!(t.target.kind, TargetKind::Sandbox(_)));
    let (severity, text) = if sandboxed {
        // What the server takes, the generator cannot have: normal here, and the same for every sandboxed target.
        let en = format!(
            "generator and server share this machine and its CPUs were saturated: workers waited {shared} of the time"
        );
        let zh = format!("发压端与服务器共用本机，CPU 已饱和：工作线程有 {shared} 的时间在等待 CPU");
        (Severity::Note, Words::new(en, zh))
    } else {
        let en = format!(
            "the generator's machine was overloaded: workers waited {shared} of the time for a CPU, latencies \
             include that"
        );
        let zh = format!("发压端机器过载：工作线程有 {shared} 的时间在等待 CPU，延迟中包含了这部分");
        (Severity::Warn, Words::new(en, zh))
    };
    Some(Found { severity, text, evidence: vec![("run_queue_wait_share", worst)] })
}

pub(super) fn saturated_histogram(c: &Context<'_>) -> Option<Found> {
    let saturated: u64 = c
        .completed
        .iter()
        .flat_map(|t| &t.result.operations)
        .map(|o| o.response.saturated + o.service.saturated)
        .sum();
    (saturated > 0).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{} latencies were longer than an hour and count as an hour", count(saturated)),
            format!("有 {} 个延迟超过一小时，按一小时计", count(saturated)),
        ),
        evidence: vec![("saturated", saturated as f64)],
    })
}
