//! Server variables side by side, and what differs in words.

use std::collections::{BTreeSet, HashSet};

use analysis::{Caution, Words};
use model::Variables;

use crate::view::{Target, Variable};

/// Every variable of every target, by what it decides and name. Which ones count as different is `analysis`'s judgement.
pub fn matrix(targets: &[Option<&Variables>]) -> Vec<Variable> {
    let differing: HashSet<String> = analysis::differences(targets).into_iter().map(|d| d.name).collect();
    let names: BTreeSet<&String> = targets.iter().flatten().flat_map(|v| v.keys()).collect();
    let mut rows: Vec<Variable> = names
        .into_iter()
        .map(|name| Variable {
            name: name.clone(),
            values: targets.iter().map(|v| v.and_then(|v| v.get(name)).cloned()).collect(),
            group: analysis::differences::group(name),
            differs: differing.contains(name),
        })
        .collect();
    rows.sort_by(|a, b| (a.group, &a.name).cmp(&(b.group, &b.name)));
    rows
}

/// What differs between the targets, in words, durability first. That durability does not differ is worth saying too.
pub fn differences(targets: &[Target], cautions: &[Caution]) -> Vec<Words> {
    let mut sentences: Vec<Words> = same_durability(targets).into_iter().collect();
    let (durability, others): (Vec<&Caution>, Vec<&Caution>) =
        cautions.iter().partition(|c| c.id == "durability");
    sentences.extend(durability.into_iter().chain(others).map(|c| sentence(&c.text)));
    sentences
}

fn same_durability(targets: &[Target]) -> Option<Words> {
    let mut classes = targets.iter().filter_map(|t| t.durability.as_ref());
    let first = classes.next()?;
    (targets.len() > 1 && classes.all(|d| d == first)).then(|| {
        Words::new(
            format!("Durability is the same in all targets: {}.", first.en),
            format!("所有目标的持久性相同：{}。", first.zh),
        )
    })
}

/// Clauses of `analysis` begin in lower case and end without a stop.
fn sentence(clause: &Words) -> Words {
    let mut letters = clause.en.chars();
    // A label at the beginning stays as the user wrote it.
    let en = match letters.next() {
        Some(first) if clause.en.starts_with("the ") || clause.en.starts_with("durability") => {
            format!("{}{}", first.to_uppercase(), letters.as_str())
        }
        _ => clause.en.clone(),
    };
    let stop = if en.contains("--set") { "" } else { "." };
    Words::new(format!("{en}{stop}"), format!("{}。", clause.zh))
}
