//! The general log of one client: which commands came, in which order.
//!
//! It is read from the table `mysql.general_log` rather than from a file: there each command is a row, whatever
//! newlines its statement has, and the client's connection is a column.

use wire::Client;

use crate::parity::cases::Case;
use crate::parity::statement::Statement;

/// Commands that matter here, by the server's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Prepare,
    Execute,
    Query,
    CloseStatement,
}

impl Kind {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "Prepare" => Some(Self::Prepare),
            "Execute" => Some(Self::Execute),
            "Query" => Some(Self::Query),
            "Close stmt" => Some(Self::CloseStatement),
            _ => None,
        }
    }

    fn runs_a_statement(self) -> bool {
        matches!(self, Self::Execute | Self::Query)
    }
}

/// What a client sent.
pub struct Logged {
    commands: Vec<(Kind, String)>,
}

/// Reads the log; it must be of one client.
pub fn read(administrator: &mut Client, case: &Case) -> Logged {
    // The rows of a log table come in the order in which they were written.
    let sql = "SELECT thread_id, command_type, argument FROM mysql.general_log \
               WHERE thread_id <> CONNECTION_ID()";
    let rows = administrator.query(sql).expect("the log is a table").rows;
    let mut commands = Vec::new();
    let mut client = None;
    for row in rows {
        let Some(kind) = row.text(1).and_then(Kind::from_name) else { continue };
        let connection: u64 = row.parse(0).expect("thread_id is a number");
        assert_eq!(*client.get_or_insert(connection), connection, "{case}: more than one connection");
        commands.push((kind, row.text(2).expect("statements are ASCII").to_owned()));
    }
    Logged { commands }
}

impl Logged {
    /// The statements prepared, sorted: in which order is of no consequence.
    pub fn prepared(&self) -> Vec<String> {
        let prepared = self.commands.iter().filter(|(kind, _)| *kind == Kind::Prepare);
        let mut texts: Vec<String> =
            prepared.map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        texts.sort();
        texts
    }

    /// How many statements ran in the binary protocol.
    pub fn executed(&self) -> usize {
        self.commands.iter().filter(|(kind, _)| *kind == Kind::Execute).count()
    }

    /// The statements that ran, as they are.
    pub fn texts(&self) -> Vec<&str> {
        let ran = self.commands.iter().filter(|(kind, _)| kind.runs_a_statement());
        ran.map(|(_, text)| text.as_str()).collect()
    }

    /// The statements that ran, cut into transactions of equal length. Nothing may be prepared or closed in between.
    pub fn transactions(&self, case: &Case) -> Vec<Vec<Statement>> {
        let first = self.commands.iter().position(|(kind, _)| kind.runs_a_statement());
        let last = self.commands.iter().rposition(|(kind, _)| kind.runs_a_statement());
        let (Some(first), Some(last)) = (first, last) else { panic!("{case}: no statement was run") };
        let ran: Vec<Statement> = self.commands[first..=last]
            .iter()
            .inspect(|(kind, text)| {
                assert!(kind.runs_a_statement(), "{case}: {kind:?} {text} among the transactions");
            })
            .map(|(kind, text)| Statement::parse(*kind, text))
            .collect();
        let events = case.events as usize;
        assert_eq!(ran.len() % events, 0, "{case}: {} statements, {events} transactions", ran.len());
        ran.chunks(ran.len() / events).map(<[Statement]>::to_vec).collect()
    }
}
