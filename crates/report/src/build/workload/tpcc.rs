//! Facts of TPC-C.

use analysis::Words;
use model::TpccOptions;

use super::facts::{Facts, fact};
use crate::format;
use crate::view::Fact;

impl Facts for TpccOptions {
    fn facts(&self) -> Vec<Fact> {
        let data = &self.data;
        let warehouses = format::thousands(data.warehouses.into());
        let mut shape = vec![Words::new(
            format!("{warehouses} {}", if data.warehouses == 1 { "warehouse" } else { "warehouses" }),
            format!("{warehouses} 个仓库"),
        )];
        let mut add = |is: bool, en: String, zh: String| {
            if is {
                shape.push(Words::new(en, zh));
            }
        };
        add(data.foreign_keys, "foreign keys".to_owned(), "外键".to_owned());
        add(!data.order_index, "no index for Order-Status".to_owned(), "无 Order-Status 索引".to_owned());
        let partitions = data.partitions;
        add(partitions > 0, format!("{partitions} partitions"), format!("{partitions} 个分区"));
        let age = data.age;
        add(age > 0, format!("aged by {age} times the initial orders"), format!("历史订单为初始的 {age} 倍"));
        let isolation = self.isolation.map_or(Words::new("the server's", "服务器默认"), |level| {
            Words::new(level.sql(), level.sql())
        });
        vec![
            fact(("Data", "数据"), Words::join(&shape, ", ", "，")),
            fact(
                ("Differs from the standard", "与标准的差异"),
                Words::join(&analysis::tpcc::deviations(self), ", ", "，"),
            ),
            fact(("Isolation", "隔离级别"), isolation),
        ]
    }
}
