//! Payment (clause 2.5): a customer pays; the warehouse, the district and the customer keep account of it.

use std::io::Write;

use model::StatementStyle;
use random::tpcc::last_name;

use super::database::Database;
use super::input::{Customer, Payment};
use super::statements::{
    PAYMENT_INSERT_HISTORY, PAYMENT_SELECT_CUSTOMER, PAYMENT_SELECT_CUSTOMER_DATA, PAYMENT_SELECT_CUSTOMERS,
    PAYMENT_SELECT_DATA, PAYMENT_SELECT_DISTRICT, PAYMENT_SELECT_NAMES, PAYMENT_SELECT_WAREHOUSE,
    PAYMENT_UPDATE_CUSTOMER, PAYMENT_UPDATE_DATA, PAYMENT_UPDATE_DISTRICT, PAYMENT_UPDATE_WAREHOUSE,
};
use crate::session::Param::{Int, Money, Text};
use crate::statement_error::StatementError;

/// Length of `c_data`.
const DATA_BYTES: usize = 500;

/// Runs it. The server changes sums relative to their current values.
pub(super) async fn run(
    db: &mut Database<'_>,
    style: StatementStyle,
    input: &Payment,
) -> Result<(), StatementError> {
    let (w, d, amount) = (Int(input.warehouse), Int(input.district), Money(input.amount));
    let (c_w, c_d) = (Int(input.customer_warehouse), Int(input.customer_district));
    let mut h_data = Vec::with_capacity(24);
    db.begin();
    db.run(PAYMENT_UPDATE_WAREHOUSE, &[amount, w]).await?;
    if style == StatementStyle::Batched {
        db.run(PAYMENT_UPDATE_DISTRICT, &[amount, w, d]).await?;
        let names = db.select(PAYMENT_SELECT_NAMES, &[w, d]).await?.row(0)?;
        h_data.extend([names.text(0)?, b"    ", names.text(1)?].concat());
    } else {
        h_data.extend(db.select(PAYMENT_SELECT_WAREHOUSE, &[w]).await?.row(0)?.text(0)?);
        db.run(PAYMENT_UPDATE_DISTRICT, &[amount, w, d]).await?;
        let district = db.select(PAYMENT_SELECT_DISTRICT, &[w, d]).await?.row(0)?;
        h_data.extend(b"    ");
        h_data.extend(district.text(0)?);
    }
    let c_id = match input.customer {
        Customer::Id(id) => id,
        Customer::LastName(number) => {
            let name = last_name(number);
            let found = db.select(PAYMENT_SELECT_CUSTOMERS, &[c_w, c_d, Text(name.as_bytes())]).await?;
            // The one in the middle, rounded up (clause 2.5.2.2).
            found.row(found.len().saturating_sub(1) / 2)?.int(0)?
        }
    };
    let c = Int(c_id);
    match bad_credit_data(db, style, input, c_id).await? {
        Some(data) => {
            db.run(PAYMENT_UPDATE_DATA, &[amount, amount, Text(&data), c_w, c_d, c]).await?;
        }
        None => db.run(PAYMENT_UPDATE_CUSTOMER, &[amount, amount, c_w, c_d, c]).await?,
    }
    db.run(PAYMENT_INSERT_HISTORY, &[c, c_d, c_w, d, w, amount, Text(&h_data)]).await?;
    db.commit().await
}

/// Locks the customer. If its credit is bad, returns the new `c_data`: this payment followed by the previous content.
async fn bad_credit_data(
    db: &mut Database<'_>,
    style: StatementStyle,
    input: &Payment,
    c_id: i64,
) -> Result<Option<Vec<u8>>, StatementError> {
    let key = [Int(input.customer_warehouse), Int(input.customer_district), Int(c_id)];
    let data = if style == StatementStyle::Batched {
        let customer = db.select(PAYMENT_SELECT_CUSTOMER_DATA, &key).await?.row(0)?;
        if customer.text(0)? != b"BC" {
            return Ok(None);
        }
        customer.text(1)?
    } else {
        if db.select(PAYMENT_SELECT_CUSTOMER, &key).await?.row(0)?.text(0)? != b"BC" {
            return Ok(None);
        }
        db.select(PAYMENT_SELECT_DATA, &key).await?.row(0)?.text(0)?
    };
    let Payment { warehouse, district, customer_warehouse, customer_district, amount, .. } = input;
    let mut new = Vec::with_capacity(DATA_BYTES + 64);
    write!(new, "{c_id} {customer_district} {customer_warehouse} {district} {warehouse} {amount} | ")
        .expect("writing to a Vec does not fail");
    new.extend_from_slice(data);
    new.truncate(DATA_BYTES);
    Ok(Some(new))
}
