//! What the prelude has from us: random numbers, output, counters.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use luajit::mlua::{Lua, LuaString, Result, Table};
use random::{Keys, Rng};

use crate::request::{ANSWERS, REQUESTS, ScriptCounts};
use crate::settings::{Draws, Output, Said};

/// What the coroutines of a state share.
pub(crate) struct Shared {
    /// Source of random numbers of the one that runs.
    pub rng: RefCell<Rng>,
    /// What they counted since it was asked.
    pub counts: Cell<ScriptCounts>,
    pub output: Output,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("counts", &self.counts).finish_non_exhaustive()
    }
}

/// The table `native` of the prelude.
pub(crate) fn table(lua: &Lua, shared: &Rc<Shared>, draws: &Draws) -> Result<Table> {
    let native = lua.create_table()?;
    native.set("rand", rand(lua, shared, draws)?)?;
    native.set("requests", numbered(lua, &REQUESTS)?)?;
    native.set("answers", numbered(lua, &ANSWERS)?)?;
    let said = |to: fn(&str) -> Said<'_>| {
        let shared = Rc::clone(shared);
        lua.create_function(move |_, text: LuaString| {
            (shared.output)(to(&text.to_string_lossy()));
            Ok(())
        })
    };
    native.set("write", said(|text| Said::Text(text))?)?;
    native.set("log", said(|text| Said::Log(text))?)?;
    let counting = Rc::clone(shared);
    let count = lua.create_function(move |_, (kind, n): (u8, f64)| {
        let mut counts = counting.counts.get();
        let of = match kind {
            0 => &mut counts.other,
            1 => &mut counts.read,
            2 => &mut counts.write,
            4 => &mut counts.errors,
            5 => &mut counts.reconnects,
            _ => return Ok(()),
        };
        *of += n.max(0.0) as u64;
        counting.counts.set(counts);
        Ok(())
    })?;
    native.set("count", count)?;
    Ok(native)
}

fn numbered(lua: &Lua, names: &[&str]) -> Result<Table> {
    lua.create_table_from(names.iter().enumerate().map(|(at, name)| (*name, at + 1)))
}

/// Numbers that the process has drawn by `sysbench.rand.unique`.
static UNIQUE: AtomicU32 = AtomicU32::new(0);

fn rand(lua: &Lua, shared: &Rc<Shared>, draws: &Draws) -> Result<Table> {
    let rand = lua.create_table()?;
    let named = [
        ("default", draws.default),
        ("uniform", Keys::uniform()),
        ("gaussian", draws.gaussian),
        ("special", draws.special),
        ("pareto", draws.pareto),
        ("zipfian", draws.zipfian),
    ];
    for (name, keys) in named {
        let shared = Rc::clone(shared);
        let draw = lua.create_function(move |_, (low, high): (f64, f64)| {
            Ok(keys.draw(&mut shared.rng.borrow_mut(), low.max(0.0) as u64, high.max(0.0) as u64) as f64)
        })?;
        rand.set(name, draw)?;
    }
    let unique = lua.create_function(|_, (low, high): (Option<f64>, Option<f64>)| {
        let number = f64::from(random::unique(UNIQUE.fetch_add(1, Ordering::Relaxed), 0));
        Ok(match (low, high) {
            (Some(low), Some(high)) if high >= low => low + number % (high - low + 1.0),
            _ => number,
        })
    })?;
    rand.set("unique", unique)?;
    let own = Rc::clone(shared);
    rand.set("uniform_double", lua.create_function(move |_, ()| Ok(own.rng.borrow_mut().uniform_f64()))?)?;
    let own = Rc::clone(shared);
    let words = move |_: &Lua, ()| {
        let drawn = own.rng.borrow_mut().next_u64();
        Ok(((drawn >> 32) as f64, f64::from(drawn as u32)))
    };
    rand.set("two_words", lua.create_function(words)?)?;
    let own = Rc::clone(shared);
    let string = lua.create_function(move |lua, format: LuaString| {
        let mut rng = own.rng.borrow_mut();
        let mut text = format.as_bytes().to_vec();
        for byte in &mut text {
            match byte {
                b'#' => *byte = b'0' + rng.below(10) as u8,
                b'@' => *byte = b'a' + rng.below(26) as u8,
                _ => {}
            }
        }
        lua.create_string(text)
    })?;
    rand.set("string", string)?;
    let own = Rc::clone(shared);
    let varstring = lua.create_function(move |lua, (least, most): (f64, f64)| {
        let mut rng = own.rng.borrow_mut();
        let (least, most) = (least.max(0.0) as u64, most.max(0.0) as u64);
        let length = least + rng.below(most.saturating_sub(least) + 1);
        let text: Vec<u8> = (0..length).map(|_| b'0' + rng.below(u64::from(b'z' - b'0') + 1) as u8).collect();
        lua.create_string(text)
    })?;
    rand.set("varstring", varstring)?;
    Ok(rand)
}
