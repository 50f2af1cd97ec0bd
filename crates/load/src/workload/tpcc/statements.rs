//! The statements of TPC-C's transactions: one table, from which operations, texts and counts are taken.
//!
//! Timestamps (`o_entry_d`, `h_date`, `ol_delivery_d`) are the server's NOW(). The server picks one of the ten columns
//! `s_dist_01` to `s_dist_10`, so that one statement does for all districts: 10,000 terminals prepare every statement.

use model::{StatementStyle, StockLevelForm, TpccOptions};

use crate::recorder::{Operation, OperationIndex, QueryKind, transactions};
use crate::workload::statement::{Text, statement};

/// Makes a constant of each statement, which is its index, and the table of all operations.
macro_rules! operations {
    ($($constant:ident: $query:ident $name:literal $template:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names are those of the constants")]
        enum Place { NEW_ORDER = 2, PAYMENT, ORDER_STATUS, DELIVERY, STOCK_LEVEL, $($constant),* }

        $(pub(super) const $constant: OperationIndex = Place::$constant as OperationIndex;)*

        /// Every operation of TPC-C: the transaction, those that were tried again, the five types in the order of the
        /// standard, the statements.
        pub(crate) static OPERATIONS: [Operation; 7 + [$($name),*].len()] = [
            transactions("transaction"),
            transactions("retried"),
            transactions("new_order"),
            transactions("payment"),
            transactions("order_status"),
            transactions("delivery"),
            transactions("stock_level"),
            $(statement($name, QueryKind::$query, $template)),*
        ];
    };
}

/// The five types of transaction, in the order of the standard.
pub(crate) const TYPES: [OperationIndex; 5] = [
    Place::NEW_ORDER as OperationIndex,
    Place::PAYMENT as OperationIndex,
    Place::ORDER_STATUS as OperationIndex,
    Place::DELIVERY as OperationIndex,
    Place::STOCK_LEVEL as OperationIndex,
];

operations! {
    // One row at a time: prepared, or as text.
    NEW_ORDER_SELECT_CUSTOMER: Read "new_order.select_customer"
        "SELECT c_discount, c_last, c_credit, w_tax FROM customer JOIN warehouse ON w_id = c_w_id \
         WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    NEW_ORDER_SELECT_DISTRICT: Read "new_order.select_district"
        "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE";
    NEW_ORDER_UPDATE_DISTRICT: Write "new_order.update_district"
        "UPDATE district SET d_next_o_id = ? WHERE d_w_id = ? AND d_id = ?";
    NEW_ORDER_INSERT_ORDER: Write "new_order.insert_order"
        "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) \
         VALUES (?, ?, ?, ?, NOW(), ?, ?)";
    NEW_ORDER_INSERT_NEW_ORDER: Write "new_order.insert_new_order"
        "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)";
    NEW_ORDER_SELECT_ITEM: Read "new_order.select_item"
        "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?";
    NEW_ORDER_SELECT_STOCK: Read "new_order.select_stock"
        "SELECT s_quantity, ELT(?, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, \
         s_dist_08, s_dist_09, s_dist_10), s_data FROM stock WHERE s_w_id = ? AND s_i_id = ? FOR UPDATE";
    NEW_ORDER_UPDATE_STOCK: Write "new_order.update_stock"
        "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, \
         s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?";
    NEW_ORDER_INSERT_ORDER_LINE: Write "new_order.insert_order_line"
        "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, \
         ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    PAYMENT_UPDATE_WAREHOUSE: Write "payment.update_warehouse"
        "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?";
    PAYMENT_SELECT_WAREHOUSE: Read "payment.select_warehouse"
        "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?";
    PAYMENT_UPDATE_DISTRICT: Write "payment.update_district"
        "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?";
    PAYMENT_SELECT_DISTRICT: Read "payment.select_district"
        "SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?";
    PAYMENT_SELECT_CUSTOMERS: Read "payment.select_customers"
        "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first";
    PAYMENT_SELECT_CUSTOMER: Read "payment.select_customer"
        "SELECT c_credit, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, \
         c_since, c_credit_lim, c_discount, c_balance FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? \
         FOR UPDATE";
    PAYMENT_SELECT_DATA: Read "payment.select_data"
        "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE";
    PAYMENT_UPDATE_CUSTOMER: Write "payment.update_customer"
        "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
         c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    PAYMENT_UPDATE_DATA: Write "payment.update_data"
        "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
         c_payment_cnt = c_payment_cnt + 1, c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    PAYMENT_INSERT_HISTORY: Write "payment.insert_history"
        "INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data) \
         VALUES (?, ?, ?, ?, ?, NOW(), ?, ?)";
    ORDER_STATUS_SELECT_CUSTOMERS: Read "order_status.select_customers"
        "SELECT c_id, c_balance, c_first, c_middle FROM customer \
         WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first";
    ORDER_STATUS_SELECT_CUSTOMER: Read "order_status.select_customer"
        "SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    ORDER_STATUS_SELECT_ORDER: Read "order_status.select_order"
        "SELECT o_id, o_carrier_id, o_entry_d FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? \
         ORDER BY o_id DESC LIMIT 1";
    ORDER_STATUS_SELECT_LINES: Read "order_status.select_lines"
        "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line \
         WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    DELIVERY_SELECT_NEW_ORDER: Read "delivery.select_new_order"
        "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 FOR UPDATE";
    DELIVERY_DELETE_NEW_ORDER: Write "delivery.delete_new_order"
        "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?";
    DELIVERY_SELECT_ORDER: Read "delivery.select_order"
        "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ? FOR UPDATE";
    DELIVERY_UPDATE_ORDER: Write "delivery.update_order"
        "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
    DELIVERY_UPDATE_LINES: Write "delivery.update_lines"
        "UPDATE order_line SET ol_delivery_d = NOW() WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    DELIVERY_SUM_LINES: Read "delivery.sum_lines"
        "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    DELIVERY_UPDATE_CUSTOMER: Write "delivery.update_customer"
        "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 \
         WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    STOCK_LEVEL_SELECT_DISTRICT: Read "stock_level.select_district"
        "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?";
    STOCK_LEVEL_COUNT_STOCK: Read "stock_level.count_stock"
        "SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id \
         WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ? AND s_quantity < ?";
    STOCK_LEVEL_COUNT_JOINED: Read "stock_level.count_joined"
        "SELECT COUNT(DISTINCT s_i_id) FROM district \
         JOIN order_line ON ol_w_id = d_w_id AND ol_d_id = d_id \
         AND ol_o_id >= d_next_o_id - 20 AND ol_o_id < d_next_o_id \
         JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id AND s_quantity < ? \
         WHERE d_w_id = ? AND d_id = ?";

    // Many rows at once, as text.
    NEW_ORDER_SELECT_ITEMS: Read "new_order.select_items"
        "SELECT i_id, i_price, i_name, i_data FROM item WHERE i_id IN (?, ...)";
    NEW_ORDER_SELECT_STOCKS: Read "new_order.select_stocks"
        "SELECT s_i_id, s_quantity, ELT(?, s_dist_01, ...), s_data FROM stock \
         WHERE s_w_id = ? AND s_i_id IN (?, ...) ORDER BY s_i_id FOR UPDATE";
    NEW_ORDER_UPDATE_STOCKS: Write "new_order.update_stocks"
        "UPDATE stock SET s_quantity = CASE s_i_id WHEN ? THEN ? ... END, s_ytd = s_ytd + CASE ..., \
         s_order_cnt = s_order_cnt + CASE ..., s_remote_cnt = s_remote_cnt + CASE ... \
         WHERE s_w_id = ? AND s_i_id IN (?, ...)";
    NEW_ORDER_INSERT_ORDER_LINES: Write "new_order.insert_order_lines"
        "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, \
         ol_amount, ol_dist_info) VALUES (?, ...), ...";
    PAYMENT_SELECT_NAMES: Read "payment.select_names"
        "SELECT w_name, d_name, w_street_1, w_street_2, w_city, w_state, w_zip, d_street_1, d_street_2, d_city, \
         d_state, d_zip FROM warehouse JOIN district ON d_w_id = w_id WHERE w_id = ? AND d_id = ?";
    PAYMENT_SELECT_CUSTOMER_DATA: Read "payment.select_customer_data"
        "SELECT c_credit, c_data, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, \
         c_phone, c_since, c_credit_lim, c_discount, c_balance FROM customer \
         WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE";
    DELIVERY_SELECT_NEW_ORDERS: Read "delivery.select_new_orders"
        "(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 \
         FOR UPDATE) UNION ALL ...";
    DELIVERY_DELETE_NEW_ORDERS: Write "delivery.delete_new_orders"
        "DELETE FROM new_order WHERE no_w_id = ? AND (no_d_id = ? AND no_o_id = ? OR ...)";
    DELIVERY_SELECT_ORDERS: Read "delivery.select_orders"
        "SELECT o_d_id, o_c_id FROM orders WHERE o_w_id = ? AND (o_d_id = ? AND o_id = ? OR ...) FOR UPDATE";
    DELIVERY_UPDATE_ORDERS: Write "delivery.update_orders"
        "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND (o_d_id = ? AND o_id = ? OR ...)";
    DELIVERY_UPDATE_ALL_LINES: Write "delivery.update_all_lines"
        "UPDATE order_line SET ol_delivery_d = NOW() WHERE ol_w_id = ? AND (ol_d_id = ? AND ol_o_id = ? OR ...)";
    DELIVERY_SUM_ALL_LINES: Read "delivery.sum_all_lines"
        "SELECT ol_d_id, SUM(ol_amount) FROM order_line \
         WHERE ol_w_id = ? AND (ol_d_id = ? AND ol_o_id = ? OR ...) GROUP BY ol_d_id";
    DELIVERY_UPDATE_CUSTOMERS: Write "delivery.update_customers"
        "UPDATE customer SET c_balance = c_balance + CASE c_d_id WHEN ? THEN ? ... END, \
         c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = ? AND (c_d_id = ? AND c_id = ? OR ...)";

    COMMIT: Other "commit" "COMMIT";
    ROLLBACK: Other "rollback" "ROLLBACK";
}

/// The texts of the statements with a fixed number of question marks, by operation.
pub(super) fn texts() -> Vec<Text> {
    OPERATIONS.iter().map(|operation| Text::new(operation.template.to_string())).collect()
}

/// The statements that a terminal prepares.
pub(super) fn prepared(options: &TpccOptions) -> impl Iterator<Item = OperationIndex> + use<> {
    let prepares = options.style == StatementStyle::Prepared;
    one_row(options).filter(move |_| prepares)
}

/// The statements of one row that have a plan.
pub(crate) fn explained(options: &TpccOptions) -> impl Iterator<Item = OperationIndex> + use<> {
    one_row(options).filter(|&operation| !OPERATIONS[operation].template.starts_with("INSERT"))
}

/// The statements that work on one row at a time.
fn one_row(options: &TpccOptions) -> impl Iterator<Item = OperationIndex> + use<> {
    let two = options.stock_level == StockLevelForm::TwoStatements;
    (NEW_ORDER_SELECT_CUSTOMER..=STOCK_LEVEL_COUNT_JOINED).filter(move |&operation| match operation {
        STOCK_LEVEL_SELECT_DISTRICT | STOCK_LEVEL_COUNT_STOCK => two,
        STOCK_LEVEL_COUNT_JOINED => !two,
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::TpccTransaction;

    #[test]
    fn types_are_named_and_ordered_as_the_model_has_them() {
        let names = TYPES.map(|of| &*OPERATIONS[of].name);
        assert_eq!(names, TpccTransaction::ALL.map(TpccTransaction::name));
        assert_eq!(OPERATIONS[COMMIT].name, "commit");
        assert_eq!(OPERATIONS[ROLLBACK].name, "rollback");
        assert_eq!(ROLLBACK + 1, OPERATIONS.len());
    }

    #[test]
    fn only_the_prepared_style_prepares_and_only_what_it_runs() {
        let count = |style, stock_level| {
            let options = TpccOptions { style, stock_level, ..TpccOptions::default() };
            prepared(&options).count()
        };
        assert_eq!(count(StatementStyle::Prepared, StockLevelForm::TwoStatements), 32);
        assert_eq!(count(StatementStyle::Prepared, StockLevelForm::Join), 31);
        assert_eq!(count(StatementStyle::Text, StockLevelForm::Join), 0);
        assert_eq!(count(StatementStyle::Batched, StockLevelForm::Join), 0);
    }
}
