//! Facts of TPC-C.

use analysis::Words;
use messages::message;
use model::TpccOptions;

use super::facts::{Facts, fact};
use crate::view::Fact;

impl Facts for TpccOptions {
    fn facts(&self) -> Vec<Fact> {
        let data = &self.data;
        let mut shape = vec![message!("n-warehouses", warehouses = Count(data.warehouses))];
        if data.foreign_keys {
            shape.push(message!("with-foreign-keys"));
        }
        if !data.order_index {
            shape.push(message!("without-order-index"));
        }
        if data.partitions > 0 {
            shape.push(message!("n-partitions", partitions = Count(data.partitions)));
        }
        if data.age > 0 {
            shape.push(message!("aged-data", times = Count(data.age)));
        }
        let isolation =
            self.isolation.map_or_else(|| message!("isolation-of-server"), |level| level.sql().into());
        vec![
            fact("data", Words::parts(shape)),
            fact("deviations", Words::parts(analysis::tpcc::deviations(self))),
            fact("isolation", isolation),
        ]
    }
}
