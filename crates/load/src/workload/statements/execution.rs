//! The execution of workloads in files.

use std::io;
use std::rc::Rc;
use std::sync::Arc;

use model::{StatementKind, StatementText, StatementsOptions, draw_named};
use random::{DrawAt, Drawn, Rng};

use super::program::{AFTER_LOADED, Program, operations, prepared_statements};
use super::user::{SharedCounter, User};
use crate::recorder::Operations;
use crate::setup::WorkerSetup;
use crate::workload::execution::{Execution, Started};
use crate::workload::sample::Sample;

impl Execution for StatementsOptions {
    fn operations(&self) -> Operations {
        operations(self)
    }

    fn prepared_statements(&self) -> u64 {
        prepared_statements(self)
    }

    fn samples(&self) -> Vec<Sample> {
        let sizes = self.file.sizes(self.scale);
        let mut all = Vec::new();
        for transaction in &self.file.transactions {
            for (at, statement) in transaction.statements.iter().enumerate() {
                let Ok(text) = StatementText::parse(&statement.sql) else { continue };
                let kind = text.kind();
                if !has_plan(&text) {
                    continue;
                }
                let find = |name: &str| transaction.values.get(name).or_else(|| self.file.values.get(name));
                let first = DrawAt { number: 0, client: 1 };
                let Ok(drawn) = draw_named(&text.names, find, &sizes, &mut Rng::from_seed(1), first) else {
                    continue;
                };
                let mut sql = text.pieces[0].clone();
                for (name, piece) in text.names.iter().zip(&text.pieces[1..]) {
                    // A kept value is not known without running what comes before.
                    let value =
                        drawn.get(name).map_or_else(|| "1".to_owned(), |(drawn, text)| literal(*drawn, text));
                    sql = format!("{sql}{value}{piece}");
                }
                let only_reads = kind == StatementKind::Read;
                all.push(Sample { operation: transaction.statement_name(at), sql, only_reads });
            }
        }
        all
    }

    fn start(&self, seed: u64) -> io::Result<Box<dyn Started + '_>> {
        let counters = Program::new(self)?.counters;
        // Numbers that never repeat begin elsewhere in every trial: the rows of the trial before may still be there.
        let first = |first: u64| match first {
            AFTER_LOADED => AFTER_LOADED + Rng::stream(seed, first).below(AFTER_LOADED),
            other => other,
        };
        Ok(Box::new(Shared {
            options: self,
            counters: counters.into_iter().map(|counter| SharedCounter::new(first(counter.first))).collect(),
        }))
    }
}

/// Whether EXPLAIN takes it: an INSERT has no plan worth looking at.
fn has_plan(text: &StatementText) -> bool {
    let sql = text.template().to_uppercase();
    ["SELECT", "WITH", "UPDATE", "DELETE", "TABLE"].iter().any(|word| sql.starts_with(word))
}

fn literal(drawn: Drawn, out: &[u8]) -> String {
    match drawn {
        Drawn::Null => "NULL".to_owned(),
        Drawn::Int(value) => value.to_string(),
        Drawn::Decimal => String::from_utf8_lossy(out).into_owned(),
        Drawn::Text | Drawn::Bytes => {
            let mut quoted = Vec::new();
            crate::session::write_quoted(&mut quoted, String::from_utf8_lossy(out).as_bytes());
            String::from_utf8_lossy(&quoted).into_owned()
        }
    }
}

/// What all clients of a trial share.
struct Shared<'a> {
    options: &'a StatementsOptions,
    counters: Arc<[SharedCounter]>,
}

impl Started for Shared<'_> {
    fn run(&self, worker: WorkerSetup<'_>) -> io::Result<()> {
        let program = Rc::new(Program::new(self.options)?);
        worker.run(|client| User::new(&program, &self.counters, client))
    }
}
