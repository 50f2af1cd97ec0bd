//! Order-Status (clause 2.6): a customer asks for its last order. Nothing is changed.

use random::tpcc::last_name;

use super::database::Database;
use super::input::{Customer, OrderStatus};
use super::statements::{
    ORDER_STATUS_SELECT_CUSTOMER, ORDER_STATUS_SELECT_CUSTOMERS, ORDER_STATUS_SELECT_LINES,
    ORDER_STATUS_SELECT_ORDER,
};
use crate::session::Param::{Int, Text};
use crate::statement_error::StatementError;

/// Runs it. Returns the order's number.
pub(super) async fn run(db: &mut Database<'_>, input: &OrderStatus) -> Result<i64, StatementError> {
    let (w, d) = (Int(input.warehouse), Int(input.district));
    db.begin();
    let customer = match input.customer {
        Customer::Id(id) => {
            db.select(ORDER_STATUS_SELECT_CUSTOMER, &[w, d, Int(id)]).await?.row(0)?.cents(0)?;
            id
        }
        Customer::LastName(number) => {
            let name = last_name(number);
            let found = db.select(ORDER_STATUS_SELECT_CUSTOMERS, &[w, d, Text(name.as_bytes())]).await?;
            // The one in the middle, rounded up (clause 2.6.2.2).
            found.row(found.len().saturating_sub(1) / 2)?.int(0)?
        }
    };
    let order = db.select(ORDER_STATUS_SELECT_ORDER, &[w, d, Int(customer)]).await?.row(0)?.int(0)?;
    db.select(ORDER_STATUS_SELECT_LINES, &[w, d, Int(order)]).await?.row(0)?;
    db.commit().await?;
    Ok(order)
}
