//! A coroutine of a script.

use std::rc::Rc;

use luajit::mlua::{Lua, Thread};
use random::Rng;

use crate::error::ScriptError;
use crate::natives::Shared;
use crate::request::{ANSWERS, Reply, ScriptRequest, Yielded};

/// A client, or a call of one of the script's functions: it runs until it asks for something.
#[derive(Debug)]
pub struct Task {
    lua: Lua,
    thread: Thread,
    shared: Rc<Shared>,
    /// Source of what it draws.
    rng: Rng,
}

const fn answer(name: &str) -> u8 {
    let mut at = 0;
    while at < ANSWERS.len() {
        if equal(ANSWERS[at].as_bytes(), name.as_bytes()) {
            return at as u8 + 1;
        }
        at += 1;
    }
    panic!("there is no such answer")
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

const OK: u8 = answer("ok");
const ROWS: u8 = answer("rows");
const ERROR: u8 = answer("error");
const LOST: u8 = answer("lost");

/// CR_SERVER_LOST.
const SERVER_LOST: u16 = 2013;

impl Task {
    pub(crate) fn new(lua: &Lua, thread: Thread, shared: &Rc<Shared>, rng: Rng) -> Self {
        Self { lua: lua.clone(), thread, shared: Rc::clone(shared), rng }
    }

    /// Answers its last request, or begins, and runs it until it asks for something else.
    ///
    /// # Errors
    /// What the script asks for makes no sense. An error of the script itself is [`ScriptRequest::Failed`].
    pub fn resume(&mut self, reply: Reply<'_>) -> Result<ScriptRequest, ScriptError> {
        self.shared.rng.swap(&std::cell::RefCell::new(self.rng.clone()));
        let thread = &self.thread;
        let yielded: Result<Yielded, _> = match reply {
            Reply::Nothing => thread.resume(()),
            Reply::Flag(flag) => thread.resume(flag),
            Reply::Connected(number) => thread.resume((true, number)),
            Reply::Refused { code, message } => thread.resume((false, 0, code, message)),
            Reply::Ok => thread.resume(OK),
            Reply::Rows { rows, columns, data: [] } => thread.resume((ROWS, rows as f64, columns)),
            Reply::Rows { rows, columns, data } => {
                let data = self.lua.create_string(data)?;
                thread.resume((ROWS, rows as f64, columns, data))
            }
            Reply::Prepared(number) => thread.resume((OK, number)),
            Reply::Error { code, state, message } => thread.resume((ERROR, code, state, message)),
            Reply::Lost { message } => thread.resume((LOST, SERVER_LOST, "HY000", message)),
        };
        self.rng = self.shared.rng.borrow().clone();
        ScriptRequest::read(yielded?)
    }
}
