//! The meaning of targets; no text makes the grammar panic or reveal a password.

use super::*;
use proptest::prelude::*;

fn parse(text: &str) -> Outcome<Value> {
    Value::of(&spec::target(text)?.servers[0])
}

fn url(text: &str) -> ConnectionArgs {
    match parse(text) {
        Ok(Value::Server(url, _)) => *url,
        Ok(Value::Sandbox(_)) => panic!("{text} is a sandbox"),
        Err(error) => panic!("{error}"),
    }
}

fn sandbox(text: &str) -> Sandbox {
    match parse(text) {
        Ok(Value::Sandbox(sandbox)) => *sandbox,
        Ok(Value::Server(..)) => panic!("{text} is a server"),
        Err(error) => panic!("{error}"),
    }
}

fn refusal(text: &str) -> String {
    parse(text).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_url_names_everything_in_one_word() {
    let url = url("mysql://bench:s%40cret@db1:3307/shop?ssl-mode=REQUIRED&connect_timeout=3");
    assert_eq!(url.host.as_deref(), Some("db1"));
    assert_eq!(url.port, Some(3307));
    assert_eq!(url.user.as_deref(), Some("bench"));
    assert_eq!(url.password.flatten().as_deref(), Some("s@cret"));
    assert_eq!(url.database.as_deref(), Some("shop"));
    assert_eq!(url.tls.ssl_mode, Some(model::TlsMode::Required));
    assert_eq!(url.connect_timeout, Some(3));
}

#[test]
fn a_url_may_be_short() {
    let url = url("mysql://db1");
    assert_eq!((url.host.as_deref(), url.port, url.user.as_deref()), (Some("db1"), None, None));
    assert!(url.password.is_none() && url.database.is_none());
}

#[test]
fn sockets_and_ipv6_and_at_signs_in_passwords_are_understood() {
    assert_eq!(url("mysql://root@/test?socket=/tmp/my.sock").socket, Some("/tmp/my.sock".into()));
    let six = url("mysql://root@[::1]:3310/");
    assert_eq!((six.host.as_deref(), six.port), (Some("::1"), Some(3310)));
    let at = url("mysql://root:p@ss@db1/");
    assert_eq!((at.host.as_deref(), at.password.flatten().as_deref()), (Some("db1"), Some("p@ss")));
}

#[test]
fn a_label_stands_before_the_first_equals_sign() {
    let label = |text| spec::target(text).ok().and_then(|target| target.label);
    assert_eq!(label("old=mysql://db1/?ssl-mode=DISABLED").as_deref(), Some("old"));
    assert_eq!(label("flush 2=sandbox:mysql?x=2").as_deref(), Some("flush 2"));
    assert_eq!(label("sandbox:mysql?x=2"), None);
    assert_eq!(label("mysql://u:a=b@db1/"), None);
}

#[test]
fn a_sandbox_has_flavour_basedir_and_settings() {
    assert_eq!(sandbox("sandbox:"), Sandbox::default());
    let one =
        sandbox("sandbox:mysql@/opt/mysql-8.4?innodb-flush-log-at-trx-commit=2&sync_binlog=0&skip_log_bin");
    assert_eq!(one.flavour, Some(Flavour::Mysql));
    assert_eq!(one.basedir, Some("/opt/mysql-8.4".into()));
    let settings: Vec<_> = one.settings.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(
        settings,
        [("innodb_flush_log_at_trx_commit", "2"), ("skip_log_bin", ""), ("sync_binlog", "0")]
    );
    let two = sandbox("sandbox:mariadb?protocol=tcp&ssl_mode=required");
    assert_eq!((two.protocol, two.tls.ssl_mode), (Some(Protocol::Tcp), Some(model::TlsMode::Required)));
    assert!(two.settings.is_empty());
}

#[test]
fn a_sandbox_has_a_place() {
    let one = sandbox("sandbox:mysql?cpus=0-1&cpu_quota=1.5&memory-max=2G&memory-nodes=0&sync_binlog=0");
    assert_eq!(one.place.to_string(), "cpus=0-1 memory-nodes=0 cpu-quota=1.5 memory-max=2G");
    assert_eq!(one.settings.into_keys().collect::<Vec<_>>(), ["sync_binlog"]);
    assert!(refusal("sandbox:mysql?cpu-qouta=1").contains("did you mean cpu-quota?"));
    assert!(refusal("sandbox:mysql?cpus=0&cpu-nodes=0").contains("leave one of them out"));
    let set = parse_set("mysql:memory_max=2G").map(drop).expect_err("it is no variable").to_string();
    assert!(set.contains("sandbox:mysql?memory-max=..."), "{set}");
}

#[test]
fn every_target_of_the_catalogue_is_in_the_grammar() {
    for (name, _) in crate::experiment::CATALOGUE {
        let document = crate::experiment::find(name).expect("it comes with the program");
        // Some have no targets of their own.
        let Ok(layout) = document.quick(false).layout(&spec::Fixed::default()) else { continue };
        for one in layout.targets {
            Value::of(&one.target.servers[0]).map(drop).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_without_quoting_it() {
    for text in [
        "db1",
        "",
        "postgres://u:hunter2@h/",
        "mysql://",
        "mysql://u:hunter2@db1:port/",
        "mysql://u:hunter2@[::1/",
        "mysql://u:hunter2@db1/a%2fb",
        "mysql://u:hunter2@db1/?socket=/x",
        "mysql://u:hunter2@db1/?ssl-mode=perhaps",
        "mysql://u:hunter2@db1/%ff",
        "=mysql://u:hunter2@db1/",
        "sandbox:oracle",
        "sandbox:@/opt/x",
        "sandbox:mysql@opt/x",
        "sandbox:mysql?a b=1",
        "sandbox:mysql?cpus=first",
        "sandbox:mysql?memory-max=2",
    ] {
        let refusal = refusal(text);
        assert!(!refusal.is_empty(), "{text} is accepted");
        assert!(!refusal.contains("hunter2"), "{refusal}");
    }
    assert!(refusal("mysql://db1/?ssl_mod=REQUIRED").contains("did you mean ssl-mode?"));
}

#[test]
fn assignments_may_name_a_target() {
    let set = parse_set("mysql:skip-log-bin=1").expect("well formed");
    assert_eq!(
        (set.label.as_deref(), set.key.as_str(), set.value.as_str()),
        (Some("mysql"), "skip_log_bin", "1")
    );
    let all = parse_set("skip_log_bin").expect("well formed");
    assert_eq!((all.label, all.key.as_str(), all.value.as_str()), (None, "skip_log_bin", ""));
    assert!(parse_set("a b=1").is_err());
    let instance = parse_instance("db1:price=0.45 USD/h").expect("well formed");
    assert_eq!((instance.key.as_str(), instance.value.as_str()), ("price", "0.45 USD/h"));
    assert!(parse_instance("db1:class").is_err());
}

proptest! {
    #[test]
    fn no_text_makes_the_grammar_panic(text in "\\PC*") {
        let _ = parse(&text);
        let _ = parse(&format!("mysql://{text}"));
        let _ = parse(&format!("sandbox:{text}"));
        let _ = parse_set(&text);
        let _ = parse_instance(&text);
    }
}
