//! Other spellings: MySQL's, sysbench's, and the retired ones of old sysbench.
//!
//! The lists here are applied to the words of the command line before clap sees them, so that the definitions in
//! `cli.rs` hold one name for one thing.

use std::collections::BTreeSet;

use spec::NamedWorkload;

use crate::error::{Outcome, UserError};

/// Old names, and their current ones.
const RETIRED: &[(&str, &str)] = &[
    ("num-threads", "--threads"),
    ("max-time", "--time"),
    ("max-requests", "--events"),
    ("tx-rate", "--rate"),
    ("init-rng", "--rand-seed"),
    ("oltp-table-size", "--table-size"),
    ("oltp-tables-count", "--tables"),
    ("oltp-range-size", "--range-size"),
    ("oltp-point-selects", "--point-selects"),
    ("oltp-simple-ranges", "--simple-ranges"),
    ("oltp-sum-ranges", "--sum-ranges"),
    ("oltp-order-ranges", "--order-ranges"),
    ("oltp-distinct-ranges", "--distinct-ranges"),
    ("oltp-index-updates", "--index-updates"),
    ("oltp-non-index-updates", "--non-index-updates"),
    ("oltp-auto-inc", "--auto-inc"),
    ("oltp-secondary", "--secondary"),
    ("oltp-skip-trx", "--skip-trx"),
    ("oltp-reconnect", "--reconnect"),
    ("oltp-dist-type", "--rand-type"),
    ("oltp-dist-iter", "--rand-spec-iter"),
    ("oltp-dist-pct", "--rand-spec-pct"),
    ("oltp-dist-res", "--rand-spec-res"),
    ("mysql-table-engine", "--mysql-storage-engine"),
    ("oltp-read-only", "the workload oltp_read_only"),
    ("oltp-test-mode", "a workload such as oltp_read_write or oltp_read_only"),
];

/// Options without a value that are spelled differently here. The replacement is a whole word.
const BARE: &[(&str, &str)] = &[
    ("no-prepare", "--prepare=off"),
    ("mysql-ssl", "--ssl-mode=REQUIRED"),
    ("ssl", "--ssl-mode=REQUIRED"),
    ("skip-ssl", "--ssl-mode=DISABLED"),
    ("ssl-verify-server-cert", "--ssl-mode=VERIFY_IDENTITY"),
];

/// Turns the words of the command line into those that `cli.rs` defines, with its `verbs`, and explains the ones that are
/// history.
pub fn modernise(words: Vec<String>, verbs: &BTreeSet<String>) -> Outcome<Vec<String>> {
    detached_password(&words)?;
    sysbench_order(&words, verbs)?;
    let mut out = Vec::with_capacity(words.len());
    let mut rest = words.into_iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            out.push(word);
            out.extend(rest);
            break;
        }
        let word = modern_word(word)?;
        match word.strip_prefix("--set") {
            Some("") => out.extend(set_words(rest.next())),
            Some(value) if value.starts_with('=') => out.extend(set_words(Some(value[1..].to_owned()))),
            _ => out.push(word),
        }
    }
    Ok(out)
}

/// `--set load.time=30` is `--time=30`, and `--set target.sync_binlog=0` is `--set sync_binlog=0`: the paths of an
/// experiment's factors hold on the command line too.
fn set_words(value: Option<String>) -> Vec<String> {
    let Some(value) = value else { return vec!["--set".to_owned()] };
    let (path, level) =
        value.split_once('=').map_or((value.as_str(), None), |(path, level)| (path, Some(level)));
    let is_option = ["load.", "workload.", "design."].iter().any(|section| path.starts_with(section));
    match is_option.then(|| flag_of(path)) {
        Some(flag) => vec![level.map_or_else(|| format!("--{flag}"), |level| format!("--{flag}={level}"))],
        None => {
            let variable = value.strip_prefix("target.").unwrap_or(&value);
            vec!["--set".to_owned(), variable.strip_prefix("set.").unwrap_or(variable).to_owned()]
        }
    }
}

/// The flag of the option at that path; for an unknown path its last part.
fn flag_of(path: &str) -> String {
    let (section, key) = path.split_once('.').unwrap_or_default();
    let word = key.replace('_', "-");
    let called = |row: &&spec::OptionRow| {
        row.path.starts_with(section) && (row.key() == key.replace('-', "_") || row.flag() == word)
    };
    spec::rows().find(called).map_or(word, spec::OptionRow::flag)
}

/// One option in the spelling of `cli.rs`.
pub fn modern_word(word: String) -> Outcome<String> {
    // Like the mysql client: the password is what follows -p in the same word, whatever it looks like.
    if let Some(password) = word.strip_prefix("-p").filter(|password| !password.is_empty()) {
        return Ok(format!("--password={password}"));
    }
    let Some(option) = word.strip_prefix("--") else { return Ok(word) };
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    let name = name.replace('_', "-");
    if name == "test" {
        return Err(retired_test(value.unwrap_or_default()));
    }
    if let Some((old, new)) = RETIRED.iter().find(|(old, _)| *old == name) {
        return Err(UserError::usage(format!("--{old} is an old name: now it is {new}")));
    }
    // MariaDB's switch is written with a value in option files.
    let bare = match value {
        None => true,
        Some(value) => name == "ssl-verify-server-cert" && spec::switch(value) == Ok(true),
    };
    if bare && let Some((_, new)) = BARE.iter().find(|(old, _)| *old == name) {
        return Ok((*new).to_owned());
    }
    Ok(match value {
        Some(value) => format!("--{name}={value}"),
        None => format!("--{name}"),
    })
}

fn retired_test(value: &str) -> UserError {
    let workload = workload_of(value).map_or("oltp_read_write".to_owned(), |one| one.name().to_owned());
    UserError::usage("--test is an old name: now the workload stands after the verb")
        .hint(format!("mydyno run {workload} ..."))
}

/// The workload that a word names, also as sysbench's script (`/usr/share/sysbench/oltp_read_write.lua`).
pub fn workload_of(word: &str) -> Option<NamedWorkload> {
    let word = word.rsplit('/').next().unwrap_or(word);
    let word = word.strip_suffix(".lua").unwrap_or(word).replace('-', "_");
    NamedWorkload::from_name(&word)
}

/// Explains the order of words: sysbench has the workload first and the verb last.
fn sysbench_order(words: &[String], verbs: &BTreeSet<String>) -> Outcome<()> {
    let verb = words.iter().position(|word| verbs.contains(word));
    let workload = words.iter().position(|word| workload_of(word).is_some());
    match (verb, workload) {
        (_, None) => Ok(()),
        (Some(verb), Some(workload)) if verb < workload => Ok(()),
        // A misspelt verb: there is a better answer to that.
        (None, Some(workload)) if workload > 0 && !words[0].starts_with('-') => Ok(()),
        (verb, Some(workload)) => {
            let verb = verb.map_or("run", |at| words[at].as_str());
            let workload = workload_of(&words[workload]).map(|one| one.name().to_owned()).unwrap_or_default();
            Err(UserError::usage("the verb comes first, then the workload")
                .hint(format!("mydyno {verb} {workload} ...")))
        }
    }
}

/// Refuses a detached password, which the mysql client does not take either, instead of quoting it as an unknown word.
fn detached_password(words: &[String]) -> Outcome<()> {
    let bare =
        |word: &str| matches!(word.replace('_', "-").as_str(), "-p" | "--password" | "--mysql-password");
    let after = words.iter().zip(words.iter().skip(1)).find(|(word, _)| bare(word)).map(|(_, after)| after);
    match after {
        Some(after) if !after.starts_with('-') && after.split(',').any(|part| workload_of(part).is_none()) => {
            Err(UserError::usage("a password is attached to its option: -pPASSWORD or --password=PASSWORD")
                .hint("-p alone, before another option or at the end, asks for it; better: ~/.my.cnf or MYSQL_PWD"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modern(words: &[&str]) -> Outcome<Vec<String>> {
        let verbs = ["run", "prepare", "cleanup"].map(str::to_owned).into();
        modernise(words.iter().map(|word| (*word).to_owned()).collect(), &verbs)
    }

    #[test]
    fn underscores_in_names_are_dashes_and_values_are_left_alone() {
        assert_eq!(
            modern(&["run", "oltp_read_write", "--table_size=10", "--mysql_db=my_db"]).expect("known words"),
            ["run", "oltp_read_write", "--table-size=10", "--mysql-db=my_db"]
        );
    }

    #[test]
    fn a_password_is_attached_whatever_it_looks_like() {
        assert_eq!(modern(&["run", "-p=x"]).expect("known words"), ["run", "--password==x"]);
        assert_eq!(modern(&["run", "-p"]).expect("known words"), ["run", "-p"]);
    }

    #[test]
    fn old_names_are_explained() {
        for (old, new) in [
            ("--num-threads=8", "--threads"),
            ("--max_requests=0", "--events"),
            ("--oltp-table-size=100", "--table-size"),
            ("--max-time=60", "--time"),
        ] {
            let error = modern(&["run", "oltp_read_write", old]).expect_err("an old name");
            assert!(error.message.ends_with(new), "{error}");
        }
        let error = modern(&["--test=/usr/share/doc/oltp_read_only.lua", "run"]).expect_err("an old name");
        assert!(error.hint.is_some_and(|hint| hint.starts_with("mydyno run oltp_read_only")));
    }

    #[test]
    fn sysbenchs_order_is_recognised() {
        for words in [
            &["oltp_read_write", "run"][..],
            &["--threads=4", "oltp_point_select", "--tables=2", "prepare"],
            &["/usr/share/sysbench/oltp_read_write.lua", "cleanup"],
        ] {
            let error = modern(words).expect_err("the verb is not first");
            let hint = error.hint.expect("a hint");
            let verb = words.last().copied().unwrap_or_default();
            assert!(hint.starts_with(&format!("mydyno {verb} ")), "{hint}");
        }
        assert!(modern(&["--no-defaults", "run", "oltp_read_write"]).is_ok());
        assert!(modern(&["--defaults-file", "x.cnf", "run", "oltp_read_write"]).is_ok());
    }

    #[test]
    fn a_detached_password_is_refused_and_not_quoted() {
        let error = modern(&["run", "oltp_read_write", "-p", "hunter2"]).expect_err("a detached password");
        assert!(!error.to_string().contains("hunter2"));
        assert!(modern(&["run", "-p", "oltp_read_write"]).is_ok());
        assert!(modern(&["run", "oltp_read_write", "-p"]).is_ok());
    }

    #[test]
    fn tls_switches_of_other_clients_are_modes_here() {
        let one = |word: &str| modern_word(word.to_owned()).expect("a known word");
        assert_eq!(one("--skip-ssl"), "--ssl-mode=DISABLED");
        assert_eq!(one("--mysql_ssl"), "--ssl-mode=REQUIRED");
        assert_eq!(one("--mysql-ssl=off"), "--mysql-ssl=off");
        assert_eq!(one("--ssl-verify-server-cert=on"), "--ssl-mode=VERIFY_IDENTITY");
    }
}
