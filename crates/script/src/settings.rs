//! What a script is told from outside.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A script, and everything that it finds around itself.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Modules and files that came with it, by the name with which it asks for them.
    pub modules: BTreeMap<String, String>,
    /// The interface that it expects is that of sysbench 1.1; otherwise of 1.0.
    pub is_1_1: bool,
    /// The command of the command line: `run`, `prepare`, ...
    pub command: String,
    /// Options that were typed, by name with `_`.
    pub options: BTreeMap<String, String>,
    /// sysbench's own options that are numbers.
    pub numbers: BTreeMap<String, f64>,
    /// sysbench's own options that are text.
    pub texts: BTreeMap<String, String>,
    /// Key distributions.
    pub draws: Draws,
    /// Errors of the server after which an event begins anew.
    pub ignored: Vec<u16>,
    /// All of them.
    pub ignores_all: bool,
    /// A lost connection is opened again, and the event begins anew.
    pub reconnects: bool,
    /// Statements are prepared by the server; otherwise they are sent as text.
    pub prepares: bool,
    /// The server, in words.
    pub server: String,
}

impl Settings {
    /// A script with nothing but its files around it.
    pub fn new(path: &str, text: &str, modules: &BTreeMap<String, String>) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            modules: modules.clone(),
            is_1_1: false,
            command: "run".to_owned(),
            options: BTreeMap::new(),
            numbers: BTreeMap::new(),
            texts: BTreeMap::new(),
            draws: Draws::default(),
            ignored: Vec::new(),
            ignores_all: false,
            reconnects: false,
            prepares: true,
            server: String::new(),
        }
    }
}

/// The key distributions of `sysbench.rand`.
#[derive(Debug, Clone, Copy)]
pub struct Draws {
    /// That of `sysbench.rand.default`.
    pub default: random::Keys,
    /// Those with names.
    pub gaussian: random::Keys,
    /// 1.0 only.
    pub special: random::Keys,
    /// Few rows get most draws.
    pub pareto: random::Keys,
    /// 1.1 only.
    pub zipfian: random::Keys,
}

impl Draws {
    /// Length of the ranges for which Zipf's law is computed in advance; others work, a little slower.
    pub const RANGE: u64 = 10_000;

    /// Those of sysbench, but for the one of that name, which is the default besides.
    pub fn with(name: &str, keys: random::Keys) -> Self {
        let mut draws = Self { default: keys, ..Self::default() };
        match name {
            "gaussian" => draws.gaussian = keys,
            "special" => draws.special = keys,
            "pareto" => draws.pareto = keys,
            "zipfian" => draws.zipfian = keys,
            _ => {}
        }
        draws
    }
}

impl Default for Draws {
    /// sysbench 1.0's.
    fn default() -> Self {
        let special = random::Keys::special(12, 1, 75);
        Self {
            default: special,
            gaussian: random::Keys::gaussian(12),
            special,
            pareto: random::Keys::pareto(0.2),
            zipfian: random::Keys::zipfian(0.8, Self::RANGE),
        }
    }
}

/// What a script says.
#[derive(Debug, Clone, Copy)]
pub enum Said<'a> {
    /// Its own output.
    Text(&'a str),
    /// A line about what went wrong, as sysbench words it.
    Log(&'a str),
}

/// Where that goes.
pub(crate) type Output = Rc<dyn Fn(Said<'_>)>;
