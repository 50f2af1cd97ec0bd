//! A search for the build at which a metric changed, as a table.

use analysis::VersionSearch;
use messages::message;
use messages::number::{ratio, ratio_interval};

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::words::Lang;

/// A table for each search.
pub fn tables(view: &View) -> Vec<TitledTable> {
    view.version_searches.iter().map(|found| table(found, view.lang)).collect()
}

fn table(found: &VersionSearch, lang: Lang) -> TitledTable {
    let first = found.builds.first().map_or("", |build| build.target.as_str());
    let column =
        |name: &str| lang.said(message!("versions-column", column = Word(name), first = Text(first)));
    let rows = found.builds.iter().map(|build| {
        let ratio = build
            .ratio
            .map(|one| format!("{}x {}", ratio(one.value), lang.of(&ratio_interval(one.low, one.high))));
        let mark = |place: &str| lang.said(message!("versions-mark", place = Word(place)));
        let is = |label: &Option<String>| label.as_ref() == Some(&build.target);
        let note = match &build.why {
            Some(why) => lang.of(why).lines().next().unwrap_or_default().to_owned(),
            None if is(&found.before) => mark("before"),
            None if is(&found.after) => mark("after"),
            None => String::new(),
        };
        vec![build.target.clone(), build.trials.to_string(), ratio.unwrap_or_default(), note]
    });
    TitledTable {
        title: lang.said(message!(
            "versions-title",
            metric = Word(found.metric.as_str()),
            workload = Text(&found.workload),
            clients = Count(found.threads)
        )),
        head: ["build", "trials", "ratio", "note"].map(column).to_vec(),
        rows: rows.collect(),
        align: vec![Align::Left, Align::Right, Align::Left, Align::Left],
    }
}
