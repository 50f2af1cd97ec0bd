//! What makes two servers do unequal work at a commit, which settings make it so, and how to make them equal.

use serde::Serialize;

use crate::Words;
use crate::caution::durability_zh;
use crate::doctor::durability::Class;
use crate::text::list;

/// A server in a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Server<'a> {
    /// Its label in the comparison.
    pub label: &'a str,
    /// The label under which it is set.
    pub target: &'a str,
    /// True if mydyno starts it: its settings are changed with --set.
    pub is_sandbox: bool,
    /// What a crash can lose, and why.
    pub class: &'a Class,
    /// True if the binary log is on.
    pub binlog: bool,
}

/// Something that makes curves unequal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Which difference: stable, for files and filters.
    pub id: &'static str,
    /// The sentence.
    pub text: Words,
    /// What makes them equal, one step each.
    pub remedies: Vec<Words>,
}

/// What a load does, as far as settings touch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// It only reads.
    Reads,
    /// It changes rows too.
    Writes,
    /// Nobody said.
    Unknown,
}

/// The warnings that belong above everything else, and above any curve that compares these servers.
pub fn warnings(servers: &[Server<'_>], work: Work) -> Vec<Warning> {
    durability(servers, work).into_iter().chain(binary_log(servers, work)).collect()
}

/// The end of a warning: whether it touches the figures.
fn consequence(work: Work) -> Words {
    match work {
        Work::Reads => Words::new(
            "But this read-only workload commits no changes: its curves still compare.",
            "但该只读负载不提交任何修改，曲线仍可比较。",
        ),
        _ => {
            Words::new("So curves over them compare unequal work.", "因此比较它们的曲线所比的工作量不相等。")
        }
    }
}

fn durability(servers: &[Server<'_>], work: Work) -> Option<Warning> {
    let first = servers.first()?.class.class;
    if servers.iter().all(|server| server.class.class == first) {
        return None;
    }
    let each = |said: fn(model::Durability) -> &'static str, open: &str, close: &str| {
        let one = |server: &Server<'_>| {
            format!(
                "{} {}{open}{}{close}",
                server.label,
                said(server.class.class),
                server.class.because.join(", ")
            )
        };
        servers.iter().map(one).collect::<Vec<_>>()
    };
    let (en, zh) = (each(model::Durability::describe, " (", ")"), each(durability_zh, "（", "）"));
    let end = consequence(work);
    let text = Words::new(
        format!("durability differs: {}. {}", en.join("; "), end.en),
        format!("持久性不同：{}。{}", zh.join("；"), end.zh),
    );
    let weak = servers.iter().filter(|server| server.class.class != model::Durability::Durable);
    let remedies = weak.flat_map(|server| {
        server
            .class
            .because
            .iter()
            .map(|because| remedy(server, because.split(" = ").next().unwrap_or(because)))
    });
    let mut steps: Vec<Words> = Vec::new();
    for remedy in remedies {
        if !steps.contains(&remedy) {
            steps.push(remedy);
        }
    }
    Some(Warning { id: "durability", text, remedies: steps })
}

/// What makes one server durable again in that respect.
fn remedy(server: &Server<'_>, setting: &str) -> Words {
    let label = server.target;
    let value = match setting {
        "Innodb_redo_log_enabled" => {
            return Words::new(
                format!("on {label}: ALTER INSTANCE ENABLE INNODB REDO_LOG;"),
                format!("在 {label} 上：ALTER INSTANCE ENABLE INNODB REDO_LOG;"),
            );
        }
        // It takes effect at a start only.
        "innodb_flush_method" if !server.is_sandbox => {
            return Words::new(
                format!("innodb_flush_method = fsync in the my.cnf of {label}, and a restart"),
                format!("在 {label} 的 my.cnf 中设置 innodb_flush_method = fsync 并重启"),
            );
        }
        "innodb_flush_method" => "fsync",
        _ => "1",
    };
    if server.is_sandbox {
        let flag = format!("--set {label}:{setting}={value}");
        Words::new(flag.clone(), flag)
    } else {
        let statement = format!("SET GLOBAL {setting} = {value};");
        Words::new(format!("on {label}: {statement}"), format!("在 {label} 上：{statement}"))
    }
}

fn binary_log(servers: &[Server<'_>], work: Work) -> Option<Warning> {
    let (on, off): (Vec<&Server<'_>>, Vec<&Server<'_>>) = servers.iter().partition(|server| server.binlog);
    if on.is_empty() || off.is_empty() {
        return None;
    }
    let names = list(&on.iter().map(|server| server.label.to_owned()).collect::<Vec<_>>());
    let end = consequence(work);
    let text = Words::new(
        format!("the binary log is on in {} only. {}", names.en, end.en),
        format!("只有 {} 开启了二进制日志。{}", names.zh, end.zh),
    );
    let all = |servers: &[&Server<'_>], setting: &str| {
        let one = |server: &&Server<'_>| {
            let label = server.target;
            if server.is_sandbox {
                let flag = format!("--set {label}:{setting}=1");
                Words::new(flag.clone(), flag)
            } else {
                Words::new(
                    format!("{setting} in the my.cnf of {label}"),
                    format!("在 {label} 的 my.cnf 中设置 {setting}"),
                )
            }
        };
        let mut steps: Vec<Words> = servers.iter().map(one).collect();
        steps.dedup();
        Words::join(&steps, " ", " ")
    };
    let (without, with) = (all(&on, "skip_log_bin"), all(&off, "log_bin"));
    let choice =
        Words::new(format!("{} or {}", without.en, with.en), format!("{} 或 {}", without.zh, with.zh));
    Some(Warning { id: "binary_log", text, remedies: vec![choice] })
}

#[cfg(test)]
mod tests {
    use model::Durability;

    use super::*;

    fn class(class: Durability, because: &[&str]) -> Class {
        Class { class, because: because.iter().map(|it| (*it).to_owned()).collect() }
    }

    #[test]
    fn a_weaker_class_is_named_with_its_setting_and_the_way_to_make_it_equal() {
        let safe = class(Durability::Durable, &["innodb_flush_log_at_trx_commit = 1", "sync_binlog = 1"]);
        let weak =
            class(Durability::LosesOnOsCrash, &["innodb_flush_log_at_trx_commit = 2", "sync_binlog = 0"]);
        let server =
            |label, class, is_sandbox| Server { label, target: label, class, is_sandbox, binlog: true };
        let said = warnings(&[server("a", &safe, true), server("b", &weak, true)], Work::Unknown);
        assert_eq!(said.len(), 1);
        assert!(said[0].text.en.contains("b loses on power or OS crash (innodb_flush_log_at_trx_commit = 2"));
        let steps: Vec<&str> = said[0].remedies.iter().map(|words| words.en.as_str()).collect();
        assert_eq!(steps, ["--set b:innodb_flush_log_at_trx_commit=1", "--set b:sync_binlog=1"]);
        let said = warnings(&[server("a", &safe, true), server("b", &weak, false)], Work::Reads);
        assert_eq!(said[0].remedies[0].en, "on b: SET GLOBAL innodb_flush_log_at_trx_commit = 1;");
        assert!(said[0].text.en.contains("still compare"));
        assert!(warnings(&[server("a", &safe, true), server("b", &safe, true)], Work::Unknown).is_empty());
    }

    #[test]
    fn a_binary_log_on_one_side_only_is_named() {
        let safe = class(Durability::Durable, &[]);
        let server = |label, binlog| Server { label, target: label, class: &safe, is_sandbox: true, binlog };
        let said = warnings(&[server("a", true), server("b", false)], Work::Writes);
        assert_eq!(said[0].id, "binary_log");
        assert_eq!(said[0].remedies[0].en, "--set a:skip_log_bin=1 or --set b:log_bin=1");
    }
}
