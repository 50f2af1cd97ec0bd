//! The meaning of command lines: the targets, labels, passwords and numbers that result from them.

use model::Spec;
use spec::Document;

use super::*;
use crate::cli::{ExperimentAction, Verb};
use crate::commandline::{self, Asked};
use crate::experiment::{CATALOGUE, find};
use crate::specify::{Specified, of_document, of_run, of_sweep};

/// The specification made from the words; a recording of it reproduces it.
fn spec_with(words: &str, installed: &[Flavour]) -> Outcome<(Spec, Passwords)> {
    spec_of(words.split(' '), installed)
}

fn spec_of<'a>(words: impl Iterator<Item = &'a str>, installed: &[Flavour]) -> Outcome<(Spec, Passwords)> {
    let made = made_of(words, installed)?;
    makes_itself_again(&made, installed);
    Ok((made.spec, made.passwords))
}

fn made_of<'a>(words: impl Iterator<Item = &'a str>, installed: &[Flavour]) -> Outcome<Specified> {
    let words = words.chain(["--no-defaults"]).map(str::to_owned).collect();
    let Asked::Request(request) = commandline::read(words)? else { panic!("a text instead of a verb") };
    around(&request, installed, |context| match &request.verb {
        Verb::Run(args) => of_run(args, context),
        Verb::Sweep(args) => of_sweep(args, context),
        Verb::Experiment(args) => match &args.action {
            ExperimentAction::Run(args) => of_document(find(&args.name)?, args, context),
            ExperimentAction::Show { .. } => panic!("nothing to specify"),
        },
        _ => panic!("not a verb that makes a spec"),
    })
}

/// Runs a test on a machine with these flavours installed and an environment with a login name only.
fn around<T>(
    request: &commandline::Request,
    installed: &[Flavour],
    make: impl FnOnce(&mut Context) -> Outcome<T>,
) -> Outcome<T> {
    let environment = Environment { login: Some("me".to_owned()), ..Environment::default() };
    make(&mut Context {
        environment: &environment,
        typed: &request.given.typed,
        installed: &|| Ok(installed.to_vec()),
        version: &|sandbox| {
            let build = sandbox.basedir.as_ref().map(|build| build.display().to_string());
            match build.as_deref() {
                Some("/opt/old") => Some("10.5.29-MariaDB".to_owned()),
                Some(build) => Some(format!("{build}.6-MariaDB")),
                None => Some("10.11.19-MariaDB-0+deb12u1".to_owned()),
            }
        },
        like: &|_| Ok(BTreeMap::from([("sync_binlog".to_owned(), "0".to_owned())])),
        ask: &mut || Ok(Secret::from("asked")),
        fresh_seed: 99,
    })
}

/// Checks that a recording reproduces the specification without any flag.
fn makes_itself_again(made: &Specified, installed: &[Flavour]) {
    let text = made.document.to_toml();
    let words = ["experiment", "run", "x/spec.toml", "--no-defaults"].map(str::to_owned).to_vec();
    let Ok(Asked::Request(request)) = commandline::read(words) else { panic!("no request") };
    let Verb::Experiment(args) = &request.verb else { panic!("no experiment") };
    let ExperimentAction::Run(args) = &args.action else { panic!("not to be run") };
    let document = Document::parse(&text).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    let again = around(&request, installed, |context| of_document(document, args, context));
    let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.spec, made.spec, "{text}");
}

#[test]
fn every_experiment_can_be_specified_and_makes_itself_again() {
    for (name, _) in CATALOGUE {
        let named = "--target A=sandbox:mysql --target B=sandbox:mariadb?sync_binlog=0";
        let own = find(name).is_ok_and(|document| document.layout(&spec::Fixed::default()).is_ok());
        let (whole, _) = spec(&format!(
            "run {name} --quick{}{}",
            if own { "" } else { " " },
            if own { "" } else { named }
        ));
        assert_eq!(whole.about.as_ref().map(|about| about.experiment.as_str()), Some(name));
    }
    let (typed, _) =
        spec("run durability --threads 2 --set 1/1:table_open_cache=100 --time 3 --restore changed");
    assert_eq!((typed.threads.as_slice(), typed.load.time_s), (&[2][..], 3.0));
}

/// A setting on one level of a factor has no place in a file beside the factor: the recording keeps the targets instead.
#[test]
fn what_is_set_on_one_level_is_recorded_too() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let file = place.path().join("own.toml").display().to_string();
    let text = "question = \"?\"\ntarget = \"sandbox:mysql\"\nworkload = \"tpcc\"\n[[factor]]\npath = \"target.sync_binlog\"\nlevels = [1, 0]\nlabels = [\"safe\", \"fast\"]\n";
    std::fs::write(&file, text).expect("a writable temporary directory");
    for more in ["fast:table_open_cache=100", "table_open_cache=200"] {
        let words = ["run", &file, "--set", more];
        let made = made_of(words.into_iter(), &[Flavour::Mysql]).expect("valid");
        let again = Document::parse(&made.document.to_toml()).expect("it was written by us");
        let settings = |document: &Document| {
            let layout = document.layout(&spec::Fixed::default()).expect("it has targets");
            layout.targets.into_iter().map(|one| one.target.servers[0].settings.clone()).collect::<Vec<_>>()
        };
        let planned: Vec<_> = made
            .spec
            .targets
            .iter()
            .map(|one| spec::TargetSpec::of(one).servers[0].settings.clone())
            .collect();
        assert_eq!(settings(&again), planned, "{more}");
        assert!(made.spec.about.as_ref().is_some_and(|about| about.arms));
        assert_eq!(again.about("x").map(|about| about.arms), Some(true));
    }
}

fn spec(words: &str) -> (Spec, Passwords) {
    spec_with(words, &[Flavour::Mysql]).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(words: &str) -> String {
    spec_with(words, &[Flavour::Mysql]).err().unwrap_or_else(|| panic!("{words} is accepted")).to_string()
}

#[test]
fn targets_of_several_versions_are_labelled_by_version() {
    let labels_of = |targets: &[&str]| {
        let targets: String = targets.iter().map(|target| format!(" --target {target}")).collect();
        let (spec, _) = spec(&format!("sweep oltp_read_only{targets}"));
        labels(&spec).join(" ")
    };
    assert_eq!(labels_of(&["sandbox:mariadb", "sandbox:mariadb@11.8"]), "mariadb-10.11 mariadb-11.8");
    assert_eq!(labels_of(&["sandbox:mariadb@/opt/old", "sandbox:mariadb"]), "mariadb-10.5 mariadb-10.11");
    assert_eq!(labels_of(&["sandbox:mariadb@11.8", "sandbox:mysql"]), "mariadb-11.8 mysql");
    assert_eq!(labels_of(&["sandbox:mariadb@11.8", "sandbox:mariadb@11.9"]), "mariadb-11.8 mariadb-11.9");
    assert_eq!(
        labels_of(&["sandbox:mariadb@11.8.5", "sandbox:mariadb@11.8.6"]),
        "mariadb-11.8.5.6 mariadb-11.8.6.6"
    );
    assert_eq!(labels_of(&["sandbox:mariadb", "sandbox:mariadb?sync_binlog=1"]), "mariadb mariadb-2");
    assert_eq!(labels_of(&["old=sandbox:mariadb", "sandbox:mariadb"]), "old mariadb");
    assert!(
        refusal("run oltp_read_only --target sandbox:mariadb@opt").contains("a version or the absolute path")
    );
}

fn labels(spec: &Spec) -> Vec<&str> {
    spec.targets.iter().map(|one| one.target.label.as_str()).collect()
}

fn sandbox_of(spec: &Spec, index: usize) -> &SandboxSpec {
    match spec.targets[index].target.entry() {
        ServerKind::Sandbox(sandbox) => sandbox,
        _ => panic!("target {index} is no sandbox"),
    }
}

fn endpoint_of(spec: &Spec, index: usize) -> &Endpoint {
    match spec.targets[index].target.entry() {
        ServerKind::External(endpoint) => endpoint,
        _ => panic!("target {index} is no server"),
    }
}

#[test]
fn the_first_contact_of_the_manual() {
    let (spec, passwords) = spec(
        "sweep oltp_read_write --target sandbox:mysql --target sandbox:mariadb --threads 1,4,16,64 --time 30",
    );
    assert_eq!(labels(&spec), ["mysql", "mariadb"]);
    assert_eq!(spec.threads, [1, 4, 16, 64]);
    assert_eq!((spec.repeats, spec.load.time_s, spec.seed), (3, 30.0, 1));
    assert!(passwords.is_empty());
    assert!(!sandbox_of(&spec, 0).tcp);
    assert_eq!(sandbox_of(&spec, 1).tls.mode, TlsMode::Disabled);
}

#[test]
fn a_spec_survives_toml() {
    let (spec, _) = spec(
        "sweep oltp_read_write,oltp_point_select select_random_points --target a=mysql://u@h/d?init-command=SET%20x=1 \
         --target sandbox:mysql@/opt/x?sync_binlog=0 --instance a:class=m5 --seed 9223372036854775807 --workers 2 \
         --rand-type pareto --warmup-time 0.5",
    );
    let text = toml::to_string(&spec).expect("a spec has a TOML form");
    assert_eq!(toml::from_str::<Spec>(&text).expect("the same form"), spec);
    assert_eq!(spec.name, "oltp_read_write+oltp_point_select+select_random_points");
}

#[test]
fn client_options_name_the_one_target() {
    let (spec, passwords) = spec("run oltp_read_only -h db1 -u bench -psecret -D shop --ssl-mode=REQUIRED");
    let endpoint = endpoint_of(&spec, 0);
    assert_eq!(endpoint.address.to_string(), "db1:3306");
    assert_eq!((endpoint.user.as_str(), endpoint.database.as_str()), ("bench", "shop"));
    assert_eq!(endpoint.tls.mode, TlsMode::Required);
    assert_eq!(labels(&spec), ["db1"]);
    assert_eq!(passwords["db1"].expose(), "secret");
    assert!(!spec.prepare);
    assert!(!toml::to_string(&spec).expect("a spec has a TOML form").contains("secret"));
}

#[test]
fn nothing_named_means_an_installed_sandbox() {
    let (found, _) = spec_with("run oltp_read_only", &[Flavour::Mariadb]).expect("one is installed");
    assert_eq!(labels(&found), ["mariadb"]);
    let error = spec_with("run oltp_read_only", &[]).expect_err("none is installed");
    assert!(error.to_string().contains("mydyno server install mysql"));
}

#[test]
fn urls_take_account_and_tls_from_the_client_options_and_keep_their_own() {
    let (spec, passwords) = spec(
        "sweep oltp_read_only --target mysql://db1 --target two=mysql://root:own@db2:3307/x?ssl-mode=DISABLED -u bench -p \
         --ssl-mode=REQUIRED",
    );
    assert_eq!(endpoint_of(&spec, 0).user, "bench");
    assert_eq!(endpoint_of(&spec, 0).tls.mode, TlsMode::Required);
    assert_eq!((endpoint_of(&spec, 1).user.as_str(), endpoint_of(&spec, 1).database.as_str()), ("root", "x"));
    assert_eq!(endpoint_of(&spec, 1).tls.mode, TlsMode::Disabled);
    assert_eq!((passwords["db1"].expose(), passwords["two"].expose()), ("asked", "own"));
}

#[test]
fn labels_are_unique_without_the_users_help() {
    let (spec, _) = spec(
        "sweep oltp_read_only --target sandbox:mysql --target mysql-2=sandbox:mysql --target sandbox:mysql \
         --target mysql://db1:1 --target mysql://db1:2",
    );
    assert_eq!(labels(&spec), ["mysql", "mysql-2", "mysql-3", "db1:1", "db1:2"]);
    assert!(
        refusal("sweep oltp_read_only --target a=sandbox:mysql --target a=mysql://h")
            .contains("labelled 'a'")
    );
}

#[test]
fn set_reaches_the_sandboxes_meant() {
    let (spec, _) = spec(
        "sweep oltp_read_only --target sandbox:mysql?sync_binlog=0 --target sandbox:mariadb --set mysql:skip-log-bin \
         --set innodb_buffer_pool_size=512M --protocol=tcp",
    );
    let settings = |index| -> Vec<(&str, &str)> {
        sandbox_of(&spec, index).settings.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()
    };
    assert_eq!(
        settings(0),
        [("innodb_buffer_pool_size", "512M"), ("skip_log_bin", ""), ("sync_binlog", "0")]
    );
    assert_eq!(settings(1), [("innodb_buffer_pool_size", "512M")]);
    assert!(sandbox_of(&spec, 0).tcp);
}

#[test]
fn contradictions_are_refused_in_words() {
    for (words, part) in [
        ("run oltp_read_only -h db1 --target sandbox:mysql", "--host and --target"),
        ("run oltp_read_only --target mysql://db1 --set x!=1", "not the name of a server variable"),
        ("run oltp_read_only --target sandbox:mysql --set mariadb:x=1", "there is none"),
        ("run oltp_read_only --threads 1,2", "run measures one configuration"),
        (
            "run oltp_read_only --target sandbox:mysql --target sandbox:mariadb",
            "run measures one configuration",
        ),
        ("sweep oltp_read_only --target mysql://a --target mysql://b --instance x=1", "which target"),
    ] {
        let refusal = refusal(words);
        assert!(refusal.contains(part), "{words}: {refusal}");
    }
}

#[test]
fn missing_tables_are_made_on_request() {
    assert!(!spec("run oltp_read_only -h db1").0.prepare);
    assert!(!spec("run oltp_read_only -h db1 --no-prepare").0.prepare);
    assert!(spec("run oltp_read_only -h db1 --prepare").0.prepare);
}

/// A recording of the first format holds a resolved specification: it is reproduced.
#[test]
fn a_spec_of_the_first_format_makes_the_same_spec() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let file = place.path().join("spec.toml").display().to_string();
    for words in [
        "sweep oltp_read_write --target sandbox:mysql --target sandbox:mariadb",
        "sweep tpcc --target sandbox:mysql --warehouses 1",
        "sweep tpcc --target sandbox:mysql",
        "sweep tpcc --target mysql://u@h/ --warehouses 20 --prepare --allow-failing-cells --preset benchmarksql \
         --mysql-storage-engine RocksDB --check=off --think 0.5 --isolation read-committed --style batched --age 2",
        "sweep oltp_read_write --target mysql://u@h:3307/d --prepare --mysql-storage-engine myisam --rate 100:5,500:5",
        "sweep oltp_read_only,oltp_point_select --target a=mysql://u@/d?socket=/tmp/my.sock&connect-timeout=3 \
         --target sandbox:mysql@/opt/x?sync_binlog=0&protocol=tcp --instance a:storage=io2'fast --threads 1,8 \
         --rand-type zipfian --rand-zipfian-exp 1.1 --repeats 5 --events 1000 --workers 2 --seed 7 --warmup-time 0.5 \
         --allow-failing-cells --range-size 50 --skip-trx --mysql-ignore-errors all --rate 300 --arrivals constant",
    ] {
        let (spec, _) = spec(words);
        let text = toml::to_string(&spec).expect("a spec has a TOML form");
        std::fs::write(&file, &text).expect("a writable temporary directory");
        let words = ["run", &file];
        let (again, _) = spec_of(words.into_iter(), &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again, spec, "{text}");
    }
}
