//! An interpreter with a script in it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use luajit::mlua::{Error, Function, HookTriggers, Lua, Table, VmState};
use random::Rng;

use crate::error::ScriptError;
use crate::natives::{self, Shared};
use crate::request::ScriptCounts;
use crate::settings::{Said, Settings};
use crate::task::Task;

/// An interpreter with a script in it, for many clients on one thread.
#[derive(Debug)]
pub struct Vm {
    lua: Lua,
    prelude: Table,
    shared: Rc<Shared>,
}

/// The parts of the prelude; the first one makes the table that the others add to.
const PRELUDE: [(&str, &str); 4] = [
    ("core", include_str!("prelude/core.lua")),
    ("sql", include_str!("prelude/sql.lua")),
    ("tools", include_str!("prelude/tools.lua")),
    ("legacy", include_str!("prelude/legacy.lua")),
];

/// Instructions between two looks at whether a script is to be ended.
const LOOK_INSTRUCTIONS: u32 = 1_000_000;

impl Vm {
    /// An interpreter. `output` gets what the script says. A script that never asks for anything is ended once `abandoned` is set.
    ///
    /// # Errors
    /// The interpreter cannot be set up.
    pub fn new(
        settings: &Settings,
        output: impl Fn(Said<'_>) + 'static,
        abandoned: Arc<AtomicBool>,
    ) -> Result<Self, ScriptError> {
        let lua = luajit::open();
        // Compiled code does not look at hooks, and with a copy of the script for each client there is little to gain from it.
        lua.load("jit.off()").exec()?;
        let look = move |_: &Lua, _: &luajit::mlua::debug::Debug| match abandoned.load(Ordering::Relaxed) {
            true => Err(Error::runtime("the load is over and the script went on without an end")),
            false => Ok(VmState::Continue),
        };
        lua.set_global_hook(HookTriggers::new().every_nth_instruction(LOOK_INSTRUCTIONS), look)?;
        let shared = Rc::new(Shared {
            rng: RefCell::new(Rng::from_seed(1)),
            counts: Cell::default(),
            output: Rc::new(output),
        });
        let native = natives::table(&lua, &shared, &settings.draws)?;
        let told = told(&lua, settings)?;
        let chunk = |(name, text): (&str, &str)| lua.load(text).set_name(format!("={name}")).into_function();
        let prelude: Table = chunk(PRELUDE[0])?.call((native, told))?;
        for part in &PRELUDE[1..] {
            chunk(*part)?.call::<()>(&prelude)?;
        }
        Ok(Self { lua, prelude, shared })
    }

    /// A client of that number, from 0.
    ///
    /// # Errors
    /// The memory does not suffice.
    pub fn client(&self, number: u32, rng: Rng) -> Result<Task, ScriptError> {
        let make: Function = self.prelude.get("client")?;
        self.task(make.call(number)?, rng)
    }

    /// A call of a function of the script: `init`, `done`, or a command. [`crate::ScriptRequest::Done`] holds its name, or nothing if the
    /// script has no such function.
    ///
    /// # Errors
    /// As [`Vm::client`].
    pub fn call(&self, name: &str, thread: u32, rng: Rng) -> Result<Task, ScriptError> {
        let make: Function = self.prelude.get("call")?;
        self.task(make.call((thread, name))?, rng)
    }

    /// The commands of the script: a task whose [`crate::ScriptRequest::Done`] has one in each line, with the word `parallel` behind it if it
    /// is to be run by several threads.
    ///
    /// # Errors
    /// As [`Vm::client`].
    pub fn commands(&self) -> Result<Task, ScriptError> {
        let make: Function = self.prelude.get("describe")?;
        self.task(make.call(())?, Rng::from_seed(1))
    }

    /// What clients have counted since this was asked last.
    pub fn take_counts(&self) -> ScriptCounts {
        self.shared.counts.take()
    }

    fn task(&self, body: Function, rng: Rng) -> Result<Task, ScriptError> {
        Ok(Task::new(&self.lua, self.lua.create_thread(body)?, &self.shared, rng))
    }
}

/// The table `settings` of the prelude.
fn told(lua: &Lua, settings: &Settings) -> Result<Table, Error> {
    let told = lua.create_table()?;
    told.set("script", settings.path.as_str())?;
    told.set("text", settings.text.as_str())?;
    let modules = settings.modules.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    told.set("modules", lua.create_table_from(modules)?)?;
    told.set("dialect", if settings.is_1_1 { "1.1" } else { "1.0" })?;
    told.set("command", settings.command.as_str())?;
    let options = settings.options.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    told.set("options", lua.create_table_from(options)?)?;
    let general = lua.create_table_from(settings.numbers.iter().map(|(name, n)| (name.as_str(), *n)))?;
    for (name, text) in &settings.texts {
        general.set(name.as_str(), text.as_str())?;
    }
    told.set("general", general)?;
    told.set("ignored", lua.create_table_from(settings.ignored.iter().map(|code| (*code, true)))?)?;
    told.set("ignores_all", settings.ignores_all)?;
    told.set("reconnects", settings.reconnects)?;
    told.set("prepares", settings.prepares)?;
    told.set("server", settings.server.as_str())?;
    let argv = [(0, "mydyno"), (1, settings.path.as_str()), (2, settings.command.as_str())];
    told.set("argv", lua.create_table_from(argv)?)?;
    told.set("path", module_path(&settings.path))?;
    let version = if settings.is_1_1 { "1.1.0" } else { "1.0.20" };
    told.set("version", version)?;
    told.set("version_string", format!("sysbench {version} (mydyno {})", env!("CARGO_PKG_VERSION")))?;
    Ok(told)
}

/// Where modules are looked for: as sysbench does, and beside the script.
fn module_path(script: &str) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    let beside = match script.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/?.lua"),
        None => "./?.lua".to_owned(),
    };
    let default = format!(
        "./?.lua;./?/init.lua;./src/lua/?.lua;{home}/.luarocks/share/lua/5.1/?.lua;{home}/.luarocks/share/lua/5.1/?/init.lua;\
         /usr/local/share/lua/5.1/?.lua;/usr/share/lua/5.1/?.lua;{beside};/usr/share/sysbench/?.lua;/usr/local/share/sysbench/?.lua"
    );
    match std::env::var("LUA_PATH") {
        Ok(path) => path.replace(";;", &format!(";{default};")),
        Err(_) => default,
    }
}
