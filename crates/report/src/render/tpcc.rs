//! TPC-C on the console: the table by type of transaction, and tpmC against terminals.

use analysis::TpccSummary;
use analysis::tpcc::Percentiles;

use crate::View;
use crate::format::{figure, thousands};
use crate::render::grid::{Align, grid};
use crate::view::Cell;
use crate::words::Lang;

/// Two rows per type, then tpmC, consistency, and what differs from the standard.
pub fn table(tpcc: &TpccSummary, lang: Lang) -> String {
    let head = [
        lang.pick("  type", "  类型"),
        lang.pick("count", "数量"),
        lang.pick("/min", "每分钟"),
        lang.pick("mix %", "比例 %"),
        lang.pick("ms", "毫秒"),
        "p50",
        "p90",
        "p95",
        "p99",
        "max",
        lang.pick("limit", "限制"),
        lang.pick("retries", "重试"),
        lang.pick("rollbacks", "回滚"),
        lang.pick("errors", "错误"),
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for t in &tpcc.types {
        let kept = if t.limit_kept { lang.pick("ok", "满足") } else { lang.pick("exceeded", "超出") };
        let mut row = vec![format!("  {}", t.title), thousands(t.count), figure(t.per_minute)];
        row.extend([format!("{:.1}", t.mix_pct), lang.pick("response", "响应").to_owned()]);
        row.extend(latencies(&t.response));
        row.push(format!("{:.0} s {kept}", t.limit_s));
        row.extend([t.retries, t.rollbacks, t.errors].map(thousands));
        rows.push(row);
        let mut service = vec![String::new(); 4];
        service.push(lang.pick("service", "服务").to_owned());
        service.extend(latencies(&t.service));
        rows.push(service);
    }
    let mut align = vec![Align::Left, Align::Right, Align::Right, Align::Right, Align::Left];
    align.extend([Align::Right; 9]);
    format!("{}  {}\n", grid(&rows, &align), closing(tpcc, lang))
}

fn latencies(of: &Percentiles) -> [String; 5] {
    [of.p50_ms, of.p90_ms, of.p95_ms, of.p99_ms, of.max_ms].map(|ms| format!("{ms:.1}"))
}

/// `tpmC 12,105   tpmTotal 26,894   consistency 12 of 12 ok   unaudited, think time off`.
fn closing(tpcc: &TpccSummary, lang: Lang) -> String {
    let mut parts = Vec::new();
    for (name, measure) in [("tpmC", tpcc.tpmc), ("tpmTotal", tpcc.tpm_total)] {
        if let Some(measure) = measure {
            let interval = match (measure.low, measure.high) {
                (Some(low), Some(high)) => format!(" [{}, {}]", figure(low.max(0.0)), figure(high)),
                _ => String::new(),
            };
            parts.push(format!("{name} {}{interval}", figure(measure.mean)));
        }
    }
    parts.push(match &tpcc.consistency {
        None => lang.pick("consistency not checked", "未检查一致性").to_owned(),
        Some(found) => {
            let (of, verdict) = (lang.pick("of", "/"), if found.violated.is_empty() { " ok" } else { "" });
            format!(
                "{} {} {of} {}{verdict}",
                lang.pick("consistency", "一致性"),
                found.holding,
                found.checked
            )
        }
    });
    let (touched, all) = (thousands(tpcc.warehouses_touched.into()), thousands(tpcc.warehouses.into()));
    parts.push(match lang {
        Lang::En => format!("home warehouses used {touched} of {all}"),
        Lang::Zh => format!("使用的仓库 {touched}/{all}"),
    });
    let deviations: Vec<&str> = tpcc.deviations.iter().map(|d| lang.of(d)).collect();
    format!("{}\n  {}", parts.join("   "), deviations.join(lang.pick(", ", "，")))
}

/// tpmC of every cell of a sweep, with what came of the checks.
pub fn sweep(view: &View, cells: &[&Cell]) -> Option<String> {
    let lang = view.lang;
    let head = [
        lang.pick("terminals", "终端数"),
        lang.pick("target", "目标"),
        "tpmC",
        lang.pick("New-Order p90 ms", "New-Order p90 毫秒"),
        lang.pick("retries", "重试"),
        lang.pick("consistency", "一致性"),
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for cell in cells {
        let Some(tpcc) = &cell.tpcc else { continue };
        let p90 = tpcc.new_order().map_or_else(|| "-".to_owned(), |t| format!("{:.1}", t.response.p90_ms));
        let retries: u64 = tpcc.types.iter().map(|t| t.retries).sum();
        let consistency = tpcc.consistency.as_ref().map_or_else(
            || lang.pick("not checked", "未检查").to_owned(),
            |found| format!("{}/{}", found.holding, found.checked),
        );
        rows.push(vec![
            thousands(cell.threads.into()),
            view.targets[cell.target].label.clone(),
            tpcc.tpmc.map_or_else(|| "-".to_owned(), |m| figure(m.mean)),
            p90,
            thousands(retries),
            consistency,
        ]);
    }
    let deviations = cells.iter().find_map(|c| c.tpcc.as_ref()).map(|tpcc| {
        tpcc.deviations.iter().map(|d| lang.of(d)).collect::<Vec<_>>().join(lang.pick(", ", "，"))
    })?;
    let align = [Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right];
    Some(format!("{}{deviations}\n", grid(&rows, &align)))
}
