//! Workloads by name, and their options from values.

use model::{
    ErrorPolicy, Isolation, KeyDistribution, PsMode, SpecialShape, StatementStyle, StockLevelForm,
    SysbenchOptions, SysbenchWorkload, TpccData, TpccDeck, TpccHome, TpccOptions, WorkloadSpec,
};

use crate::kind::Value;
use crate::table::{Applies, Row};
use crate::values::{Values, Wrong};

/// A workload that users can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Workload {
    /// One of sysbench's.
    Sysbench(SysbenchWorkload),
    /// TPC-C.
    Tpcc,
}

impl Workload {
    /// Every workload.
    pub fn all() -> impl Iterator<Item = Self> {
        SysbenchWorkload::ALL.into_iter().map(Self::Sysbench).chain([Self::Tpcc])
    }

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sysbench(workload) => workload.name(),
            Self::Tpcc => "tpcc",
        }
    }

    /// The workload of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|workload| workload.name() == name)
    }

    /// The workload of that name, also with `-` for `_`.
    ///
    /// # Errors
    /// There is none; the nearest is named.
    pub fn named(name: &str) -> Result<Self, Wrong> {
        Self::from_name(&name.replace('-', "_")).ok_or_else(|| {
            let near = crate::nearest(name, Self::all().map(Self::name));
            let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
            let all = Self::all().map(Self::name).collect::<Vec<_>>().join(", ");
            Wrong::of(format!("there is no workload '{name}'")).hint(format!("{near}there are: {all}"))
        })
    }

    /// The database whose tables are meant where none is named.
    pub fn database(self) -> &'static str {
        match self {
            Self::Sysbench(_) => "sbtest",
            Self::Tpcc => "tpcc",
        }
    }

    /// True if it changes rows.
    pub fn writes(self) -> bool {
        match self {
            Self::Sysbench(workload) => workload.writes(),
            Self::Tpcc => true,
        }
    }

    /// One line on what it does.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Sysbench(workload) => workload.summary(),
            Self::Tpcc => "the five transactions of TPC-C",
        }
    }

    /// True if it has that option.
    pub fn has(self, row: &Row) -> bool {
        match row.applies {
            Applies::All => true,
            Applies::Sysbench => matches!(self, Self::Sysbench(_)),
            Applies::Tpcc => self == Self::Tpcc,
        }
    }
}

/// A workload with all of its options.
///
/// # Errors
/// Options that exclude each other.
pub fn options(workload: Workload, values: &Values) -> Result<WorkloadSpec, Wrong> {
    Ok(match workload {
        Workload::Sysbench(workload) => WorkloadSpec::Sysbench(sysbench(workload, values)),
        Workload::Tpcc => WorkloadSpec::Tpcc(tpcc(values)?),
    })
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
        db_ps_mode: if values.text("workload.db_ps_mode") == "disable" {
            PsMode::Disable
        } else {
            PsMode::Auto
        },
        reconnect: values.count("workload.reconnect"),
        errors: error_policy(values),
    }
}

fn distribution(values: &Values) -> KeyDistribution {
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

fn error_policy(values: &Values) -> ErrorPolicy {
    let default = ErrorPolicy::default();
    match values.get("workload.mysql_ignore_errors") {
        Some(Value::ErrorCodes(Some(retry))) => ErrorPolicy { retry, ..default },
        Some(Value::ErrorCodes(None)) => ErrorPolicy { retry_all: true, ..default },
        _ => default,
    }
}

fn tpcc(values: &Values) -> Result<TpccOptions, Wrong> {
    let n = |key: &str| values.count_u32(&format!("workload.{key}"));
    let on = |key: &str| values.switch(&format!("workload.{key}"));
    let chosen = |key: &str| match values.get(&format!("workload.{key}")) {
        Some(Value::Text(name)) => Some(name),
        _ => None,
    };
    let kit = preset(&values.text("workload.preset"));
    let engine = values.text("workload.mysql_storage_engine");
    let data = TpccData {
        warehouses: n("warehouses"),
        foreign_keys: on("foreign_keys"),
        order_index: on("order_index"),
        partitions: n("partitions"),
        age: n("age"),
        engine: if engine.eq_ignore_ascii_case("innodb") { "InnoDB".to_owned() } else { engine },
    };
    if data.partitions > 0 && data.foreign_keys {
        return Err(Wrong::of("partitioned tables cannot have foreign keys")
            .hint("leave out the partitions or the foreign keys"));
    }
    Ok(TpccOptions {
        label: None,
        data,
        deck: match values.get("workload.deck") {
            Some(Value::Deck(deck)) => deck,
            _ => kit.deck,
        },
        home: match chosen("home").as_deref() {
            Some("fixed") => TpccHome::Fixed,
            Some("random") => TpccHome::Random,
            Some("skewed") => TpccHome::Skewed,
            _ => kit.home,
        },
        think: values.number("workload.think"),
        remote_lines_pct: n("remote_lines"),
        remote_payments_pct: n("remote_payments"),
        rollback_pct: n("rollbacks"),
        stock_level: match chosen("stock_level").as_deref() {
            Some("join") => StockLevelForm::Join,
            Some("two-statements") => StockLevelForm::TwoStatements,
            _ => kit.stock_level,
        },
        style: match values.text("workload.style").as_str() {
            "text" => StatementStyle::Text,
            "batched" => StatementStyle::Batched,
            _ => StatementStyle::Prepared,
        },
        isolation: isolation(&values.text("workload.isolation")),
        check: on("check"),
        reconnect: values.count("workload.reconnect"),
        errors: error_policy(values),
    })
}

/// As another kit runs it.
fn preset(name: &str) -> TpccOptions {
    let standard = TpccOptions::default();
    match name {
        "benchmarksql" => TpccOptions {
            deck: TpccDeck { new_order: 45, payment: 43, order_status: 4, delivery: 4, stock_level: 4 },
            stock_level: StockLevelForm::Join,
            ..standard
        },
        "tpcc-mysql" => TpccOptions { home: TpccHome::Random, ..standard },
        _ => standard,
    }
}

fn isolation(name: &str) -> Option<Isolation> {
    match name {
        "read-uncommitted" => Some(Isolation::ReadUncommitted),
        "read-committed" => Some(Isolation::ReadCommitted),
        "repeatable-read" => Some(Isolation::RepeatableRead),
        "serializable" => Some(Isolation::Serializable),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    fn of_tpcc(edits: &[(&str, &str)]) -> TpccOptions {
        tpcc(&values(edits)).expect("valid options")
    }

    #[test]
    fn without_options_they_are_sysbenchs_defaults() {
        for workload in SysbenchWorkload::ALL {
            let expected = SysbenchOptions { workload, ..SysbenchOptions::default() };
            assert_eq!(sysbench(workload, &Values::default()), expected);
        }
    }

    #[test]
    fn without_options_tpcc_follows_the_standard_on_ten_warehouses() {
        let data = TpccData { warehouses: 10, ..TpccData::default() };
        assert_eq!(of_tpcc(&[]), TpccOptions { data, ..TpccOptions::default() });
    }

    #[test]
    fn options_win_over_their_preset() {
        let made =
            of_tpcc(&[("workload.preset", "benchmarksql"), ("workload.stock_level", "two-statements")]);
        assert_eq!((made.deck.new_order, made.stock_level), (45, StockLevelForm::TwoStatements));
        assert_eq!(of_tpcc(&[("workload.preset", "tpcc-mysql")]).home, TpccHome::Random);
    }

    #[test]
    fn distributions_carry_only_their_own_parameters() {
        let rand = |edits: &[(&str, &str)]| sysbench(SysbenchWorkload::OltpReadOnly, &values(edits)).rand;
        let pareto = rand(&[("workload.rand_type", "pareto"), ("workload.rand_pareto_h", "0.3")]);
        assert_eq!(pareto, KeyDistribution::Pareto { h: 0.3 });
        assert_eq!(rand(&[("workload.rand_type", "zipfian")]), KeyDistribution::Zipfian { exponent: 0.8 });
        assert_eq!(rand(&[("workload.rand_type", "uniform")]), KeyDistribution::Uniform);
    }

    #[test]
    fn partitions_and_foreign_keys_exclude_each_other() {
        let both = values(&[("workload.partitions", "4"), ("workload.foreign_keys", "on")]);
        assert!(tpcc(&both).is_err());
    }

    #[test]
    fn an_option_belongs_to_its_workloads() {
        let has = |workload, path| Workload::has(workload, crate::table::row(path).expect("there is one"));
        let read_write = Workload::Sysbench(SysbenchWorkload::OltpReadWrite);
        assert!(has(read_write, "workload.tables") && !has(Workload::Tpcc, "workload.tables"));
        assert!(!has(read_write, "workload.warehouses") && has(Workload::Tpcc, "workload.warehouses"));
        assert!(has(read_write, "workload.reconnect") && has(Workload::Tpcc, "workload.reconnect"));
    }
}
