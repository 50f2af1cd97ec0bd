//! Arranges the servers of a target in its topology: their number, their roles, and the refused combinations.

use std::collections::BTreeSet;

use model::{Flavour, Role, Topology, Via};

use crate::arrangement::{self, ARRANGEMENT_KEYS, count};
use crate::nearest;
use crate::target::{ServerSpec, TargetSpec};
use crate::values::Wrong;

/// Keys of how sandboxes make a topology.
pub const TOPOLOGY_KEYS: [&str; 3 + ARRANGEMENT_KEYS.len()] = {
    let mut keys = ["topology", "members", "instances", "", "", "", "", "", "", "", "", "", "", ""];
    let mut at = 0;
    while at < ARRANGEMENT_KEYS.len() {
        keys[3 + at] = ARRANGEMENT_KEYS[at];
        at += 1;
    }
    keys
};

/// Maximum number of members in Group Replication (manual, "Group Replication Limitations").
const MOST_MEMBERS: usize = 9;

impl TargetSpec {
    /// Assigns roles to its servers, the primary first, and checks that they form its topology. `roles` are the roles as
    /// written; none: the first server is the primary. A single sandbox is repeated `members` times, or as often as is usual
    /// for the topology.
    ///
    /// # Errors
    /// They do not form it, or mydyno cannot set it up.
    pub fn arranged(mut self, members: Option<usize>, roles: &[Option<Role>]) -> Result<Self, Wrong> {
        let is_sandbox = |server: &ServerSpec| server.sandbox.is_some();
        if let ([sandbox], true) = (self.servers.as_slice(), roles.is_empty())
            && is_sandbox(sandbox)
        {
            let members = members.unwrap_or(self.topology.usual_members());
            self.servers = vec![sandbox.clone(); members.min(MOST_MEMBERS + 1)];
        } else if members.is_some_and(|members| members != self.servers.len()) {
            let count = self.servers.len();
            return Err(Wrong::of(format!("members differs from the number of listed servers, {count}"))
                .hint("leave out members, or name one sandbox instead of a list"));
        }
        self.check()?;
        let said = roles.iter().any(Option::is_some);
        let all_write = self.arrangement.multi_primary || self.topology == Topology::Independent;
        for (at, server) in self.servers.iter_mut().enumerate() {
            let first = if (at == 0 || all_write) && !said { Role::Primary } else { Role::Replica };
            server.role = roles.get(at).copied().flatten().unwrap_or(first);
        }
        self.servers.sort_by_key(|server| server.role);
        match self.servers.first().map(|server| server.role) {
            Some(Role::Replica) => {
                Err(Wrong::of("a target has a primary").hint("role = \"primary\" for one of its servers"))
            }
            _ => Ok(self),
        }
    }

    /// Checks that its servers can form its topology.
    fn check(&self) -> Result<(), Wrong> {
        let topology = self.topology.name();
        let refuse = |why: String, hint: &str| Err(Wrong::of(why).hint(hint));
        let sandboxes = self.servers.iter().filter(|server| server.sandbox.is_some()).count();
        match (self.topology, self.servers.len()) {
            (Topology::Single, 0 | 1) => {}
            (Topology::Single, count) => {
                return refuse(
                    format!("a target of {count} servers needs a topology"),
                    "such as topology = \"semisync\"; there are: async, semisync, group, galera, independent",
                );
            }
            (_, 0 | 1) => {
                return refuse(
                    format!("a {topology} topology has at least two servers"),
                    "name each of them in a [[target.server]], or with commas between the hosts: mysql://user@db1,db2/database; \
                     of sandboxes, members says how many",
                );
            }
            (_, count) if count > MOST_MEMBERS => {
                return refuse(
                    format!("a topology has at most {MOST_MEMBERS} servers"),
                    "give it fewer members",
                );
            }
            (_, count) if sandboxes > 0 && sandboxes < count => {
                return refuse(
                    "the servers of a topology are all sandboxes, or all servers that run already".to_owned(),
                    "make a target of each kind",
                );
            }
            _ => {}
        }
        let builds: BTreeSet<&str> = self.servers.iter().filter_map(|one| one.sandbox.as_deref()).collect();
        if builds.len() > 1 {
            return refuse(
                "the sandboxes of a topology are of one flavour and version".to_owned(),
                "give all of them the same sandbox",
            );
        }
        for flavour in builds.iter().filter_map(|build| flavour_of(build)) {
            self.check_flavour(flavour)?;
        }
        if self.arrangement.multi_primary && !matches!(self.topology, Topology::Group | Topology::Galera) {
            return refuse(
                format!("multi_primary is for group and galera, and the topology is {topology}"),
                "leave it out, or choose topology = \"group\"",
            );
        }
        self.check_reads()?;
        if self.topology == Topology::Independent && sandboxes == 0 {
            return refuse(
                "independent servers are sandboxes of one machine".to_owned(),
                "such as sandbox:mysql?instances=2; make a target of each server that runs already",
            );
        }
        if self.arrangement.has_network() {
            self.check_network(sandboxes)?;
        }
        self.check_via(sandboxes)?;
        match self.arrangement.acks {
            None => Ok(()),
            Some(_) if self.topology != Topology::Semisync => refuse(
                format!("acks is for semisync, and the topology is {topology}"),
                "leave acks out, or choose topology = \"semisync\"",
            ),
            Some(_) if sandboxes == 0 => refuse(
                "acks is for sandboxes: these servers run already".to_owned(),
                "set their variable: settings = { rpl_semi_sync_source_wait_for_replica_count = 1 }",
            ),
            Some(acks) if acks == 0 || acks as usize >= self.servers.len() => {
                let replicas = self.servers.len() - 1;
                let said = if replicas == 1 { "is 1".to_owned() } else { format!("is from 1 to {replicas}") };
                refuse(format!("acks {said}, the number of replicas, not {acks}"), "or give it more members")
            }
            Some(_) => Ok(()),
        }
    }

    /// Checks that there are replicas to read from, if that is requested.
    fn check_reads(&self) -> Result<(), Wrong> {
        let why = match self.topology {
            _ if !self.arrangement.reads_on_replicas => return Ok(()),
            _ if self.arrangement.multi_primary => "with multi_primary every member takes writes".to_owned(),
            topology if topology.replicates() => return Ok(()),
            topology => format!("the topology is {}", topology.name()),
        };
        Err(Wrong::of(format!("reads = \"replicas\" needs replicas, and {why}"))
            .hint("leave it out, or choose topology = \"async\""))
    }

    /// Checks that there can be a simulated network between its servers.
    fn check_network(&self, sandboxes: usize) -> Result<(), Wrong> {
        if sandboxes == 0 {
            return Err(Wrong::of("a simulated network is for sandboxes")
                .hint("such as sandbox:mysql?client_delay=1ms; servers that run already are as far away as they are"));
        }
        if self.arrangement.has_links() && !self.topology.replicates() {
            return Err(Wrong::of("the link_ keys are for a network between servers that replicate")
                .hint("such as topology=semisync&link_delay=1ms; client_delay=1ms is for the way from clients to servers"));
        }
        if let Some(cut) = self.arrangement.link_cut
            && cut.server as usize > self.servers.len()
        {
            return Err(Wrong::of(format!(
                "link_cut is about server {}, and the topology has {}",
                cut.server,
                self.servers.len()
            ))
            .hint("its servers are numbered from 1, the primary"));
        }
        let is_tcp = |server: &ServerSpec| server.connection.get("protocol").is_some_and(|one| one == "tcp");
        if self.servers.iter().any(is_tcp) {
            return Err(Wrong::of(
                "protocol=tcp does not go with a simulated network: the servers are in networks of their own",
            )
            .hint("leave protocol out: clients connect through the socket, or with client_delay over the network"));
        }
        Ok(())
    }

    /// Checks that sandboxes of that flavour can form its topology. The flavour of a bare `sandbox:` is known later.
    ///
    /// # Errors
    /// They cannot.
    pub fn check_flavour(&self, flavour: Flavour) -> Result<(), Wrong> {
        let topology = self.topology.name();
        if !self.topology.flavours().contains(&flavour) {
            let can = Topology::ALL.into_iter().filter(|one| one.flavours().contains(&flavour));
            let can: Vec<&str> = can.map(Topology::name).collect();
            return Err(Wrong::of(format!("{} cannot form a {topology} topology", flavour.name()))
                .hint(format!("it can form: {}", can.join(", "))));
        }
        if flavour == Flavour::Mariadb && self.arrangement.acks.is_some_and(|acks| acks > 1) {
            return Err(Wrong::of("mariadb waits for one replica, so acks is 1")
                .hint("leave acks out, or use sandbox:mysql"));
        }
        if flavour == Flavour::Mariadb && self.arrangement.via == Via::Router {
            return Err(Wrong::of("via=router is for MySQL: MySQL Router does not support MariaDB")
                .hint("leave via out, or use sandbox:mysql"));
        }
        Ok(())
    }

    /// Replaces the topology, the number of members, or another key of [`TOPOLOGY_KEYS`].
    ///
    /// # Errors
    /// The value is invalid, or the servers do not form the topology.
    pub fn rearranged(mut self, key: &str, value: &str) -> Result<Self, Wrong> {
        let (mut members, mut primary, replica) =
            (None, self.servers.first().cloned(), self.servers.get(1).cloned());
        if primary.as_ref().is_none_or(|server| server.sandbox.is_none()) {
            return Err(Wrong::of(format!("{key} varies sandboxes, and the target is none"))
                .hint("a topology that runs already is what it is"));
        }
        match key {
            "topology" => self.topology = topology(value)?,
            "members" => members = Some(count(key, value)?),
            "instances" => (self.topology, members) = instances(value)?,
            _ => _ = arrangement::set(&mut self.arrangement, key, value)?,
        }
        self.servers = primary.take().into_iter().collect();
        let mut new = self.arranged(members, &[])?;
        if let Some(replica) = replica {
            for server in new.servers.iter_mut().skip(1) {
                *server = replica.clone();
            }
        }
        Ok(new)
    }
}

/// The topology of so many servers side by side, and how many there are.
///
/// # Errors
/// It is no number of servers.
pub(crate) fn instances(value: &str) -> Result<(Topology, Option<usize>), Wrong> {
    Ok(match count("instances", value)? {
        1 => (Topology::Single, None),
        several => (Topology::Independent, Some(several)),
    })
}

/// The servers side by side, given a topology and a number of members as written.
///
/// # Errors
/// These contradict it.
pub(crate) fn side_by_side(
    topology: Topology,
    members: Option<usize>,
    (of_instances, instances): (Topology, Option<usize>),
) -> Result<(Topology, Option<usize>), Wrong> {
    match (topology, members) {
        (Topology::Single | Topology::Independent, None) => Ok((of_instances, instances)),
        _ => Err(Wrong::of(
            "instances are servers that know nothing of each other, without a topology or members",
        )
        .hint("leave instances out, or topology and members")),
    }
}

/// The topology of that name.
///
/// # Errors
/// There is none.
pub fn topology(name: &str) -> Result<Topology, Wrong> {
    Topology::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| {
        let names = Topology::ALL.map(Topology::name);
        let near = nearest(name, names).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        Wrong::of(format!("there is no topology '{name}'"))
            .hint(format!("{near}there are: {}", names.join(", ")))
    })
}

/// The flavour of a sandbox, if it names one.
fn flavour_of(sandbox: &str) -> Option<Flavour> {
    let name = sandbox.split('@').next()?;
    [Flavour::Mysql, Flavour::Mariadb].into_iter().find(|flavour| flavour.name() == name)
}

#[cfg(test)]
mod tests {
    use model::Arrangement;

    use super::*;

    fn single(server: ServerSpec) -> TargetSpec {
        server.into()
    }

    fn pair(topology: Topology, roles: &[Option<Role>]) -> Result<TargetSpec, Wrong> {
        let server = |host: &str| ServerSpec { host: Some(host.to_owned()), ..ServerSpec::default() };
        let target =
            TargetSpec { topology, servers: vec![server("a"), server("b")], ..TargetSpec::default() };
        target.arranged(None, roles)
    }

    #[test]
    fn a_key_with_a_role_is_set_on_the_servers_of_it() {
        let mut target = pair(Topology::Async, &[]).expect("valid");
        target.set("replica.settings.sync_binlog", "0");
        target.set("gtid_mode", "ON");
        let settings = |at: usize| target.servers[at].settings.keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!((settings(0).as_str(), settings(1).as_str()), ("gtid_mode", "gtid_mode sync_binlog"));
        assert!(target.has("replica.x") && !single(ServerSpec::default()).has("replica.x"));
    }

    #[test]
    fn the_primary_comes_first_and_what_makes_no_topology_is_refused() {
        let swapped = pair(Topology::Group, &[None, Some(Role::Primary)]).expect("valid");
        let hosts: Vec<_> = swapped.servers.iter().filter_map(|server| server.host.as_deref()).collect();
        assert_eq!(hosts, ["b", "a"]);
        let why = |made: Result<TargetSpec, Wrong>| made.expect_err("refused").why;
        assert_eq!(why(pair(Topology::Single, &[])), "a target of 2 servers needs a topology");
        assert_eq!(why(pair(Topology::Async, &[Some(Role::Replica); 2])), "a target has a primary");
        let alone = ServerSpec { host: Some("a".to_owned()), ..ServerSpec::default() };
        let alone = TargetSpec { topology: Topology::Galera, ..single(alone) };
        assert_eq!(why(alone.arranged(None, &[])), "a galera topology has at least two servers");
    }

    fn sandboxes(
        topology: Topology,
        sandbox: &str,
        acks: Option<u32>,
        members: Option<usize>,
    ) -> Result<TargetSpec, Wrong> {
        let server = ServerSpec { sandbox: Some(sandbox.to_owned()), ..ServerSpec::default() };
        let arrangement = Arrangement { acks, ..Arrangement::default() };
        TargetSpec { topology, arrangement, ..single(server) }.arranged(members, &[])
    }

    #[test]
    fn of_a_sandbox_there_are_as_many_as_its_topology_has() {
        let roles = |topology, members| {
            let target = sandboxes(topology, "mysql", None, members).expect("valid");
            target.servers.iter().map(|server| server.role.name()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(roles(Topology::Single, None), "primary");
        assert_eq!(roles(Topology::Async, None), "primary replica");
        assert_eq!(roles(Topology::Group, None), "primary replica replica");
        assert_eq!(roles(Topology::Semisync, Some(4)), "primary replica replica replica");
    }

    #[test]
    fn what_sandboxes_cannot_make_is_refused() {
        for (made, said) in [
            (sandboxes(Topology::Galera, "mysql@9.7", None, None), "mysql cannot form a galera topology"),
            (sandboxes(Topology::Group, "mariadb", None, None), "mariadb cannot form a group topology"),
            (
                sandboxes(Topology::Semisync, "mysql", None, Some(1)),
                "a semisync topology has at least two servers",
            ),
            (sandboxes(Topology::Single, "mysql", None, Some(3)), "a target of 3 servers needs a topology"),
            (sandboxes(Topology::Group, "mysql", None, Some(90)), "a topology has at most 9 servers"),
            (
                sandboxes(Topology::Async, "mysql", Some(1), None),
                "acks is for semisync, and the topology is async",
            ),
            (
                sandboxes(Topology::Semisync, "mysql", Some(3), Some(3)),
                "acks is from 1 to 2, the number of replicas, not 3",
            ),
            (
                sandboxes(Topology::Semisync, "mysql", Some(2), None),
                "acks is 1, the number of replicas, not 2",
            ),
            (
                sandboxes(Topology::Semisync, "mariadb", Some(2), Some(3)),
                "mariadb waits for one replica, so acks is 1",
            ),
        ] {
            assert_eq!(made.expect_err(said).why, said);
        }
    }

    #[test]
    fn a_factor_makes_another_topology_of_the_same_sandboxes() {
        let mut target = sandboxes(Topology::Async, "mysql", None, None).expect("valid");
        target.set("replica.sync_binlog", "0");
        let more = target.clone().rearranged("members", "3").expect("valid");
        let settings =
            |target: &TargetSpec| target.servers.iter().map(|one| one.settings.len()).collect::<Vec<_>>();
        assert_eq!(settings(&more), [0, 1, 1]);
        let alone = target.clone().rearranged("topology", "single").expect("valid");
        assert_eq!(settings(&alone), [0]);
        let group = target.rearranged("topology", "group").expect("valid");
        assert_eq!(group.servers.iter().filter(|one| one.role == Role::Replica).count(), 2);
        let refused = group.rearranged("members", "few").expect_err("no number");
        assert_eq!(refused.why, "members is a number of servers, and not 'few'");
    }

    #[test]
    fn a_network_is_between_several_sandboxes() {
        let far = |target: TargetSpec| target.rearranged("link_delay", "1ms");
        let made = far(sandboxes(Topology::Group, "mysql", None, None).expect("valid")).expect("valid");
        assert_eq!(made.arrangement.link_delay_us, Some(1_000));
        let alone = far(sandboxes(Topology::Single, "mysql", None, None).expect("valid")).expect_err("alone");
        assert_eq!(alone.why, "the link_ keys are for a network between servers that replicate");
        let mut tcp = sandboxes(Topology::Group, "mysql", None, None).expect("valid");
        tcp.set("protocol", "tcp");
        assert!(far(tcp).is_err());
    }

    #[test]
    fn instances_stand_side_by_side_and_clients_reach_all_of_them() {
        let target = |text: &str| crate::word::target(text);
        let two = target("sandbox:mysql?instances=2").expect("valid");
        assert_eq!((two.topology, two.servers.len()), (Topology::Independent, 2));
        assert!(two.servers.iter().all(|server| server.role == Role::Primary));
        let one = target("sandbox:mysql?instances=1").expect("valid");
        assert_eq!((one.topology, one.servers.len()), (Topology::Single, 1));
        let all = target("sandbox:mysql?topology=group&multi_primary=on").expect("valid");
        assert!(all.servers.iter().all(|server| server.role == Role::Primary));
        let running = target("mysql://u@db1,db2/t?topology=group&multi-primary=on").expect("valid");
        assert!(running.servers.iter().all(|server| server.role == Role::Primary));
        let reads = target("mysql://u@db1,db2/t?topology=async&reads=replicas").expect("valid");
        assert!(reads.arrangement.reads_on_replicas);
        for (text, why) in [
            ("sandbox:mysql?instances=2&topology=async", "know nothing of each other"),
            ("sandbox:mysql?instances=x", "number of servers"),
            ("sandbox:mysql?topology=async&multi_primary=on", "multi_primary is for group and galera"),
            ("sandbox:mysql?reads=replicas", "needs replicas, and the topology is single"),
            (
                "sandbox:mysql?topology=group&multi_primary=on&reads=replicas",
                "with multi_primary every member takes writes",
            ),
            ("sandbox:mysql?topology=async&reads=2", "reads is primary or replicas, and not '2'"),
            ("sandbox:mysql?instances=2&link_delay=1ms", "between servers that replicate"),
            ("sandbox:mysql?topology=async&link_cut=3@1s+1s", "link_cut is about server 3"),
            ("mysql://u@db1/t?reads=replicas", "needs replicas, and the topology is single"),
        ] {
            let refused = target(text).expect_err(text).why;
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
