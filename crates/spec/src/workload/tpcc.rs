//! TPC-C.

use std::sync::Arc;

use model::{
    Isolation, StatementStyle, StockLevelForm, TpccData, TpccDeck, TpccHome, TpccOptions, WorkloadSpec,
};

use super::errors::{error_policy, ignored};
use super::kind::{AsEdits, WorkloadKind};
use crate::edits::{edits, on_off};
use crate::kind::Value;
use crate::values::{Edit, Values, Wrong};

/// The one kind there is.
pub(super) fn kinds() -> impl Iterator<Item = Arc<dyn WorkloadKind>> {
    std::iter::once(Arc::new(Tpcc) as Arc<dyn WorkloadKind>)
}

#[derive(Debug)]
struct Tpcc;

impl WorkloadKind for Tpcc {
    fn name(&self) -> &str {
        TpccOptions::NAME
    }

    fn family(&self) -> &str {
        "tpcc"
    }

    fn database(&self) -> &str {
        "tpcc"
    }

    fn writes(&self) -> bool {
        true
    }

    fn summary(&self) -> &str {
        TpccOptions::SUMMARY
    }

    fn options(&self, values: &Values) -> Result<WorkloadSpec, Wrong> {
        Ok(WorkloadSpec::Tpcc(tpcc(values)?))
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

/// The options of another kit.
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

impl AsEdits for TpccOptions {
    fn edits(&self) -> Vec<Edit> {
        let o = self;
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    fn of_tpcc(edits: &[(&str, &str)]) -> TpccOptions {
        tpcc(&values(edits)).expect("valid options")
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
    fn partitions_and_foreign_keys_exclude_each_other() {
        let both = values(&[("workload.partitions", "4"), ("workload.foreign_keys", "on")]);
        assert!(tpcc(&both).is_err());
    }
}
