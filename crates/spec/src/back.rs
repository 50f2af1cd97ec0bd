//! From what a plan holds back to the options that make it.

use model::{
    Arrivals, Design, ErrorPolicy, Isolation, KeyDistribution, LoadShape, PsMode, Restore, Spec,
    StatementStyle, StockLevelForm, SysbenchOptions, TpccHome, TpccOptions, WorkloadSpec,
};

use crate::document::{Document, WorkloadEntry};
use crate::table;
use crate::target::Target;
use crate::values::{Edit, Values, Wrong};
use crate::workload::Workload;

/// Every option of a workload.
pub fn options_of(workload: &WorkloadSpec) -> Vec<Edit> {
    match workload {
        WorkloadSpec::Sysbench(options) => sysbench(options),
        WorkloadSpec::Tpcc(options) => tpcc(options),
        WorkloadSpec::Imported(_) => Vec::new(),
    }
}

fn edits(section: &str, list: impl IntoIterator<Item = (&'static str, String)>) -> Vec<Edit> {
    let edit = |(key, text): (&str, String)| {
        let path = format!("{section}.{key}");
        let row = table::row(&path).unwrap_or_else(|| panic!("the table has no option {path}"));
        Edit::read(row, &text).unwrap_or_else(|wrong| panic!("what a plan holds is no option: {wrong}"))
    };
    list.into_iter().map(edit).collect()
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

fn ignored(errors: &ErrorPolicy) -> String {
    let retry: Vec<String> = errors.retry.iter().map(u16::to_string).collect();
    if errors.retry_all { "all".to_owned() } else { retry.join(",") }
}

/// In the order of sysbench's help.
fn sysbench(o: &SysbenchOptions) -> Vec<Edit> {
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
    let ps = if o.db_ps_mode == PsMode::Auto { "auto" } else { "disable" };
    list.push(("db_ps_mode", ps.to_owned()));
    list.push(("reconnect", o.reconnect.to_string()));
    list.push(("mysql_ignore_errors", ignored(&o.errors)));
    edits("workload", list)
}

fn tpcc(o: &TpccOptions) -> Vec<Edit> {
    let d = o.deck;
    let deck = [d.new_order, d.payment, d.order_status, d.delivery, d.stock_level].map(|n| n.to_string());
    let home = match o.home {
        TpccHome::Fixed => "fixed",
        TpccHome::Random => "random",
        TpccHome::Skewed => "skewed",
    };
    let stock_level = match o.stock_level {
        StockLevelForm::TwoStatements => "two-statements",
        StockLevelForm::Join => "join",
    };
    let style = match o.style {
        StatementStyle::Prepared => "prepared",
        StatementStyle::Text => "text",
        StatementStyle::Batched => "batched",
    };
    let isolation = match o.isolation {
        None => "server",
        Some(Isolation::ReadUncommitted) => "read-uncommitted",
        Some(Isolation::ReadCommitted) => "read-committed",
        Some(Isolation::RepeatableRead) => "repeatable-read",
        Some(Isolation::Serializable) => "serializable",
    };
    let list = [
        ("warehouses", o.data.warehouses.to_string()),
        ("deck", deck.join(",")),
        ("home", home.to_owned()),
        ("think", o.think.to_string()),
        ("remote_lines", o.remote_lines_pct.to_string()),
        ("remote_payments", o.remote_payments_pct.to_string()),
        ("rollbacks", o.rollback_pct.to_string()),
        ("stock_level", stock_level.to_owned()),
        ("style", style.to_owned()),
        ("isolation", isolation.to_owned()),
        ("foreign_keys", on_off(o.data.foreign_keys)),
        ("order_index", on_off(o.data.order_index)),
        ("partitions", o.data.partitions.to_string()),
        ("age", o.data.age.to_string()),
        ("mysql_storage_engine", o.data.engine.clone()),
        ("check", on_off(o.check)),
        ("reconnect", o.reconnect.to_string()),
        ("mysql_ignore_errors", ignored(&o.errors)),
    ];
    edits("workload", list)
}

fn load_of(load: &LoadShape) -> Vec<Edit> {
    let mut list = vec![
        ("time", load.time_s.to_string()),
        ("warmup", load.warmup_s.to_string()),
        ("events", load.events.to_string()),
        ("think_time", load.think_s.to_string()),
    ];
    if let Some(rate) = &load.rate {
        let arrivals = if rate.arrivals == Arrivals::Constant { "constant" } else { "poisson" };
        list.extend([("rate", rate.describe()), ("arrivals", arrivals.to_owned())]);
    }
    list.extend(load.in_flight.map(|number| ("in_flight", number.to_string())));
    list.extend(load.workers.map(|number| ("workers", number.to_string())));
    edits("load", list)
}

fn design_of(design: &Design, repeats: u32) -> Vec<Edit> {
    let restore = match design.restore {
        Restore::Written => "written",
        Restore::Changed => "changed",
        Restore::Reload => "reload",
    };
    let mut list = vec![
        ("repeats", repeats.to_string()),
        ("restore", restore.to_owned()),
        ("drift_check", on_off(design.bookend)),
        ("cool_down", design.cool_down_s.to_string()),
        ("refine", on_off(design.refine)),
    ];
    if let Some(until) = design.until_sure {
        list.push(("until_sure", until.budget_s.unwrap_or(0.0).to_string()));
        list.push(("max_repeats", until.blocks_max.to_string()));
        list.push(("margin", (until.margin * 100.0).to_string()));
    }
    edits("design", list)
}

impl Document {
    /// The specification that makes a resolved one: what varied is written out, target by target and workload by workload.
    ///
    /// # Errors
    /// Not every combination was run, which a product of targets and workloads cannot say; or another tool ran it.
    pub fn of(spec: &Spec) -> Result<Self, Wrong> {
        if !spec.design.only.is_empty() {
            return Err(Wrong::of("it lists combinations, which this form of specification cannot repeat"));
        }
        let entry = |(at, workload): (usize, &WorkloadSpec)| {
            let kind = Workload::from_name(workload.name())
                .ok_or_else(|| Wrong::of("another tool ran it: there is nothing to run again"))?;
            let own = spec.design.variants.get(at).and_then(|variant| variant.load.as_ref());
            Ok(WorkloadEntry {
                label: (workload.label() != workload.name()).then(|| workload.label().to_owned()),
                kind: Some(kind),
                values: Values::default().with(options_of(workload)),
                load: Values::default().with(own.map(load_of).into_iter().flatten()),
            })
        };
        let clients: Vec<String> = spec.threads.iter().map(u32::to_string).collect();
        let numbers = edits("load", [("clients", clients.join(","))]);
        let seed = Edit::read(table::row("seed").expect("the table has it"), &spec.seed.to_string())?;
        let values = Values::default().with(load_of(&spec.load)).with(design_of(&spec.design, spec.repeats));
        let about = spec.about.as_ref();
        Ok(Self {
            name: Some(spec.name.clone()),
            experiment: about.map(|about| about.experiment.clone()),
            question: about.map(|about| about.question.clone()),
            question_zh: about.and_then(|about| about.question_zh.clone()),
            published: about.and_then(|about| about.published.clone()),
            published_zh: about.and_then(|about| about.published_zh.clone()),
            shows: about.and_then(|about| about.shows.clone()),
            shows_zh: about.and_then(|about| about.shows_zh.clone()),
            is_quick: about.is_some_and(|about| about.quick),
            targets_are_arms: about.is_some_and(|about| about.arms),
            prepare: Some(spec.prepare),
            observe: Some(spec.observe),
            allow_failing_cells: Some(spec.allow_failing_cells),
            values: values.with(numbers).with([seed]),
            targets: spec.target.iter().map(Target::of).collect(),
            workloads: spec.workload.iter().enumerate().map(entry).collect::<Result<_, Wrong>>()?,
            ..Self::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn options_make_the_same_workload_again() {
        let read_write = Workload::from_name("oltp_read_write").expect("one of sysbench's");
        let sysbench = [
            &[][..],
            &[
                ("workload.rand_type", "zipfian"),
                ("workload.rand_zipfian_exp", "1.25"),
                ("workload.tables", "3"),
            ],
            &[
                ("workload.rand_type", "gaussian"),
                ("workload.rand_spec_iter", "4"),
                ("workload.skip_trx", "on"),
            ],
            &[("workload.mysql_ignore_errors", "all"), ("workload.db_ps_mode", "disable")],
        ];
        let tpcc = [
            &[][..],
            &[("workload.preset", "benchmarksql"), ("workload.think", "0.5"), ("workload.home", "skewed")],
            &[
                ("workload.isolation", "read-committed"),
                ("workload.partitions", "4"),
                ("workload.style", "batched"),
            ],
        ];
        let cases = sysbench.map(|edits| (read_write, edits)).into_iter();
        for (kind, edits) in cases.chain(tpcc.map(|edits| (Workload::Tpcc, edits))) {
            let made = crate::options(kind, &values(edits)).expect("valid");
            let again = crate::options(kind, &Values::default().with(options_of(&made))).expect("valid");
            assert_eq!(again, made);
        }
    }

    #[test]
    fn load_and_design_are_made_again() {
        let edits = [
            ("load.rate", "100:5,100..200:5,200"),
            ("load.arrivals", "constant"),
            ("load.time", "20"),
            ("load.in_flight", "7"),
            ("load.think_time", "0.25"),
            ("design.until_sure", "20m"),
            ("design.margin", "2.5"),
            ("design.restore", "reload"),
            ("design.cool_down", "3"),
        ];
        let values = values(&edits);
        let shape = crate::shape(&values, crate::SWEEP).expect("valid");
        let again = crate::shape(&Values::default().with(load_of(&shape)), crate::RUN).expect("valid");
        assert_eq!(again, shape);
        let design = crate::design(&values).expect("valid");
        let again = crate::design(&Values::default().with(design_of(&design, 3))).expect("valid");
        assert_eq!(again, design);
    }
}
