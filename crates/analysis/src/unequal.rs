//! Settings that make two servers do unequal work at a commit, and how to make them equal.

use std::collections::{BTreeMap, BTreeSet};

use knowledge::doctor::durability::Class;
use knowledge::variables::same;
use messages::message;
use model::{Durability, ServerKind, SpecTarget};
use serde::Serialize;

use crate::Words;

/// A server in a comparison.
#[derive(Debug, Clone, Copy)]
pub struct ComparedServer<'a> {
    /// Its label in the comparison.
    pub label: &'a str,
    /// The label under which it is set.
    pub target: &'a str,
    /// True if mydyno starts it: its settings are changed with --set.
    pub is_sandbox: bool,
    /// The durability class of the server, with the reason.
    pub class: &'a Class,
    /// True if the binary log is on.
    pub binlog: bool,
}

/// A difference that makes curves unequal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Id of the kind of difference: stable, for files and filters.
    pub id: &'static str,
    /// The sentence.
    pub text: Words,
    /// The sentence without its full stop, to be continued.
    #[serde(skip)]
    pub clause: Words,
    /// Steps that make them equal.
    pub remedies: Vec<Words>,
}

/// The work of a load, as far as settings affect it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// The load only reads.
    Reads,
    /// The load also changes rows.
    Writes,
    /// Unknown.
    Unknown,
}

/// The warnings that belong above everything else, and above any curve that compares these servers. Settings in
/// `on_purpose` differ deliberately: the difference is stated without a remedy.
pub fn warnings(servers: &[ComparedServer<'_>], work: Work, on_purpose: &BTreeSet<String>) -> Vec<Warning> {
    let found = [binary_log(servers, work, on_purpose), durability(servers, work, on_purpose)];
    let mut found: Vec<Warning> = found.into_iter().flatten().collect();
    found.sort_by_key(|warning| warning.id != "durability");
    found
}

const LOG_BIN: &str = "log_bin";

/// Variables that were set for some of the targets, and not to one value for all of them.
pub fn on_purpose(targets: &[SpecTarget]) -> BTreeSet<String> {
    let settings = |one: &SpecTarget| -> BTreeMap<String, String> {
        let set = match one.target.entry() {
            ServerKind::Sandbox(sandbox) => &sandbox.settings,
            ServerKind::External(endpoint) => &endpoint.globals,
            ServerKind::Imported { .. } => return BTreeMap::new(),
        };
        let plain = |(name, value): (&String, &String)| match name.as_str() {
            "skip_log_bin" | "disable_log_bin" => (LOG_BIN.to_owned(), "0".to_owned()),
            name => (same::name(name).to_owned(), same::value(same::name(name), value)),
        };
        set.iter().map(plain).collect()
    };
    let all: Vec<BTreeMap<String, String>> = targets.iter().map(settings).collect();
    let names: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    let differs = |name: &&String| all.iter().map(|one| one.get(*name)).collect::<BTreeSet<_>>().len() > 1;
    names.into_iter().filter(differs).cloned().collect()
}

/// The way to change settings of a target: --set for a sandbox, else my.cnf.
pub(crate) fn set(target: &str, is_sandbox: bool, settings: &[&str]) -> Words {
    let settings: Vec<String> = settings.iter().map(|&one| one.to_owned()).collect();
    match is_sandbox {
        true => message!("set-for", settings = List(settings), target = Text(target)),
        false => message!("set-in-my-cnf", settings = List(settings), target = Text(target)),
    }
}

/// The word for whether the difference affects the figures.
fn word(work: Work) -> &'static str {
    match work {
        Work::Reads => "reads",
        Work::Writes | Work::Unknown => "writes",
    }
}

fn warning(id: &'static str, clause: Words, remedies: Vec<Words>) -> Warning {
    Warning { id, text: message!("as-sentence", clause = Message(clause.clone())), clause, remedies }
}

/// The loss that a crash can cause, in words.
pub fn durability_class(class: Durability) -> Words {
    let word = match class {
        Durability::Durable => "durable",
        Durability::TearsPages => "tears_pages",
        Durability::LosesOnOsCrash => "loses_on_os_crash",
        Durability::LosesOnOsCrashAndTearsPages => "loses_on_os_crash_and_tears_pages",
        Durability::LosesOnProcessCrash => "loses_on_process_crash",
        Durability::LosesOnProcessCrashAndTearsPages => "loses_on_process_crash_and_tears_pages",
    };
    message!("durability-class", class = Word(word))
}

fn durability(servers: &[ComparedServer<'_>], work: Work, on_purpose: &BTreeSet<String>) -> Option<Warning> {
    let first = servers.first()?.class.class;
    if servers.iter().all(|server| server.class.class == first) {
        return None;
    }
    let each = |server: &ComparedServer<'_>| {
        let because = server.class.because.join(", ");
        message!(
            "durability-of",
            target = Text(server.label),
            class = Message(durability_class(server.class.class)),
            because = Text?((!because.is_empty()).then_some(because)),
        )
    };
    let each: Vec<Words> = servers.iter().map(each).collect();
    let clause = message!("durability-differs", each = Clauses(each), work = Word(word(work)));
    let weak = servers.iter().filter(|server| server.class.class != Durability::Durable);
    let mut remedies: Vec<Words> = Vec::new();
    for server in weak {
        let settings = weak_settings(server);
        for remedy in settings.filter(|name| !on_purpose.contains(*name)).map(|name| remedy(server, name)) {
            if !remedies.contains(&remedy) {
                remedies.push(remedy);
            }
        }
    }
    Some(warning("durability", clause, remedies))
}

/// The settings that make a server less than durable. Older recordings do not name them, so these give all that may.
fn weak_settings<'a>(server: &ComparedServer<'a>) -> impl Iterator<Item = &'a str> {
    let because = &server.class.because;
    let named = because.iter().map(|because| because.split(" = ").next().unwrap_or(because));
    let all = ["innodb_flush_log_at_trx_commit", "sync_binlog"];
    let unnamed = all.into_iter().take(if server.binlog { 2 } else { 1 });
    named.chain(unnamed.filter(|_| because.is_empty()))
}

/// The step that makes one server durable again in that respect.
fn remedy(server: &ComparedServer<'_>, setting: &str) -> Words {
    let label = server.target;
    let run = |statement: String| message!("run-on", target = Text(label), statement = Text(statement));
    let (value, needs_restart) = match setting {
        "Innodb_redo_log_enabled" | Durability::REDO => {
            return run("ALTER INSTANCE ENABLE INNODB REDO_LOG;".to_owned());
        }
        "innodb_flush_method" => ("fsync", true),
        Durability::DOUBLEWRITE => ("ON", true),
        _ => ("1", false),
    };
    if server.is_sandbox {
        set(label, true, &[&format!("{setting}={value}")])
    } else if needs_restart {
        let setting = format!("{setting} = {value}");
        message!("set-in-my-cnf-and-restart", setting = Text(setting), target = Text(label))
    } else {
        run(format!("SET GLOBAL {setting} = {value};"))
    }
}

fn binary_log(servers: &[ComparedServer<'_>], work: Work, on_purpose: &BTreeSet<String>) -> Option<Warning> {
    let (on, off): (Vec<&ComparedServer<'_>>, Vec<&ComparedServer<'_>>) =
        servers.iter().partition(|server| server.binlog);
    if on.is_empty() || off.is_empty() {
        return None;
    }
    let names: Vec<String> = on.iter().map(|server| server.label.to_owned()).collect();
    let clause = message!("binary-log-differs", targets = List(names), work = Word(word(work)));
    let all = |servers: &[&ComparedServer<'_>], settings: &[&str]| {
        let one = |server: &&ComparedServer<'_>| set(server.target, server.is_sandbox, settings);
        let mut all: Vec<Words> = servers.iter().map(one).collect();
        all.dedup();
        all
    };
    // MariaDB's default of sync_binlog is 0: a binary log that is switched on would not be durable.
    let (without, with) = (all(&on, &["skip_log_bin=1"]), all(&off, &["log_bin=1", "sync_binlog=1"]));
    let choice = message!("either-or", one = Steps(without), other = Steps(with));
    let remedies = if on_purpose.contains(LOG_BIN) { Vec::new() } else { vec![choice] };
    Some(warning("binary_log", clause, remedies))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(class: Durability, because: &[&str]) -> Class {
        Class { class, because: because.iter().map(|it| (*it).to_owned()).collect() }
    }

    fn none() -> BTreeSet<String> {
        BTreeSet::new()
    }

    #[test]
    fn what_was_set_on_purpose_is_stated_and_not_to_be_undone() {
        let safe = class(Durability::Durable, &[]);
        let weak = class(
            Durability::LosesOnOsCrashAndTearsPages,
            &["innodb_flush_log_at_trx_commit = 2", "innodb_doublewrite = OFF"],
        );
        let server =
            |label, class, binlog| ComparedServer { label, target: label, class, is_sandbox: true, binlog };
        let servers = [server("safe", &safe, true), server("fast", &weak, false)];
        let purpose = ["innodb_flush_log_at_trx_commit".to_owned(), LOG_BIN.to_owned()].into();
        let said = warnings(&servers, Work::Writes, &purpose);
        assert_eq!(said.iter().map(|one| one.id).collect::<Vec<_>>(), ["durability", "binary_log"]);
        // Doublewrite was not asked about: that it is off is still to be mended.
        assert_eq!(said[0].remedies.len(), 1, "{said:?}");
        assert_eq!(said[0].remedies[0].en, "set innodb_doublewrite=ON for fast");
        assert!(said[1].remedies.is_empty(), "{said:?}");
    }

    #[test]
    fn a_weaker_class_is_named_with_its_setting_and_the_way_to_make_it_equal() {
        let safe = class(Durability::Durable, &["innodb_flush_log_at_trx_commit = 1", "sync_binlog = 1"]);
        let weak =
            class(Durability::LosesOnOsCrash, &["innodb_flush_log_at_trx_commit = 2", "sync_binlog = 0"]);
        let server = |label, class, is_sandbox| ComparedServer {
            label,
            target: label,
            class,
            is_sandbox,
            binlog: true,
        };
        let said = warnings(&[server("a", &safe, true), server("b", &weak, true)], Work::Unknown, &none());
        assert_eq!(said.len(), 1);
        assert!(said[0].text.en.contains("b loses on power or OS crash (innodb_flush_log_at_trx_commit = 2"));
        let steps: Vec<&str> = said[0].remedies.iter().map(|words| words.en.as_str()).collect();
        assert_eq!(steps, ["set innodb_flush_log_at_trx_commit=1 for b", "set sync_binlog=1 for b"]);
        let said = warnings(&[server("a", &safe, true), server("b", &weak, false)], Work::Reads, &none());
        assert_eq!(said[0].remedies[0].en, "on b: SET GLOBAL innodb_flush_log_at_trx_commit = 1;");
        assert!(said[0].text.en.contains("remain comparable"));
        assert!(
            warnings(&[server("a", &safe, true), server("b", &safe, true)], Work::Unknown, &none())
                .is_empty()
        );
    }

    #[test]
    fn a_binary_log_on_one_side_only_is_named() {
        let safe = class(Durability::Durable, &[]);
        let server =
            |label, binlog| ComparedServer { label, target: label, class: &safe, is_sandbox: true, binlog };
        let said = warnings(&[server("a", true), server("b", false)], Work::Writes, &none());
        assert_eq!(said[0].id, "binary_log");
        assert_eq!(
            said[0].remedies[0].en,
            "set skip_log_bin=1 for a or set log_bin=1 and sync_binlog=1 for b"
        );
    }
}
