//! Facts of sysbench's workloads.

use analysis::Words;
use model::{KeyDistribution, PsMode, SysbenchOptions};

use super::facts::{Facts, fact};
use crate::format;
use crate::view::Fact;

impl Facts for SysbenchOptions {
    fn facts(&self) -> Vec<Fact> {
        let (tables, rows) = (format::thousands(self.tables.into()), format::thousands(self.table_size));
        let keys = key_distribution(self);
        let statements = match (self.db_ps_mode, self.skip_trx) {
            (PsMode::Auto, false) => {
                Words::new("server-side prepared, in transactions", "服务器端预处理，在事务中")
            }
            (PsMode::Auto, true) => Words::new(
                "server-side prepared, each in its own transaction",
                "服务器端预处理，逐条自动提交",
            ),
            (PsMode::Disable, false) => Words::new("text protocol, in transactions", "文本协议，在事务中"),
            (PsMode::Disable, true) => {
                Words::new("text protocol, each in its own transaction", "文本协议，逐条自动提交")
            }
        };
        vec![
            fact(
                ("Tables", "表"),
                Words::new(format!("{tables} × {rows} rows"), format!("{tables} × {rows} 行")),
            ),
            fact(("Row ids drawn", "行 ID 分布"), Words::new(keys.clone(), keys)),
            fact(("Statements", "语句方式"), statements),
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
