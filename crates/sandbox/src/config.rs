//! The generated my.cnf, with the reason for each line.
//!
//! One table, [`LINES`], holds every line that mydyno writes by itself, with its reason, which is also written into the
//! file. The user's lines come after them and replace a line of ours of the same name. Everything else keeps the server's
//! default: above all durability (InnoDB flushes at each commit; MySQL's binary log is on and synced, MariaDB's is off), so
//! that a sandbox measures what an unconfigured server does.

use std::fmt::Write;
use std::path::Path;

use model::Flavour;

use crate::certificate;
use crate::install::Installation;
use crate::machine::Machine;
use crate::settings::{Settings, size_bytes};

/// The inputs of the lines' values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The server program.
    pub installation: &'a Installation,
    /// Directory of the sandbox.
    pub dir: &'a Path,
    /// `socket=`: absolute, or relative to the data directory where the absolute path is too long for a socket.
    pub socket: &'a str,
    /// TCP port on 127.0.0.1.
    pub port: u16,
    /// Memory and limits.
    pub machine: Machine,
    /// True if the server is started with a memory policy.
    pub has_memory_policy: bool,
    /// A certificate that was made for it.
    pub certificate: Option<&'a certificate::Files>,
}

/// The purpose of starting a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Use and measurement, with the requested settings.
    #[default]
    Measure,
    /// To be filled with data that are then kept: nothing needs to survive a crash, so durability is switched off.
    Load,
}

/// One line of my.cnf.
struct Line {
    /// Canonical name.
    name: &'static str,
    /// The servers that get it.
    only: Only,
    /// Its value; none: left out.
    value: fn(&Context<'_>) -> Option<String>,
    /// The reason for it.
    why: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    Both,
    Mariadb,
    /// MySQL of at least this version.
    Mysql(u32, u32, u32),
    /// MySQL older than this version.
    MysqlBefore(u32, u32, u32),
}

impl Only {
    fn includes(self, installation: &Installation) -> bool {
        let is_mysql = installation.flavour == Flavour::Mysql;
        match self {
            Self::Both => true,
            Self::Mariadb => !is_mysql,
            Self::Mysql(a, b, c) => is_mysql && installation.number() >= (a, b, c),
            Self::MysqlBefore(a, b, c) => is_mysql && installation.number() < (a, b, c),
        }
    }
}

/// Redo log of a sandbox unless set: large enough that a minute of writes does not stall on checkpoints.
const REDO_BYTES: u64 = 1 << 30;
/// Clients that a sandbox lets in if the limit of open files allows it.
const MAX_CONNECTIONS: u64 = 4200;

/// Every line that mydyno writes by itself.
const LINES: &[Line] = &[
    Line {
        name: "basedir",
        only: Only::Both,
        value: |c| Some(c.installation.basedir.as_ref()?.display().to_string()),
        why: "where this server's own files are",
    },
    Line {
        name: "plugin_dir",
        only: Only::Both,
        value: |c| Some(c.installation.plugin_dir.as_ref()?.display().to_string()),
        why: "its plugins: the compiled-in place is another one",
    },
    Line {
        name: "lc_messages_dir",
        only: Only::Both,
        value: |c| Some(c.installation.messages_dir.as_ref()?.display().to_string()),
        why: "its error messages: the compiled-in place is another one",
    },
    Line {
        name: "datadir",
        only: Only::Both,
        value: |c| Some(c.dir.join("data").display().to_string()),
        why: "everything the server writes stays in the sandbox",
    },
    Line {
        name: "tmpdir",
        only: Only::Both,
        value: |c| Some(c.dir.join("tmp").display().to_string()),
        why: "temporary files too",
    },
    Line {
        name: "pid_file",
        only: Only::Both,
        value: |c| Some(c.dir.join("pid").display().to_string()),
        why: "for people; mydyno does not rely on it",
    },
    Line {
        name: "socket",
        only: Only::Both,
        value: |c| Some(c.socket.to_owned()),
        why: "its own socket; a relative one is relative to the data directory (socket paths end at 107 bytes)",
    },
    Line {
        name: "port",
        only: Only::Both,
        value: |c| Some(c.port.to_string()),
        why: "a free port of this machine",
    },
    Line {
        name: "bind_address",
        only: Only::Both,
        value: |_| Some("127.0.0.1".to_owned()),
        why: "reachable from this machine only",
    },
    Line {
        name: "mysqlx",
        only: Only::Mysql(8, 0, 11),
        value: |_| Some("OFF".to_owned()),
        why: "the X protocol would open a second port",
    },
    Line {
        name: "secure_file_priv",
        only: Only::Mysql(5, 7, 6),
        value: |_| Some("NULL".to_owned()),
        why: "the server reads and writes no files outside its directory",
    },
    Line {
        name: "secure_file_priv",
        only: Only::Mariadb,
        value: |c| Some(c.dir.join("tmp").display().to_string()),
        why: "the server reads and writes no files outside its directory (MariaDB knows no NULL here)",
    },
    Line {
        name: "skip_name_resolve",
        only: Only::Both,
        value: |_| Some("ON".to_owned()),
        why: "connecting must not wait for a name server",
    },
    Line {
        name: "local_infile",
        only: Only::Both,
        value: |_| Some("ON".to_owned()),
        why: "loading data with LOAD DATA LOCAL is the fastest way",
    },
    Line {
        name: "character_set_server",
        only: Only::Mariadb,
        value: |_| Some("utf8mb4".to_owned()),
        why: "as MySQL's default and as Debian configures MariaDB; its compiled-in latin1 would make the rows differ",
    },
    Line {
        name: "max_connections",
        only: Only::Both,
        value: |c| Some(max_connections(c.machine).to_string()),
        why: "sweeps over concurrency; less where the limit of open files is low",
    },
    Line {
        name: "table_open_cache",
        only: Only::Both,
        value: |c| Some(table_open_cache(c.machine).to_string()),
        why: "every client has every table open; bounded by the limit of open files",
    },
    Line {
        name: "max_prepared_stmt_count",
        only: Only::Both,
        value: |_| Some("1048576".to_owned()),
        why: "clients times tables times statements; the default of 16382 ends at 200 clients",
    },
    Line {
        name: "ssl_cert",
        only: Only::Both,
        value: |c| Some(c.certificate?.certificate.display().to_string()),
        why: "connections are to be encrypted, and this server makes no certificate by itself",
    },
    Line {
        name: "ssl_key",
        only: Only::Both,
        value: |c| Some(c.certificate?.key.display().to_string()),
        why: "the key of that certificate",
    },
    Line {
        name: "innodb_buffer_pool_size",
        only: Only::Both,
        value: |c| Some(mebibytes(buffer_pool_bytes(c.machine))),
        why: "1 GiB, or a quarter of the memory where that is less",
    },
    Line {
        // Builds without NUMA do not know it.
        name: "loose_innodb_numa_interleave",
        only: Only::Both,
        value: |c| c.has_memory_policy.then(|| "OFF".to_owned()),
        why: "on, as in MySQL 8.4, it ends with the default policy in place of the one that the server was started with",
    },
    Line {
        name: "innodb_redo_log_capacity",
        only: Only::Mysql(8, 0, 30),
        value: |_| Some(mebibytes(REDO_BYTES)),
        why: "the same redo log for every server, so that checkpoints do not decide a comparison",
    },
    Line {
        name: "innodb_log_file_size",
        only: Only::MysqlBefore(8, 0, 30),
        value: |_| Some(mebibytes(REDO_BYTES / 2)),
        why: "two files: the same redo log for every server, so that checkpoints do not decide a comparison",
    },
    Line {
        name: "innodb_log_file_size",
        only: Only::Mariadb,
        value: |_| Some(mebibytes(REDO_BYTES)),
        why: "the same redo log for every server, so that checkpoints do not decide a comparison",
    },
];

/// Lines that override all others while data are being loaded. They do not change the content of the files.
const LOAD_LINES: &[(&str, Only, &str)] = &[
    ("skip_log_bin", Only::Both, ""),
    ("innodb_flush_log_at_trx_commit", Only::Both, "0"),
    ("innodb_doublewrite", Only::Both, "OFF"),
    // Through the page cache, where the first copy finds what was loaded.
    ("innodb_flush_method", Only::Both, "fsync"),
    // One file, which is kept with the data: a small one is quick to copy, and grows when the server is next started.
    // MySQL's spare files are not kept.
    ("innodb_log_file_size", Only::Mariadb, "128M"),
    ("sync_binlog", Only::Both, "0"),
];

/// The whole file.
pub(crate) fn my_cnf(
    context: &Context<'_>,
    settings: &Settings,
    purpose: Purpose,
    membership: &[(String, String)],
) -> String {
    let mut text =
        String::from("# Written by mydyno at every start of this server; changes are lost.\n[mysqld]\n");
    for line in LINES.iter().filter(|line| line.only.includes(context.installation)) {
        if settings.get(line.name).is_some() {
            continue;
        }
        if let Some(value) = (line.value)(context) {
            let _ = writeln!(text, "# {}\n{}", line.why, assignment(line.name, &value));
        }
    }
    let load_lines = || LOAD_LINES.iter().filter(|(_, only, _)| only.includes(context.installation));
    let is_replaced = |name: &str| {
        purpose == Purpose::Load && (name == "log_bin" || load_lines().any(|(load, ..)| *load == name))
    };
    let mut heading = "\n# set by the user\n";
    for (name, value) in settings.iter().filter(|(name, _)| !is_replaced(name)) {
        let _ = writeln!(text, "{}{}", heading, assignment(name, value));
        heading = "";
    }
    if !membership.is_empty() {
        text.push_str("\n# what makes it a member of its topology\n");
    }
    for (name, value) in membership {
        let _ = writeln!(text, "{}", assignment(name, value));
    }
    if purpose == Purpose::Load {
        text.push_str("\n# while data are being loaded, which are kept only after a clean stop\n");
        for (name, _, value) in load_lines() {
            let _ = writeln!(text, "{}", assignment(name, value));
        }
    }
    text
}

/// Bytes of redo log that the server will have, for the check of free space.
pub(crate) fn redo_bytes(settings: &Settings) -> u64 {
    ["innodb_redo_log_capacity", "innodb_log_file_size"]
        .iter()
        .find_map(|name| size_bytes(settings.get(name)?))
        .unwrap_or(REDO_BYTES)
}

/// `name=value` as the option file's parser reads it back: `#` starts a comment outside quotes, `\` escapes.
fn assignment(name: &str, value: &str) -> String {
    if value.is_empty() {
        return name.to_owned();
    }
    let value = value.replace('\\', "\\\\");
    if !value.contains(['#', '"', '\'', ' ']) {
        return format!("{name}={value}");
    }
    let quote = if value.contains('"') { '\'' } else { '"' };
    format!("{name}={quote}{value}{quote}")
}

fn mebibytes(bytes: u64) -> String {
    format!("{}M", bytes >> 20)
}

fn buffer_pool_bytes(machine: Machine) -> u64 {
    // InnoDB works in chunks of 128 MiB.
    let chunk = 128 << 20;
    ((machine.memory_bytes / 4).min(1 << 30) / chunk * chunk).max(chunk)
}

/// Limit of connections: both servers need 10 files, one per connection, and two per cached table; they silently lower a
/// value that does not fit.
fn max_connections(machine: Machine) -> u64 {
    MAX_CONNECTIONS.min(machine.open_files / 2).max(151)
}

fn table_open_cache(machine: Machine) -> u64 {
    (machine.open_files.saturating_sub(max_connections(machine) + 100) / 2).clamp(400, 8000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn installation(flavour: Flavour, version: &str) -> Installation {
        Installation {
            flavour,
            version: version.to_owned(),
            program: "/prefix/usr/sbin/mysqld".into(),
            loader: None,
            libraries: Vec::new(),
            basedir: Some("/prefix/usr".into()),
            plugin_dir: (flavour == Flavour::Mysql).then(|| "/prefix/usr/lib/mysql/plugin".into()),
            messages_dir: None,
            top: "/prefix".into(),
            is_own: true,
        }
    }

    fn rendered(flavour: Flavour, version: &str, pairs: &[(&str, &str)], purpose: Purpose) -> String {
        let given: BTreeMap<String, String> =
            pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let context = Context {
            installation: &installation(flavour, version),
            dir: Path::new("/home/x/servers/a"),
            socket: "/home/x/servers/a/mysql.sock",
            port: 14000,
            machine: Machine { memory_bytes: 24 << 30, open_files: 20_000 },
            has_memory_policy: false,
            certificate: None,
        };
        my_cnf(&context, &Settings::new(&given).unwrap(), purpose, &[])
    }

    #[test]
    fn my_cnf_of_mysql() {
        insta::assert_snapshot!(rendered(Flavour::Mysql, "9.7.4-2", &[], Purpose::Measure));
    }

    #[test]
    fn my_cnf_of_mariadb() {
        let text = rendered(Flavour::Mariadb, "10.11.19-MariaDB-0+deb12u1", &[], Purpose::Measure);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn my_cnf_of_an_older_mysql_has_no_line_that_it_does_not_know() {
        let text = rendered(Flavour::Mysql, "5.7.44", &[], Purpose::Measure);
        assert!(!text.contains("mysqlx") && !text.contains("innodb_redo_log_capacity"), "{text}");
        assert!(text.contains("innodb_log_file_size=512M"), "{text}");
    }

    #[test]
    fn the_users_lines_replace_ours_and_come_last() {
        let pairs = [("max-connections", "10"), ("init_connect", "SET @a='#1'"), ("log_bin", "ON")];
        let text = rendered(Flavour::Mysql, "9.7.4-2", &pairs, Purpose::Measure);
        let (_, users) = text.split_once("# set by the user\n").unwrap();
        assert_eq!(users, "init_connect=\"SET @a='#1'\"\nlog_bin\nmax_connections=10\n");
        assert_eq!(text.matches("max_connections=").count(), 1);
    }

    #[test]
    fn loading_switches_durability_off_whatever_the_user_set() {
        let pairs = [("sync_binlog", "1"), ("log_bin", "ON"), ("innodb_page_size", "4k")];
        let text = rendered(Flavour::Mysql, "9.7.4-2", &pairs, Purpose::Load);
        assert!(!text.contains("sync_binlog=1") && !text.lines().any(|line| line == "log_bin"), "{text}");
        assert!(text.contains("innodb_page_size=4k") && text.ends_with("sync_binlog=0\n"), "{text}");
    }

    #[test]
    fn limits_follow_the_machine() {
        let small = Machine { memory_bytes: 1 << 30, open_files: 1024 };
        assert_eq!(buffer_pool_bytes(small), 256 << 20);
        assert_eq!(max_connections(small), 512);
        assert_eq!(table_open_cache(small), 400);
        let large = Machine { memory_bytes: 64 << 30, open_files: 1 << 20 };
        assert_eq!(
            (buffer_pool_bytes(large), max_connections(large), table_open_cache(large)),
            (1 << 30, 4200, 8000)
        );
    }
}
