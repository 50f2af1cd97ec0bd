//! A specification from TOML. Errors name their line and column.

mod fields;
mod targets;

use std::cell::RefCell;
use std::collections::BTreeMap;

use messages::number::counted;
use toml::de::{DeTable, DeValue};

use self::fields::{Fields, Reader, Value};
use crate::document::{Arm, Combination, Document, FORMAT, FactorSpec, Need, Quick, WorkloadEntry};
use crate::path::{self, Path};
use crate::table::{self, OptionRow};
use crate::target::TargetWords;
use crate::values::{Edit, Values, Wrong};
use crate::workload::{MODULE, NamedWorkload};

const TOP: &[&str] = &[
    "format",
    "experiment",
    "question",
    "question_zh",
    "published",
    "published_zh",
    "shows",
    "shows_zh",
    "is_quick",
    "targets_are_arms",
    "targets_at_least",
    "need",
    "load",
    "design",
    "capacity",
    "bisect",
    "defaults",
    "target",
    "arm",
    "workload",
    "factor",
    "combination",
    "quick",
    "definitions",
];

impl Document {
    /// Reads a specification.
    ///
    /// # Errors
    /// It is no TOML, or says something that does not exist.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        Self::parse_with(text, &|path| Err(Wrong::of(format!("{path} is a file, which is not read here"))))
    }

    /// Reads a specification that may name files with workloads, of which `open` gives the text.
    ///
    /// # Errors
    /// It is no TOML, or says something that does not exist; or a file cannot be read.
    pub fn parse_with(text: &str, open: &dyn Fn(&str) -> Result<String, Wrong>) -> Result<Self, Wrong> {
        let table = DeTable::parse(text).map_err(|error| Wrong::of(error.to_string().trim_end()))?;
        let reader = Reader { text, files: RefCell::default(), open };
        let document = reader.document(table.get_ref())?;
        document.check()?;
        Ok(document)
    }

    /// Checks the rules that the syntax alone does not enforce.
    fn check(&self) -> Result<(), Wrong> {
        let refuse = |why: &str| Err(Wrong::of(why));
        if self.workloads.is_empty() && !self.paths().any(|path| *path == Path::Workload) {
            return Err(Wrong::of("it needs at least one [[workload]]")
                .hint("or a factor over workloads: path = \"workload\" and its levels"));
        }
        if self.targets.is_empty()
            && self.targets_at_least == 0
            && !self.paths().any(|path| *path == Path::Target)
        {
            return refuse("it has no target").map_err(|wrong: Wrong| {
                wrong.hint("such as target = \"sandbox:mysql\", or targets_at_least = 2 for those that the user names")
            });
        }
        if !self.factors.is_empty() && !self.combinations.is_empty() {
            return refuse("either factors, of which all combinations are run, or a list of combinations");
        }
        if let Some(first) = self.combinations.first() {
            let paths =
                |one: &Combination| one.levels.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>();
            if self.combinations.iter().any(|one| paths(one) != paths(first)) {
                return refuse("every [[combination]] gives a level of the same paths");
            }
            if !self.arms.is_empty() || self.targets_at_least > 0 || self.workloads.len() > 1 {
                return refuse(
                    "combinations stand beside one target and at most one [[workload]]; put arms and workloads into their levels",
                );
            }
        }
        if !self.arms.is_empty() && self.paths().any(|path| *path == Path::Target) {
            return refuse(
                "arms add to one target, and a factor varies it: leave one of them out, or make the arms a factor",
            );
        }
        Ok(())
    }
}

impl Reader<'_> {
    fn document(&self, table: &DeTable) -> Result<Document, Wrong> {
        let keys: Vec<&str> = TOP.iter().copied().chain(table::top().map(OptionRow::key)).collect();
        let top = self.fields(table, &keys)?;
        if let Some(value) = top.get("format") {
            let format = self.scalar(value)?;
            if format != FORMAT.to_string() {
                return Err(self.wrong(value, &format!("format {format} is unknown; this is {FORMAT}")));
            }
        }
        let text = |key: &str| top.get(key).map(|value| self.scalar(value)).transpose();
        let switch = |key: &str| top.get(key).map(|value| self.switch(value)).transpose();
        let mut values = Values::default();
        for row in table::top() {
            if let Some(value) = top.get(row.key()) {
                values.set(self.edit(row, value)?);
            }
        }
        self.options("load", top.get("load"), &mut values)?;
        self.options("design", top.get("design"), &mut values)?;
        self.options("capacity", top.get("capacity"), &mut values)?;
        self.options("bisect", top.get("bisect"), &mut values)?;
        let mut defaults = Values::default();
        self.options("workload", top.get("defaults"), &mut defaults)?;
        if let Some(value) = top.get("definitions") {
            self.definitions(value)?;
        }
        let at_least = top.get("targets_at_least").map(|value| self.number(value)).transpose()?;
        let document = Document {
            experiment: text("experiment")?,
            question: text("question")?,
            question_zh: text("question_zh")?,
            published: text("published")?,
            published_zh: text("published_zh")?,
            shows: text("shows")?,
            shows_zh: text("shows_zh")?,
            is_quick: switch("is_quick")?.unwrap_or(false),
            targets_are_arms: switch("targets_are_arms")?.unwrap_or(false),
            targets_at_least: at_least.unwrap_or(0) as usize,
            needs: self.each(top.get("need"), |fields| self.need(fields))?,
            values,
            defaults,
            targets: self.targets(top.get("target"))?,
            arms: self.each(top.get("arm"), |table| self.arm(table))?,
            workloads: self.workloads(top.get("workload"))?,
            factors: self.factors(top.get("factor"))?,
            combinations: self.each(top.get("combination"), |table| self.combination(table))?,
            quick: top.get("quick").map(|value| self.quick(value)).transpose()?.unwrap_or_default(),
            files: BTreeMap::new(),
        };
        Ok(Document { files: self.files.take(), ..document })
    }

    /// The workloads in files that a recording has brought along, by name.
    fn definitions(&self, value: &Value) -> Result<(), Wrong> {
        let table = self.table(value)?;
        let text_of = |name: &str| table.get(name).and_then(|value| self.scalar(value).ok());
        for (key, value) in table.iter().filter(|(key, _)| !key.get_ref().contains(MODULE)) {
            let (name, text) = (key.get_ref(), self.scalar(value)?);
            let module = |path: &str| text_of(&format!("{name}{MODULE}{path}"));
            let named =
                NamedWorkload::of_file(name, &text, &module).map_err(|wrong| self.placed(value, wrong))?;
            self.files.borrow_mut().insert(name.to_string(), named);
        }
        Ok(())
    }

    fn edit(&self, row: &'static OptionRow, value: &Value) -> Result<Edit, Wrong> {
        let parts = row.kind.between().and_then(|between| Some((value.get_ref().as_array()?, between)));
        let text = match parts {
            Some((parts, between)) => {
                let each = parts.iter().map(|one| self.scalar(one)).collect::<Result<Vec<_>, _>>()?;
                each.join(&between.to_string())
            }
            None => self.scalar(value)?,
        };
        Edit::read(row, &text).map_err(|wrong| self.wrong(value, &format!("{}: {}", row.key(), wrong.why)))
    }

    /// The options of a section.
    fn options(&self, section: &str, value: Option<&&Value>, values: &mut Values) -> Result<(), Wrong> {
        let Some(value) = value else { return Ok(()) };
        for (key, value) in self.table(value)?.iter() {
            let row = path::option(section, key.get_ref()).map_err(|wrong| self.placed(key, wrong))?;
            values.set(self.edit(row, value)?);
        }
        Ok(())
    }

    fn arm(&self, table: &DeTable) -> Result<Arm, Wrong> {
        let fields = self.fields(table, &["label", "connection", "settings", "placement"])?;
        let label = self.required(&fields, "label", "an arm needs a label")?;
        let mut adds = TargetWords::new();
        let sections = [
            ("connection", self.connection(fields.get("connection"))?),
            ("settings", self.settings(fields.get("settings"))?),
            ("placement", self.placement(fields.get("placement"))?),
        ];
        for (section, words) in sections {
            adds.extend(words.into_iter().map(|(key, value)| (format!("{section}.{key}"), value)));
        }
        Ok(Arm { label, adds })
    }

    fn required(&self, fields: &Fields, key: &str, why: &str) -> Result<String, Wrong> {
        fields.get(key).map(|value| self.scalar(value)).transpose()?.ok_or_else(|| Wrong::of(why))
    }

    fn need(&self, table: &DeTable) -> Result<Need, Wrong> {
        let fields = self.fields(table, &["cpus", "numa_nodes", "why"])?;
        let number = |key: &str| fields.get(key).map(|value| self.number(value)).transpose();
        Ok(Need {
            cpus: number("cpus")?.unwrap_or(0),
            numa_nodes: number("numa_nodes")?.unwrap_or(0),
            why: self.required(&fields, "why", "a [[need]] says why")?,
        })
    }

    fn workloads(&self, value: Option<&&Value>) -> Result<Vec<WorkloadEntry>, Wrong> {
        let Some(value) = value else { return Ok(Vec::new()) };
        match value.get_ref() {
            DeValue::Array(array) => array.iter().map(|one| self.workload(one)).collect(),
            _ => Ok(vec![self.workload(value)?]),
        }
    }

    fn workload(&self, value: &Value) -> Result<WorkloadEntry, Wrong> {
        let mut entry =
            WorkloadEntry { label: None, kind: None, values: Values::default(), load: Values::default() };
        let DeValue::Table(table) = value.get_ref() else {
            entry.kind = Some(self.kind(value)?);
            return Ok(entry);
        };
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "label" => entry.label = Some(self.scalar(value)?),
                "kind" => entry.kind = Some(self.kind(value)?),
                "load" => self.options("load", Some(&value), &mut entry.load)?,
                name => {
                    let row = path::option("workload", name).map_err(|wrong| self.placed(key, wrong))?;
                    entry.values.set(self.edit(row, value)?);
                }
            }
        }
        if let Some(kind) = &entry.kind
            && let Some(edit) = entry.values.edits().find(|edit| !kind.has(edit.row))
        {
            return Err(self.wrong(value, &format!("{} is not an option of {}", edit.row.key(), kind.name())));
        }
        Ok(entry)
    }

    fn kind(&self, value: &Value) -> Result<NamedWorkload, Wrong> {
        let name = self.scalar(value)?;
        match self.in_file(value, &name)? {
            Some(workload) => Ok(workload),
            None => NamedWorkload::named(&name).map_err(|wrong| self.placed(value, wrong)),
        }
    }

    /// The workload in a file, if the name is that of a file.
    fn in_file(&self, at: &Value, name: &str) -> Result<Option<NamedWorkload>, Wrong> {
        if let Some(known) = self.files.borrow().get(name) {
            return Ok(Some(known.clone()));
        }
        let is_script = name.ends_with(".lua");
        if !is_script && !name.ends_with(".toml") {
            return Ok(None);
        }
        let module = |path: &str| (self.open)(path).ok();
        let read = match (self.open)(name) {
            // sysbench's own by the name of its file.
            Err(_) if is_script && NamedWorkload::of_file_name(name).is_some() => {
                return Ok(NamedWorkload::of_file_name(name));
            }
            read => read.and_then(|text| NamedWorkload::of_file(name, &text, &module)),
        };
        let named = read.map_err(|wrong| self.placed(at, wrong))?;
        self.files.borrow_mut().insert(name.to_owned(), named.clone());
        Ok(Some(named))
    }

    fn factors(&self, value: Option<&&Value>) -> Result<Vec<FactorSpec>, Wrong> {
        let Some(value) = value else { return Ok(Vec::new()) };
        let mut factors: Vec<FactorSpec> = Vec::new();
        for one in self.array(value)?.iter() {
            let factor = self.factor(one)?;
            if factors.iter().any(|known| known.path == factor.path) {
                return Err(self.wrong(one, &format!("the factor {} is there twice", factor.path)));
            }
            factors.push(factor);
        }
        Ok(factors)
    }

    fn factor(&self, value: &Value) -> Result<FactorSpec, Wrong> {
        let fields = self.fields(self.table(value)?, &["path", "levels", "labels"])?;
        let at = fields.get("path").ok_or_else(|| self.wrong(value, "a factor needs a path"))?;
        let path = Path::parse(&self.scalar(at)?).map_err(|wrong| self.placed(at, wrong))?;
        let list = |key: &str| match fields.get(key) {
            Some(list) => self.array(list)?.iter().map(|one| self.scalar(one)).collect(),
            None => Ok(Vec::new()),
        };
        let (levels, labels): (Vec<String>, Vec<String>) = (list("levels")?, list("labels")?);
        if levels.is_empty() {
            return Err(self.wrong(at, &format!("the factor {path} has no levels")));
        }
        if path == Path::Workload {
            levels.iter().try_for_each(|level| self.in_file(at, level).map(drop))?;
        }
        if !labels.is_empty() && labels.len() != levels.len() {
            let (levels, labels) =
                (counted(levels.len() as u64, "level"), counted(labels.len() as u64, "label"));
            return Err(self.wrong(at, &format!("the factor {path} has {levels} and {labels}")));
        }
        Ok(FactorSpec { path, levels, labels })
    }

    fn combination(&self, table: &DeTable) -> Result<Combination, Wrong> {
        let fields = self.fields(table, &["label", "levels"])?;
        let Some(at) = fields.get("levels") else {
            return Err(Wrong::of("a [[combination]] has no levels"));
        };
        let mut levels = Vec::new();
        for (key, value) in self.table(at)?.iter() {
            let path = Path::parse(key.get_ref()).map_err(|wrong| self.placed(key, wrong))?;
            let level = self.scalar(value)?;
            if path.is_clients() && level.parse::<u32>().is_err() {
                let why = format!("load.clients of a combination is one number, not '{level}'");
                return Err(self.wrong(value, &why));
            }
            if path == Path::Workload {
                self.in_file(value, &level)?;
            }
            levels.push((path, level));
        }
        Ok(Combination { label: fields.get("label").map(|value| self.scalar(value)).transpose()?, levels })
    }

    fn quick(&self, value: &Value) -> Result<Quick, Wrong> {
        let fields =
            self.fields(self.table(value)?, &["load", "design", "capacity", "defaults", "target"])?;
        let mut quick = Quick { targets: self.targets(fields.get("target"))?, ..Quick::default() };
        self.options("load", fields.get("load"), &mut quick.values)?;
        self.options("design", fields.get("design"), &mut quick.values)?;
        self.options("capacity", fields.get("capacity"), &mut quick.values)?;
        self.options("workload", fields.get("defaults"), &mut quick.defaults)?;
        Ok(quick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
question = "Does durability matter more with many clients?"
[[target]]
label = "a"
sandbox = "mysql@8.4"
settings = { sync_binlog = 1 }
placement = { cpus = "0-3", memory_max = "2G" }
connection = { ssl_mode = "REQUIRED" }
[[workload]]
kind = "oltp_read_write"
tables = 10
table_size = 1_000_000
rand_type = "pareto"
[load]
clients = [4, 16, 64]
time = "60s"
warmup = 10
[design]
repeats = 5
drift_check = true
[[factor]]
path = "target.settings.sync_binlog"
levels = [1, 1000, 0]
"#;

    fn refusal(text: &str) -> String {
        let wrong = Document::parse(text).expect_err("refused");
        format!("{wrong}\n{}", wrong.hint.clone().unwrap_or_default())
    }

    #[test]
    fn a_whole_specification_is_read() {
        let document = Document::parse(WHOLE).expect("valid");
        let target = &document.targets[0];
        let server = &target.servers[0];
        assert_eq!((target.label.as_deref(), server.sandbox.as_deref()), (Some("a"), Some("mysql@8.4")));
        assert_eq!(server.connection["ssl-mode"], "REQUIRED");
        assert_eq!(
            (server.placement["memory-max"].as_str(), server.settings["sync_binlog"].as_str()),
            ("2G", "1")
        );
        let shape = crate::load::shape(&document.values, crate::load::SWEEP).expect("valid");
        assert_eq!((shape.time_s, shape.warmup_s), (60.0, 10.0));
        assert_eq!(crate::load::clients(&document.values, crate::load::SWEEP), [4, 16, 64]);
        assert_eq!(document.factors[0].levels, ["1", "1000", "0"]);
        assert_eq!(document.workloads[0].values.edits().count(), 3);
    }

    #[test]
    fn short_forms_are_strings() {
        let text = "target = [\"sandbox:mysql\", \"b=mysql://u@h/d\"]\nworkload = \"tpcc\"\n";
        let document = Document::parse(text).expect("valid");
        assert_eq!(document.targets[1].label.as_deref(), Some("b"));
        assert_eq!(document.workloads[0].kind, NamedWorkload::from_name("tpcc"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let head = "target = \"sandbox:\"\nworkload = \"tpcc\"\n";
        for (text, said) in [
            ("[lod]\n", "line 3, column 2: there is no 'lod' here\ndid you mean load?"),
            ("[load]\ntim = 3\n", "line 4, column 1: there is no option 'tim' in load\ndid you mean time?"),
            ("[load]\ntime = \"x\"\n", "line 4, column 8: time: 'x': it is not a number of seconds"),
            ("[design]\nrepeats = 0\n", "line 4, column 11: repeats: '0': it must be between 1 and 1000"),
            ("[[factor]]\npath = \"workload.rand-typ\"\nlevels = [1]\n", "did you mean rand_type?"),
            (
                "[[factor]]\npath = \"load.time\"\nlevels = []\n",
                "line 4, column 8: the factor load.time has no levels",
            ),
            (
                "[[factor]]\npath = \"load.time\"\nlevels = [1]\nlabels = [\"a\", \"b\"]\n",
                "the factor load.time has 1 level and 2 labels",
            ),
            ("format = 3\n", "format 3 is unknown"),
            ("x = \n", "line 3"),
        ] {
            let refused = refusal(&format!("{head}{text}"));
            assert!(refused.contains(said), "{text}: {refused}");
        }
        assert!(refusal("workload = \"tpcc\"\n").contains("it has no target"));
        assert!(refusal("target = \"sandbox:\"\n").contains("at least one [[workload]]"));
        assert!(
            refusal("target = \"sandbox:oracle\"\nworkload = \"tpcc\"").contains("no sandbox of 'oracle'")
        );
        assert!(refusal("target = \"sandbox:\"\nworkload = \"tpc\"").contains("did you mean tpcc?"));
        let foreign = "target = \"sandbox:\"\n[[workload]]\nkind = \"tpcc\"\ntables = 3\n";
        assert!(
            refusal(foreign).contains("line 2, column 1: tables is not an option of tpcc"),
            "{}",
            refusal(foreign)
        );
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let head = "target = \"sandbox:mysql\"\n";
        let arm = "[[arm]]\nlabel = \"x\"\nsettings = { sync-binlog = 0 }\n";
        let mix = "[[workload]]\nkind = \"oltp_read_write\"\n";
        let listed =
            |clients: &str| format!("[[combination]]\nlevels = {{ \"load.clients\" = {clients} }}\n");
        assert!(refusal(&format!("{head}{arm}{mix}{}", listed("4"))).contains("combinations stand beside"));
        assert!(refusal(&format!("{head}{mix}{mix}{}", listed("4"))).contains("at most one [[workload]]"));
        assert!(refusal(&format!("{head}{mix}{}", listed("\"4,8\""))).contains("one number, not '4,8'"));
        let whole = "[[factor]]\npath = \"target\"\nlevels = [\"sandbox:mysql\"]\n";
        assert!(refusal(&format!("{head}{arm}{mix}{whole}")).contains("arms add to one target"));
        let arms = Document::parse(&format!("{head}{arm}{mix}")).expect("valid");
        assert_eq!((arms.arm_that_sets("SYNC_BINLOG"), arms.arm_that_sets("port")), (Some("x"), None));
    }
}
