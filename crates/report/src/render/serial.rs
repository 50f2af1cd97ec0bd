//! Limits of commits over a simulated link, as a table for each workload: a row for each target.

use analysis::{Measure, SerialStage};
use messages::message;
use messages::number::percent;

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::format::{figure, thousands};
use crate::words::Lang;

/// A table for each workload; none where no servers are at a distance from each other.
pub fn tables(view: &View) -> Vec<TitledTable> {
    let mut workloads: Vec<&str> = view.serial_stages.iter().map(|one| one.workload.as_str()).collect();
    workloads.dedup();
    workloads.into_iter().map(|workload| table(view, workload)).collect()
}

fn table(view: &View, workload: &str) -> TitledTable {
    let lang = view.lang;
    let column = |name: &str| lang.said(message!("serial-column", column = Word(name)));
    let own = view.serial_stages.iter().filter(|one| one.workload == workload);
    TitledTable {
        title: lang.said(message!("serial-title", workload = Text(workload))),
        head: ["target", "trip", "clients", "tps", "bound", "cpu", "service", "limit"].map(column).to_vec(),
        rows: own.map(|one| row(one, lang)).collect(),
        align: [
            &[Align::Left][..],
            &[Align::Right; 2],
            &[Align::Left],
            &[Align::Right; 2],
            &[Align::Left; 2],
        ]
        .concat(),
    }
}

fn row(one: &SerialStage, lang: Lang) -> Vec<String> {
    let shown = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    vec![
        one.target.clone(),
        figure(one.round_trip_ms),
        thousands(u64::from(one.threads)),
        measure(&one.per_s),
        shown(one.bound_per_s.map(figure)),
        shown(one.cpu_busy.map(percent)),
        shown(one.service_us.as_ref().map(measure)),
        lang.said(message!("serial-limit", standing = Word(one.standing.word()))),
    ]
}

fn measure(of: &Measure) -> String {
    let ends = of.low.zip(of.high).map(|(low, high)| format!(" [{}, {}]", figure(low), figure(high)));
    format!("{}{}", figure(of.mean), ends.unwrap_or_default())
}
