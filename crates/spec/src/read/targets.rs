//! Targets of a specification.

use toml::Spanned;
use toml::de::DeValue;

use super::fields::{Fields, Reader, Value};
use model::{Arrangement, Role};

use crate::arrange::{self, TOPOLOGY_KEYS};
use crate::arrangement::{self, ARRANGEMENT_KEYS};
use crate::nearest;
use crate::target::{CONNECTION_KEYS, Hidden, LIKE, ServerSpec, TargetSpec, TargetWords};
use crate::values::Wrong;
use crate::word;

/// Keys of a target that are those of its one server, or of all its servers.
const SERVER: [&str; 10] =
    ["sandbox", "host", "port", "socket", "user", "database", "connection", "settings", "placement", LIKE];

/// Keys that the servers of a role may have of their own.
const OF_A_ROLE: [&str; 3] = ["connection", "settings", "placement"];

impl Reader<'_> {
    /// Keys and values of a section of a target.
    pub(super) fn words(&self, value: Option<&&Value>) -> Result<TargetWords, Wrong> {
        let Some(value) = value else { return Ok(TargetWords::new()) };
        let entries = self.table(value)?.iter();
        entries.map(|(key, value)| Ok((key.get_ref().to_string(), self.scalar(value)?))).collect()
    }

    pub(super) fn connection(&self, value: Option<&&Value>) -> Result<TargetWords, Wrong> {
        let Some(value) = value else { return Ok(TargetWords::new()) };
        for (key, _) in self.table(value)?.iter() {
            self.known(key, &CONNECTION_KEYS, "connection")?;
        }
        let words = self.words(Some(value))?;
        Ok(words.into_iter().map(|(key, value)| (key.replace('_', "-"), value)).collect())
    }

    pub(super) fn placement(&self, value: Option<&&Value>) -> Result<TargetWords, Wrong> {
        let Some(value) = value else { return Ok(TargetWords::new()) };
        for (key, _) in self.table(value)?.iter() {
            self.known(key, &model::Place::KEYS, "placement")?;
        }
        let words = self.words(Some(value))?;
        Ok(words.into_iter().map(|(key, value)| (key.replace('_', "-"), value)).collect())
    }

    pub(super) fn known(
        &self,
        key: &Spanned<std::borrow::Cow<str>>,
        known: &[&str],
        section: &str,
    ) -> Result<(), Wrong> {
        let name = key.get_ref().replace('_', "-");
        if known.contains(&name.as_str()) {
            return Ok(());
        }
        let written: Vec<String> = known.iter().map(|key| key.replace('-', "_")).collect();
        let near = nearest(&name, known.iter().copied()).map(|near| near.replace('-', "_"));
        let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        let why = format!("{section} has no '{}'", key.get_ref());
        Err(self.wrong(key, &why).hint(format!("{near}there are: {}", written.join(", "))))
    }

    pub(super) fn settings(&self, value: Option<&&Value>) -> Result<TargetWords, Wrong> {
        let Some(value) = value else { return Ok(TargetWords::new()) };
        for (key, _) in self.table(value)?.iter() {
            word::variable(key.get_ref()).map_err(|wrong| self.wrong(key, &wrong.why))?;
        }
        let words = self.words(Some(value))?;
        Ok(words.into_iter().map(|(key, value)| (key.replace('-', "_"), value)).collect())
    }

    /// A target in its short form, several of them, or tables.
    pub(super) fn targets(&self, value: Option<&&Value>) -> Result<Vec<TargetSpec>, Wrong> {
        let Some(value) = value else { return Ok(Vec::new()) };
        match value.get_ref() {
            DeValue::Array(array) => array.iter().map(|one| self.target(one)).collect(),
            _ => Ok(vec![self.target(value)?]),
        }
    }

    pub(super) fn target(&self, value: &Value) -> Result<TargetSpec, Wrong> {
        let said = |wrong: Wrong| self.placed(value, wrong);
        let DeValue::Table(table) = value.get_ref() else {
            return word::target(&self.scalar(value)?).map_err(said);
        };
        let fields = self.fields(
            table,
            &[
                &["label", "server", "replicas", "primary", "replica", "instance"][..],
                &TOPOLOGY_KEYS,
                &SERVER,
            ]
            .concat(),
        )?;
        let text = |key: &str| fields.get(key).map(|value| self.scalar(value)).transpose();
        let common = self.server(&fields)?;
        let mut roles = Vec::new();
        let replicas = fields.get("replicas");
        let servers = match (fields.get("server"), replicas) {
            (Some(list), Some(_)) => {
                let why = "replicas is the short form of servers in [[target.server]]: leave one of them out";
                return Err(self.wrong(list, why));
            }
            (None, Some(hosts)) => {
                let servers = self.with_replicas(hosts, self.placed_server(value, common)?)?;
                roles.extend(servers.iter().map(|server| Some(server.role)));
                servers
            }
            (None, None) => vec![self.placed_server(value, common)?],
            (Some(list), None) => {
                let mut servers = Vec::new();
                for one in self.array(list)?.iter() {
                    let own = self.fields(self.table(one)?, &[&["role"][..], &SERVER].concat())?;
                    roles.push(own.get("role").map(|role| self.role(role)).transpose()?);
                    servers.push(self.placed_server(one, self.server(&own)?.or(&common))?);
                }
                servers
            }
        };
        let mut topology = match fields.get("topology") {
            Some(value) => {
                arrange::topology(&self.scalar(value)?).map_err(|wrong| self.placed(value, wrong))?
            }
            None if replicas.is_some() => model::Topology::Async,
            None => model::Topology::Single,
        };
        let number = |key: &str| fields.get(key).map(|value| self.number(value)).transpose();
        let mut arrangement = Arrangement::default();
        for key in ARRANGEMENT_KEYS {
            if let Some(value) = fields.get(key) {
                arrangement::set(&mut arrangement, key, &self.scalar(value)?)
                    .map_err(|wrong| self.placed(value, wrong))?;
            }
        }
        let mut members = number("members")?.map(|members| members as usize);
        if let Some(value) = fields.get("instances") {
            let counted = arrange::instances(&self.scalar(value)?);
            (topology, members) = counted
                .and_then(|counted| arrange::side_by_side(topology, members, counted))
                .map_err(|wrong| self.placed(value, wrong))?;
        }
        let target = TargetSpec {
            label: text("label")?.map(|label| word::label_of(&label)).transpose().map_err(said)?,
            topology,
            arrangement,
            servers,
            instance: self.words(fields.get("instance"))?,
        };
        let mut target = target.arranged(members, &roles).map_err(said)?;
        for role in Role::ALL {
            let Some(value) = fields.get(role.name()) else { continue };
            if target.servers.iter().all(|server| server.role != role) {
                return Err(self.wrong(value, &format!("the target has no {}", role.name())));
            }
            let of_role = self.fields(self.table(value)?, &OF_A_ROLE)?;
            let own = self.server(&of_role)?;
            for server in target.servers.iter_mut().filter(|server| server.role == role) {
                *server = ServerSpec { role, ..own.clone().or(server) };
            }
        }
        Ok(target)
    }

    /// A server that runs already, and its replicas, which have all but their hosts in common with it.
    fn with_replicas(&self, hosts: &Value, primary: ServerSpec) -> Result<Vec<ServerSpec>, Wrong> {
        if primary.host.is_none() {
            return Err(self
                .wrong(hosts, "replicas are hosts of servers that run already, as the primary's host is")
                .hint("for sandboxes: topology = \"async\" and members = 3"));
        }
        let mut servers = vec![primary];
        for one in self.array(hosts)?.iter() {
            let (host, port) =
                word::host_and_port(&self.scalar(one)?).map_err(|wrong| self.placed(one, wrong))?;
            if host.is_none() {
                return Err(self.wrong(one, "a replica has a host"));
            }
            let port = port.or(servers[0].port);
            servers.push(ServerSpec { role: Role::Replica, host, port, ..servers[0].clone() });
        }
        Ok(servers)
    }

    fn role(&self, value: &Value) -> Result<Role, Wrong> {
        let name = self.scalar(value)?;
        Role::ALL.into_iter().find(|role| role.name() == name).ok_or_else(|| {
            self.wrong(value, &format!("there is no role '{name}'")).hint("there are: primary, replica")
        })
    }

    /// Reads the description of a server, or of all servers of a target.
    fn server(&self, fields: &Fields) -> Result<ServerSpec, Wrong> {
        let text = |key: &str| fields.get(key).map(|value| self.scalar(value)).transpose();
        let sandbox = match fields.get("sandbox") {
            Some(value) => {
                Some(word::checked_sandbox(&self.scalar(value)?).map_err(|wrong| self.placed(value, wrong))?)
            }
            None => None,
        };
        let port = match fields.get("port") {
            Some(value) => Some(
                u16::try_from(self.number(value)?)
                    .map_err(|_| self.wrong(value, "a port is from 1 to 65535"))?,
            ),
            None => None,
        };
        Ok(ServerSpec {
            role: Role::Primary,
            sandbox,
            host: text("host")?,
            port,
            socket: text("socket")?.map(Into::into),
            user: text("user")?,
            password: None,
            database: text("database")?,
            connection: self.connection(fields.get("connection"))?,
            settings: self.settings(fields.get("settings"))?,
            placement: self.placement(fields.get("placement"))?,
            like: text(LIKE)?.map(Hidden),
        })
    }

    /// A server is in one place.
    fn placed_server(&self, value: &Value, server: ServerSpec) -> Result<ServerSpec, Wrong> {
        let places = [server.sandbox.is_some(), server.host.is_some(), server.socket.is_some()];
        if places.into_iter().filter(|is| *is).count() != 1 {
            return Err(self.wrong(value, "a target has one of sandbox, host and socket"));
        }
        Ok(server)
    }
}
