//! Reasons a Spec cannot be planned.

use analysis::bisect::NotExchangeable;
use model::{Advice, Advise, OptionId};

/// The reason a Spec cannot be planned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// Something is missing.
    #[error("the run needs at least one {what}")]
    Nothing {
        /// Name of the missing part.
        what: &'static str,
    },
    /// Two targets with the same label.
    #[error("two targets are called '{label}'")]
    SameLabel {
        /// The label.
        label: String,
    },
    /// A workload twice.
    #[error("the workload '{label}' is given twice")]
    SameWorkload {
        /// Its label.
        label: String,
    },
    /// Workloads that need other tables, on a server that is not a sandbox.
    #[error(
        "{first} and {second} need other tables, and a server that is not a sandbox holds one set of them"
    )]
    DifferentTables {
        /// A workload.
        first: String,
        /// Label of the second target.
        second: String,
    },
    /// Neither a time nor a number of transactions ends a trial.
    #[error("a trial needs an end: a time, or a number of transactions")]
    Endless,
    /// Reloading data where loading is not allowed.
    #[error(
        "loading the data anew before a trial drops the tables of '{label}', and nothing may be loaded there"
    )]
    ReloadUnasked {
        /// The server.
        label: String,
    },
    /// Repeats until targets differ, of a single one.
    #[error("repeating until every target differs significantly from the first takes two targets or more")]
    NothingToTellApart,
    /// A condition that cannot be parsed or measured.
    #[error("the condition '{text}': {why}")]
    Condition {
        /// The condition.
        text: String,
        /// The reason, as a sentence.
        why: String,
    },
    /// A search for a capacity together with another rule by which the plan grows.
    #[error("a search for the capacity chooses its trials itself: it cannot be combined with {with}")]
    SearchesAlone {
        /// The other rule.
        with: &'static str,
    },
    /// A search for differences that cannot be made.
    #[error("{why}")]
    Bisect {
        /// The reason, as a sentence.
        why: &'static str,
    },
    /// Trials in which servers are sampled, of a plan that has no place for them.
    #[error("{why}")]
    Profile {
        /// Why, in a sentence.
        why: &'static str,
    },
    /// Reads that go to replicas, of a workload that has none.
    #[error(
        "reads = \"replicas\" sends transactions that only read to the replicas of '{target}', and {workload} has none"
    )]
    NothingToRead {
        /// Label of the target.
        target: String,
        /// The workload.
        workload: String,
    },
    /// A cut that a load would not see.
    #[error("link_cut of '{target}' begins {from_s} s after the clients start, when their load is over")]
    CutTooLate {
        /// Label of the target.
        target: String,
        /// Start of the cut, seconds.
        from_s: f64,
    },
    /// A crash of anything but a single sandbox or the primary of replicas.
    #[error(
        "only a single sandbox or the primary of asynchronous or semisynchronous MySQL can be made to crash, and '{target}' is {what}"
    )]
    CannotCrash {
        /// Label of the target.
        target: String,
        /// Its kind.
        what: &'static str,
    },
    /// A failover without another server that can take over.
    #[error("a failover needs a topology of sandboxes, and '{target}' is {what}")]
    CannotFailOver {
        /// Label of the target.
        target: String,
        /// Its kind.
        what: &'static str,
    },
    /// A failover that the load would not see.
    #[error(
        "the primary is lost {at_s} s into a measured window of {time_s} s, which leaves no time for the failover"
    )]
    FailoverTooLate {
        /// Time of the event, seconds into the window.
        at_s: f64,
        /// The window.
        time_s: f64,
    },
    /// An event that cannot be made to happen, or that the load would not see.
    #[error("the event '{event}' cannot happen: {why}")]
    Event {
        /// The event.
        event: String,
        /// Reason, as a sentence.
        why: String,
    },
    /// Measurements of another tool.
    #[error("'{label}' was imported: it can be shown and compared, not run")]
    Imported {
        /// Label of the target or workload.
        label: String,
    },
    /// Too many trials for a mistake to be cheap.
    #[error("that makes {trials} trials; the limit is {limit}")]
    TooMany {
        /// Trials asked for.
        trials: usize,
        /// The limit.
        limit: usize,
    },
}

impl PlanError {
    /// Two targets that cannot be exchanged part by part.
    pub(crate) fn not_exchangeable(why: NotExchangeable) -> Self {
        let why = match why {
            NotExchangeable::NotASandbox => {
                "only parts of sandboxes can be exchanged, and one of the targets is an external server"
            }
            NotExchangeable::Flavours => "MySQL and MariaDB have no parts that can be exchanged",
            NotExchangeable::Alike => "the targets do not differ in anything that can be exchanged",
        };
        Self::Bisect { why }
    }
}

impl Advise for PlanError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::SameLabel { .. } => {
                vec![Advice::value("give each a name of its own", OptionId::Target, "NAME=...")]
            }
            Self::DifferentTables { .. } => vec![Advice::words("run them one after the other")],
            Self::Endless => vec![
                Advice::option("give a time in seconds", OptionId::Time),
                Advice::option("give a number of transactions", OptionId::Events),
            ],
            Self::ReloadUnasked { .. } => {
                vec![Advice::option("allow it, if that is meant", OptionId::Prepare)]
            }
            Self::NothingToTellApart => vec![Advice::option("name another one", OptionId::Target)],
            Self::NothingToRead { .. } => vec![Advice::words(
                "choose oltp_read_only, another workload that only reads, or tpcc; or oltp_read_write with skip_trx, where \
                 every SELECT is a transaction of its own",
            )],
            Self::CutTooLate { .. } => vec![Advice::option("give the load more time", OptionId::Time)],
            Self::CannotCrash { .. } => {
                vec![Advice::words("choose a sandbox with the settings in question, such as sandbox:mysql")]
            }
            Self::CannotFailOver { .. } => {
                vec![Advice::words(
                    "choose a topology: sandbox:mysql?topology=group, semisync or async; sandbox:mariadb?topology=galera, semisync or async",
                )]
            }
            Self::FailoverTooLate { .. } => vec![Advice::option("give the load more time", OptionId::Time)],
            Self::Bisect { .. } => vec![Advice::words(
                "name two sandboxes, one workload and one number of clients: mydyno bisect A B WORKLOAD",
            )],
            Self::SearchesAlone { .. } => vec![Advice::words("run it by itself")],
            Self::Profile { .. } => {
                vec![Advice::words(
                    "sample the servers in a recording of its own: a sweep of the same targets",
                )]
            }
            Self::Nothing { .. }
            | Self::Condition { .. }
            | Self::Event { .. }
            | Self::SameWorkload { .. }
            | Self::Imported { .. }
            | Self::TooMany { .. } => Vec::new(),
        }
    }
}
