//! Facts of sysbench's workloads.

use messages::message;
use model::{KeyDistribution, PsMode, SysbenchOptions};

use super::facts::{Facts, fact};
use crate::view::Fact;

impl Facts for SysbenchOptions {
    fn facts(&self) -> Vec<Fact> {
        let keys = key_distribution(self);
        let protocol = match self.db_ps_mode {
            PsMode::Auto => "prepared",
            PsMode::Disable => "text",
        };
        let commits = if self.skip_trx { "each" } else { "transaction" };
        let statements = message!("statements-sent", protocol = Word(protocol), commits = Word(commits));
        vec![
            fact(
                "tables",
                message!("tables-of-rows", tables = Count(self.tables), rows = Count(self.table_size)),
            ),
            fact("row-ids", keys.into()),
            fact("statements", statements),
        ]
    }
}

fn key_distribution(options: &SysbenchOptions) -> String {
    let name = options.rand.name();
    match options.rand {
        KeyDistribution::Uniform => name.to_owned(),
        KeyDistribution::Gaussian { iter } => format!("{name} (iter {iter})"),
        KeyDistribution::Special(s) => format!("{name} (iter {}, pct {}, res {})", s.iter, s.pct, s.res),
        KeyDistribution::Pareto { h } => format!("{name} (h {h})"),
        KeyDistribution::Zipfian { exponent } => format!("{name} (exponent {exponent})"),
    }
}
