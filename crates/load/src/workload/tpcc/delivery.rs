//! Delivery (clause 2.7): the oldest order of each of ten districts is delivered and charged, all in one transaction.
//!
//! It is run while the terminal waits, not queued. It locks the rows that it reads, or has changed them before: a plain
//! SELECT would read from the snapshot of the first one, which may lack an order found later in another district.

use model::StatementStyle;
use random::tpcc::DISTRICTS;

use super::database::{Database, Sql};
use super::input::Delivery;
use super::statements::{
    DELIVERY_DELETE_NEW_ORDER, DELIVERY_DELETE_NEW_ORDERS, DELIVERY_SELECT_NEW_ORDER,
    DELIVERY_SELECT_NEW_ORDERS, DELIVERY_SELECT_ORDER, DELIVERY_SELECT_ORDERS, DELIVERY_SUM_ALL_LINES,
    DELIVERY_SUM_LINES, DELIVERY_UPDATE_ALL_LINES, DELIVERY_UPDATE_CUSTOMER, DELIVERY_UPDATE_CUSTOMERS,
    DELIVERY_UPDATE_LINES, DELIVERY_UPDATE_ORDER, DELIVERY_UPDATE_ORDERS,
};
use crate::rows::Cents;
use crate::session::Param::{Int, Money};
use crate::statement_error::StatementError;

/// Runs it.
pub(super) async fn run(
    db: &mut Database<'_>,
    style: StatementStyle,
    input: &Delivery,
) -> Result<(), StatementError> {
    db.begin();
    if style == StatementStyle::Batched {
        all_districts(db, input).await?;
    } else {
        for district in 1..=DISTRICTS as i64 {
            one_district(db, input, district).await?;
        }
    }
    db.commit().await
}

async fn one_district(db: &mut Database<'_>, input: &Delivery, d: i64) -> Result<(), StatementError> {
    let (w, d) = (Int(input.warehouse), Int(d));
    let oldest = db.select(DELIVERY_SELECT_NEW_ORDER, &[w, d]).await?;
    // A district without an undelivered order is skipped.
    let Some(oldest) = oldest.get(0) else { return Ok(()) };
    let order = Int(oldest.int(0)?);
    db.run(DELIVERY_DELETE_NEW_ORDER, &[w, d, order]).await?;
    let customer = db.select(DELIVERY_SELECT_ORDER, &[w, d, order]).await?.row(0)?.int(0)?;
    db.run(DELIVERY_UPDATE_ORDER, &[Int(input.carrier), w, d, order]).await?;
    db.run(DELIVERY_UPDATE_LINES, &[w, d, order]).await?;
    let amount = db.select(DELIVERY_SUM_LINES, &[w, d, order]).await?.row(0)?.cents(0)?;
    db.run(DELIVERY_UPDATE_CUSTOMER, &[Money(amount), w, d, Int(customer)]).await
}

/// The order that a district delivers.
#[derive(Debug, Clone, Copy)]
struct Delivered {
    district: i64,
    order: i64,
    customer: i64,
    amount: Cents,
}

/// The delivery with one statement for all districts.
async fn all_districts(db: &mut Database<'_>, input: &Delivery) -> Result<(), StatementError> {
    let w = input.warehouse;
    // No MIN() with GROUP BY: it would lock every undelivered order, and with them whoever enters a new one.
    db.write().list(" UNION ALL ", 1..=DISTRICTS, |sql, d| {
        sql.put(format_args!(
            "(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = {w} AND no_d_id = {d} \
             ORDER BY no_o_id LIMIT 1 FOR UPDATE)"
        ));
    });
    let mut all = Vec::with_capacity(DISTRICTS as usize);
    for row in db.select_written(DELIVERY_SELECT_NEW_ORDERS).await?.iter() {
        all.push(Delivered { district: row.int(0)?, order: row.int(1)?, customer: 0, amount: Cents(0) });
    }
    if all.is_empty() {
        return Ok(());
    }
    keys(
        db.write().put(format_args!("DELETE FROM new_order WHERE ")),
        "no_w_id",
        w,
        "no_d_id",
        "no_o_id",
        &all,
    );
    db.run_written(DELIVERY_DELETE_NEW_ORDERS).await?;

    keys(
        db.write().put(format_args!("SELECT o_d_id, o_c_id FROM orders WHERE ")),
        "o_w_id",
        w,
        "o_d_id",
        "o_id",
        &all,
    )
    .put(format_args!(" FOR UPDATE"));
    let customers = db.select_written(DELIVERY_SELECT_ORDERS).await?;
    // Every order must be there.
    customers.row(all.len() - 1)?;
    for row in customers.iter() {
        let district = row.int(0)?;
        let customer = row.int(1)?;
        all.iter_mut().filter(|one| one.district == district).for_each(|one| one.customer = customer);
    }

    let sql = db.write().put(format_args!("UPDATE orders SET o_carrier_id = {} WHERE ", input.carrier));
    keys(sql, "o_w_id", w, "o_d_id", "o_id", &all);
    db.run_written(DELIVERY_UPDATE_ORDERS).await?;

    let sql = db.write().put(format_args!("UPDATE order_line SET ol_delivery_d = NOW() WHERE "));
    keys(sql, "ol_w_id", w, "ol_d_id", "ol_o_id", &all);
    db.run_written(DELIVERY_UPDATE_ALL_LINES).await?;

    let sql = db.write().put(format_args!("SELECT ol_d_id, SUM(ol_amount) FROM order_line WHERE "));
    keys(sql, "ol_w_id", w, "ol_d_id", "ol_o_id", &all).put(format_args!(" GROUP BY ol_d_id"));
    for row in db.select_written(DELIVERY_SUM_ALL_LINES).await?.iter() {
        let (district, amount) = (row.int(0)?, row.cents(1)?);
        all.iter_mut().filter(|one| one.district == district).for_each(|one| one.amount = amount);
    }

    let sql = db.write().put(format_args!("UPDATE customer SET c_balance = c_balance + CASE c_d_id"));
    sql.list("", &all, |sql, one| {
        sql.put(format_args!(" WHEN {} THEN {}", one.district, one.amount));
    });
    sql.put(format_args!(" END, c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = {w} AND ("));
    sql.list(" OR ", &all, |sql, one| {
        sql.put(format_args!("c_d_id = {} AND c_id = {}", one.district, one.customer));
    });
    sql.put(format_args!(")"));
    db.run_written(DELIVERY_UPDATE_CUSTOMERS).await
}

/// Writes the condition on which rows belong to the orders that are delivered.
fn keys<'a>(
    sql: &'a mut Sql,
    warehouse: &str,
    w: i64,
    district: &str,
    order: &str,
    all: &[Delivered],
) -> &'a mut Sql {
    sql.put(format_args!("{warehouse} = {w} AND ("));
    sql.list(" OR ", all, |sql, one| {
        sql.put(format_args!("{district} = {} AND {order} = {}", one.district, one.order));
    });
    sql.put(format_args!(")"))
}
