//! Parts shared by text and Markdown: the facts about the servers, and the wording around a variable.

use analysis::differences::{SIZED, VariableValue};
use knowledge::variables::Touches;
use messages::{Words, message};
use model::HostFacts;
use report::Lang;

use super::column::Column;
use super::comparison::{Comparison, Difference};
use crate::display::phrase::bytes;

/// One line of facts: its name, and its value per server.
pub struct Fact {
    /// Name of the server.
    pub name: String,
    /// Per server.
    pub values: Vec<String>,
}

/// Versions, hosts and durability, side by side. Unknown facts are left out.
pub fn facts(comparison: &Comparison, lang: Lang) -> Vec<Fact> {
    let columns = &comparison.columns;
    let unknown = || lang.said(message!("not-known"));
    let mut facts = Vec::new();
    let mut each = |name: &str, value: &dyn Fn(&Column) -> String| {
        let values: Vec<String> = columns.iter().map(value).collect();
        facts.push(Fact { name: lang.said(message!("server-fact", fact = Word(name))), values });
    };
    each("what", &|c| what(c, lang));
    each("seen", &Column::taken);
    each("version", &Column::server);
    each("build", &|c| c.version_comment.clone());
    let host = |say: &dyn Fn(&HostFacts) -> String, c: &Column| c.host.as_ref().map_or_else(unknown, say);
    if columns.iter().any(|c| c.host.is_some()) {
        each("host", &|c| c.hostname.clone());
        each("cpus", &|c| host(&cpus, c));
        each("memory", &|c| host(&memory, c));
        each("system", &|c| host(&|h| format!("{}, {}, Linux {}", h.os, h.architecture, h.kernel), c));
    } else {
        each("host", &|c| c.hostname.clone());
    }
    if columns.iter().any(|c| c.place.is_some()) {
        let nowhere = lang.said(message!("whole-machine"));
        each("place", &|c| c.place.as_deref().unwrap_or(&nowhere).to_owned());
    }
    if columns.iter().any(|c| !c.instance.is_empty()) {
        each("instance", &|c| {
            c.instance.iter().map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ")
        });
    }
    each("durability", &|c| {
        let class = c.durability.class;
        lang.of(&analysis::unequal::durability_class(class)).to_owned()
    });
    each("because", &|c| c.durability.because.join(", "));
    facts
}

fn what(column: &Column, lang: Lang) -> String {
    let kind = if column.is_sandbox { "sandbox" } else { "server" };
    lang.said(message!("what-was-seen", kind = Word(kind), run = Text?(column.run.as_ref())))
}

fn cpus(host: &HostFacts) -> String {
    let limit = host.cgroup_cpus.map(|limit| format!(" (limit {limit})")).unwrap_or_default();
    let model = if host.cpu_model.is_empty() { String::new() } else { format!(", {}", host.cpu_model) };
    format!("{}{limit}{model}", host.cpus)
}

fn memory(host: &HostFacts) -> String {
    let limit = host.cgroup_memory_bytes.filter(|limit| *limit < host.memory_bytes);
    let limit = limit.map(|limit| format!(" (limit {})", bytes(limit))).unwrap_or_default();
    format!("{}{limit}", bytes(host.memory_bytes))
}

/// The sentence about the load that the differences are judged for.
pub fn judged_for(comparison: &Comparison, lang: Lang) -> Option<String> {
    use analysis::unequal::Work;
    let work = match comparison.load.work {
        Work::Unknown => return None,
        Work::Reads => "reads",
        Work::Writes => "writes",
    };
    let names = comparison.load.workloads.iter().map(|name| name.as_str().into()).collect::<Vec<_>>();
    Some(lang.said(message!("judged-for-load", workloads = Parts(names), work = Word(work))))
}

/// A value with the mark of a default.
pub fn value(value: Option<&VariableValue>, lang: Lang) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value.is_default => lang.said(message!("default-value", value = Text(&value.shown))),
        Some(value) => value.shown.clone(),
    }
}

/// The defaults of the servers that do not have theirs: one, or one per server.
pub fn defaults(one: &Difference, columns: &[Column], lang: Lang) -> Option<String> {
    let sized = |default: &str| {
        if default == SIZED { lang.said(message!("sized-by-server")) } else { default.to_owned() }
    };
    let values = one.setting.values.iter().zip(columns);
    let open: Vec<(String, &str)> = values
        .filter_map(|(value, column)| {
            let value = value.as_ref().filter(|value| !value.is_default)?;
            Some((sized(value.default.as_deref()?), column.label.as_str()))
        })
        .collect();
    let (first, _) = open.first()?;
    if open.iter().all(|(default, _)| default == first) {
        return Some(first.clone());
    }
    let each: Vec<String> = open.iter().map(|(default, label)| format!("{default} ({label})")).collect();
    Some(each.join(", "))
}

/// The likely effect of a difference on the load.
pub fn effect(one: &Difference, lang: Lang) -> Option<String> {
    if one.is_idle && one.setting.touches == Some(Touches::Writes) {
        return Some(lang.said(message!("no-effect-on-reads")));
    }
    Some(lang.of(&one.setting.effect_on_load()?).to_owned())
}

/// The other names under which servers have it.
pub fn other_names(one: &Difference, columns: &[Column], lang: Lang) -> Option<String> {
    let values = one.setting.values.iter().zip(columns);
    let others: Vec<Words> = values
        .filter_map(|(value, column)| {
            let own = &value.as_ref()?.name;
            (*own != one.setting.name).then(|| format!("{own} ({})", column.label).into())
        })
        .collect();
    (!others.is_empty()).then(|| lang.said(message!("other-names", names = Parts(others))))
}

/// The sentence where nothing differs.
pub fn nothing(comparison: &Comparison, lang: Lang) -> String {
    lang.of(&message!("nothing-differs", compared = Count(comparison.compared as u64))).to_owned()
}

/// The variables that are not shown, and how to show them; none if all are shown.
pub fn folded(comparison: &Comparison, lang: Lang) -> Option<String> {
    let (little, own) = comparison.folded();
    let mut parts = Vec::new();
    if little > 0 {
        parts.push(message!("decide-little", variables = Count(little as u64)));
    }
    if own > 0 {
        parts.push(message!("only-some-have", variables = Count(own as u64)));
    }
    (!parts.is_empty())
        .then(|| lang.of(&message!("differ-too", what = Parts(parts), option = Text("--all"))).to_owned())
}
