//! Recommendations that were tried, as a table.

use analysis::{RecommendationEffect, RecommendationProof};
use messages::message;
use messages::number::{ratio, ratio_interval};

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::words::Lang;

/// A table for each recording that tries recommendations.
pub fn tables(view: &View) -> Vec<TitledTable> {
    view.proofs.iter().map(|found| table(found, view.lang)).collect()
}

fn table(found: &RecommendationProof, lang: Lang) -> TitledTable {
    let column = |name: &str| lang.said(message!("prove-column", column = Word(name)));
    let not_tried = found.not_tried.iter().map(|one| {
        let why = lang.said(message!("prove-not-tried", why = Word(one.why.word())));
        vec![one.id.clone(), String::new(), String::new(), why]
    });
    TitledTable {
        title: lang.said(message!(
            "prove-title",
            workload = Text(&found.workload),
            clients = Count(found.threads)
        )),
        head: ["recommendation", "settings", "throughput", "result"].map(column).to_vec(),
        rows: found.tried.iter().chain(&found.together).map(|one| row(one, lang)).chain(not_tried).collect(),
        align: vec![Align::Left; 4],
    }
}

fn row(one: &RecommendationEffect, lang: Lang) -> Vec<String> {
    let is_all = one.id.is_empty();
    let interval = one.low.zip(one.high).map(|(low, high)| lang.of(&ratio_interval(low, high)).to_owned());
    let throughput = one.ratio.map(|value| format!("{}x {}", ratio(value), interval.unwrap_or_default()));
    let why = (!one.why.en.is_empty()).then(|| one.why.clone());
    vec![
        if is_all { lang.said(message!("prove-all")) } else { one.id.clone() },
        if is_all { String::new() } else { one.set.join(", ") },
        throughput.unwrap_or_default().trim_end().to_owned(),
        lang.said(message!("prove-result", effect = Word(one.effect.word()), why = Message?(why))),
    ]
}
