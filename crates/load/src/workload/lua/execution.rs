//! The execution of scripts.

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{ErrorPolicy, LuaDialect, LuaOptions, PsMode};
use script::{Draws, Said, Settings, Vm};

use super::life::{self, Shared};
use super::verbs::VERBS;
use crate::recorder::{Operation, Operations, QueryKind, transactions};
use crate::setup::WorkerSetup;
use crate::workload::execution::{Execution, Started};
use crate::workload::sample::Sample;
use crate::workload::statement::statement;

impl Execution for LuaOptions {
    fn operations(&self) -> Operations {
        let statements = VERBS.map(|verb| statement(verb, QueryKind::Other, ""));
        let all: Vec<Operation> =
            [transactions("transaction"), transactions("retried")].into_iter().chain(statements).collect();
        all.into()
    }

    fn prepared_statements(&self) -> u64 {
        0
    }

    fn samples(&self) -> Vec<Sample> {
        Vec::new()
    }

    fn start(&self, _seed: u64) -> io::Result<Box<dyn Started + '_>> {
        Ok(Box::new(Scripted { options: self, abandoned: Arc::new(AtomicBool::new(false)) }))
    }
}

/// What all workers of a trial share.
struct Scripted<'a> {
    options: &'a LuaOptions,
    /// The load is over: a script that never asks for anything is ended.
    abandoned: Arc<AtomicBool>,
}

impl Scripted<'_> {
    fn settings(&self, clients: u32) -> Settings {
        let LuaOptions { script, dialect, options, rand, db_ps_mode, errors, .. } = self.options;
        let ErrorPolicy { retry, retry_all, reconnect_on_loss } = errors;
        let mut settings = Settings::new(&script.path, &script.text, &script.modules);
        settings.is_1_1 = *dialect == LuaDialect::V11;
        settings.options.clone_from(options);
        settings.draws = Draws::with(rand.name(), rand.keys(Draws::RANGE));
        settings.ignored.clone_from(retry);
        settings.ignores_all = *retry_all;
        settings.reconnects = *reconnect_on_loss;
        settings.prepares = *db_ps_mode == PsMode::Auto;
        settings.numbers.insert("threads".to_owned(), clients.into());
        let mode = if settings.prepares { "auto" } else { "disable" };
        for (name, text) in [("db_driver", "mysql"), ("db_ps_mode", mode), ("rand_type", rand.name())] {
            settings.texts.insert(name.to_owned(), text.to_owned());
        }
        settings
    }
}

impl Started for Scripted<'_> {
    fn run(&self, worker: WorkerSetup<'_>) -> io::Result<()> {
        // What a script prints has no place in a result that a program may read.
        let say = |said: Said<'_>| {
            use io::Write;
            let (Said::Text(text) | Said::Log(text)) = said;
            let end = if matches!(said, Said::Log(_)) { "\n" } else { "" };
            // Nobody is left to be told that this failed.
            let _ = write!(io::stderr().lock(), "{text}{end}");
        };
        let settings = self.settings(worker.clients);
        let vm = Vm::new(&settings, say, Arc::clone(&self.abandoned)).map_err(io::Error::other)?;
        let shared = Rc::new(Shared { vm });
        worker
            .run_each(|ctx, options, slot, client| life::run(ctx, options, slot, client, Rc::clone(&shared)))
    }

    fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }
}
