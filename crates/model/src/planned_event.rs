//! Planned events on the servers during a load, and their outcomes.

use serde::{Deserialize, Serialize};

/// An event planned for a known second of a load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedEvent {
    /// Time, seconds into the measured window.
    pub at_s: f64,
    /// The action on a server.
    pub action: EventAction,
}

/// The action of an event. Servers are numbered from 1, which is the primary when the load begins.
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
    /// Freezes a server (SIGSTOP) for a while: it keeps its connections and answers nothing.
    Freeze {
        /// Number of the server in its target, from 1.
        server: u32,
        /// Duration, seconds.
        for_s: f64,
    },
    /// The connection between servers is cut for a while. Clients still reach all of them.
    Cut {
        /// The server.
        server: u32,
        /// The other end of the cut; none: all other servers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u32>,
        /// Duration, seconds.
        for_s: f64,
    },
    /// A global variable is set.
    Set {
        /// Number of the server, from 1.
        server: u32,
        /// Name of the variable.
        variable: String,
        /// Its new value, in the syntax of a statement.
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

    /// Whether it takes a server away permanently.
    pub fn ends_server(&self) -> bool {
        matches!(self, Self::Kill { .. } | Self::Stop { .. })
    }

    /// Whether it takes a server or a connection between servers away, permanently or for a while.
    pub fn disturbs(&self) -> bool {
        !matches!(self, Self::Set { .. } | Self::Sql { .. })
    }

    /// Its duration, seconds; none for an action without a set duration.
    pub fn length_s(&self) -> Option<f64> {
        match self {
            Self::Freeze { for_s, .. } | Self::Cut { for_s, .. } => Some(*for_s),
            _ => None,
        }
    }

    /// The action in specification syntax: `freeze 2 for 5s`.
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

/// The outcome of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventOutcome {
    /// The planned event.
    pub event: PlannedEvent,
    /// Time it happened, seconds since the load began, including the warm-up; none: the load ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// Time it ended, for an event with an end: the server resumed, the connection healed, the statement was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_s: Option<f64>,
    /// The reason it did not happen as planned, such as the server's error message.
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
