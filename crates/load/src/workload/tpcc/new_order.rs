//! New-Order (clause 2.4): a customer orders 5 to 15 items, in one transaction.

use model::StatementStyle;

use super::database::{Database, Sql};
use super::input::{LINES_MAX, NewOrder, OrderLine};
use super::outcome::Outcome;
use super::statements::{
    NEW_ORDER_INSERT_NEW_ORDER, NEW_ORDER_INSERT_ORDER, NEW_ORDER_INSERT_ORDER_LINE,
    NEW_ORDER_INSERT_ORDER_LINES, NEW_ORDER_SELECT_CUSTOMER, NEW_ORDER_SELECT_DISTRICT,
    NEW_ORDER_SELECT_ITEM, NEW_ORDER_SELECT_ITEMS, NEW_ORDER_SELECT_STOCK, NEW_ORDER_SELECT_STOCKS,
    NEW_ORDER_UPDATE_DISTRICT, NEW_ORDER_UPDATE_STOCK, NEW_ORDER_UPDATE_STOCKS,
};
use crate::rows::Cents;
use crate::session::Param::{Int, Money, Text};
use crate::statement_error::StatementError;

/// Runs it. The district's row stays locked until the end, so that orders of a district get their numbers in turn.
pub(super) async fn run(
    db: &mut Database<'_>,
    style: StatementStyle,
    input: &NewOrder,
) -> Result<Outcome, StatementError> {
    let (w, d) = (Int(input.warehouse), Int(input.district));
    db.begin();
    db.select(NEW_ORDER_SELECT_CUSTOMER, &[w, d, Int(input.customer)]).await?.row(0)?;
    let order = db.select(NEW_ORDER_SELECT_DISTRICT, &[w, d]).await?.row(0)?.int(0)?;
    db.run(NEW_ORDER_UPDATE_DISTRICT, &[Int(order + 1), w, d]).await?;
    let (count, all_local) = (Int(input.lines().len() as i64), Int(input.all_local().into()));
    db.run(NEW_ORDER_INSERT_ORDER, &[Int(order), d, w, Int(input.customer), count, all_local]).await?;
    db.run(NEW_ORDER_INSERT_NEW_ORDER, &[Int(order), d, w]).await?;
    let complete = match style {
        StatementStyle::Batched => lines_at_once(db, input, order).await?,
        StatementStyle::Prepared | StatementStyle::Text => lines_one_by_one(db, input, order).await?,
    };
    if !complete {
        db.roll_back().await?;
        return Ok(Outcome::RolledBack);
    }
    db.commit().await?;
    Ok(Outcome::Committed)
}

/// Takes each line's quantity from the stock. Returns false if there is no such item.
async fn lines_one_by_one(
    db: &mut Database<'_>,
    input: &NewOrder,
    order: i64,
) -> Result<bool, StatementError> {
    let (lines, count) = input.in_lock_order();
    for line in &lines[..count] {
        let (item, supplier) = (Int(line.item), Int(line.supplier));
        let found = db.select(NEW_ORDER_SELECT_ITEM, &[item]).await?;
        let Some(found) = found.get(0) else { return Ok(false) };
        let price = found.cents(0)?;
        let stock =
            db.select(NEW_ORDER_SELECT_STOCK, &[Int(input.district), supplier, item]).await?.row(0)?;
        let quantity = stock_after(stock.int(0)?, line.quantity);
        let info = DistInfo::of(stock.text(1)?);
        let remote = i64::from(line.supplier != input.warehouse);
        let change = [Int(quantity), Int(line.quantity), Int(remote), supplier, item];
        db.run(NEW_ORDER_UPDATE_STOCK, &change).await?;
        let row = [
            Int(order),
            Int(input.district),
            Int(input.warehouse),
            Int(line.number),
            item,
            supplier,
            Int(line.quantity),
            Money(amount(line, price)),
            Text(info.as_bytes()),
        ];
        db.run(NEW_ORDER_INSERT_ORDER_LINE, &row).await?;
    }
    Ok(true)
}

/// The lines with one statement for all items, two for each supplying warehouse, and one for all order lines.
async fn lines_at_once(db: &mut Database<'_>, input: &NewOrder, order: i64) -> Result<bool, StatementError> {
    let (lines, count) = input.in_lock_order();
    let lines = &lines[..count];
    let sql = db.write();
    sql.put(format_args!("SELECT i_id, i_price, i_name, i_data FROM item WHERE i_id IN ("));
    sql.numbers(lines.iter().map(|line| line.item));
    sql.put(format_args!(")"));
    let items = db.select_written(NEW_ORDER_SELECT_ITEMS).await?;
    let mut prices = [None; LINES_MAX];
    for item in items.iter() {
        let (id, price) = (item.int(0)?, item.cents(1)?);
        let same = lines.iter().zip(&mut prices).filter(|(line, _)| line.item == id);
        same.for_each(|(_, place)| *place = Some(price));
    }
    // The unused item is the last one.
    let there = prices[..count].iter().take_while(|price| price.is_some()).count();
    let mut infos = [DistInfo::default(); LINES_MAX];
    let mut begin = 0;
    for group in lines[..there].chunk_by(|a, b| a.supplier == b.supplier) {
        take_from_stock(db, input, group, &mut infos[begin..begin + group.len()]).await?;
        begin += group.len();
    }
    let sql = db.write();
    sql.put(format_args!(
        "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, \
         ol_amount, ol_dist_info) VALUES "
    ));
    let priced = lines[..there].iter().zip(&prices).zip(&infos);
    sql.list(", ", priced, |sql, ((line, price), info)| {
        let OrderLine { number, item, supplier, quantity } = line;
        let amount = amount(line, price.unwrap_or(Cents(0)));
        let (d, w) = (input.district, input.warehouse);
        sql.put(format_args!("({order}, {d}, {w}, {number}, {item}, {supplier}, {quantity}, {amount}, "));
        sql.quoted(info.as_bytes()).put(format_args!(")"));
    });
    if there > 0 {
        db.run_written(NEW_ORDER_INSERT_ORDER_LINES).await?;
    }
    Ok(there == count)
}

/// The change of one stock row. An item may be ordered on several lines.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    item: i64,
    stock: i64,
    taken: i64,
    orders: i64,
}

/// Locks and changes the stock of lines with the same supplier, which are sorted by item.
async fn take_from_stock(
    db: &mut Database<'_>,
    input: &NewOrder,
    lines: &[OrderLine],
    infos: &mut [DistInfo],
) -> Result<(), StatementError> {
    let supplier = lines[0].supplier;
    let sql = db.write();
    sql.put(format_args!(
        "SELECT s_i_id, s_quantity, ELT({}, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, \
         s_dist_07, s_dist_08, s_dist_09, s_dist_10), s_data FROM stock WHERE s_w_id = {supplier} AND s_i_id IN (",
        input.district
    ));
    sql.numbers(lines.iter().map(|line| line.item));
    sql.put(format_args!(") ORDER BY s_i_id FOR UPDATE"));
    let rows = db.select_written(NEW_ORDER_SELECT_STOCKS).await?;
    let mut changes = [Change::default(); LINES_MAX];
    let (mut changed, mut at) = (0, 0);
    for same in lines.chunk_by(|a, b| a.item == b.item) {
        // As many rows as different items, in the same order.
        let row = rows.row(changed)?;
        let mut change = Change { item: same[0].item, stock: row.int(1)?, taken: 0, orders: 0 };
        for line in same {
            change.stock = stock_after(change.stock, line.quantity);
            change.taken += line.quantity;
            change.orders += 1;
            infos[at] = DistInfo::of(row.text(2)?);
            at += 1;
        }
        changes[changed] = change;
        changed += 1;
    }
    let changes = &changes[..changed];
    let remote = i64::from(supplier != input.warehouse);
    let sql = db.write();
    let each = |sql: &mut Sql, name: &str, value: &dyn Fn(&Change) -> i64| {
        sql.put(format_args!("{name}CASE s_i_id"));
        sql.list("", changes, |sql, change| {
            sql.put(format_args!(" WHEN {} THEN {}", change.item, value(change)));
        });
        sql.put(format_args!(" END"));
    };
    each(sql, "UPDATE stock SET s_quantity = ", &|change| change.stock);
    each(sql, ", s_ytd = s_ytd + ", &|change| change.taken);
    each(sql, ", s_order_cnt = s_order_cnt + ", &|change| change.orders);
    each(sql, ", s_remote_cnt = s_remote_cnt + ", &|change| change.orders * remote);
    sql.put(format_args!(" WHERE s_w_id = {supplier} AND s_i_id IN ("));
    sql.numbers(changes.iter().map(|change| change.item));
    sql.put(format_args!(")"));
    db.run_written(NEW_ORDER_UPDATE_STOCKS).await
}

/// Clause 2.4.2.2: the stock is filled up by 91 when fewer than 10 would be left.
fn stock_after(stock: i64, ordered: i64) -> i64 {
    if stock >= ordered + 10 { stock - ordered } else { stock - ordered + 91 }
}

fn amount(line: &OrderLine, price: Cents) -> Cents {
    Cents(line.quantity * price.0)
}

/// A copy of `s_dist_xx`, which has 24 characters.
#[derive(Debug, Clone, Copy, Default)]
struct DistInfo {
    bytes: [u8; 24],
    length: usize,
}

impl DistInfo {
    fn of(text: &[u8]) -> Self {
        let mut info = Self { bytes: [0; 24], length: text.len().min(24) };
        info.bytes[..info.length].copy_from_slice(&text[..info.length]);
        info
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}
