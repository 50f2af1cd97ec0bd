//! Experiments: the catalogue, what is refused, and what factors and combinations come to.

use super::*;

#[test]
fn every_experiment_of_the_catalogue_is_one() {
    for (name, _) in CATALOGUE {
        let experiment = Experiment::find(name).expect("it comes with the program");
        assert!(experiment.question.ends_with('?'), "{name}");
        let about = experiment.about(true);
        assert!(about.published.is_some_and(|published| !published.contains('\n')));
        // A Chinese report asks in Chinese.
        assert!(about.question_zh.is_some_and(|question| question.ends_with('？')), "{name}");
        assert!(about.published_zh.is_some(), "{name}");
        assert_eq!(about.shows_zh.is_some(), about.shows.is_some(), "{name}");
    }
}

#[test]
fn arms_add_to_the_target_and_the_users_words_come_last() {
    let experiment = Experiment::find("tls-overhead").expect("it comes with the program");
    let own = ["--threads".to_owned(), "4".to_owned()];
    let nothing = |_: &Path| false;
    let one = ["mysql://u@db1/x".to_owned()];
    let layout = experiment.layout(true, &one, &own, &nothing).expect("one target");
    let sweeps = layout.sweeps;
    assert_eq!((sweeps.len(), layout.targets[0].0.as_deref()), (2, Some("plain")));
    let words = sweeps[1].words.join(" ");
    assert!(words.starts_with("sweep --bookend=on --tables 5 --table-size 1000000 "), "{words}");
    assert!(words.contains(" --tables 2 ") && words.contains(" oltp_read_write --reconnect=1 "), "{words}");
    assert!(words.contains("--target mysql://u@db1/x?ssl-mode=DISABLED "), "{words}");
    assert!(words.ends_with(" --threads 4"), "{words}");
    let own_target = experiment.layout(false, &[], &[], &nothing).expect("its own").sweeps[0].words.join(" ");
    assert!(own_target.contains("sandbox:mysql?protocol=tcp&ssl-mode=DISABLED"), "{own_target}");
}

#[test]
fn what_a_machine_cannot_show_is_refused() {
    let numa = Experiment::find("numa").expect("it comes with the program");
    let said = numa.out_of_reach(64, 1).expect("it has one node");
    assert_eq!(
        said,
        "it needs 2 memory nodes, this machine has 1 memory node: with one memory node there is nothing to spread over"
    );
    assert_eq!(numa.out_of_reach(64, 2), None);
    let latches = Experiment::find("latch-sharding").expect("it comes with the program");
    assert!(latches.out_of_reach(2, 1).is_some_and(|said| said.starts_with("it needs 32 CPUs")));
}

#[test]
fn servers_that_are_to_be_compared_are_named() {
    let clouds = Experiment::find("cloud-comparison").expect("it comes with the program");
    let few =
        clouds.layout(false, &["mysql://db1".to_owned()], &[], &|_| false).expect_err("one is no comparison");
    assert!(few.to_string().contains("name 2 or more with --target"), "{few}");
    let sweeps = clouds.layout(true, &[], &[], &|_| false).expect("the sandboxes stand in").sweeps;
    assert!(sweeps[0].words.join(" ").contains("--target sandbox:mysql --target sandbox:mariadb"));
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    let wrong = Experiment::parse("x.toml", "question = \"?\"\ntarget = \"sandbox:\"\nworklod = 1\n");
    let message = wrong.expect_err("a key is misspelt").to_string();
    assert!(message.contains("line 3") && message.contains("did you mean workload?"), "{message}");
    let factor =
        "question = \"?\"\ntarget = \"sandbox:\"\n[[factor]]\npath = \"workload.rand-typ\"\nlevels = [1]\n";
    let message = Experiment::parse("x.toml", factor).expect_err("an option is misspelt").to_string();
    assert!(message.contains("line 4, column 8") && message.contains("did you mean rand-type?"), "{message}");
    let unknown = Experiment::find("tls-overhed").expect_err("misspelt").to_string();
    assert!(unknown.contains("did you mean tls-overhead?"), "{unknown}");
}

const FACTORS: &str = r#"
    question = "?"
    target = "sandbox:mysql"
    options = "--time 5"
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
    let experiment = Experiment::parse("x.toml", FACTORS).expect("it is one");
    let layout = experiment.layout(false, &[], &[], &|_| false).expect("it has a target");
    let labels: Vec<_> = layout.targets.iter().map(|(label, _)| label.clone().unwrap_or_default()).collect();
    assert_eq!(
        labels,
        [
            "sync_binlog 1, durable",
            "sync_binlog 1, relaxed",
            "sync_binlog 0, durable",
            "sync_binlog 0, relaxed"
        ]
    );
    assert_eq!(layout.targets[3].1["target.sync_binlog"], "0");
    let labels: Vec<_> = layout.sweeps.iter().map(|sweep| sweep.label.clone().unwrap_or_default()).collect();
    assert_eq!(
        labels,
        [
            "oltp_read_write, think-time 0",
            "oltp_read_write, think-time 0.5",
            "tpcc, think-time 0",
            "tpcc, think-time 0.5"
        ]
    );
    let words = layout.sweeps[3].words.join(" ");
    assert!(
        words.starts_with("sweep --bookend=on --time 5 --threads=4,16 tpcc --think-time=0.5 --target"),
        "{words}"
    );
    assert_eq!((layout.factors.len(), layout.only), (5, None));
}

#[test]
fn what_was_typed_does_not_vary() {
    let experiment = Experiment::parse("x.toml", FACTORS).expect("it is one");
    let typed =
        |path: &Path| path.to_string() == "load.think-time" || path.to_string() == "target.sync_binlog";
    let layout = experiment.layout(false, &[], &[], &typed).expect("it has a target");
    assert_eq!((layout.targets.len(), layout.sweeps.len(), layout.factors.len()), (2, 2, 3));
}

#[test]
fn listed_combinations_are_the_only_ones() {
    let text = r#"
        question = "?"
        target = "sandbox:mysql"
        [[workload]]
        label = "mix"
        run = "oltp_read_write"
        [[combination]]
        levels = { "target.sync_binlog" = 1, "load.threads" = 4 }
        [[combination]]
        label = "fast"
        levels = { "target.sync_binlog" = 0, "load.threads" = 16 }
    "#;
    let experiment = Experiment::parse("x.toml", text).expect("it is one");
    let layout = experiment.layout(false, &[], &[], &|_| false).expect("it has a target");
    assert_eq!(layout.only, Some(vec![(0, 0, Some(4)), (1, 0, Some(16))]));
    let only = layout.only(&["slow", "fast"], &["mix"]);
    assert_eq!((only[1].target.as_str(), only[1].threads), ("fast", Some(16)));
    assert!(layout.sweeps[0].words.contains(&"--threads=4,16".to_owned()));
    let uneven = text.replace("\"target.sync_binlog\" = 0, ", "");
    assert!(Experiment::parse("x.toml", &uneven).is_err());
}

#[test]
fn what_a_target_is_comes_before_what_is_added_to_it() {
    let text = r#"
        question = "?"
        [[factor]]
        path = "target.sync_binlog"
        levels = [1, 0]
        [[factor]]
        path = "target"
        levels = ["sandbox:mysql", "sandbox:mariadb?skip_log_bin=1"]
        [[workload]]
        label = "mix"
        run = "oltp_read_write"
    "#;
    let experiment = Experiment::parse("x.toml", text).expect("it is one");
    let layout = experiment.layout(false, &[], &[], &|_| false).expect("it has targets");
    let labels: Vec<_> = layout.targets.iter().map(|(label, _)| label.clone().unwrap_or_default()).collect();
    assert_eq!(
        labels,
        ["mysql, sync_binlog 1", "mysql, sync_binlog 0", "mariadb, sync_binlog 1", "mariadb, sync_binlog 0"]
    );
    let words = layout.sweeps[0].words.join(" ");
    assert!(words.contains("--target sandbox:mariadb?skip_log_bin=1&sync_binlog=0"), "{words}");
}

#[test]
fn what_would_be_left_out_or_contradict_itself_is_refused() {
    let head = "question = \"?\"\ntarget = \"sandbox:mysql\"\n";
    let arm = "[[arm]]\nlabel = \"x\"\nadds = \"sync-binlog=0\"\n";
    let mix = |label: &str| format!("[[workload]]\nlabel = \"{label}\"\nrun = \"oltp_read_write\"\n");
    let listed = |threads: &str| format!("[[combination]]\nlevels = {{ \"load.threads\" = {threads} }}\n");
    let refusal = |text: String| Experiment::parse("x.toml", &text).expect_err("refused").to_string();
    assert!(
        refusal(format!("{head}{arm}{}{}", mix("a"), listed("4")))
            .contains("combinations stand beside one target")
    );
    assert!(
        refusal(format!("{head}{}{}{}", mix("a"), mix("b"), listed("4")))
            .contains("at most one [[workload]]")
    );
    assert!(refusal(format!("{head}{}{}", mix("a"), listed("\"4,8\""))).contains("one number, not '4,8'"));
    let whole = "[[factor]]\npath = \"target\"\nlevels = [\"sandbox:mysql\"]\n";
    assert!(refusal(format!("{head}{arm}{}{whole}", mix("a"))).contains("arms add to one target"));
    let arms = Experiment::parse("x.toml", &format!("{head}{arm}{}", mix("a"))).expect("it is one");
    assert_eq!((arms.arm_that_sets("SYNC_BINLOG"), arms.arm_that_sets("port")), (Some("x"), None));
    let build = "[[factor]]\npath = \"target.basedir\"\nlevels = [\"/opt/a\"]\n";
    let experiment = Experiment::parse("x.toml", &format!("{head}{}{build}", mix("a"))).expect("it is one");
    let remote = ["mysql://u@db1/x".to_owned()];
    let said = experiment.layout(false, &remote, &[], &|_| false).expect_err("it is no sandbox").to_string();
    assert!(said.contains("varies the build of a sandbox"), "{said}");
}
