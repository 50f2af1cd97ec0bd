//! Each rule speaks when its cause is planted, and a healthy server hears nothing grave.

use std::collections::BTreeSet;

use model::{AccountFacts, Channel, Durability, Examination, Flavour, HostFacts, TableFacts, Variables};

use super::*;
use crate::{releases, version};

pub(super) fn pairs(list: &str) -> Variables {
    let pair = |line: &str| line.split_once('=').map(|(n, v)| (n.trim().to_owned(), v.trim().to_owned()));
    list.split(';').filter_map(pair).collect()
}

/// A server that somebody has set up with care, on a machine of its own with 16 GiB.
pub(super) fn healthy(flavour: Flavour) -> Examination {
    let version = if flavour == Flavour::Mysql { "8.4.5" } else { "11.4.5-MariaDB" };
    let mut variables = pairs(
        "innodb_flush_log_at_trx_commit=1; log_bin=ON; sync_binlog=1; innodb_doublewrite=ON; \
         innodb_flush_method=O_DIRECT; innodb_buffer_pool_size=8589934592; innodb_buffer_pool_instances=8; \
         innodb_log_buffer_size=67108864; max_binlog_size=1073741824; binlog_format=ROW; \
         binlog_expire_logs_seconds=604800; binlog_checksum=CRC32; table_open_cache=4000; max_connections=500; \
         max_prepared_stmt_count=100000; open_files_limit=65535; thread_handling=one-thread-per-connection; \
         transaction_isolation=REPEATABLE-READ; innodb_print_all_deadlocks=OFF; sql_mode=STRICT_TRANS_TABLES; \
         character_set_server=utf8mb4; autocommit=ON; slow_query_log=ON; long_query_time=1.000000; \
         innodb_io_capacity=10000; innodb_read_io_threads=4; innodb_write_io_threads=4; tls_version=TLSv1.2,TLSv1.3; \
         require_secure_transport=ON; skip_name_resolve=ON; local_infile=OFF; sort_buffer_size=262144; \
         join_buffer_size=262144; tmp_table_size=16777216; max_heap_table_size=16777216; \
         innodb_file_per_table=ON; innodb_adaptive_hash_index=OFF; innodb_use_native_aio=ON; \
         innodb_stats_persistent=ON; innodb_sync_spin_loops=30; general_log=OFF; event_scheduler=ON; \
         innodb_max_dirty_pages_pct=90.000000; secure_file_priv=NULL; innodb_deadlock_detect=ON; \
         innodb_lock_wait_timeout=50; gtid_mode=ON; binlog_cache_size=32768; thread_cache_size=16; \
         relay_log_recovery=ON; read_only=OFF; innodb_force_recovery=0; innodb_thread_concurrency=0",
    );
    variables.insert("version".to_owned(), version.to_owned());
    let own = if flavour == Flavour::Mysql {
        "performance_schema=ON; innodb_redo_log_capacity=4294967296; innodb_spin_wait_delay=6"
    } else {
        "performance_schema=OFF; innodb_log_file_size=4294967296; query_cache_type=OFF; query_cache_size=1048576; \
         innodb_spin_wait_delay=4; have_ssl=YES"
    };
    variables.extend(pairs(own));
    let status = pairs(
        "uptime=86400; threads_connected=20; max_used_connections=100; connections=5000; threads_created=90; \
         opened_tables=500; innodb_os_log_written=8640000; innodb_log_waits=0; innodb_row_lock_time=1000; \
         innodb_buffer_pool_pages_dirty=100; innodb_buffer_pool_pages_total=524288; innodb_deadlocks=3; \
         created_tmp_disk_tables=10; created_tmp_tables=10000; aborted_connects=2; open_files=100",
    );
    Examination {
        flavour,
        variables,
        status,
        plugins: Some(Vec::new()),
        channels: Some(Vec::new()),
        accounts: None,
        tables: Some(TableFacts { tables: 10, innodb_bytes: 4 << 30, ..TableFacts::default() }),
        oldest_transaction_s: Some(0),
        events: Some(0),
        unseen: Vec::new(),
    }
}

pub(super) fn machine() -> HostFacts {
    HostFacts { cpus: 8, memory_bytes: 16 << 30, numa_nodes: 1, ..HostFacts::default() }
}

fn advice(seen: &Examination) -> Vec<Recommendation> {
    examine(&Examined {
        seen,
        host: Some(&machine()),
        planned: None,
        measured: None,
        today: Some("2026-11-21"),
        runs: Runs::User,
    })
}

#[test]
fn a_healthy_server_hears_nothing() {
    for flavour in [Flavour::Mysql, Flavour::Mariadb] {
        assert_eq!(advice(&healthy(flavour)), [], "{flavour:?}");
    }
}

#[test]
fn a_server_that_shows_nothing_hears_nothing() {
    let mut seen = healthy(Flavour::Mysql);
    (seen.variables, seen.status) = (Variables::new(), Variables::new());
    (seen.plugins, seen.channels, seen.tables, seen.oldest_transaction_s) = (None, None, None, None);
    assert_eq!(advice(&seen), []);
}

/// id, severity, variables and status that are planted.
const MYSQL: &[(&str, RecommendationSeverity, &str, &str)] = &[
    ("redo_log_off", RecommendationSeverity::High, "", "innodb_redo_log_enabled=OFF"),
    ("force_recovery", RecommendationSeverity::High, "innodb_force_recovery=3", ""),
    ("flush_log_at_commit", RecommendationSeverity::High, "innodb_flush_log_at_trx_commit=0", ""),
    ("flush_log_at_commit", RecommendationSeverity::High, "innodb_flush_log_at_trx_commit=2", ""),
    ("sync_binlog", RecommendationSeverity::High, "sync_binlog=1000", ""),
    ("doublewrite", RecommendationSeverity::High, "innodb_doublewrite=OFF", ""),
    ("doublewrite", RecommendationSeverity::High, "innodb_doublewrite=DETECT_ONLY", ""),
    ("flush_method", RecommendationSeverity::High, "innodb_flush_method=nosync", ""),
    ("checksums", RecommendationSeverity::Medium, "innodb_log_checksums=OFF", ""),
    ("binlog_off", RecommendationSeverity::Low, "log_bin=OFF", ""),
    ("max_binlog_size", RecommendationSeverity::Medium, "max_binlog_size=134217728", ""),
    ("table_open_cache", RecommendationSeverity::Medium, "table_open_cache=64", ""),
    (
        "table_open_cache",
        RecommendationSeverity::Medium,
        "",
        "opened_tables=900000; table_open_cache_overflows=5000",
    ),
    ("print_all_deadlocks", RecommendationSeverity::Medium, "innodb_print_all_deadlocks=ON", ""),
    ("isolation", RecommendationSeverity::Medium, "transaction_isolation=SERIALIZABLE", ""),
    ("general_log", RecommendationSeverity::Medium, "general_log=ON", ""),
    ("max_connections", RecommendationSeverity::Medium, "", "max_used_connections=499"),
    ("prepared_statements", RecommendationSeverity::Medium, "", "prepared_stmt_count=99000"),
    ("thread_pool", RecommendationSeverity::Low, "", "threads_running=400"),
    ("thread_concurrency", RecommendationSeverity::Medium, "innodb_thread_concurrency=4", ""),
    ("spinning", RecommendationSeverity::Low, "innodb_spin_wait_delay=48", ""),
    ("performance_schema_off", RecommendationSeverity::Low, "performance_schema=OFF", ""),
    ("thread_cache", RecommendationSeverity::Low, "", "threads_created=4900"),
    ("open_files_limit", RecommendationSeverity::Medium, "open_files_limit=130", ""),
    ("deadlock_detect", RecommendationSeverity::Medium, "innodb_deadlock_detect=OFF", ""),
    ("buffer_pool_memory", RecommendationSeverity::High, "innodb_buffer_pool_size=34359738368", ""),
    ("buffer_pool_small", RecommendationSeverity::Medium, "innodb_buffer_pool_size=134217728", ""),
    (
        "buffer_pool_small",
        RecommendationSeverity::Medium,
        "",
        "innodb_buffer_pool_read_requests=100000000; innodb_buffer_pool_reads=5000000",
    ),
    ("session_buffers", RecommendationSeverity::Medium, "sort_buffer_size=268435456", ""),
    ("log_buffer", RecommendationSeverity::Medium, "", "innodb_log_waits=7"),
    ("log_buffer", RecommendationSeverity::Low, "innodb_log_buffer_size=1048576", ""),
    (
        "tmp_tables_on_disk",
        RecommendationSeverity::Medium,
        "",
        "created_tmp_tables=100000; created_tmp_disk_tables=60000",
    ),
    (
        "tmp_table_sizes",
        RecommendationSeverity::Low,
        "tmp_table_size=268435456; internal_tmp_mem_storage_engine=MEMORY",
        "",
    ),
    ("buffer_pool_instances", RecommendationSeverity::Low, "innodb_buffer_pool_instances=1", ""),
    ("adaptive_hash_index", RecommendationSeverity::Low, "innodb_adaptive_hash_index=ON", ""),
    ("redo_capacity", RecommendationSeverity::Low, "innodb_redo_log_capacity=104857600", ""),
    ("redo_capacity", RecommendationSeverity::Medium, "", "innodb_os_log_written=8640000000000"),
    ("dirty_pages", RecommendationSeverity::Medium, "", "innodb_buffer_pool_pages_dirty=450000"),
    ("pool_wait_free", RecommendationSeverity::Medium, "", "innodb_buffer_pool_wait_free=1000"),
    ("io_capacity", RecommendationSeverity::Low, "innodb_io_capacity=200", ""),
    ("io_threads", RecommendationSeverity::Low, "innodb_write_io_threads=1", ""),
    ("native_aio", RecommendationSeverity::Low, "innodb_use_native_aio=OFF", ""),
    ("file_per_table", RecommendationSeverity::Low, "innodb_file_per_table=OFF", ""),
    ("stats_persistent", RecommendationSeverity::Low, "innodb_stats_persistent=OFF", ""),
    ("binlog_cache", RecommendationSeverity::Low, "", "binlog_cache_use=10000; binlog_cache_disk_use=5000"),
    ("history_list", RecommendationSeverity::Medium, "", "innodb_history_list_length=2000000"),
    (
        "row_lock_waits",
        RecommendationSeverity::Medium,
        "",
        "innodb_row_lock_time=86400000; innodb_row_lock_waits=9; innodb_row_lock_time_avg=9",
    ),
    ("deadlocks", RecommendationSeverity::Medium, "", "innodb_deadlocks=90000"),
    (
        "table_locks",
        RecommendationSeverity::Medium,
        "",
        "table_locks_waited=5000; table_locks_immediate=5000",
    ),
    ("full_joins", RecommendationSeverity::Medium, "", "select_full_join=864000"),
    (
        "scans",
        RecommendationSeverity::Medium,
        "",
        "handler_read_rnd_next=8640000000; handler_read_key=10; handler_read_next=10",
    ),
    ("sorts_on_disk", RecommendationSeverity::Low, "", "sort_merge_passes=864000"),
    ("autocommit", RecommendationSeverity::Medium, "autocommit=OFF", ""),
    ("aborted_connects", RecommendationSeverity::Low, "", "aborted_connects=2000"),
    ("slow_query_log", RecommendationSeverity::Low, "slow_query_log=OFF", ""),
    ("slow_query_log_full", RecommendationSeverity::Medium, "long_query_time=0.000000", ""),
    ("gtid", RecommendationSeverity::Low, "gtid_mode=OFF", "slaves_connected=1"),
    ("binlog_format", RecommendationSeverity::Medium, "binlog_format=STATEMENT", ""),
    ("binlog_expires", RecommendationSeverity::Medium, "binlog_expire_logs_seconds=0", ""),
    ("binlog_checksum", RecommendationSeverity::Low, "binlog_checksum=NONE", ""),
    (
        "semisync_fallback",
        RecommendationSeverity::High,
        "rpl_semi_sync_source_enabled=ON",
        "rpl_semi_sync_source_status=OFF",
    ),
    ("sql_mode", RecommendationSeverity::Medium, "sql_mode=", ""),
    ("tls_off", RecommendationSeverity::Medium, "tls_version=", ""),
    ("tls_old", RecommendationSeverity::Low, "tls_version=TLSv1.1,TLSv1.2", ""),
    ("plain_connections", RecommendationSeverity::Low, "require_secure_transport=OFF", ""),
    ("local_infile", RecommendationSeverity::Low, "local_infile=ON", ""),
    ("secure_file_priv", RecommendationSeverity::Low, "secure_file_priv=", ""),
    ("character_set", RecommendationSeverity::Low, "character_set_server=latin1", ""),
    ("name_resolve", RecommendationSeverity::Low, "skip_name_resolve=OFF", ""),
    ("end_of_life", RecommendationSeverity::Medium, "version=8.0.45", ""),
    ("support_xa", RecommendationSeverity::High, "version=5.7.44; innodb_support_xa=OFF", ""),
];

const MARIADB: &[(&str, RecommendationSeverity, &str, &str)] = &[
    ("query_cache", RecommendationSeverity::Medium, "query_cache_type=ON", ""),
    ("tmp_table_sizes", RecommendationSeverity::Low, "tmp_table_size=268435456", ""),
    ("performance_schema_on", RecommendationSeverity::Low, "performance_schema=ON", ""),
    ("tls_off", RecommendationSeverity::Medium, "have_ssl=DISABLED", ""),
    ("redo_capacity", RecommendationSeverity::Low, "innodb_log_file_size=100663296", ""),
    ("change_buffering", RecommendationSeverity::Low, "innodb_change_buffering=all", ""),
    (
        "max_binlog_size",
        RecommendationSeverity::Medium,
        "max_binlog_size=1048576",
        "binlog_bytes_written=8640000000",
    ),
    ("end_of_life", RecommendationSeverity::Medium, "version=10.6.20-MariaDB", ""),
];

#[test]
fn each_rule_speaks_when_its_cause_is_planted() {
    for (flavour, cases) in [(Flavour::Mysql, MYSQL), (Flavour::Mariadb, MARIADB)] {
        for (id, severity, variables, status) in cases {
            let mut seen = healthy(flavour);
            seen.variables.extend(pairs(variables));
            seen.status.extend(pairs(status));
            let said = advice(&seen);
            let place = said.iter().position(|one| one.id == *id);
            let place =
                place.unwrap_or_else(|| panic!("{id} says nothing of {variables} {status}: {said:?}"));
            assert!(place < 3, "{id} is only number {}: {said:?}", place + 1);
            assert_eq!(said[place].severity, *severity, "{id}: {:?}", said[place]);
        }
    }
}

#[test]
fn tables_transactions_events_and_replicas_are_judged() {
    let channel = |receives, lag_s| Channel {
        source: "db0".to_owned(),
        receives,
        applies: true,
        lag_s,
        ..Channel::default()
    };
    let mut seen = healthy(Flavour::Mysql);
    seen.tables = Some(TableFacts {
        tables: 9,
        innodb_bytes: 64 << 30,
        not_crash_safe: 2,
        without_key: 3,
        without_key_names: vec!["app.log".to_owned()],
    });
    seen.oldest_transaction_s = Some(7200);
    seen.events = Some(1);
    seen.channels = Some(vec![channel(false, None), channel(true, Some(900))]);
    seen.variables.extend(pairs(
        "relay_log_recovery=OFF; replica_parallel_workers=0; replica_exec_mode=IDEMPOTENT; innodb_buffer_pool_size=4294967296",
    ));
    let ids: BTreeSet<String> = advice(&seen).into_iter().map(|one| one.id).collect();
    for id in [
        "not_crash_safe_tables",
        "tables_without_key",
        "buffer_pool_small",
        "old_transaction",
        "events",
        "replication_stopped",
        "replica_lag",
        "replica_writable",
        "relay_log_recovery",
        "replica_workers",
        "replica_skips_errors",
    ] {
        assert!(ids.contains(id), "{id} is not among {ids:?}");
    }
}

#[test]
fn a_planned_load_is_held_against_table_cache_and_threads() {
    let seen = healthy(Flavour::Mysql);
    let planned = Some(Planned { clients: 1000, tables: 10, writes: true });
    let said = examine(&Examined {
        seen: &seen,
        host: None,
        planned,
        measured: None,
        today: None,
        runs: Runs::User,
    });
    let ids: Vec<&str> = said.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["table_open_cache", "thread_pool"]);
    assert!(said[0].action.contains("10500"), "{:?}", said[0]);
}

#[test]
fn the_durability_class_names_its_settings() {
    let class = |changes: &str, status: &str| {
        let mut seen = healthy(Flavour::Mysql);
        seen.variables.extend(pairs(changes));
        seen.status.extend(pairs(status));
        let class = durability::class(&Examined {
            seen: &seen,
            host: None,
            planned: None,
            measured: None,
            today: None,
            runs: Runs::User,
        });
        (class.class, class.because.join(", "))
    };
    assert_eq!(
        class("", ""),
        (Durability::Durable, "innodb_flush_log_at_trx_commit = 1, sync_binlog = 1".to_owned())
    );
    assert_eq!(class("sync_binlog=0", ""), (Durability::LosesOnOsCrash, "sync_binlog = 0".to_owned()));
    assert_eq!(class("sync_binlog=0; log_bin=OFF", "").0, Durability::Durable);
    assert_eq!(
        class("innodb_flush_log_at_trx_commit=0", ""),
        (Durability::LosesOnProcessCrash, "innodb_flush_log_at_trx_commit = 0".to_owned())
    );
    assert_eq!(class("", "innodb_redo_log_enabled=OFF").0, Durability::LosesOnProcessCrash);
}

#[test]
fn a_series_that_is_not_known_is_said_to_be_unknown() {
    let described = |text: &str, flavour| releases::describe(flavour, version(text), Some("2026-11-21")).en;
    let texts = [
        described("8.0.36", Flavour::Mysql),
        described("9.7.4-2", Flavour::Mysql),
        described("9.3.0", Flavour::Mysql),
        described("27.1.0", Flavour::Mysql),
        described("10.11.19-MariaDB", Flavour::Mariadb),
        described("12.3.2-MariaDB", Flavour::Mariadb),
    ];
    assert_eq!(
        texts,
        [
            "bug-fix series, premier support ended 2025-04-30, extended support ended 2026-04-30",
            "LTS, premier support until 2031-04-30, extended until 2034-04-30",
            "Innovation release, end of life since 2025-07-22",
            "series 27.1, end of life unknown",
            "LTS, maintained until 2028-02-16",
            "LTS, end of life unknown",
        ]
    );
}

#[test]
fn a_redo_log_is_sized_by_the_writes_that_were_seen() {
    let action = |flavour, version: &str, variables: &str, status: &str| {
        let mut seen = healthy(flavour);
        seen.variables.insert("version".to_owned(), version.to_owned());
        seen.variables.extend(pairs(variables));
        seen.status.extend(pairs(status));
        let said = advice(&seen).into_iter().find(|one| one.id == "redo_capacity");
        said.map(|one| one.action).unwrap_or_else(|| panic!("nothing is said of {variables}"))
    };
    // 3.4 MiB/s: an hour is 12 GiB, not 2.
    let busy = "innodb_os_log_written=308022673000";
    let small = "innodb_redo_log_capacity=104857600";
    let said = action(Flavour::Mysql, "8.4.5", small, busy);
    assert!(said.starts_with("SET GLOBAL innodb_redo_log_capacity = 12884901888;"), "{said}");
    assert!(said.contains("12 GiB: an hour of writes"), "{said}");
    let said = action(Flavour::Mysql, "8.4.5", small, "");
    assert!(said.starts_with("SET GLOBAL innodb_redo_log_capacity = 2147483648;"), "{said}");
    // MariaDB resizes its log without a restart from 10.9 on.
    let small = "innodb_log_file_size=100663296";
    let said = action(Flavour::Mariadb, "10.11.8-MariaDB", small, "");
    assert!(said.starts_with("SET GLOBAL innodb_log_file_size = 2147483648;"), "{said}");
    let said = action(Flavour::Mariadb, "10.6.20-MariaDB", small, "");
    assert!(said.starts_with("innodb_log_file_size = 2147483648 in my.cnf, and restart"), "{said}");
}

#[test]
fn temptable_is_not_bounded_by_max_heap_table_size() {
    let mut seen = healthy(Flavour::Mysql);
    seen.variables.extend(pairs("tmp_table_size=268435456; internal_tmp_mem_storage_engine=TempTable"));
    assert_eq!(advice(&seen), []);
}

#[test]
fn accounts_without_a_password_are_judged_by_host_and_bind_address() {
    let said = |bind: &str, without_password, from_elsewhere| {
        let mut seen = healthy(Flavour::Mysql);
        seen.variables.insert("bind_address".to_owned(), bind.to_owned());
        let names = vec!["'app'@'%'".to_owned(), "'root'@'localhost'".to_owned()];
        seen.accounts = Some(AccountFacts { without_password, from_elsewhere, names });
        let found = advice(&seen).into_iter().find(|one| one.id == "no_password");
        found.map(|one| (one.severity, one.evidence))
    };
    assert_eq!(said("*", 0, 0), None);
    assert_eq!(said("127.0.0.1", 1, 0), None, "root of a sandbox, over its socket");
    let (severity, evidence) = said("*", 2, 1).expect("anybody may connect");
    assert_eq!(severity, RecommendationSeverity::Medium);
    let expected =
        "accounts without a password: 2 ('app'@'%', 'root'@'localhost'); 1 can connect from other hosts";
    assert_eq!(evidence, expected);
    assert_eq!(said("*", 1, 0).map(|(severity, _)| severity), Some(RecommendationSeverity::Low));
    assert_eq!(said("127.0.0.1", 2, 1).map(|(severity, _)| severity), Some(RecommendationSeverity::Low));
}

#[test]
fn what_a_sandbox_sets_itself_is_no_finding() {
    let mut seen = healthy(Flavour::Mysql);
    seen.variables.extend(pairs("local_infile=ON"));
    let ids = |runs| {
        let examined = Examined { seen: &seen, host: None, planned: None, measured: None, today: None, runs };
        examine(&examined).into_iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(Runs::User), ["local_infile"]);
    assert!(ids(Runs::Sandbox).is_empty());
}

#[test]
fn every_evidence_is_said_in_both_languages() {
    for (flavour, cases) in [(Flavour::Mysql, MYSQL), (Flavour::Mariadb, MARIADB)] {
        for (id, _, variables, status) in cases {
            let mut seen = healthy(flavour);
            seen.variables.extend(pairs(variables));
            seen.status.extend(pairs(status));
            for one in advice(&seen) {
                let same = one.evidence == one.zh.evidence;
                let word =
                    one.evidence.split([' ', ',']).any(|word| ["the", "of", "for", "per"].contains(&word));
                assert!(!same || !word, "{id}: {} is English on a Chinese page", one.evidence);
            }
        }
    }
}

#[test]
fn every_page_can_be_read() {
    for (_, page) in rule::PAGES {
        if let Err(mistake) = page.parse::<rule::Page>() {
            panic!("{mistake}");
        }
    }
}

#[test]
fn every_rule_has_a_check_and_every_check_a_rule() {
    for ((theme, checks), (of_page, page)) in CHECKS.into_iter().zip(rule::PAGES) {
        assert_eq!(theme, of_page, "the order of themes");
        let of_rules: BTreeSet<String> =
            page.parsed::<rule::Page>().rule.into_iter().map(|rule| rule.id).collect();
        let of_checks: BTreeSet<String> = checks.iter().map(|(id, _)| (*id).to_owned()).collect();
        assert_eq!(of_rules, of_checks, "rules and checks of {theme}");
    }
    let ids: BTreeSet<&String> = rules().map(|(_, rule)| &rule.id).collect();
    assert_eq!(ids.len(), rules().count(), "each id is there once");
    assert!(ids.len() >= 60, "{}", ids.len());
    for (_, rule) in rules() {
        for other in &rule.supersedes {
            assert!(ids.contains(other), "{} supersedes {other}, which is no rule", rule.id);
        }
    }
}
