//! Whether the figures can be relied on: green is earned, every other colour is explained.

use crate::format::percent;
use crate::view::{Cell, CellStatus, Level, Reason, Run, Target, Trust, Workload};
use crate::words::Words;

/// A worker that uses this share of one CPU cannot send when it should.
const WORKER_SATURATED: f64 = 0.95;
/// From here on the generator competes with a server on the same machine enough to be named.
const HOST_SHARE_NOTABLE: f64 = 0.25;
/// Half width of an interval, as a share of the mean, beyond which it is called wide.
const INTERVAL_WIDE: f64 = 0.10;
/// A measured window shorter than this sees neither a checkpoint nor a binary log rotation.
const WINDOW_SHORT_S: f64 = 30.0;
/// Runs from which on an interval deserves trust.
const RUNS_ENOUGH: u32 = 3;

/// What a reader must know about one cell.
pub fn cell_caveats(cell: &Cell) -> Vec<Words> {
    let mut caveats = Vec::new();
    if cell.runs_completed == 1 {
        caveats.push(Words::new("single run: no interval", "只有一次运行：没有区间"));
    }
    if cell.status == CellStatus::Partial {
        let (done, planned) = (cell.runs_completed, cell.runs_planned);
        caveats.push(Words::new(
            format!("{done} of {planned} runs completed"),
            format!("{planned} 次运行中完成 {done} 次"),
        ));
    }
    if let Some(share) = cell.throughput_per_s.and_then(|e| e.relative_half_width())
        && share > INTERVAL_WIDE
    {
        caveats.push(Words::new(
            format!("wide interval: ±{}", percent(share)),
            format!("区间较宽：±{}", percent(share)),
        ));
    }
    if cell.generator.is_some_and(|g| g.busiest_worker > WORKER_SATURATED) {
        caveats.push(Words::new(
            "the generator was saturated: the server could do more",
            "发压端已饱和：服务器可能更快",
        ));
    }
    caveats
}

/// What everything together is worth.
pub fn trust(
    runs: &[Run],
    targets: &[Target],
    workloads: &[Workload],
    cells: &[Cell],
    writes: impl Fn(usize) -> bool,
) -> Trust {
    let mut reasons = Vec::new();
    reasons.extend(completeness(cells));
    reasons.extend(generator(targets, cells));
    reasons.extend(replication(cells));
    reasons.extend(window(runs));
    reasons.extend(equal_work(targets));
    reasons.extend(data(workloads, cells, writes));
    reasons.extend(recordings(runs));
    reasons.sort_by_key(|r| std::cmp::Reverse(r.level));
    let level = reasons.first().map_or(Level::Green, |r| r.level);
    if level == Level::Green {
        reasons.extend(merits(cells));
    }
    Trust { level, summary: summary(level, &reasons), reasons }
}

fn amber(en: impl Into<String>, zh: impl Into<String>) -> Reason {
    Reason { level: Level::Amber, text: Words::new(en, zh) }
}

fn red(en: impl Into<String>, zh: impl Into<String>) -> Reason {
    Reason { level: Level::Red, text: Words::new(en, zh) }
}

fn completeness(cells: &[Cell]) -> Option<Reason> {
    let all = cells.len();
    let without = |status: CellStatus| cells.iter().filter(|c| c.status == status).count();
    let (failed, missing, partial) =
        (without(CellStatus::Failed), without(CellStatus::Missing), without(CellStatus::Partial));
    if failed + missing == all {
        return Some(red("no cell completed", "没有任何单元完成"));
    }
    if failed + missing + partial == 0 {
        return None;
    }
    let count = |n: usize, en: &str, zh: &str| {
        (n > 0).then(|| Words::new(format!("{n} {en}"), format!("{n} 个{zh}")))
    };
    let parts: Vec<Words> = [
        count(failed, "failed", "失败"),
        count(partial, "partly", "部分完成"),
        count(missing, "not run", "未运行"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let en: Vec<&str> = parts.iter().map(|p| p.en.as_str()).collect();
    let zh: Vec<&str> = parts.iter().map(|p| p.zh.as_str()).collect();
    Some(amber(
        format!("not all of {all} cells completed ({})", en.join(", ")),
        format!("{all} 个单元未全部完成（{}）", zh.join("，")),
    ))
}

fn generator(targets: &[Target], cells: &[Cell]) -> Option<Reason> {
    let busiest = cells.iter().filter_map(|c| c.generator).map(|g| g.busiest_worker).fold(0.0, f64::max);
    if busiest > WORKER_SATURATED {
        let share = percent(busiest);
        return Some(red(
            format!(
                "the generator was saturated (a worker used {share} of a CPU): use more workers or another machine"
            ),
            format!("发压端已饱和（某个工作线程用了 {share} 的 CPU）：请增加工作线程或换一台机器"),
        ));
    }
    let share = cells.iter().filter_map(|c| c.generator).map(|g| g.host_share).fold(0.0, f64::max);
    let shared = targets.iter().any(|t| t.sandbox);
    (shared && share > HOST_SHARE_NOTABLE).then(|| {
        let share = percent(share);
        amber(
            format!("generator and server share one machine, and the generator took up to {share} of it"),
            format!("发压端与服务器在同一台机器上，发压端最多占用 {share}"),
        )
    })
}

fn replication(cells: &[Cell]) -> Option<Reason> {
    let fewest = cells.iter().filter(|c| c.runs_completed > 0).map(|c| c.runs_completed).min()?;
    match fewest {
        1 => Some(amber("single runs: small differences mean nothing", "存在单次运行：小的差异没有意义")),
        n if n < RUNS_ENOUGH => Some(amber(
            format!("only {n} runs in some cells: intervals are wide"),
            format!("部分单元只有 {n} 次运行：区间较宽"),
        )),
        _ => {
            let wide = cells
                .iter()
                .filter_map(|c| c.throughput_per_s?.relative_half_width())
                .filter(|share| *share > INTERVAL_WIDE)
                .count();
            (wide > 0).then(|| {
                amber(
                    format!("{wide} cells vary by more than ±{}", percent(INTERVAL_WIDE)),
                    format!("{wide} 个单元的区间超过 ±{}", percent(INTERVAL_WIDE)),
                )
            })
        }
    }
}

fn window(runs: &[Run]) -> Option<Reason> {
    let shortest = runs.iter().filter(|r| r.events == 0).map(|r| r.time_s).fold(f64::INFINITY, f64::min);
    (shortest < WINDOW_SHORT_S).then(|| {
        amber(
            format!("short windows ({shortest:.0} s): checkpoints and rotations may not show"),
            format!("测量时间短（{shortest:.0} 秒）：可能看不到检查点和日志轮换"),
        )
    })
}

/// Targets that do not do the same work for a commit.
fn equal_work(targets: &[Target]) -> Option<Reason> {
    let known: Vec<_> = targets.iter().filter_map(|t| t.server.as_ref()).collect();
    let first = known.first()?;
    if known.iter().any(|s| s.durability != first.durability) {
        return Some(amber("durability differs between the targets", "各目标的持久性不同"));
    }
    known
        .iter()
        .any(|s| s.binlog != first.binlog)
        .then(|| amber("the binary log is not on in all targets", "并非所有目标都开启了二进制日志"))
}

fn data(workloads: &[Workload], cells: &[Cell], writes: impl Fn(usize) -> bool) -> Option<Reason> {
    let writing = |c: &&Cell| writes(c.workload) && workloads[c.workload].name != "bulk_insert";
    let carried_over = cells
        .iter()
        .filter(writing)
        .flat_map(|c| &c.trials)
        .any(|t| t.outcome.is_some() && t.index > 0 && !t.data_restored && t.transactions > 0);
    carried_over.then(|| {
        amber(
            "data were not restored before each run: later runs met what earlier ones wrote",
            "各次运行前未恢复数据：后面的运行受到前面写入的影响",
        )
    })
}

fn recordings(runs: &[Run]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = runs
        .iter()
        .filter_map(|r| r.truncated.as_ref())
        .map(|why| amber(format!("a recording is incomplete: {why}"), format!("记录不完整：{why}")))
        .collect();
    if let Some(first) = runs.first()
        && runs.iter().any(|r| r.host.hostname != first.host.hostname || r.host.cpus != first.host.cpus)
    {
        reasons.push(amber("the runs come from different machines", "各次运行来自不同的机器"));
    }
    reasons
}

/// What earned the green.
fn merits(cells: &[Cell]) -> Vec<Reason> {
    let runs = cells.iter().map(|c| c.runs_completed).min().unwrap_or(0);
    let share = cells.iter().filter_map(|c| c.generator).map(|g| g.host_share).fold(0.0, f64::max);
    let share = percent(share);
    let green = |en: String, zh: String| Reason { level: Level::Green, text: Words::new(en, zh) };
    vec![
        green(
            format!("{runs} runs or more of every cell, all completed"),
            format!("每个单元至少 {runs} 次运行，全部完成"),
        ),
        green(
            format!("the generator used at most {share} of its machine"),
            format!("发压端最多占用其机器的 {share}"),
        ),
    ]
}

fn summary(level: Level, reasons: &[Reason]) -> Words {
    let named = |pick: fn(&Words) -> &str, joint: &str| {
        let worst = reasons.iter().filter(|r| r.level == level);
        worst.map(|r| pick(&r.text)).collect::<Vec<_>>().join(joint)
    };
    let (en, zh) = (named(|w| &w.en, "; "), named(|w| &w.zh, "；"));
    match level {
        Level::Green => Words::new(format!("Fit to decide on: {en}."), format!("可据此决策：{zh}。")),
        Level::Amber => Words::new(format!("Usable with caveats: {en}."), format!("有保留地可用：{zh}。")),
        Level::Red => Words::new(format!("Not valid: {en}."), format!("无效：{zh}。")),
    }
}
