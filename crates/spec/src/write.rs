//! A specification as TOML, in the order in which a reader wants it.

use std::collections::BTreeMap;
use std::fmt::Write;

use model::Topology;
use toml::Value;

use crate::arrangement;
use crate::document::{Document, FORMAT};
use crate::kind::Kind;
use crate::target::{ServerSpec, TargetSpec, TargetWords};
use crate::values::{Edit, Values};

impl Document {
    /// The document as TOML, without passwords.
    pub fn to_toml(&self) -> String {
        let mut out = format!("format = {FORMAT}\n");
        let general = self.values.edits().filter(|edit| !edit.row.path.contains('.'));
        general.for_each(|edit| line(&mut out, edit.row.key(), &value(edit)));
        let texts = [
            ("experiment", &self.experiment),
            ("question", &self.question),
            ("question_zh", &self.question_zh),
            ("published", &self.published),
            ("published_zh", &self.published_zh),
            ("shows", &self.shows),
            ("shows_zh", &self.shows_zh),
        ];
        for (key, value) in texts {
            if let Some(value) = value {
                line(&mut out, key, &Value::String(value.clone()));
            }
        }
        let switches = [
            ("is_quick", self.is_quick.then_some(true)),
            ("targets_are_arms", self.targets_are_arms.then_some(true)),
        ];
        for (key, value) in switches {
            if let Some(on) = value {
                line(&mut out, key, &Value::Boolean(on));
            }
        }
        if self.targets_at_least > 0 {
            line(&mut out, "targets_at_least", &Value::Integer(self.targets_at_least as i64));
        }
        for need in &self.needs {
            out.push_str("\n[[need]]\n");
            let numbers = [("cpus", need.cpus), ("numa_nodes", need.numa_nodes)];
            for (key, number) in numbers.into_iter().filter(|(_, number)| *number > 0) {
                line(&mut out, key, &Value::Integer(number.into()));
            }
            line(&mut out, "why", &Value::String(need.why.clone()));
        }
        self.targets.iter().for_each(|target| self::target(&mut out, "target", target));
        for arm in &self.arms {
            out.push_str("\n[[arm]]\n");
            line(&mut out, "label", &Value::String(arm.label.clone()));
            for name in ["connection", "settings", "placement"] {
                let of_it = arm.adds.iter().filter_map(|(key, value)| {
                    let (section, key) = key.split_once('.')?;
                    (section == name).then(|| (key.to_owned(), value.clone()))
                });
                inline(&mut out, name, &of_it.collect());
            }
        }
        section(&mut out, "defaults", &self.defaults, "workload.");
        for workload in &self.workloads {
            out.push_str("\n[[workload]]\n");
            if let Some(label) = &workload.label {
                line(&mut out, "label", &Value::String(label.clone()));
            }
            if let Some(kind) = &workload.kind {
                line(&mut out, "kind", &Value::String(kind.name().to_owned()));
            }
            workload.values.edits().for_each(|edit| line(&mut out, edit.row.key(), &value(edit)));
            section(&mut out, "workload.load", &workload.load, "load.");
        }
        section(&mut out, "load", &self.values, "load.");
        section(&mut out, "design", &self.values, "design.");
        section(&mut out, "capacity", &self.values, "capacity.");
        section(&mut out, "bisect", &self.values, "bisect.");
        self.variation(&mut out);
        section(&mut out, "quick.load", &self.quick.values, "load.");
        section(&mut out, "quick.design", &self.quick.values, "design.");
        section(&mut out, "quick.capacity", &self.quick.values, "capacity.");
        section(&mut out, "quick.defaults", &self.quick.defaults, "workload.");
        self.quick.targets.iter().for_each(|target| self::target(&mut out, "quick.target", target));
        self.definitions(&mut out);
        out
    }

    /// The files of its workloads, so that it can be run where these are not.
    fn definitions(&self, out: &mut String) {
        let named = self.workloads.iter().filter_map(|entry| entry.kind.as_ref());
        let named = named.map(|kind| (kind.name().to_owned(), kind));
        let is_level = |word: &&String| {
            let of_factors = self.factors.iter().flat_map(|factor| &factor.levels);
            let listed = self.combinations.iter().flat_map(|one| one.levels.iter().map(|(_, level)| level));
            of_factors.chain(listed).any(|level| level == *word)
        };
        let levels = self.files.iter().filter(|(word, _)| is_level(word));
        let all: BTreeMap<String, _> = named.chain(levels.map(|(word, kind)| (word.clone(), kind))).collect();
        let files = all.iter().flat_map(|(name, kind)| {
            kind.definitions().into_iter().map(move |(part, text)| (format!("{name}{part}"), text))
        });
        for (at, (name, text)) in files.enumerate() {
            if at == 0 {
                out.push_str("\n[definitions]\n");
            }
            line(out, &Value::String(name).to_string(), &Value::String(text));
        }
    }

    fn variation(&self, out: &mut String) {
        let list = |words: &[String]| Value::Array(words.iter().map(|word| plain(word)).collect());
        for factor in &self.factors {
            out.push_str("\n[[factor]]\n");
            line(out, "path", &Value::String(factor.path.to_string()));
            line(out, "levels", &list(&factor.levels));
            if !factor.labels.is_empty() {
                let labels = factor.labels.iter().cloned().map(Value::String).collect();
                line(out, "labels", &Value::Array(labels));
            }
        }
        for one in &self.combinations {
            out.push_str("\n[[combination]]\n");
            if let Some(label) = &one.label {
                line(out, "label", &Value::String(label.clone()));
            }
            let levels =
                one.levels.iter().map(|(path, level)| format!("{} = {}", quoted(path), plain(level)));
            let _ = writeln!(out, "levels = {{ {} }}", levels.collect::<Vec<_>>().join(", "));
        }
    }
}

fn quoted(path: &crate::path::Path) -> Value {
    Value::String(path.to_string())
}

fn target(out: &mut String, name: &str, target: &TargetSpec) {
    let _ = writeln!(out, "\n[[{name}]]");
    if let Some(label) = &target.label {
        line(out, "label", &Value::String(label.clone()));
    }
    let is_single = target.topology == Topology::Single;
    if !is_single {
        line(out, "topology", &Value::String(target.topology.name().to_owned()));
    }
    for (key, value) in arrangement::words(&target.arrangement) {
        line(out, key, &plain(&value));
    }
    if let (true, Some(only)) = (is_single, target.entry()) {
        server(out, only);
    }
    inline(out, "instance", &target.instance);
    for member in target.servers.iter().filter(|_| !is_single) {
        let _ = writeln!(out, "\n[[{name}.server]]");
        line(out, "role", &Value::String(member.role.name().to_owned()));
        server(out, member);
    }
}

fn server(out: &mut String, server: &ServerSpec) {
    let socket = server.socket.as_ref().map(|path| path.display().to_string());
    let texts = [
        ("sandbox", &server.sandbox),
        ("host", &server.host),
        ("socket", &socket),
        ("user", &server.user),
        ("database", &server.database),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            line(out, key, &Value::String(text.clone()));
        }
    }
    if let Some(port) = server.port {
        line(out, "port", &Value::Integer(port.into()));
    }
    let underscored = |words: &TargetWords| {
        words.iter().map(|(key, value)| (key.replace('-', "_"), value.clone())).collect::<TargetWords>()
    };
    inline(out, "connection", &underscored(&server.connection));
    inline(out, "settings", &server.settings);
    inline(out, "placement", &underscored(&server.placement));
}

fn line(out: &mut String, key: &str, value: &Value) {
    let _ = writeln!(out, "{key} = {value}");
}

/// `settings = { sync_binlog = 1 }`
fn inline(out: &mut String, key: &str, words: &TargetWords) {
    if words.is_empty() {
        return;
    }
    let bare = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let pair = |(key, value): (&String, &String)| {
        let key = if bare(key) { key.replace('-', "_") } else { Value::String(key.clone()).to_string() };
        format!("{key} = {}", plain(value))
    };
    let _ = writeln!(out, "{key} = {{ {} }}", words.iter().map(pair).collect::<Vec<_>>().join(", "));
}

/// The edits below a path, as a section of that name.
fn section(out: &mut String, name: &str, values: &Values, below: &str) {
    let edits: Vec<&Edit> = values.edits().filter(|edit| edit.row.path.starts_with(below)).collect();
    if !edits.is_empty() && !name.is_empty() {
        let _ = writeln!(out, "\n[{name}]");
    }
    edits.into_iter().for_each(|edit| line(out, edit.row.key(), &value(edit)));
}

/// A number where the text is one and would be read as the same text.
fn plain(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) if number.to_string() == text => Value::Integer(number),
        _ => Value::String(text.to_owned()),
    }
}

fn value(edit: &Edit) -> Value {
    match edit.row.kind {
        Kind::Switch => Value::Boolean(crate::kind::switch(&edit.text).unwrap_or(false)),
        Kind::Clients => {
            let numbers: Option<Vec<Value>> =
                edit.text.split(',').map(|part| part.parse().ok().map(Value::Integer)).collect();
            numbers.map_or_else(|| plain(&edit.text), Value::Array)
        }
        kind if kind.between().is_some() => {
            let each = edit.text.split(|c| Some(c) == kind.between()).map(str::trim);
            Value::Array(each.map(|one| Value::String(one.to_owned())).collect())
        }
        Kind::Number { .. } => match edit.text.parse::<f64>() {
            Ok(number) if plain(&edit.text) == Value::String(edit.text.clone()) => Value::Float(number),
            _ => plain(&edit.text),
        },
        _ => plain(&edit.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let text = r#"
            question = "a \"quoted\" one?"
            shows = """
two lines
of text"""
            name = "all of it"
            seed = 7
            prepare = true
            observe = "full"
            allow_failing_cells = true
            targets_at_least = 1
            target = ["a=sandbox:mysql@8.4?sync_binlog=0&cpus=0-1&ssl-mode=REQUIRED", "mysql://u:secret@h:3307/d"]
            [[need]]
            cpus = 4
            why = "few show nothing"
            [defaults]
            tables = 4
            [[workload]]
            label = "hot"
            kind = "oltp_read_write"
            rand_type = "zipfian"
            rand_zipfian_exp = 0.9
            skip_trx = true
            load = { rate = "500..2000:60,2000:30" }
            [[workload]]
            kind = "tpcc"
            deck = "45%,43%,4%,4%,4%"
            [load]
            clients = [1, 4]
            time = "10m"
            [design]
            until_sure = "1h"
            margin = 2.5
            [capacity]
            slo = ["p99<20ms", "lag<1s"]
            between = "100..5000"
            [[factor]]
            path = "target.sync_binlog"
            levels = [1, 0]
            labels = ["1", "none"]
            [quick.load]
            clients = "1..4"
            [quick.defaults]
            table_size = "10K"
            [[quick.target]]
            sandbox = ""
        "#;
        let document = Document::parse(text).expect("valid");
        let written = document.to_toml();
        assert!(!written.contains("secret"), "{written}");
        let mut expected = document.clone();
        expected.targets[1].servers[0].password = None;
        let again = Document::parse(&written).unwrap_or_else(|wrong| panic!("{wrong}\n{written}"));
        assert_eq!(again, expected, "{written}");
    }

    #[test]
    fn sandboxes_of_a_topology_are_read_as_they_were_written() {
        let text = "workload = \"tpcc\"\n[[target]]\nsandbox = \"mysql\"\ntopology = \"semisync\"\nmembers = 3\nacks = 2\nlink_delay = \"250us\"\n\
                    settings = { sync_binlog = 1 }\n[target.replica]\nsettings = { sync_binlog = 0 }\n";
        let document = Document::parse(text).expect("valid");
        let settings: Vec<&str> = document.targets[0]
            .servers
            .iter()
            .map(|server| server.settings["sync_binlog"].as_str())
            .collect();
        assert_eq!(settings, ["1", "0", "0"]);
        assert_eq!(Document::parse(&document.to_toml()).expect("its own").targets, document.targets);
        let none =
            text.replace("topology = \"semisync\"\nmembers = 3\nacks = 2\nlink_delay = \"250us\"\n", "");
        let refused = Document::parse(&none).expect_err("it has no replica").to_string();
        assert!(refused.contains("the target has no replica"), "{refused}");
    }

    #[test]
    fn a_single_server_behind_a_router_is_read_as_it_was_written() {
        let text = "workload = \"tpcc\"\n[[target]]\nsandbox = \"mysql\"\nvia = \"router\"\nsettings = { sync_binlog = 1 }\n\
                    [[factor]]\npath = \"target.via\"\nlevels = [\"direct\", \"router\"]\n";
        let document = Document::parse(text).expect("valid");
        assert_eq!(document.targets[0].arrangement.via, model::Via::Router);
        assert_eq!(Document::parse(&document.to_toml()).expect("its own"), document);
    }

    #[test]
    fn a_topology_is_read_as_it_was_written() {
        let text = r#"
            workload = "tpcc"
            [[target]]
            label = "pair"
            topology = "semisync"
            user = "u"
            settings = { sync_binlog = 1, gtid_mode = "ON" }
            instance = { class = "small" }
            [[target.server]]
            host = "db2"
            port = 3307
            settings = { sync_binlog = 0 }
            [[target.server]]
            role = "primary"
            host = "db1"
            [[factor]]
            path = "target.replica.sync_binlog"
            levels = [1, 0]
        "#;
        let document = Document::parse(text).expect("valid");
        let [primary, replica] = document.targets[0].servers.as_slice() else { panic!("{document:?}") };
        assert_eq!((primary.host.as_deref(), primary.settings["sync_binlog"].as_str()), (Some("db1"), "1"));
        assert_eq!((replica.user.as_deref(), replica.settings["sync_binlog"].as_str()), (Some("u"), "0"));
        assert_eq!(replica.settings["gtid_mode"], "ON");
        let written = document.to_toml();
        assert_eq!(Document::parse(&written), Ok(document), "{written}");
    }

    #[test]
    fn replicas_are_a_short_form_of_servers_that_differ_by_their_hosts() {
        let head = "workload = \"tpcc\"\n[[target]]\n";
        let text = format!(
            "{head}user = \"u\"\nport = 3307\nhost = \"db1\"\nreplicas = [\"db2\", \"db3:3308\", \"[::1]\"]\n"
        );
        let document = Document::parse(&text).expect("valid");
        let target = &document.targets[0];
        assert_eq!(target.topology, model::Topology::Async);
        let places = target.servers.iter().map(|one| (one.role.name(), one.host.as_deref(), one.port));
        assert_eq!(
            places.collect::<Vec<_>>(),
            [
                ("primary", Some("db1"), Some(3307)),
                ("replica", Some("db2"), Some(3307)),
                ("replica", Some("db3"), Some(3308)),
                ("replica", Some("::1"), Some(3307)),
            ]
        );
        assert!(target.servers.iter().all(|one| one.user.as_deref() == Some("u")), "{target:?}");
        let written = document.to_toml();
        assert_eq!(Document::parse(&written), Ok(document), "{written}");
        let semisync =
            Document::parse(&text.replace("host =", "topology = \"semisync\"\nhost =")).expect("valid");
        assert_eq!(semisync.targets[0].topology, model::Topology::Semisync);
        let why = |text: String| Document::parse(&text).expect_err("refused").to_string();
        let sandboxes = why(format!("{head}sandbox = \"mysql\"\nreplicas = [\"db2\"]\n"));
        assert!(sandboxes.contains("hosts of servers that run already"), "{sandboxes}");
        let both = why(format!("{head}host = \"a\"\nreplicas = [\"b\"]\n[[target.server]]\nhost = \"c\"\n"));
        assert!(both.contains("leave one of them out"), "{both}");
    }

    #[test]
    fn combinations_and_arms_are_read_as_they_were_written() {
        let combined = "target = \"sandbox:mysql\"\nworkload = \"tpcc\"\n[[combination]]\nlabel = \"x\"\n\
                        levels = { \"target.sync_binlog\" = 1, \"load.clients\" = 4 }\n";
        let arms = "target = \"sandbox:mysql\"\nworkload = \"tpcc\"\n[[arm]]\nlabel = \"x\"\n\
                    settings = { a = 1 }\nconnection = { ssl_mode = \"REQUIRED\" }\nplacement = { cpu_nodes = 0 }\n";
        for text in [combined, arms] {
            let document = Document::parse(text).expect("valid");
            let written = document.to_toml();
            assert_eq!(Document::parse(&written), Ok(document), "{written}");
        }
    }
}
