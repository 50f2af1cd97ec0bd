//! The catalogue, the old form, and what factors and combinations come to.

use spec::{Fixed, Layout, TargetAt};

use super::*;

fn layout(text: &str) -> Layout {
    Document::parse(text).expect("valid").layout(&Fixed::default()).expect("it has a target")
}

fn labels(targets: &[TargetAt]) -> Vec<&str> {
    targets.iter().map(|one| one.label.as_deref().unwrap_or_default()).collect()
}

#[test]
fn every_experiment_of_the_catalogue_is_one() {
    for (name, _) in CATALOGUE {
        let document = find(name).expect("it comes with the program");
        let about = document.about(name).expect("it has a question");
        assert!(about.question.ends_with('?'), "{name}");
        assert!(about.published.is_some_and(|published| !published.contains('\n')));
        // A Chinese report asks in Chinese.
        assert!(about.question_zh.is_some_and(|question| question.ends_with('？')), "{name}");
        assert!(about.published_zh.is_some(), "{name}");
        assert_eq!(about.shows_zh.is_some(), about.shows.is_some(), "{name}");
    }
}

#[test]
fn the_old_form_is_read_as_the_new_one() {
    let old = include_str!("durability-0.1.toml");
    assert!(old::is_old(old) && !old::is_old(CATALOGUE[2].1));
    let (old, new) =
        (old::parse(old).expect("valid"), find("durability").expect("it comes with the program"));
    for is_quick in [false, true] {
        let made = |document: &Document| {
            let document = document.clone();
            let document = if is_quick { document.quick(false) } else { document };
            document.layout(&Fixed::default()).expect("it has a target")
        };
        let (old, new) = (made(&old), made(&new));
        assert_eq!(old.targets, new.targets);
        assert_eq!(old.values, new.values);
        let options = |layout: &Layout| spec::options(&layout.workloads[0].kind, &layout.workloads[0].values);
        assert_eq!(options(&old), options(&new));
    }
}

#[test]
fn arms_add_to_the_target() {
    let tls = find("tls-overhead").expect("it comes with the program").quick(false);
    let layout = tls.layout(&Fixed::default()).expect("one target");
    assert_eq!(labels(&layout.targets), ["plain", "TLS 1.2", "TLS 1.3", "TLS 1.3 resumed"]);
    assert_eq!(layout.targets[0].target.servers[0].connection["ssl-mode"], "DISABLED");
    assert_eq!(layout.targets[1].target.servers[0].connection["protocol"], "tcp");
    assert_eq!(layout.workloads.len(), 2);
    let values = &layout.workloads[1].values;
    assert_eq!(values.get("workload.tables"), Some(spec::Value::Count(2)));
    assert_eq!(values.get("workload.reconnect"), Some(spec::Value::Count(1)));
}

#[test]
fn what_a_machine_cannot_show_is_refused() {
    let numa = find("numa").expect("it comes with the program");
    let said = numa.out_of_reach(64, 1).expect("it has one node");
    assert_eq!(
        said,
        "it needs 2 memory nodes, this machine has 1 memory node: with one memory node there is nothing to spread over"
    );
    assert_eq!(numa.out_of_reach(64, 2), None);
    let latches = find("latch-sharding").expect("it comes with the program");
    assert!(latches.out_of_reach(2, 1).is_some_and(|said| said.starts_with("it needs 32 CPUs")));
}

#[test]
fn servers_that_are_to_be_compared_are_named() {
    let clouds = find("cloud-comparison").expect("it comes with the program");
    let few = clouds.layout(&Fixed::default()).expect_err("one is no comparison");
    assert!(few.to_string().contains("name 2 or more"), "{few}");
    let targets = clouds.quick(false).layout(&Fixed::default()).expect("the sandboxes stand in").targets;
    let sandboxes: Vec<_> =
        targets.iter().filter_map(|one| one.target.servers[0].sandbox.as_deref()).collect();
    assert_eq!(sandboxes, ["mysql", "mariadb"]);
}

#[test]
fn a_name_that_is_none_is_said_with_the_nearest() {
    let unknown = find("tls-overhed").expect_err("misspelt").to_string();
    assert!(unknown.contains("did you mean tls-overhead?"), "{unknown}");
    let wrong = parse("x.toml", "target = \"sandbox:\"\nworklod = 1\n").expect_err("misspelt").to_string();
    assert!(
        wrong.contains("x.toml: line 2, column 1") && wrong.contains("did you mean workload?"),
        "{wrong}"
    );
}

const FACTORS: &str = r#"
    target = "sandbox:mysql"
    [load]
    time = 5
    [[factor]]
    path = "target.sync_binlog"
    levels = [1, 0]
    [[factor]]
    path = "target.innodb_flush_log_at_trx_commit"
    levels = [1, 2]
    labels = ["durable", "relaxed"]
    [[factor]]
    path = "workload"
    levels = ["oltp_read_write", "tpcc"]
    [[factor]]
    path = "load.think-time"
    levels = [0, 0.5]
    [[factor]]
    path = "load.threads"
    levels = [4, 16]
"#;

#[test]
fn factors_make_all_combinations() {
    let layout = layout(FACTORS);
    assert_eq!(
        labels(&layout.targets),
        [
            "sync_binlog 1, durable",
            "sync_binlog 1, relaxed",
            "sync_binlog 0, durable",
            "sync_binlog 0, relaxed"
        ]
    );
    assert_eq!(layout.targets[3].levels["target.sync_binlog"], "0");
    assert_eq!(layout.targets[3].target.servers[0].settings["innodb_flush_log_at_trx_commit"], "2");
    let labels: Vec<_> = layout.workloads.iter().map(|one| one.label.clone().unwrap_or_default()).collect();
    assert_eq!(
        labels,
        [
            "oltp_read_write, think-time 0",
            "oltp_read_write, think-time 0.5",
            "tpcc, think-time 0",
            "tpcc, think-time 0.5"
        ]
    );
    assert_eq!(layout.workloads[3].load.get("load.think_time"), Some(spec::Value::Number(0.5)));
    assert_eq!(spec::clients(&layout.values, spec::SWEEP), [4, 16]);
    assert_eq!((layout.factors.len(), layout.only), (5, None));
}

#[test]
fn what_was_typed_does_not_vary() {
    let row = spec::row("load.think_time").expect("the table has it");
    let typed = [spec::Edit::read(row, "1").expect("valid")];
    let fixed = Fixed { edits: &typed, variables: vec!["sync_binlog"], targets: false };
    let document = Document::parse(FACTORS).expect("valid");
    let layout = document.layout(&fixed).expect("it has a target");
    assert_eq!((layout.targets.len(), layout.workloads.len(), layout.factors.len()), (2, 2, 3));
    assert_eq!(layout.values.get("load.think_time"), Some(spec::Value::Number(1.0)));
}

#[test]
fn listed_combinations_are_the_only_ones() {
    let text = r#"
        target = "sandbox:mysql"
        workload = "oltp_read_write"
        [[combination]]
        levels = { "target.sync_binlog" = 1, "load.threads" = 4 }
        [[combination]]
        label = "fast"
        levels = { "target.sync_binlog" = 0, "load.threads" = 16 }
    "#;
    let layout = layout(text);
    assert_eq!(layout.only, Some(vec![(0, 0, Some(4)), (1, 0, Some(16))]));
    let only = layout.only(&["slow", "fast"], &["mix"]);
    assert_eq!((only[1].target.as_str(), only[1].threads), ("fast", Some(16)));
    assert_eq!(spec::clients(&layout.values, spec::SWEEP), [4, 16]);
    let uneven = text.replace("\"target.sync_binlog\" = 0, ", "");
    assert!(Document::parse(&uneven).is_err());
}

#[test]
fn what_a_target_is_comes_before_what_is_added_to_it() {
    let text = r#"
        workload = "oltp_read_write"
        [[factor]]
        path = "target.sync_binlog"
        levels = [1, 0]
        [[factor]]
        path = "target"
        levels = ["sandbox:mysql", "sandbox:mariadb?skip_log_bin=1"]
    "#;
    let layout = layout(text);
    assert_eq!(
        labels(&layout.targets),
        ["mysql, sync_binlog 1", "mysql, sync_binlog 0", "mariadb, sync_binlog 1", "mariadb, sync_binlog 0"]
    );
    let settings = &layout.targets[3].target.servers[0].settings;
    assert_eq!((settings["skip_log_bin"].as_str(), settings["sync_binlog"].as_str()), ("1", "0"));
}

#[test]
fn a_build_varies_in_sandboxes_only() {
    let text = |target: &str| {
        format!(
            "target = \"{target}\"\nworkload = \"tpcc\"\n[[factor]]\npath = \"target.version\"\nlevels = [\"8.4\", \"9.7\"]\n"
        )
    };
    assert_eq!(labels(&layout(&text("sandbox:mysql")).targets), ["8.4", "9.7"]);
    let remote = Document::parse(&text("mysql://u@db1/x")).expect("valid");
    let said = remote.layout(&Fixed::default()).expect_err("it is no sandbox").to_string();
    assert!(said.contains("varies the build of a sandbox"), "{said}");
}
