//! Answers what a script asks for, and keeps what it asked and said.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use random::Rng;
use script::{Datum, Reply, Request, Said, Settings, Task, Vm};

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
        loop {
            let request = task.resume(reply).map_err(|error| error.to_string())?;
            reply = match request {
                Request::Done(what) => return Ok(what),
                Request::Failed(why) => return Err(why),
                Request::Ready | Request::EventDone => {
                    self.asked
                        .push(if matches!(request, Request::Ready) { "ready" } else { "done" }.to_owned());
                    Reply::Nothing
                }
                Request::NextEvent => {
                    let more = self.events > 0;
                    self.events = self.events.saturating_sub(1);
                    Reply::Flag(more)
                }
                Request::Restart { code, query, .. } => {
                    self.asked.push(format!("restart after {code} of {query}"));
                    Reply::Nothing
                }
                Request::Sleep(seconds) => {
                    self.asked.push(format!("sleep {seconds}"));
                    Reply::Flag(true)
                }
                Request::Connect => {
                    self.asked.push("connect".to_owned());
                    Reply::Connected(1)
                }
                Request::Disconnect(number) => {
                    self.asked.push(format!("disconnect {number}"));
                    Reply::Nothing
                }
                Request::Query { text, .. } => {
                    let text = String::from_utf8_lossy(&text.bytes()).into_owned();
                    self.asked.push(text.clone());
                    self.answer(&text)
                }
                Request::Prepare { text, .. } => {
                    let text = String::from_utf8_lossy(&text.bytes()).into_owned();
                    self.asked.push(format!("prepare {text}"));
                    statements += 1;
                    if text == "BEGIN" {
                        Reply::Error { code: 1295, state: "HY000", message: "cannot be prepared" }
                    } else {
                        Reply::Prepared(statements)
                    }
                }
                Request::Execute { statement, values, .. } => {
                    let values: Vec<String> = values.iter().map(shown).collect();
                    self.asked.push(format!("execute {statement} ({})", values.join(", ")));
                    Reply::Ok
                }
                Request::Close { statement, .. } => {
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
