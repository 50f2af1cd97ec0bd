//! Scripts for sysbench.

use std::collections::BTreeMap;

use model::{KeyDistribution, LuaDialect, LuaOptions, LuaScript, WorkloadSpec};

use super::errors::{error_policy, ignored};
use super::kind::{AsEdits, WorkloadKind};
use super::sysbench::{distribution, ps_mode, ps_mode_word};
use crate::edits::edits;
use crate::kind::{Value, assignments};
use crate::values::{Edit, Values, Wrong};

/// The script of a file.
#[derive(Debug)]
pub(super) struct LuaKind(pub LuaScript);

/// Options of the generator, not of the script.
const OWN: [&str; 10] = [
    "script_options",
    "script_dialect",
    "mysql_ignore_errors",
    "rand_type",
    "rand_spec_iter",
    "rand_spec_pct",
    "rand_spec_res",
    "rand_pareto_h",
    "rand_zipfian_exp",
    "db_ps_mode",
];

impl WorkloadKind for LuaKind {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn family(&self) -> &str {
        "lua"
    }

    /// Whatever sysbench has as an option may be one of the script's.
    fn has_options_of(&self, family: &str) -> bool {
        matches!(family, "lua" | "sysbench")
    }

    fn database(&self) -> &str {
        "sbtest"
    }

    fn writes(&self) -> bool {
        true
    }

    fn summary(&self) -> &str {
        "script for sysbench, in Lua"
    }

    fn script(&self) -> Option<&LuaScript> {
        Some(&self.0)
    }

    fn options(&self, values: &Values) -> Result<WorkloadSpec, Wrong> {
        let typed = values.edits().filter_map(|edit| {
            let key = edit.row.path.strip_prefix("workload.")?;
            (!OWN.contains(&key)).then(|| (key.to_owned(), edit.text.clone()))
        });
        let mut options: BTreeMap<String, String> = typed.collect();
        if let Some(Value::Assignments(list)) = values.get("workload.script_options") {
            options.extend(list.into_iter().map(|(name, text)| (name.replace('-', "_"), text)));
        }
        let dialect = match values.text("workload.script_dialect").as_str() {
            "1.0" => LuaDialect::V10,
            "1.1" => LuaDialect::V11,
            _ => self.0.dialect(),
        };
        let rand = match (values.is_set("workload.rand_type"), dialect) {
            (false, LuaDialect::V11) => KeyDistribution::Uniform,
            _ => distribution(values),
        };
        let (db_ps_mode, errors) = (ps_mode(values), error_policy(values));
        let script = self.0.clone();
        Ok(WorkloadSpec::Lua(LuaOptions { label: None, script, dialect, options, rand, db_ps_mode, errors }))
    }
}

impl AsEdits for LuaOptions {
    fn edits(&self) -> Vec<Edit> {
        let mut list = vec![
            ("script_options", assignments::text(&self.options)),
            ("script_dialect", self.dialect.name().to_owned()),
            ("rand_type", self.rand.name().to_owned()),
            ("db_ps_mode", ps_mode_word(self.db_ps_mode)),
            ("mysql_ignore_errors", ignored(&self.errors)),
        ];
        if self.options.is_empty() {
            list.remove(0);
        }
        match self.rand {
            KeyDistribution::Uniform => {}
            KeyDistribution::Gaussian { iter } => list.push(("rand_spec_iter", iter.to_string())),
            KeyDistribution::Special(shape) => {
                list.push(("rand_spec_iter", shape.iter.to_string()));
                list.push(("rand_spec_pct", shape.pct.to_string()));
                list.push(("rand_spec_res", shape.res.to_string()));
            }
            KeyDistribution::Pareto { h } => list.push(("rand_pareto_h", h.to_string())),
            KeyDistribution::Zipfian { exponent } => list.push(("rand_zipfian_exp", exponent.to_string())),
        }
        edits("workload", list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    fn options(edits: &[(&str, &str)]) -> LuaOptions {
        let script = LuaScript::read("shop/mine.lua", "function event() end", &|_| None);
        match LuaKind(script).options(&values(edits)).expect("valid") {
            WorkloadSpec::Lua(options) => options,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_script_gets_what_was_typed_whoever_knows_the_option() {
        let made = options(&[
            ("workload.tables", "4"),
            ("workload.skip_trx", "on"),
            ("workload.script_options", "my-x=1;text=a=b"),
            ("workload.rand_type", "uniform"),
        ]);
        let typed: Vec<_> = made.options.iter().map(|(name, text)| format!("{name}:{text}")).collect();
        assert_eq!(typed, ["my_x:1", "skip_trx:on", "tables:4", "text:a=b"]);
        assert_eq!(made.rand, KeyDistribution::Uniform);
    }

    #[test]
    fn options_make_the_same_script_again() {
        let cases: [&[(&str, &str)]; 5] = [
            &[],
            &[("workload.rand_type", "pareto"), ("workload.rand_pareto_h", "0.3")],
            &[("workload.rand_type", "zipfian"), ("workload.rand_zipfian_exp", "1.2")],
            &[("workload.script_options", "a=1;b=2"), ("workload.rand_type", "special")],
            &[("workload.script_dialect", "1.1"), ("workload.db_ps_mode", "disable")],
        ];
        for edits in cases {
            let made = options(edits);
            let again = LuaKind(made.script.clone()).options(&Values::default().with(made.edits()));
            assert_eq!(again.expect("valid"), WorkloadSpec::Lua(made));
        }
    }
}
