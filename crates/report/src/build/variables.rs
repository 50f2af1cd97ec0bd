//! Server variables side by side, and what differs in words.

use analysis::differences::Value;
use analysis::variables::Unit;
use analysis::{Caution, Setting, Words};
use model::Variables;

use crate::view::{Target, Variable};

/// Every variable of every target, by what it decides and weight. Which ones count as different is `analysis`'s judgement.
pub fn matrix(targets: &[Option<&Variables>]) -> Vec<Variable> {
    analysis::side_by_side(targets).into_iter().map(variable).collect()
}

fn variable(setting: Setting) -> Variable {
    let effect = setting.effect_on_load();
    let each = |pick: fn(&Value) -> Option<String>| -> Vec<Option<String>> {
        setting.values.iter().map(|value| value.as_ref().and_then(pick)).collect()
    };
    let (values, shown) = (each(|v| Some(v.raw.clone())), each(|v| Some(v.shown.clone())));
    let default = each(|v| v.default.clone());
    let has_default = default.iter().any(Option::is_some);
    let is_default =
        setting.values.iter().map(|value| value.as_ref().is_some_and(|v| v.is_default)).collect();
    Variable {
        shown: if shown == values { Vec::new() } else { shown },
        default: if has_default { default } else { Vec::new() },
        is_default: if has_default { is_default } else { Vec::new() },
        name: setting.name,
        values,
        group: setting.group,
        differs: setting.differs,
        unit: setting.unit.filter(|unit| *unit != Unit::Plain),
        meaning: setting.meaning,
        effect,
    }
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
