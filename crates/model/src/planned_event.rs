//! What is to happen to the servers during a load, and what came of it.

use serde::{Deserialize, Serialize};

/// Something that is to happen at a known second of a load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedEvent {
    /// When, seconds into the measured window.
    pub at_s: f64,
    /// The action on a server.
    pub action: EventAction,
}

/// What happens. Servers are numbered from 1, which is the primary when the load begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventAction {
    /// The process of a server is killed (SIGKILL).
    Kill {
        /// Number of the server in its target, from 1.
        server: u32,
    },
    /// A server is shut down (SIGTERM).
    Stop {
        /// Number of the server in its target, from 1.
        server: u32,
    },
    /// A server stands still (SIGSTOP) for a while: it keeps its connections and answers nobody.
    Freeze {
        /// Number of the server in its target, from 1.
        server: u32,
        /// For how long, seconds.
        for_s: f64,
    },
    /// The connection between servers is cut for a while. Clients still reach all of them.
    Cut {
        /// Which server.
        server: u32,
        /// From which other one; none: from all others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u32>,
        /// For how long, seconds.
        for_s: f64,
    },
    /// A global variable is set.
    Set {
        /// On which server.
        server: u32,
        /// Name of the variable.
        variable: String,
        /// Its new value, as it is written in a statement.
        value: String,
    },
    /// A statement is executed on the primary, over a connection of its own.
    Sql {
        /// The statement.
        statement: String,
    },
}

impl EventAction {
    /// The servers that it is about, by number.
    pub fn servers(&self) -> (u32, Option<u32>) {
        match self {
            Self::Kill { server }
            | Self::Stop { server }
            | Self::Freeze { server, .. }
            | Self::Set { server, .. } => (*server, None),
            Self::Cut { server, from, .. } => (*server, *from),
            Self::Sql { .. } => (1, None),
        }
    }

    /// Whether it takes a server away for good.
    pub fn ends_server(&self) -> bool {
        matches!(self, Self::Kill { .. } | Self::Stop { .. })
    }

    /// Whether it takes a server or a connection between servers away, for good or for a while.
    pub fn disturbs(&self) -> bool {
        !matches!(self, Self::Set { .. } | Self::Sql { .. })
    }

    /// How long it lasts, seconds; none where it has no length of its own.
    pub fn length_s(&self) -> Option<f64> {
        match self {
            Self::Freeze { for_s, .. } | Self::Cut { for_s, .. } => Some(*for_s),
            _ => None,
        }
    }

    /// What happens, as it is written: `freeze 2 for 5s`.
    pub fn describe(&self) -> String {
        let who = |server: &u32| if *server == 1 { "primary".to_owned() } else { server.to_string() };
        match self {
            Self::Kill { server } => format!("kill {}", who(server)),
            Self::Stop { server } => format!("stop {}", who(server)),
            Self::Freeze { server, for_s } => format!("freeze {} for {for_s}s", who(server)),
            Self::Cut { server, from: None, for_s } => format!("cut {} for {for_s}s", who(server)),
            Self::Cut { server, from: Some(from), for_s } => format!("cut {server}-{from} for {for_s}s"),
            Self::Set { server: 1, variable, value } => format!("set {variable}={value}"),
            Self::Set { server, variable, value } => format!("set {variable}={value} on {server}"),
            Self::Sql { statement } => format!("sql {statement}"),
        }
    }
}

impl PlannedEvent {
    /// The form in a specification: `30s kill primary`.
    pub fn describe(&self) -> String {
        format!("{}s {}", self.at_s, self.action.describe())
    }
}

/// What came of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventOutcome {
    /// What was asked for.
    pub event: PlannedEvent,
    /// When it happened, seconds since the load began, warm-up included; none: the load ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// When it was over, where it has an end: the server went on, the connection healed, the statement was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_s: Option<f64>,
    /// Why it did not happen as asked, such as the server's error message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_say_what_they_do() {
        let kill = PlannedEvent { at_s: 30.0, action: EventAction::Kill { server: 1 } };
        assert_eq!(kill.describe(), "30s kill primary");
        let cut = EventAction::Cut { server: 1, from: Some(3), for_s: 0.5 };
        assert_eq!((cut.describe(), cut.servers()), ("cut 1-3 for 0.5s".to_owned(), (1, Some(3))));
        let set = EventAction::Set { server: 2, variable: "a".to_owned(), value: "b".to_owned() };
        assert_eq!((set.describe().as_str(), set.disturbs()), ("set a=b on 2", false));
    }
}
