//! The settings that make a server a member: lines of its my.cnf, statements that it executes first.

use std::collections::BTreeMap;

use model::{Flavour, Topology};

use crate::ACCOUNT;
use crate::error::TopologyError;
use crate::seat::Seat;

const BY_GTID: &[Topology] = &[Topology::Async, Topology::Semisync, Topology::Group];
const BY_SOURCE: &[Topology] = &[Topology::Async, Topology::Semisync];
const SEMISYNC: &[Topology] = &[Topology::Semisync];
const GROUP: &[Topology] = &[Topology::Group];
const GALERA: &[Topology] = &[Topology::Galera];

use Flavour::{Mariadb, Mysql};

/// A line of my.cnf.
struct Line {
    name: &'static str,
    flavour: Flavour,
    topologies: &'static [Topology],
    /// The value; none: the line is left out.
    value: fn(&Seat<'_>) -> Option<String>,
    /// Whether the user may set it. Settings that the topology depends on are refused.
    may_be_set: bool,
}

const fn needed(
    name: &'static str,
    flavour: Flavour,
    topologies: &'static [Topology],
    value: fn(&Seat<'_>) -> Option<String>,
) -> Line {
    Line { name, flavour, topologies, value, may_be_set: false }
}

const fn usual(
    name: &'static str,
    flavour: Flavour,
    topologies: &'static [Topology],
    value: fn(&Seat<'_>) -> Option<String>,
) -> Line {
    Line { name, flavour, topologies, value, may_be_set: true }
}

fn on(_: &Seat<'_>) -> Option<String> {
    Some("ON".to_owned())
}

fn primary(seat: &Seat<'_>) -> Option<String> {
    seat.is_primary().then(|| "ON".to_owned())
}

fn replica(seat: &Seat<'_>) -> Option<String> {
    (!seat.is_primary()).then(|| "ON".to_owned())
}

fn number(seat: &Seat<'_>) -> Option<String> {
    Some((seat.at + 1).to_string())
}

/// Every line that a topology needs, or is usually run with.
///
/// MySQL: manual, "Setting Up Replication Using GTIDs", "Semisynchronous Replication Installation and Configuration",
/// "Configuring an Instance for Group Replication". MariaDB: knowledge base, "Setting Up Replication", "Semisynchronous
/// Replication", "Configuring MariaDB Galera Cluster".
const LINES: &[Line] = &[
    needed("server_id", Mysql, BY_GTID, number),
    needed("gtid_mode", Mysql, BY_GTID, on),
    needed("enforce_gtid_consistency", Mysql, BY_GTID, on),
    needed("report_host", Mysql, BY_GTID, |seat| Some(seat.host().to_string())),
    needed("group_replication_ip_allowlist", Mysql, GROUP, |seat| {
        // What it allows by itself are private networks only.
        (!seat.common.addresses.is_empty()).then(|| "198.18.0.0/15".to_owned())
    }),
    needed("skip_replica_start", Mysql, BY_GTID, on),
    needed("plugin_load_add", Mysql, SEMISYNC, |seat| {
        Some(if seat.is_primary() { "semisync_source.so" } else { "semisync_replica.so" }.to_owned())
    }),
    needed("rpl_semi_sync_source_enabled", Mysql, SEMISYNC, primary),
    needed("rpl_semi_sync_replica_enabled", Mysql, SEMISYNC, replica),
    needed("rpl_semi_sync_source_wait_for_replica_count", Mysql, SEMISYNC, |seat| {
        seat.is_primary().then_some(seat.common.arrangement.acks).flatten().map(|acks| acks.to_string())
    }),
    needed("plugin_load_add", Mysql, GROUP, |_| Some("group_replication.so".to_owned())),
    needed("group_replication_group_name", Mysql, GROUP, |seat| Some(seat.common.uuid.clone())),
    needed("group_replication_start_on_boot", Mysql, GROUP, |_| Some("OFF".to_owned())),
    needed("group_replication_local_address", Mysql, GROUP, |seat| {
        Some(format!("{}:{}", seat.host(), seat.ports()[0]))
    }),
    needed("group_replication_group_seeds", Mysql, GROUP, |seat| Some(seat.addresses())),
    needed("group_replication_recovery_get_public_key", Mysql, GROUP, on),
    needed("group_replication_single_primary_mode", Mysql, GROUP, |seat| {
        seat.common.arrangement.multi_primary.then(|| "OFF".to_owned())
    }),
    usual("group_replication_enforce_update_everywhere_checks", Mysql, GROUP, |seat| {
        seat.common.arrangement.multi_primary.then(|| "ON".to_owned())
    }),
    needed("server_id", Mariadb, BY_SOURCE, number),
    needed("log_bin", Mariadb, BY_SOURCE, |_| Some(String::new())),
    needed("log_slave_updates", Mariadb, BY_SOURCE, on),
    needed("gtid_strict_mode", Mariadb, BY_SOURCE, on),
    needed("skip_slave_start", Mariadb, BY_SOURCE, on),
    usual("binlog_format", Mariadb, BY_SOURCE, |_| Some("ROW".to_owned())),
    needed("rpl_semi_sync_master_enabled", Mariadb, SEMISYNC, primary),
    needed("rpl_semi_sync_slave_enabled", Mariadb, SEMISYNC, replica),
    usual("rpl_semi_sync_master_wait_point", Mariadb, SEMISYNC, |_| Some("AFTER_SYNC".to_owned())),
    needed("wsrep_on", Mariadb, GALERA, on),
    needed("wsrep_provider", Mariadb, GALERA, |seat| seat.common.provider.clone()),
    // At most 32 characters.
    needed("wsrep_cluster_name", Mariadb, GALERA, |seat| Some(format!("mydyno-{}", &seat.common.uuid[..8]))),
    needed("wsrep_cluster_address", Mariadb, GALERA, |seat| Some(format!("gcomm://{}", seat.addresses()))),
    needed("wsrep_new_cluster", Mariadb, GALERA, |seat| seat.is_first().then(String::new)),
    needed("wsrep_start_position", Mariadb, GALERA, |seat| {
        seat.position().filter(|_| seat.common.is_recovered).cloned()
    }),
    needed("wsrep_node_name", Mariadb, GALERA, |seat| Some(format!("member-{}", seat.at + 1))),
    needed("wsrep_node_address", Mariadb, GALERA, |seat| {
        Some(format!("{}:{}", seat.host(), seat.ports()[0]))
    }),
    needed("wsrep_provider_options", Mariadb, GALERA, |seat| {
        let [group, ist] = seat.ports();
        let host = seat.host();
        Some(format!("gmcast.listen_addr=tcp://{host}:{group};ist.recv_addr={host}:{ist}"))
    }),
    // All nodes start on the same data.
    needed("wsrep_sst_method", Mariadb, GALERA, |_| Some(TRANSFER.to_owned())),
    // A node that has just joined itself lacks write sets that the next one needs, and would have to send its whole state instead. The
    // comma allows any other donor where the first node is gone.
    needed("wsrep_sst_donor", Mariadb, GALERA, |seat| {
        (!seat.is_first()).then(|| format!("member-{},", seat.common.first + 1))
    }),
    needed("binlog_format", Mariadb, GALERA, |_| Some("ROW".to_owned())),
    needed("innodb_autoinc_lock_mode", Mariadb, GALERA, |_| Some("2".to_owned())),
];

fn lines_of(flavour: Flavour, topology: Topology) -> impl Iterator<Item = &'static Line> {
    LINES.iter().filter(move |line| line.flavour == flavour && line.topologies.contains(&topology))
}

/// Names of one setting compare alike.
fn plain(name: &str) -> String {
    name.trim().trim_start_matches('-').replace('-', "_").to_ascii_lowercase()
}

/// Checks that a server with these settings of the user can be a member.
///
/// # Errors
/// A setting that the topology determines.
pub fn check_settings(
    flavour: Flavour,
    topology: Topology,
    settings: &BTreeMap<String, String>,
) -> Result<(), TopologyError> {
    let is_without_log = |name: &str| ["skip_log_bin", "disable_log_bin"].contains(&name);
    for name in settings.keys().map(|name| plain(name)) {
        let decides = lines_of(flavour, topology)
            .any(|line| !line.may_be_set && line.name == name && line.name != "plugin_load_add");
        let needs_log = topology != Topology::Single && topology != Topology::Galera && is_without_log(&name);
        if decides || needs_log {
            return Err(TopologyError::Setting { topology: topology.name(), name });
        }
    }
    Ok(())
}

/// The lines of a member's my.cnf.
pub(crate) fn of(seat: &Seat<'_>, settings: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let is_set = |name: &str| settings.keys().any(|set| plain(set) == name);
    let mut lines: Vec<(String, String)> = lines_of(seat.common.flavour, seat.common.topology)
        .filter(|line| !line.may_be_set || !is_set(line.name))
        .filter_map(|line| Some((line.name.to_owned(), (line.value)(seat)?)))
        .collect();
    if !seat.common.addresses.is_empty() {
        lines.push(("bind_address".to_owned(), seat.host().to_string()));
    }
    lines
}

/// The statements that a member executes before it answers: they create the account by which the others read from it.
pub(crate) fn statements(seat: &Seat<'_>) -> String {
    if !seat.common.topology.replicates() || seat.common.topology == Topology::Galera {
        return String::new();
    }
    let grants = match seat.common.topology {
        Topology::Group => "REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM",
        _ => "REPLICATION SLAVE",
    };
    let password = seat.common.password.expose();
    let account = format!("'{ACCOUNT}'@'{}'", seat.common.others());
    format!(
        "CREATE USER IF NOT EXISTS {account} IDENTIFIED BY '{password}';\n\
         ALTER USER {account} IDENTIFIED BY '{password}';\n\
         GRANT {grants} ON *.* TO {account};\n"
    )
}

/// The statements that a member executes before all else. A Galera node would not accept an account before it has joined
/// its cluster.
pub(crate) fn before(seat: &Seat<'_>) -> &'static str {
    if seat.common.topology == Topology::Galera { "SET SESSION wsrep_on = OFF;\n" } else { "" }
}

/// Name of the method by which a node of Galera takes over the state of another.
const TRANSFER: &str = "mydyno";

/// Programs that it starts by their names: the method of state transfer, which transfers nothing. A joiner has the data
/// already, as of their position, and gets what came after that as write sets; a donor has nothing to send, and says again which
/// position it was told (`--gtid`). (Galera Cluster documentation, "Scriptable State Snapshot Transfers".)
pub(crate) fn programs(seat: &Seat<'_>) -> Vec<(&'static str, String)> {
    let Some(position) = seat.position() else { return Vec::new() };
    let script = format!(
        "#!/bin/sh\n\
         gtid='{position}'; before=''\n\
         for word; do [ \"$before\" != --gtid ] || gtid=$word; before=$word; done\n\
         case \"$*\" in\n\
         *--bypass*) echo continue; echo \"done $gtid\" ;;\n\
         *joiner*) echo 'ready 127.0.0.1:1/mydyno'; echo '{position}' ;;\n\
         *) echo 'mydyno copies no data between nodes' >&2; exit 1 ;;\n\
         esac\n"
    );
    vec![("wsrep_sst_mydyno", script)]
}

/// Whether only members know a setting: one of a plugin, or of Galera.
pub fn is_of_members(name: &str) -> bool {
    let name = plain(name);
    ["group_replication_", "rpl_semi_sync_", "wsrep_"].iter().any(|begin| name.starts_with(begin))
}

/// Settings of the server on which the data of such a topology are made, in so far as they change what is in the tables:
/// a group takes no table without a primary key, so one without gets an invisible one.
pub fn load_settings(topology: Topology) -> &'static [(&'static str, &'static str)] {
    match topology {
        Topology::Group => &[("sql_generate_invisible_primary_key", "ON")],
        _ => &[],
    }
}
