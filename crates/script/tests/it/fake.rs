//! Answers what a script asks for, and keeps what it asked and said.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use random::Rng;
use script::{Datum, Reply, Said, ScriptRequest, Settings, Task, Vm};

/// A script in its world.
pub struct World {
    pub vm: Vm,
    /// What it asked for, in words.
    pub asked: Vec<String>,
    said: Rc<RefCell<String>>,
    /// Events that it may begin.
    pub events: u32,
    /// Errors by the statement that gets them, each once.
    pub errors: BTreeMap<String, Vec<u16>>,
}

pub fn settings(text: &str) -> Settings {
    let mut settings = Settings::new("shop/mine.lua", text, &BTreeMap::new());
    settings.ignored = vec![1213, 1205];
    settings.numbers.insert("threads".to_owned(), 4.0);
    settings
}

impl World {
    pub fn new(settings: &Settings) -> Self {
        let said = Rc::new(RefCell::new(String::new()));
        let heard = Rc::clone(&said);
        let listen = move |said: Said<'_>| {
            let mut heard = heard.borrow_mut();
            match said {
                Said::Text(text) => heard.push_str(text),
                Said::Log(text) => heard.push_str(&format!("{text}\n")),
            }
        };
        let vm = Vm::new(settings, listen, Arc::new(AtomicBool::new(false))).expect("it starts");
        Self { vm, asked: Vec::new(), said, events: 2, errors: BTreeMap::new() }
    }

    /// What was said since this was asked last.
    pub fn said(&self) -> String {
        self.said.take()
    }

    /// Runs a client to its end; what it failed of.
    pub fn live(&mut self) -> Result<Option<String>, String> {
        let task = self.vm.client(3, Rng::from_seed(7)).expect("it begins");
        self.run(task)
    }

    /// Calls a function.
    pub fn call(&mut self, name: &str) -> Result<Option<String>, String> {
        let task = self.vm.call(name, 0, Rng::from_seed(7)).expect("it begins");
        self.run(task)
    }

    fn run(&mut self, mut task: Task) -> Result<Option<String>, String> {
        let mut reply = Reply::Nothing;
        let mut statements = 0;
        let mut is_in_event = false;
        loop {
            let request = task.resume(reply).map_err(|error| error.to_string())?;
            reply = match request {
                ScriptRequest::Done(what) => return Ok(what),
                ScriptRequest::Failed(why) => return Err(why),
                ScriptRequest::Ready => {
                    self.asked.push("ready".to_owned());
                    Reply::Nothing
                }
                ScriptRequest::EventDone => {
                    is_in_event = false;
                    self.asked.push("done".to_owned());
                    Reply::Nothing
                }
                ScriptRequest::NextEvent => {
                    if std::mem::take(&mut is_in_event) {
                        self.asked.push("done".to_owned());
                    }
                    let more = self.events > 0;
                    is_in_event = more;
                    self.events = self.events.saturating_sub(1);
                    Reply::Flag(more)
                }
                ScriptRequest::Restart { code, query, .. } => {
                    self.asked.push(format!("restart after {code} of {query}"));
                    Reply::Nothing
                }
                ScriptRequest::Sleep(seconds) => {
                    self.asked.push(format!("sleep {seconds}"));
                    Reply::Flag(true)
                }
                ScriptRequest::Connect => {
                    self.asked.push("connect".to_owned());
                    Reply::Connected(1)
                }
                ScriptRequest::Disconnect(number) => {
                    self.asked.push(format!("disconnect {number}"));
                    Reply::Nothing
                }
                ScriptRequest::Query { text, .. } => {
                    let text = String::from_utf8_lossy(&text.bytes()).into_owned();
                    self.asked.push(text.clone());
                    self.answer(&text)
                }
                ScriptRequest::Prepare { text, .. } => {
                    let text = String::from_utf8_lossy(&text.bytes()).into_owned();
                    self.asked.push(format!("prepare {text}"));
                    statements += 1;
                    if text == "BEGIN" {
                        Reply::Error { code: 1295, state: "HY000", message: "cannot be prepared" }
                    } else {
                        Reply::Prepared(statements)
                    }
                }
                ScriptRequest::Execute { statement, values, .. } => {
                    let values: Vec<String> = values.iter().map(shown).collect();
                    self.asked.push(format!("execute {statement} ({})", values.join(", ")));
                    Reply::Ok
                }
                ScriptRequest::Close { statement, .. } => {
                    self.asked.push(format!("close {statement}"));
                    Reply::Nothing
                }
            };
        }
    }

    fn answer(&mut self, text: &str) -> Reply<'static> {
        if let Some(code) = self.errors.get_mut(text).and_then(Vec::pop) {
            return match code {
                2013 => Reply::Lost { message: "gone" },
                code => Reply::Error { code, state: "40001", message: "refused" },
            };
        }
        if text.starts_with("SELECT") {
            // Two rows of two columns: 7 and NULL, then an empty string and a long one.
            const ROWS: &[u8] = b"\x017\xfb\x00\xfc\x03\x00abc";
            return Reply::Rows { rows: 2, columns: 2, data: ROWS };
        }
        Reply::Ok
    }
}

fn shown(value: &Datum) -> String {
    match value {
        Datum::Null => "NULL".to_owned(),
        Datum::Int(value) => value.to_string(),
        Datum::Real(value) => format!("{value:?}"),
        Datum::Text(text) => format!("'{}'", String::from_utf8_lossy(&text.bytes())),
    }
}

/// Runs a script as a client of two events: what it failed of, what it asked for, what it said.
pub fn lived(text: &str) -> (Result<Option<String>, String>, Vec<String>, String) {
    let mut world = World::new(&settings(text));
    let ended = world.live();
    let said = world.said();
    (ended, world.asked, said)
}
