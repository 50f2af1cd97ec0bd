//! Commands of a script.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use model::LuaData;
use random::Rng;
use script::{Draws, Said, ScriptError, Settings, Task, Vm};
use wire::ConnectOptions;

use super::blocking::Blocking;
use crate::each::NO_PANIC;
use crate::error::DataError;

/// A command that a script has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LuaCommand {
    /// Its name.
    pub name: String,
    /// Whether each of several threads runs it.
    pub parallel: bool,
}

fn unable(error: impl std::fmt::Display) -> DataError {
    DataError::Unable { what: format!("the script cannot be run: {error}") }
}

fn settings(data: &LuaData, connect: Option<&ConnectOptions>, command: &str, threads: u32) -> Settings {
    let mut settings = Settings::new(&data.script.path, &data.script.text, &data.script.modules);
    settings.is_1_1 = data.dialect == model::LuaDialect::V11;
    command.clone_into(&mut settings.command);
    settings.options.clone_from(&data.options);
    settings.draws = Draws::with(data.rand.name(), data.rand.keys(Draws::RANGE));
    settings.numbers.insert("threads".to_owned(), threads.into());
    settings.texts.insert("db_driver".to_owned(), "mysql".to_owned());
    if let Some(connect) = connect {
        settings.server = connect.address.to_string();
        settings.texts.insert("mysql_user".to_owned(), connect.user.clone());
        settings.texts.insert("mysql_db".to_owned(), connect.database.clone().unwrap_or_default());
    }
    settings
}

/// Runs a task of a new interpreter, and hands on what the script says.
fn run(
    settings: &Settings,
    task: impl FnOnce(&Vm) -> Result<Task, ScriptError>,
    blocking: &mut Blocking<'_>,
    say: &dyn Fn(&str),
) -> Result<Option<String>, DataError> {
    let said = Rc::new(RefCell::new(Vec::new()));
    let heard = Rc::clone(&said);
    let listen = move |said: Said<'_>| {
        heard.borrow_mut().push(match said {
            Said::Text(text) => text.to_owned(),
            Said::Log(text) => format!("{text}\n"),
        });
    };
    let vm = Vm::new(settings, listen, Arc::new(AtomicBool::new(false))).map_err(unable)?;
    let ended = blocking.run(&mut task(&vm).map_err(unable)?);
    said.borrow().iter().for_each(|text| say(text));
    ended
}

/// The commands of a script: its own, and those of `prepare`, `cleanup`, `help` and `run` that it has. None: only a server would tell.
///
/// # Errors
/// It cannot be read, or was given options that it does not have.
pub fn lua_commands(data: &LuaData) -> Result<Option<Vec<LuaCommand>>, DataError> {
    let never = AtomicBool::new(false);
    let mut blocking = Blocking::new(None, &never);
    let listed = run(&settings(data, None, "run", 1), Vm::commands, &mut blocking, &|_| {});
    if blocking.has_refused {
        return Ok(None);
    }
    let one = |line: &str| match line.split_once(' ') {
        Some((name, _)) => LuaCommand { name: name.to_owned(), parallel: true },
        None => LuaCommand { name: line.to_owned(), parallel: false },
    };
    Ok(Some(listed?.unwrap_or_default().lines().map(one).collect()))
}

/// Runs a command of a script, on `threads` threads if it is one for that. Returns whether the script has it, and hands on what the
/// script says.
///
/// # Errors
/// It failed, or was cancelled.
pub fn run_lua_command(
    connect: Option<&ConnectOptions>,
    data: &LuaData,
    command: &str,
    (threads, seed): (u32, u64),
    cancel: &AtomicBool,
    say: &(dyn Fn(&str) + Sync),
) -> Result<bool, DataError> {
    let found = lua_commands(data)?.unwrap_or_default().into_iter().find(|one| one.name == command);
    let threads = if found.is_some_and(|one| one.parallel) { threads.max(1) } else { 1 };
    let call = |thread: u32| {
        let settings = settings(data, connect, command, threads);
        let task = |vm: &Vm| vm.call(command, thread, Rng::stream(seed, thread.into()));
        run(&settings, task, &mut Blocking::new(connect, cancel), &|text| say(text))
            .map(|done| done.is_some())
    };
    thread::scope(|scope| {
        let call = &call;
        let all: Vec<_> = (0..threads).map(|number| scope.spawn(move || call(number))).collect();
        all.into_iter().map(|one| one.join().expect(NO_PANIC)).try_fold(true, |all, one| Ok(all && one?))
    })
}
