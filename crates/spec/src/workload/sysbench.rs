//! sysbench's workloads, by sysbench's names.

use std::sync::Arc;

use model::{KeyDistribution, PsMode, SpecialShape, SysbenchOptions, SysbenchWorkload, WorkloadSpec};

use super::errors::{error_policy, ignored};
use super::kind::{AsEdits, WorkloadKind};
use crate::edits::{edits, on_off};
use crate::values::{Edit, Values, Wrong};

/// Each of them.
pub(super) fn kinds() -> impl Iterator<Item = Arc<dyn WorkloadKind>> {
    SysbenchWorkload::ALL.into_iter().map(|one| Arc::new(one) as Arc<dyn WorkloadKind>)
}

impl WorkloadKind for SysbenchWorkload {
    fn name(&self) -> &str {
        Self::name(*self)
    }

    fn family(&self) -> &str {
        "sysbench"
    }

    fn database(&self) -> &str {
        "sbtest"
    }

    fn writes(&self) -> bool {
        Self::writes(*self)
    }

    fn summary(&self) -> &str {
        Self::summary(*self)
    }

    fn reads_one_table(&self) -> bool {
        Self::reads_one_table(*self)
    }

    fn options(&self, values: &Values) -> Result<WorkloadSpec, Wrong> {
        Ok(WorkloadSpec::Sysbench(sysbench(*self, values)))
    }
}

fn sysbench(workload: SysbenchWorkload, values: &Values) -> SysbenchOptions {
    let n = |key: &str| values.count_u32(&format!("workload.{key}"));
    let on = |key: &str| values.switch(&format!("workload.{key}"));
    SysbenchOptions {
        label: None,
        workload,
        tables: n("tables"),
        table_size: values.count("workload.table_size"),
        range_size: n("range_size"),
        range_selects: on("range_selects"),
        point_selects: n("point_selects"),
        simple_ranges: n("simple_ranges"),
        sum_ranges: n("sum_ranges"),
        order_ranges: n("order_ranges"),
        distinct_ranges: n("distinct_ranges"),
        index_updates: n("index_updates"),
        non_index_updates: n("non_index_updates"),
        delete_inserts: n("delete_inserts"),
        skip_trx: on("skip_trx"),
        auto_inc: on("auto_inc"),
        secondary: on("secondary"),
        create_secondary: on("create_secondary"),
        mysql_storage_engine: values.text("workload.mysql_storage_engine"),
        create_table_options: values.text("workload.create_table_options"),
        random_points: n("random_points"),
        number_of_ranges: n("number_of_ranges"),
        delta: n("delta"),
        rand: distribution(values),
        db_ps_mode: ps_mode(values),
        reconnect: values.count("workload.reconnect"),
        errors: error_policy(values),
    }
}

/// Whether statements are prepared.
pub(super) fn ps_mode(values: &Values) -> PsMode {
    match values.text("workload.db_ps_mode").as_str() {
        "disable" => PsMode::Disable,
        _ => PsMode::Auto,
    }
}

/// The word for that.
pub(super) fn ps_mode_word(mode: PsMode) -> String {
    if mode == PsMode::Auto { "auto" } else { "disable" }.to_owned()
}

/// The key distribution.
pub(super) fn distribution(values: &Values) -> KeyDistribution {
    let (iter, pct, res) = (
        values.count_u32("workload.rand_spec_iter"),
        values.count_u32("workload.rand_spec_pct"),
        values.count_u32("workload.rand_spec_res"),
    );
    match values.text("workload.rand_type").as_str() {
        "uniform" => KeyDistribution::Uniform,
        "gaussian" => KeyDistribution::Gaussian { iter },
        "pareto" => KeyDistribution::Pareto { h: values.number("workload.rand_pareto_h") },
        "zipfian" => KeyDistribution::Zipfian { exponent: values.number("workload.rand_zipfian_exp") },
        _ => KeyDistribution::Special(SpecialShape { iter, pct, res }),
    }
}

impl AsEdits for SysbenchOptions {
    /// The options in the order of sysbench's help.
    fn edits(&self) -> Vec<Edit> {
        let o = self;
        let mut list = vec![
            ("tables", o.tables.to_string()),
            ("table_size", o.table_size.to_string()),
            ("range_size", o.range_size.to_string()),
            ("range_selects", on_off(o.range_selects)),
            ("point_selects", o.point_selects.to_string()),
            ("simple_ranges", o.simple_ranges.to_string()),
            ("sum_ranges", o.sum_ranges.to_string()),
            ("order_ranges", o.order_ranges.to_string()),
            ("distinct_ranges", o.distinct_ranges.to_string()),
            ("index_updates", o.index_updates.to_string()),
            ("non_index_updates", o.non_index_updates.to_string()),
            ("delete_inserts", o.delete_inserts.to_string()),
            ("skip_trx", on_off(o.skip_trx)),
            ("auto_inc", on_off(o.auto_inc)),
            ("secondary", on_off(o.secondary)),
            ("create_secondary", on_off(o.create_secondary)),
            ("mysql_storage_engine", o.mysql_storage_engine.clone()),
            ("create_table_options", o.create_table_options.clone()),
            ("random_points", o.random_points.to_string()),
            ("number_of_ranges", o.number_of_ranges.to_string()),
            ("delta", o.delta.to_string()),
            ("rand_type", o.rand.name().to_owned()),
        ];
        match o.rand {
            KeyDistribution::Uniform => {}
            KeyDistribution::Gaussian { iter } => list.push(("rand_spec_iter", iter.to_string())),
            KeyDistribution::Special(s) => {
                list.push(("rand_spec_iter", s.iter.to_string()));
                list.push(("rand_spec_pct", s.pct.to_string()));
                list.push(("rand_spec_res", s.res.to_string()));
            }
            KeyDistribution::Pareto { h } => list.push(("rand_pareto_h", h.to_string())),
            KeyDistribution::Zipfian { exponent } => list.push(("rand_zipfian_exp", exponent.to_string())),
        }
        list.push(("db_ps_mode", ps_mode_word(o.db_ps_mode)));
        list.push(("reconnect", o.reconnect.to_string()));
        list.push(("mysql_ignore_errors", ignored(&o.errors)));
        edits("workload", list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn without_options_they_are_sysbenchs_defaults() {
        for workload in SysbenchWorkload::ALL {
            let expected = SysbenchOptions { workload, ..SysbenchOptions::default() };
            assert_eq!(sysbench(workload, &Values::default()), expected);
        }
    }

    #[test]
    fn distributions_carry_only_their_own_parameters() {
        let rand = |edits: &[(&str, &str)]| sysbench(SysbenchWorkload::OltpReadOnly, &values(edits)).rand;
        let pareto = rand(&[("workload.rand_type", "pareto"), ("workload.rand_pareto_h", "0.3")]);
        assert_eq!(pareto, KeyDistribution::Pareto { h: 0.3 });
        assert_eq!(rand(&[("workload.rand_type", "zipfian")]), KeyDistribution::Zipfian { exponent: 0.8 });
        assert_eq!(rand(&[("workload.rand_type", "uniform")]), KeyDistribution::Uniform);
    }
}
