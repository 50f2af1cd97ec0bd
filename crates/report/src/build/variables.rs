//! Server variables side by side, and what differs in words.

use analysis::differences::VariableValue;
use analysis::unequal::Work;
use analysis::{ComparabilityWarning, Setting, Words};
use knowledge::variables::{Group, Unit};
use messages::message;
use model::{Durability, Variables};

use crate::view::{Difference, TargetView, Variable};

/// Every variable of every target, by group and importance. `analysis` judges which ones count as different, and matter to
/// a load.
pub fn matrix(targets: &[Option<&Variables>], work: Work) -> Vec<Variable> {
    analysis::side_by_side(targets).into_iter().map(|setting| variable(setting, work)).collect()
}

fn variable(setting: Setting, work: Work) -> Variable {
    let matters = setting.differs
        && !setting.decides_little()
        && !setting.is_idle(work)
        && !setting.is_familys_own()
        && setting.group != Group::Version;
    let effect = setting.effect_on_load();
    let each = |pick: fn(&VariableValue) -> Option<String>| -> Vec<Option<String>> {
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
        matters,
        unit: setting.unit.filter(|unit| *unit != Unit::Plain),
        meaning: setting.meaning,
        effect,
    }
}

/// The differences between the targets, in words, durability first. Equal durability is mentioned too.
pub fn differences(targets: &[TargetView], cautions: &[ComparabilityWarning]) -> Vec<Difference> {
    let mut found: Vec<Difference> = same_durability(targets).into_iter().collect();
    let (durability, others): (Vec<&ComparabilityWarning>, Vec<&ComparabilityWarning>) =
        cautions.iter().partition(|c| c.id == Difference::DURABILITY);
    let said = |c: &ComparabilityWarning| Difference::new(&c.id, sentence(&c.text));
    found.extend(durability.into_iter().chain(others).map(said));
    found
}

fn same_durability(targets: &[TargetView]) -> Option<Difference> {
    // Of a target that never answered nothing is known, and so not of all of them.
    let class = |target: &TargetView| -> Option<Durability> { Some(target.server.as_ref()?.durability) };
    let classes = targets.iter().map(class).collect::<Option<Vec<_>>>()?;
    let first = classes.first()?;
    let words = targets.first()?.durability.as_ref()?;
    (classes.len() > 1 && classes.iter().all(|class| class == first)).then(|| {
        let same = message!("same-durability", durability = Message(words.clone()));
        Difference::new(Difference::SAME_DURABILITY, same)
    })
}

/// Clauses of `analysis` begin in lower case, with no label, and end without a stop.
fn sentence(clause: &Words) -> Words {
    message!("answer-opening", clause = Opening(clause.clone()))
}

#[cfg(test)]
mod tests {
    use model::{Flavour, SandboxSpec, ServerKind, SpecTarget};

    use super::*;
    use crate::build::targets::target;

    fn spec(label: &str) -> SpecTarget {
        let sandbox = SandboxSpec::new(Flavour::Mysql, Default::default());
        SpecTarget {
            target: model::Target::single(label.to_owned(), ServerKind::Sandbox(sandbox)),
            instance: Default::default(),
            levels: Default::default(),
        }
    }

    fn facts(durability: model::Durability) -> model::ServerFacts {
        model::ServerFacts {
            flavour: Flavour::Mysql,
            version: "9.7.4".to_owned(),
            version_comment: String::new(),
            tls_cipher: None,
            durability,
            durability_because: Vec::new(),
            binlog: true,
            buffer_pool_bytes: 1 << 30,
            max_connections: 151,
            round_trip_ms: None,
        }
    }

    #[test]
    fn durability_is_the_same_only_where_it_is_known_to_be() {
        use model::Durability::{Durable, TearsPages};
        let of = |classes: &[Option<model::Durability>]| {
            let all: Vec<TargetView> =
                classes.iter().map(|c| target(&spec("a"), &[(c.map(facts), None)])).collect();
            same_durability(&all)
        };
        assert!(of(&[Some(Durable), Some(Durable)]).is_some());
        assert_eq!(of(&[Some(Durable), Some(TearsPages)]), None);
        // Nothing is known of a server that never answered.
        assert_eq!(of(&[Some(Durable), None]), None);
        assert_eq!(of(&[None, Some(Durable), Some(Durable)]), None);
    }

    #[test]
    fn what_differs_has_an_id_and_durability_comes_first() {
        use model::Durability::{Durable, TearsPages};
        let caution = |id: &str| ComparabilityWarning {
            id: id.to_owned(),
            severity: analysis::Severity::Warn,
            fact: id.into(),
            text: Words::new(format!("{id} differs"), format!("{id} 不同")),
        };
        let ids = |classes: [model::Durability; 2], cautions: &[ComparabilityWarning]| -> Vec<String> {
            let all = classes.map(|class| target(&spec("a"), &[(Some(facts(class)), None)]));
            differences(&all, cautions).into_iter().map(|one| one.id).collect()
        };
        let differing = [caution("tls"), caution(Difference::DURABILITY)];
        assert_eq!(ids([Durable, TearsPages], &differing), [Difference::DURABILITY, "tls"]);
        assert_eq!(ids([Durable, Durable], &[caution("tls")]), [Difference::SAME_DURABILITY, "tls"]);
    }
}
