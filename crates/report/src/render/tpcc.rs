//! TPC-C on the console: the table by type of transaction, and tpmC against terminals.

use analysis::tpcc::Percentiles;
use analysis::{TpccSummary, Words};
use messages::message;

use crate::View;
use crate::format::{figure, thousands};
use crate::render::grid::{Align, grid};
use crate::view::Cell;
use crate::words::Lang;

/// Two rows per type, then tpmC, consistency, and what differs from the standard.
pub fn table(tpcc: &TpccSummary, lang: Lang) -> String {
    let plain = ["p50", "p90", "p95", "p99", "max"].map(str::to_owned);
    let mut head = vec![format!("  {}", lang.column("type"))];
    head.extend(["count", "per-minute", "mix", "ms"].map(|name| lang.column(name)));
    head.extend(plain);
    head.extend(["limit", "retries", "rollbacks", "errors"].map(|name| lang.column(name)));
    let mut rows = vec![head];
    for t in &tpcc.types {
        let kept = if t.limit_kept { "kept" } else { "exceeded" };
        let mut row = vec![format!("  {}", t.title), thousands(t.count), figure(t.per_minute)];
        row.extend([
            format!("{:.1}", t.mix_pct),
            lang.said(message!("latency-kind", kind = Word("response"))),
        ]);
        row.extend(latencies(&t.response));
        row.push(lang.said(message!("tpcc-limit", limit = Seconds(t.limit_s), kept = Word(kept))));
        row.extend([t.retries, t.rollbacks, t.errors].map(thousands));
        rows.push(row);
        let mut service = vec![String::new(); 4];
        service.push(lang.said(message!("latency-kind", kind = Word("service"))));
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
    let (verdict, holding, checked) = match &tpcc.consistency {
        None => ("unchecked", None, None),
        Some(found) => {
            let verdict = if found.violated.is_empty() { "holds" } else { "violated" };
            (verdict, Some(found.holding), Some(found.checked))
        }
    };
    parts.push(lang.said(message!(
        "tpcc-consistency",
        verdict = Word(verdict),
        holding = Count?(holding),
        checked = Count?(checked),
    )));
    parts.push(lang.said(message!(
        "home-warehouses-used",
        used = Count(tpcc.warehouses_touched),
        all = Count(tpcc.warehouses),
    )));
    format!("{}\n  {}", parts.join("   "), lang.said(Words::parts(tpcc.deviations.clone())))
}

/// tpmC of every cell of a sweep, with what came of the checks.
pub fn sweep(view: &View, cells: &[&Cell]) -> Option<String> {
    let lang = view.lang;
    let head = [
        lang.column("terminals"),
        lang.column("target"),
        "tpmC".to_owned(),
        lang.column("new-order-p90"),
        lang.column("retries"),
        lang.column("consistency"),
    ];
    let mut rows = vec![head.to_vec()];
    for cell in cells {
        let Some(tpcc) = &cell.tpcc else { continue };
        let p90 = tpcc.new_order().map_or_else(|| "-".to_owned(), |t| format!("{:.1}", t.response.p90_ms));
        let retries: u64 = tpcc.types.iter().map(|t| t.retries).sum();
        let consistency = tpcc.consistency.as_ref().map_or_else(
            || lang.said(message!("not-checked")),
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
    let tpcc = cells.iter().find_map(|c| c.tpcc.as_ref())?;
    let deviations = lang.said(Words::parts(tpcc.deviations.clone()));
    let align = [Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right];
    Some(format!("{}{deviations}\n", grid(&rows, &align)))
}
