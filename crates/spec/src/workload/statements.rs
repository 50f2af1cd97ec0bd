//! Workloads in files.

use std::sync::{Arc, OnceLock};

use model::{ErrorPolicy, StatementsOptions, WorkloadFile, WorkloadSpec};

use super::errors::{error_policy, ignored};
use super::kind::{AsEdits, WorkloadKind};
use crate::edits::edits;
use crate::values::{Edit, Values, Wrong};

/// The workload of a file.
#[derive(Debug)]
pub(super) struct StatementsKind {
    /// The word by which users name it.
    path: String,
    file: WorkloadFile,
}

impl StatementsKind {
    /// Reads a file.
    pub fn read(path: &str, text: &str) -> Result<Self, Wrong> {
        let wrong = |why: &str| Wrong::of(format!("{path}: {}", why.trim_end()));
        let mut file: WorkloadFile = toml::from_str(text).map_err(|error| wrong(&error.to_string()))?;
        if file.name.is_empty() {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.strip_suffix(".toml").unwrap_or(name).clone_into(&mut file.name);
        }
        file.check().map_err(|why| wrong(&why))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// That of a plan.
    pub fn of(options: &StatementsOptions) -> Self {
        Self { path: options.path.clone(), file: options.file.clone() }
    }
}

impl WorkloadKind for StatementsKind {
    fn name(&self) -> &str {
        &self.file.name
    }

    fn family(&self) -> &str {
        "statements"
    }

    fn database(&self) -> &str {
        &self.file.database
    }

    fn writes(&self) -> bool {
        self.file.transactions.iter().flat_map(model::TransactionDefinition::kinds).any(|kind| kind.writes())
    }

    fn summary(&self) -> &str {
        &self.file.summary
    }

    fn file(&self) -> Option<&WorkloadFile> {
        Some(&self.file)
    }

    fn options(&self, values: &Values) -> Result<WorkloadSpec, Wrong> {
        let errors = match &self.file.retry {
            Some(retry) if !values.is_set("workload.mysql_ignore_errors") => {
                ErrorPolicy { retry: retry.clone(), ..ErrorPolicy::default() }
            }
            _ => error_policy(values),
        };
        Ok(WorkloadSpec::Statements(StatementsOptions {
            label: None,
            path: self.path.clone(),
            file: self.file.clone(),
            scale: values.number("workload.scale"),
            engine: values.text("workload.mysql_storage_engine"),
            reconnect: values.count("workload.reconnect"),
            errors,
        }))
    }
}

impl AsEdits for StatementsOptions {
    fn edits(&self) -> Vec<Edit> {
        edits(
            "workload",
            [
                ("scale", self.scale.to_string()),
                ("mysql_storage_engine", self.engine.clone()),
                ("reconnect", self.reconnect.to_string()),
                ("mysql_ignore_errors", ignored(&self.errors)),
            ],
        )
    }
}

/// The workloads in files that come with the program.
const SHIPPED: [(&str, &str); 11] = [
    ("documents", include_str!("../../../../workloads/documents.toml")),
    ("queue", include_str!("../../../../workloads/queue.toml")),
    ("time_series", include_str!("../../../../workloads/time-series.toml")),
    ("transfers", include_str!("../../../../workloads/transfers.toml")),
    ("wide_rows", include_str!("../../../../workloads/wide-rows.toml")),
    ("ycsb_a", include_str!("../../../../workloads/ycsb-a.toml")),
    ("ycsb_b", include_str!("../../../../workloads/ycsb-b.toml")),
    ("ycsb_c", include_str!("../../../../workloads/ycsb-c.toml")),
    ("ycsb_d", include_str!("../../../../workloads/ycsb-d.toml")),
    ("ycsb_e", include_str!("../../../../workloads/ycsb-e.toml")),
    ("ycsb_f", include_str!("../../../../workloads/ycsb-f.toml")),
];

/// Each of them. They are read once.
pub(super) fn kinds() -> impl Iterator<Item = Arc<dyn WorkloadKind>> {
    static READ: OnceLock<Vec<Arc<StatementsKind>>> = OnceLock::new();
    let read = |(name, text): &(&str, &str)| {
        let kind = StatementsKind::read(name, text);
        Arc::new(kind.unwrap_or_else(|wrong| panic!("{wrong}")))
    };
    let all = READ.get_or_init(|| SHIPPED.iter().map(read).collect());
    all.iter().map(|kind| Arc::clone(kind) as Arc<dyn WorkloadKind>)
}

/// The text of one of them.
pub(super) fn text_of(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOP: &str = r#"
        values.id = { row_of = "orders", by = "zipfian", exponent = 1.1 }
        [[table]]
        name = "orders"
        rows = 1_000
        column = [
            { name = "id", type = "INT", value = { sequence = 1 } },
            { name = "note", type = "TEXT", value = { letters = [0, 9], null = 0.5 } },
        ]
        primary_key = "id"
        [[transaction]]
        name = "read"
        weight = 3
        statement = "SELECT note FROM orders WHERE id = :id"
        [[transaction]]
        name = "pay"
        statement = [
            { name = "look", sql = "SELECT note FROM orders WHERE id = :id FOR UPDATE", keep = "note" },
            { sql = "UPDATE orders SET note = :note WHERE id = :id", if = "look", probability = 0.5, repeat = [1, 3] },
        ]
    "#;

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let texts = SHIPPED.iter().map(|(name, text)| (*name, *text)).chain([("shop.toml", SHOP)]);
        for (name, text) in texts {
            let read = StatementsKind::read(name, text).unwrap_or_else(|wrong| panic!("{wrong}"));
            let written = toml::to_string(&read.file).expect("it can be written");
            let again =
                StatementsKind::read(name, &written).unwrap_or_else(|wrong| panic!("{wrong}\n{written}"));
            assert_eq!(again.file, read.file, "{written}");
        }
    }

    #[test]
    fn a_workload_without_a_name_is_called_as_its_file() {
        let kind = StatementsKind::read("some/where/shop.toml", SHOP).expect("valid");
        assert_eq!((kind.name(), kind.database(), kind.writes()), ("shop", "mydyno", true));
    }

    #[test]
    fn the_scale_multiplies_rows_and_the_file_says_what_is_retried() {
        let text = SHOP.replacen("values.id", "retry = [1213]\nvalues.id", 1);
        let kind = StatementsKind::read("shop.toml", &text).expect("valid");
        let values = crate::values::tests::values(&[("workload.scale", "2.5")]);
        let WorkloadSpec::Statements(options) = kind.options(&values).expect("valid") else { panic!() };
        assert_eq!((options.file.sizes(options.scale)["orders"], options.errors.retry), (2_500, vec![1213]));
        let typed = crate::values::tests::values(&[("workload.mysql_ignore_errors", "1205")]);
        let WorkloadSpec::Statements(options) = kind.options(&typed).expect("valid") else { panic!() };
        assert_eq!(options.errors.retry, [1205]);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let cases = [
            ("weight = 3", "weigth = 3", "unknown field `weigth`"),
            ("row_of = \"orders\"", "row_of = \"order\"", "there is no [[table]] named order"),
            (":note WHERE", ":notes WHERE", "transaction pay: statement pay_2: :notes has no value"),
            ("if = \"look\"", "if = \"lock\"", "no statement before it is named lock"),
            ("exponent = 1.1", "h = 0.1", "h belongs to pareto, not to row_of"),
            ("letters = [0, 9]", "letters = [9, 0]", "letters: the first is greater than the last"),
            ("letters = [0, 9]", "leters = [0, 9]", "unknown field `leters`"),
            ("letters = [0, 9]", "letters = [0, 9], bytes = [1, 2]", "it names letters and bytes"),
            ("null = 0.5", "null = 5", "null is a probability from 0 to 1"),
            ("name = \"pay\"", "name = \"read\"", "transaction read: the name is there twice"),
            (
                "name = \"look\"",
                "name = \"commit\"",
                "statement commit: the name is there twice, or mydyno uses it",
            ),
            ("id = :id\"", "id = ?\"", "name the parameter, such as :id"),
            ("primary_key = \"id\"", "primary_key = \"key\"", "there is no column key"),
            ("probability = 0.5", "probability = 50", "probability is a number from 0 to 1"),
            ("repeat = [1, 3]", "repeat = [3, 1]", "repeat: 3 is greater than 1"),
        ];
        for (right, wrong, why) in cases {
            assert!(SHOP.contains(right), "{right}");
            let refused = StatementsKind::read("shop.toml", &SHOP.replacen(right, wrong, 1));
            let refused = refused.expect_err(wrong).to_string();
            assert!(refused.starts_with("shop.toml: ") && refused.contains(why), "{wrong}: {refused}");
        }
        let misspelt =
            StatementsKind::read("shop.toml", &SHOP.replacen("weight", "weigth", 1)).expect_err("it is");
        assert!(misspelt.to_string().contains("line 13"), "{misspelt}");
    }
}
