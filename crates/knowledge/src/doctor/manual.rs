//! Pages of the manuals.

use model::Flavour;
use serde::Deserialize;

use crate::version::Version;

/// A page of the manuals, with what is looked for on it: a variable, or nothing.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Manual {
    Innodb(String),
    Server(String),
    Binlog(String),
    Replica(String),
    PerformanceSchema,
    Tls(String),
    ThreadPool,
    Passwords,
    Status(String),
    /// A page of MySQL's manual; MariaDB has no counterpart to each.
    Optimization(String),
    /// A page of the kernel's documentation.
    Kernel(String),
    Releases,
}

const REPLICATION: &str =
    "ha-and-performance/standard-replication/replication-and-binary-log-system-variables";
const MARIADB: &str = "https://mariadb.com/docs/server";

impl Manual {
    /// The page for that server: MySQL has a manual for each series, MariaDB one for all.
    pub fn address(&self, flavour: Flavour, version: Version) -> String {
        if let Self::Kernel(page) = self {
            return format!("https://docs.kernel.org/{page}");
        }
        match flavour {
            Flavour::Mysql => {
                let (page, mut anchor) = self.in_mysql();
                if version < (8, 0, 0) {
                    anchor = anchor.replace("replica", "slave");
                }
                // The page on releases is younger than the older manuals.
                let version = if matches!(self, Self::Releases) { (8, 4, 0) } else { version };
                format!("https://dev.mysql.com/doc/refman/{}.{}/en/{page}.html{anchor}", version.0, version.1)
            }
            Flavour::Mariadb => self.in_mariadb(),
        }
    }

    fn in_mysql(&self) -> (&str, String) {
        let variable = |name: &str| format!("#sysvar_{name}");
        match self {
            Self::Innodb(name) => ("innodb-parameters", variable(name)),
            Self::Server(name) | Self::Tls(name) => ("server-system-variables", variable(name)),
            Self::Binlog(name) => ("replication-options-binary-log", variable(name)),
            Self::Replica(name) => ("replication-options-replica", variable(name)),
            Self::PerformanceSchema => {
                ("performance-schema-system-variables", variable("performance_schema"))
            }
            Self::ThreadPool => ("thread-pool", String::new()),
            Self::Passwords => ("assigning-passwords", String::new()),
            Self::Status(name) => ("server-status-variables", format!("#statvar_{name}")),
            Self::Releases => ("mysql-releases", String::new()),
            Self::Optimization(page) | Self::Kernel(page) => (page, String::new()),
        }
    }

    fn in_mariadb(&self) -> String {
        let (page, name): (&str, &str) = match self {
            Self::Innodb(name) => ("server-usage/storage-engines/innodb/innodb-system-variables", name),
            Self::Server(name) => ("server-management/variables-and-modes/server-system-variables", name),
            Self::Replica(name) if name == "replica_exec_mode" => (REPLICATION, "slave_exec_mode"),
            Self::Replica(name) if name == "replica_parallel_workers" => {
                (REPLICATION, "slave_parallel_threads")
            }
            Self::Binlog(name) | Self::Replica(name) => (REPLICATION, name),
            Self::PerformanceSchema => (
                "reference/system-tables/performance-schema/performance-schema-system-variables",
                "performance_schema",
            ),
            Self::Tls(name) => {
                ("security/encryption/data-in-transit-encryption/ssltls-system-variables", name)
            }
            Self::ThreadPool => (
                "ha-and-performance/optimization-and-tuning/buffers-caches-and-threads/thread-pool/\
                 thread-pool-system-status-variables",
                "thread_handling",
            ),
            Self::Status(name) if name.starts_with("Innodb_") => {
                ("ha-and-performance/optimization-and-tuning/system-variables/innodb-status-variables", name)
            }
            Self::Status(name) => {
                ("ha-and-performance/optimization-and-tuning/system-variables/server-status-variables", name)
            }
            Self::Optimization(_) | Self::Kernel(_) => {
                return format!("{MARIADB}/ha-and-performance/optimization-and-tuning");
            }
            Self::Passwords => {
                return format!(
                    "{MARIADB}/reference/sql-statements/account-management-sql-statements/alter-user"
                );
            }
            Self::Releases => return "https://mariadb.org/about/#maintenance-policy".to_owned(),
        };
        format!("{MARIADB}/{page}#{}", name.to_ascii_lowercase())
    }
}
