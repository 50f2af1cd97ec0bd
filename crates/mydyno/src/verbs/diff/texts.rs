//! What text and Markdown share: the facts about the servers, and the words around a variable.

use analysis::differences::{SIZED, VariableValue};
use knowledge::variables::Touches;
use messages::message;
use model::HostFacts;
use report::Lang;

use super::column::Column;
use super::comparison::{Comparison, Difference};
use crate::display::phrase::bytes;

/// One line of facts: its name, and what it is per server.
pub struct Fact {
    /// Name.
    pub name: &'static str,
    /// Per server.
    pub values: Vec<String>,
}

/// Versions, hosts and durability, side by side. What nobody knows is left out.
pub fn facts(comparison: &Comparison, lang: Lang) -> Vec<Fact> {
    let columns = &comparison.columns;
    let unknown = || lang.pick("not known", "未知").to_owned();
    let mut facts = Vec::new();
    let mut each = |name: (&'static str, &'static str), value: &dyn Fn(&Column) -> String| {
        let values: Vec<String> = columns.iter().map(value).collect();
        facts.push(Fact { name: lang.pick(name.0, name.1), values });
    };
    each(("what", "是什么"), &|c| what(c, lang));
    each(("seen", "时间"), &Column::taken);
    each(("version", "版本"), &Column::server);
    each(("build", "构建"), &|c| c.version_comment.clone());
    let host = |say: &dyn Fn(&HostFacts) -> String, c: &Column| c.host.as_ref().map_or_else(unknown, say);
    if columns.iter().any(|c| c.host.is_some()) {
        each(("host", "主机"), &|c| c.hostname.clone());
        each(("CPUs", "CPU"), &|c| host(&cpus, c));
        each(("memory", "内存"), &|c| host(&memory, c));
        each(("system", "系统"), &|c| {
            host(&|h| format!("{}, {}, Linux {}", h.os, h.architecture, h.kernel), c)
        });
    } else {
        each(("host", "主机"), &|c| c.hostname.clone());
    }
    if columns.iter().any(|c| c.place.is_some()) {
        let nowhere = lang.pick("all of the machine", "整台机器");
        each(("place", "资源限定"), &|c| c.place.as_deref().unwrap_or(nowhere).to_owned());
    }
    if columns.iter().any(|c| !c.instance.is_empty()) {
        each(("instance", "实例"), &|c| {
            c.instance.iter().map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ")
        });
    }
    each(("durability", "持久性"), &|c| {
        let class = c.durability.class;
        lang.of(&analysis::unequal::durability_class(class)).to_owned()
    });
    each(("because", "原因"), &|c| c.durability.because.join(", "));
    facts
}

fn what(column: &Column, lang: Lang) -> String {
    let kind =
        if column.is_sandbox { lang.pick("sandbox", "沙箱") } else { lang.pick("server", "服务器") };
    match &column.run {
        Some(run) => format!("{kind}, {} {run}", lang.pick("in run", "来自运行")),
        None => format!("{kind}, {}", lang.pick("now", "当前")),
    }
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
    let names = comparison.load.workloads.join(", ");
    match comparison.load.work {
        Work::Unknown => None,
        Work::Reads => Some(
            lang.pick(
                format!("Judged for {names}, which only reads.").as_str(),
                format!("针对只读负载 {names} 判断。").as_str(),
            )
            .to_owned(),
        ),
        Work::Writes => Some(
            lang.pick(format!("Judged for {names}.").as_str(), format!("针对 {names} 判断。").as_str())
                .to_owned(),
        ),
    }
}

/// A value with the mark of a default.
pub fn value(value: Option<&VariableValue>, lang: Lang) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value.is_default => format!("{}{}", value.shown, lang.pick(" (default)", "（默认）")),
        Some(value) => value.shown.clone(),
    }
}

/// The defaults of the servers that do not have theirs: one, or one per server.
pub fn defaults(one: &Difference, columns: &[Column], lang: Lang) -> Option<String> {
    let sized = |default: &str| {
        if default == SIZED { lang.pick(SIZED, "由服务器确定").to_owned() } else { default.to_owned() }
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

/// What a difference is likely to do to the load.
pub fn effect(one: &Difference, lang: Lang) -> Option<String> {
    if one.is_idle && one.setting.touches == Some(Touches::Writes) {
        return Some(lang.pick("no effect on this read-only workload", "对该只读负载无影响").to_owned());
    }
    Some(lang.of(&one.setting.effect_on_load()?).to_owned())
}

/// Under which other names servers have it.
pub fn other_names(one: &Difference, columns: &[Column], lang: Lang) -> Option<String> {
    let values = one.setting.values.iter().zip(columns);
    let others: Vec<String> = values
        .filter_map(|(value, column)| {
            let own = &value.as_ref()?.name;
            (*own != one.setting.name).then(|| format!("{own} ({})", column.label))
        })
        .collect();
    (!others.is_empty()).then(|| format!("{} {}", lang.pick("there", "名称"), others.join(", ")))
}

/// What is said where nothing differs.
pub fn nothing(comparison: &Comparison, lang: Lang) -> String {
    lang.of(&message!("nothing-differs", compared = Count(comparison.compared as u64))).to_owned()
}

/// What is not shown, and how to see it; none: everything is shown.
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
