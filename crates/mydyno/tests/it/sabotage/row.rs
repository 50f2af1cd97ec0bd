//! A row of the table: what is planted, what it would do to a reader, and what must be said.

use serde_json::Value;
use tempfile::TempDir;

use crate::common;

/// What one sabotaged command left behind.
#[derive(Debug, Default)]
pub struct Seen {
    /// Exit code.
    pub code: i32,
    /// Standard output and standard error.
    pub text: String,
    /// The report as JSON; null where there is none.
    pub view: Value,
}

impl Seen {
    /// The outcome of a finished `mydyno` command; `view` is the report of the latest recording.
    pub fn of(results: &TempDir, outcome: (i32, String, String)) -> Self {
        common::add_up(results);
        Self::planted(results, outcome)
    }

    /// The same of a recording that was changed by hand, so that it need not add up.
    pub fn planted(results: &TempDir, (code, stdout, stderr): (i32, String, String)) -> Self {
        // A report of nothing has an exit code of its own.
        let (_, json, _) = common::output(results, &["report", "latest", "--format", "json"]);
        let view = serde_json::from_str(&json).unwrap_or(Value::Null);
        common::comparisons::check(&view);
        Self { code, text: format!("{stdout}{stderr}"), view }
    }

    /// Why cells failed.
    fn failures(&self) -> Vec<&str> {
        let cells = self.view["cells"].as_array().into_iter().flatten();
        cells.filter_map(|cell| cell["failure"]["message"].as_str()).collect()
    }

    /// Every caveat of every cell: its rule and its severity.
    pub fn caveats(&self) -> Vec<(String, String)> {
        let cells = self.view["cells"].as_array().into_iter().flatten();
        let caveats = cells.flat_map(|cell| cell["caveats"].as_array().into_iter().flatten());
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        caveats.map(|caveat| (word(&caveat["id"]), word(&caveat["severity"]))).collect()
    }
}

/// What must hold afterwards.
#[derive(Debug)]
pub enum Expect {
    /// The exit code of the command.
    Code(i32),
    /// A caveat of some cell: its rule and its severity (`note`, `warn`, `invalid`).
    Caveat(&'static str, &'static str),
    /// No cell has a caveat of this rule.
    NoCaveat(&'static str),
    /// A cell failed, and the reason has these words.
    Failed(&'static str),
    /// The level of the whole report: `green`, `amber` or `red`.
    Validity(&'static str),
    /// The text says this.
    Says(&'static str),
    /// The text does not say this.
    NeverSays(&'static str),
}

impl Expect {
    /// Panics with everything that was seen if it does not hold.
    pub fn hold(&self, seen: &Seen) {
        let holds = match self {
            Self::Code(code) => seen.code == *code,
            Self::Caveat(id, severity) => {
                seen.caveats().contains(&((*id).to_owned(), (*severity).to_owned()))
            }
            Self::NoCaveat(id) => !seen.caveats().iter().any(|(found, _)| found == id),
            Self::Failed(words) => seen.failures().iter().any(|why| why.contains(words)),
            Self::Validity(level) => seen.view["trust"]["level"] == *level,
            Self::Says(words) => seen.text.contains(words),
            Self::NeverSays(words) => !seen.text.contains(words),
        };
        assert!(holds, "{self:?}: exit code {}, caveats {:?}\n{}", seen.code, seen.caveats(), seen.text);
    }
}

/// Makes a test of each row: `name: "what a reader would be led to believe", plant => [expectations]`.
#[macro_export]
macro_rules! rows {
    ($($(#[$attribute:meta])* $name:ident: $harm:literal, $plant:expr => [$($expect:expr),+ $(,)?];)+) => {
        $($(#[$attribute])* #[doc = $harm] #[test] fn $name() {
            let seen = ($plant)();
            for expect in [$($expect),+] {
                expect.hold(&seen);
            }
        })+
    };
}
