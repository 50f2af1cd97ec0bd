//! Reasons a topology does not come up.

use model::{Advice, Advise, Verb};

/// The reason a topology does not come up. Servers that had been started are stopped again.
#[derive(Debug, thiserror::Error)]
pub enum TopologyError {
    /// A setting of the user's that the topology decides.
    #[error("{name} cannot be set: the {topology} topology decides it")]
    Setting {
        /// Kind of the topology, as a specification names it.
        topology: &'static str,
        /// Name of the setting.
        name: String,
    },
    /// There is no free port, or no random number.
    #[error("the {topology} topology cannot be laid out: {source}")]
    Layout {
        /// Kind of the topology, as a specification names it.
        topology: &'static str,
        /// Cause of the failure.
        source: std::io::Error,
    },
    /// Galera's library is not there.
    #[error("Galera's library is not installed: there is none of {}", places.join(", "))]
    NoGalera {
        /// The places searched.
        places: Vec<String>,
    },
    /// Galera's prepared data cannot be kept.
    #[error(transparent)]
    Keep {
        /// Cause of the failure.
        source: Box<sandbox::CopyError>,
    },
    /// There can be no simulated network between the members.
    #[error(transparent)]
    Network {
        /// Cause of the failure.
        source: Box<network::NetworkError>,
    },
    /// A failure of a member's server.
    #[error(transparent)]
    Server {
        /// Cause of the failure.
        source: Box<sandbox::SandboxError>,
    },
    /// The record of a topology cannot be read or written.
    #[error(transparent)]
    File(#[from] sandbox::FileError),
    /// The position of a Galera node's data is unknown.
    #[error("{member}: its position in the Galera cluster cannot be read: {source}")]
    State {
        /// Name of the member.
        member: String,
        /// Cause of the failure.
        source: std::io::Error,
    },
    /// A server is called so.
    #[error("there is a server '{name}', so no topology can have that name")]
    Taken {
        /// Name of the topology.
        name: String,
    },
    /// It is in use by another mydyno.
    #[error("topology '{name}' is in use by another mydyno")]
    InUse {
        /// Name of the topology.
        name: String,
    },
    /// All of its members run.
    #[error("topology '{name}' runs already")]
    Running {
        /// Name of the topology.
        name: String,
    },
    /// It has data of another topology.
    #[error("topology '{name}' has the data of {was}, and {now} were asked for")]
    OtherShape {
        /// Name of the topology.
        name: String,
        /// The existing topology.
        was: String,
        /// The requested topology.
        now: String,
    },
    /// A member that was there has no data any more.
    #[error("the data of {member} are gone")]
    NoData {
        /// Name of the member.
        member: String,
        /// The name of the topology.
        name: String,
    },
    /// A member does not start.
    #[error("{member}: {source}")]
    Start {
        /// Name of the member.
        member: String,
        /// Cause of the failure.
        source: Box<sandbox::StartError>,
    },
    /// A member that was started does not answer.
    #[error("{member}: {source}")]
    Connect {
        /// Name of the member.
        member: String,
        /// Cause of the failure.
        source: Box<wire::ConnectError>,
    },
    /// A member refuses to be linked to the others.
    #[error("{member} does not join: {source}; the end of its log:\n{log}")]
    Join {
        /// Name of the member.
        member: String,
        /// Cause of the failure.
        source: Box<wire::QueryError>,
        /// The end of its log.
        log: String,
    },
    /// The members do not reach the state that the topology promises.
    #[error(
        "the {topology} topology is not ready after {seconds} s: {faults}; the end of the log of {member}:\n{log}"
    )]
    NotReady {
        /// Kind of the topology, as a specification names it.
        topology: &'static str,
        /// Seconds waited.
        seconds: u64,
        /// Missing conditions of each member.
        faults: String,
        /// The first member that is not in that state.
        member: String,
        /// The end of its log.
        log: String,
    },
    /// The start is no longer wanted.
    #[error("the start of the {topology} topology was interrupted")]
    Cancelled {
        /// Kind of the topology, as a specification names it.
        topology: &'static str,
    },
}

impl Advise for TopologyError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Start { source, .. } => source.advice(),
            Self::Keep { source } => source.advice(),
            Self::Network { source } => source.advice(),
            Self::Server { source } => source.advice(),
            Self::File(source) => source.advice(),
            Self::Taken { name } => {
                vec![
                    Advice::run("remove it first", Verb::ServerRemove(name.clone())),
                    Advice::words("or use another name"),
                ]
            }
            Self::InUse { .. } => vec![Advice::words("wait for it to end, or use another name")],
            Self::Running { name } => vec![Advice::run("stop it", Verb::ServerStop(name.clone()))],
            Self::OtherShape { name, .. } | Self::NoData { name, .. } => {
                vec![Advice::run("remove it first, with its data", Verb::ServerRemove(name.clone()))]
            }
            Self::Setting { .. } => vec![Advice::words("leave it out")],
            Self::NoGalera { .. } => vec![Advice::words("install it: apt-get install galera-4")],
            _ => Vec::new(),
        }
    }
}
