//! The tables of a script as a data set. Which tables it makes only the script knows; so that they are not made twice, the database
//! gets an empty table whose comment says which script has made them.

use std::sync::atomic::AtomicBool;

use model::LuaData;

use super::command::run_lua_command;
use crate::account::{Account, IfMissing, Session, fingerprint, quoted_name};
use crate::catalog;
use crate::described::Described;
use crate::error::DataError;
use crate::found::{Checked, Cleaned, Depth};
use crate::job::{Job, PrepareMethod, PrepareOutcome, PreparePhase, PrepareProgress, Prepared};
use crate::tables::Tables;

/// The table that says who has prepared.
const MARK: &str = "mydyno_script";

impl Described for LuaData {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn rows(&self) -> u64 {
        0
    }

    fn identity(&self) -> u64 {
        // The same script under another path makes the same tables.
        let Self { script, options, dialect, rand } = self;
        fingerprint(&format!("{} {:?} {options:?} {dialect:?} {rand:?}", script.text, script.modules))
    }

    fn describe(&self) -> String {
        format!("script {}", self.script.path)
    }
}

fn comment(data: &LuaData) -> String {
    format!("mydyno script {:016x}", data.identity())
}

fn marked(session: &mut Session<'_>) -> Result<Option<String>, DataError> {
    let found = catalog::read(session, &format!("TABLE_NAME = '{MARK}'"))?;
    Ok(found.get(MARK).map(|table| table.comment.clone()))
}

impl Tables for LuaData {
    fn prepare(
        &self,
        job: &Job<'_>,
        progress: &(dyn Fn(PrepareProgress) + Sync),
    ) -> Result<Prepared, DataError> {
        let account = Account::open(job.connect, IfMissing::Create)?;
        let mut control = account.connect()?;
        control.lock_out_others()?;
        if marked(&mut control)?.is_some_and(|comment| comment == self::comment(self)) {
            return Ok(Prepared::already_there(0, PrepareMethod::Insert, None));
        }
        progress(PrepareProgress::at(PreparePhase::Rows, 0, 0));
        // What it says of its progress has no place among ours.
        let has = run_lua_command(
            Some(job.connect),
            self,
            "prepare",
            (job.threads, job.seed),
            job.cancel,
            &|_| {},
        )?;
        if !has {
            return Ok(Prepared::already_there(0, PrepareMethod::Insert, None));
        }
        let name = quoted_name(MARK);
        control.execute("removing an older mark", &format!("DROP TABLE IF EXISTS {name}"))?;
        let sql = format!("CREATE TABLE {name} (a INT PRIMARY KEY) COMMENT = '{}'", comment(self));
        control.execute("marking the database as prepared", &sql)?;
        let there = Prepared::already_there(0, PrepareMethod::Insert, None);
        Ok(Prepared { outcome: PrepareOutcome::Loaded, connections: job.threads, ..there })
    }

    fn check(&self, _account: &Account, _depth: Depth) -> Result<Checked, DataError> {
        let caution =
            format!("the tables were not checked: only {} knows which it needs", self.script.name());
        Ok(Checked { tables: 0, rows: None, cautions: vec![caution] })
    }

    fn cleanup(&self, session: &mut Session<'_>, _first: Option<u32>) -> Result<Cleaned, DataError> {
        let connect = session.account.options.clone();
        let never = AtomicBool::new(false);
        let has = run_lua_command(Some(&connect), self, "cleanup", (1, 1), &never, &|_| {})?;
        session.execute("removing the mark", &format!("DROP TABLE IF EXISTS {}", quoted_name(MARK)))?;
        let dropped = if has { vec![format!("the tables of {}", self.script.name())] } else { Vec::new() };
        Ok(Cleaned { dropped, left: Vec::new() })
    }
}
