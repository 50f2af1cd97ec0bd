//! Tests on real servers: the changes of each transaction, row by row, and the effects of a load of all of them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking")]

mod full;
mod laboratory;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use model::{Flavour, Isolation, StatementStyle, StockLevelForm, TpccData, TpccOptions};

use super::database::Database;
use super::input::{
    Customer, Delivery, Input, LINES_MAX, NewOrder, OrderLine, OrderStatus, Payment, StockLevel,
};
use super::statements::OPERATIONS;
use super::terminal::{Shared, Terminal};
use super::touched::Touched;
use super::{order_status, stock_level};
use crate::clock::Monotonic;
use crate::mailbox::Connected;
use crate::reactor::{Epoll, Reactor};
use crate::recorder::Recorder;
use crate::rows::Cents;
use crate::session::{Counted, Session};
use crate::statement_error::StatementError;
use crate::workload::{ClientNumber, ClientWorkload};
use laboratory::Lab;

const STYLES: [StatementStyle; 3] = [StatementStyle::Prepared, StatementStyle::Text, StatementStyle::Batched];

/// Runs a future that waits for one session only.
fn block_on<T>(reactor: &Reactor, future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut ready = Vec::new();
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        reactor.wait(u64::MAX, &mut ready).unwrap();
        ready.iter().for_each(|event| reactor.mark(event.token as u32, *event));
    }
}

/// A terminal with a connection of its own.
struct Seat {
    reactor: Rc<Reactor>,
    recorder: Rc<RefCell<Recorder>>,
    session: Session,
    terminal: Terminal,
}

impl Seat {
    fn new(lab: &Lab, style: StatementStyle) -> Self {
        let options = TpccOptions {
            data: TpccData { warehouses: 2, ..TpccData::default() },
            style,
            isolation: Some(Isolation::RepeatableRead),
            ..TpccOptions::default()
        };
        let reactor = Rc::new(Reactor::new(Rc::new(Monotonic::start()), Box::new(Epoll::new().unwrap()), 1));
        let recorder = Rc::new(RefCell::new(Recorder::new(OPERATIONS.len())));
        let parts = wire::Client::connect(&lab.connect()).unwrap().into_parts();
        let mut session = Session::new(
            0,
            Rc::clone(&reactor),
            Connected { parts, took: Duration::ZERO, at: 0, changes: 0 },
            Counted::default(),
            Arc::new(OPERATIONS.clone()),
            Rc::clone(&recorder),
        )
        .unwrap();
        let shared = Rc::new(Shared::new(&options, 1, Arc::new(Touched::new(2))));
        let mut terminal = Terminal::new(&shared, ClientNumber { number: 0, of: 1, seed: 1 });
        block_on(&reactor, terminal.prepare(&mut session)).unwrap();
        Self { reactor, recorder, session, terminal }
    }

    /// Runs a transaction with this input, as the engine would.
    fn run(&mut self, input: Input) {
        self.terminal.input = Some(input);
        block_on(&self.reactor, self.terminal.transaction(&mut self.session)).unwrap();
    }

    fn database(&mut self) -> (Database<'_>, &Reactor) {
        let Self { session, terminal, reactor, .. } = self;
        (Database { session, buffers: &mut terminal.buffers, texts: &terminal.shared.texts }, reactor)
    }
}

/// Runs a test with each style on each server, on fresh tables.
fn everywhere(name: &str, mut test: impl FnMut(&Lab, Seat, &str)) {
    for flavour in [Flavour::Mysql, Flavour::Mariadb] {
        let lab = Lab::new(name, flavour);
        for style in STYLES {
            lab.small_tables();
            test(&lab, Seat::new(&lab, style), &format!("{} {}", flavour.name(), style.name()));
        }
    }
}

fn order(lines: &[(i64, i64, i64)]) -> NewOrder {
    let mut order =
        NewOrder { warehouse: 1, district: 2, customer: 3, lines: Default::default(), count: lines.len() };
    for (index, &(item, supplier, quantity)) in lines.iter().enumerate() {
        order.lines[index] = OrderLine { number: index as i64 + 1, item, supplier, quantity };
    }
    assert!(lines.len() <= LINES_MAX);
    order
}

/// One item twice, one from the other warehouse, two whose stock is refilled.
const LINES: [(i64, i64, i64); 5] = [(5, 1, 3), (4, 2, 10), (5, 1, 1), (6, 1, 5), (1, 1, 2)];

#[test]
fn new_order_enters_the_order_and_takes_from_the_stock() {
    everywhere("new-order", |lab, mut seat, what| {
        let before = lab.dump();
        seat.run(Input::NewOrder(Box::new(order(&LINES))));
        let expected = [
            "district 1,2: d_next_o_id 26 -> 27",
            "+ new_order 1,2,26",
            "+ order_line 1,2,26,1,5,1,NULL,3,16.50,it's\\2",
            "+ order_line 1,2,26,2,4,2,NULL,10,45.00,it's\\2",
            "+ order_line 1,2,26,3,5,1,NULL,1,5.50,it's\\2",
            "+ order_line 1,2,26,4,6,1,NULL,5,32.50,it's\\2",
            "+ order_line 1,2,26,5,1,1,NULL,2,3.00,it's\\2",
            "+ orders 1,2,26,3,NOW,NULL,5,0",
            "stock 1,1: s_quantity 11 -> 100, s_ytd 0 -> 2, s_order_cnt 0 -> 1",
            "stock 1,5: s_quantity 15 -> 11, s_ytd 0 -> 4, s_order_cnt 0 -> 2",
            "stock 1,6: s_quantity 16 -> 11, s_ytd 0 -> 5, s_order_cnt 0 -> 1",
            "stock 2,4: s_quantity 14 -> 95, s_ytd 0 -> 10, s_order_cnt 0 -> 1, s_remote_cnt 0 -> 1",
        ];
        assert_eq!(lab.changes_since(&before), expected, "{what}");
        // A second one: what is sent only once on a connection is not sent again.
        seat.run(Input::NewOrder(Box::new(order(&[(1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 1, 1)]))));
        assert_eq!(
            lab.ask("SELECT o_all_local FROM orders WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 27"),
            "1"
        );
        assert_eq!(seat.recorder.borrow().rollbacks, 0);
    });
}

#[test]
fn an_unused_item_rolls_a_new_order_back() {
    everywhere("rollback", |lab, mut seat, what| {
        let before = lab.dump();
        seat.run(Input::NewOrder(Box::new(order(&[(5, 1, 3), (4, 2, 1), (100_001, 1, 1)]))));
        assert_eq!(lab.changes_since(&before), Vec::<String>::new(), "{what}");
        assert_eq!(seat.recorder.borrow().rollbacks, 1);
        assert!(!seat.terminal.buffers.open);
    });
}

#[test]
fn payment_is_accounted_for_by_warehouse_district_and_customer() {
    everywhere("payment", |lab, mut seat, what| {
        let payment = |customer, customer_warehouse| Payment {
            warehouse: 1,
            district: 2,
            customer,
            customer_warehouse,
            customer_district: if customer_warehouse == 1 { 2 } else { 1 },
            amount: Cents(1_234),
        };
        let accounts =
            ["warehouse 1: w_ytd 300000.00 -> 300012.34", "district 1,2: d_ytd 30000.00 -> 30012.34"];

        let before = lab.dump();
        seat.run(Input::Payment(payment(Customer::Id(3), 1)));
        let customer = "c_balance -10.00 -> -22.34, c_ytd_payment 10.00 -> 22.34, c_payment_cnt 1 -> 2";
        let mut expected = vec![
            format!("customer 1,2,3: {customer}"),
            accounts[1].to_owned(),
            "+ history 3,2,1,2,1,NOW,12.34,W_1    D_2".to_owned(),
            accounts[0].to_owned(),
        ];
        assert_eq!(lab.changes_since(&before), expected, "{what}");

        // Of four customers of that name the second one by first name, who has bad credit, in another warehouse.
        lab.small_tables();
        seat.run(Input::Payment(payment(Customer::LastName(7), 2)));
        let data = format!("2 1 2 2 1 12.34 | {}", "x".repeat(490));
        expected[0] = format!("customer 2,1,2: {customer}, c_data {} -> {}", "x".repeat(490), &data[..500]);
        expected[2] = "+ history 2,1,2,2,1,NOW,12.34,W_1    D_2".to_owned();
        assert_eq!(lab.changes_since(&before), expected, "{what}");
    });
}

#[test]
fn delivery_delivers_the_oldest_order_of_each_district() {
    everywhere("delivery", |lab, mut seat, what| {
        let before = lab.dump();
        seat.run(Input::Delivery(Delivery { warehouse: 1, carrier: 9 }));
        let mut expected = Vec::new();
        // District 4 has nothing to deliver. Order 23 is customer 3's, of five lines at 1.50.
        let districts: Vec<i64> = (1..=10).filter(|&d| d != 4).collect();
        for d in &districts {
            expected.push(format!("customer 1,{d},3: c_balance -10.00 -> -2.50, c_delivery_cnt 0 -> 1"));
        }
        for d in &districts {
            expected.push(format!("- new_order 1,{d},23"));
        }
        for d in &districts {
            for line in 1..=5 {
                expected.push(format!("order_line 1,{d},23,{line}: ol_delivery_d NULL -> NOW"));
            }
        }
        for d in &districts {
            expected.push(format!("orders 1,{d},23: o_carrier_id NULL -> 9"));
        }
        assert_eq!(lab.changes_since(&before), expected, "{what}");
        for _ in 0..2 {
            seat.run(Input::Delivery(Delivery { warehouse: 1, carrier: 9 }));
        }
        assert_eq!(lab.ask("SELECT COUNT(*) FROM new_order WHERE no_w_id = 1"), "0");
        // Nothing is left to deliver, which is no error.
        seat.run(Input::Delivery(Delivery { warehouse: 1, carrier: 9 }));
        assert_eq!(lab.ask("SELECT SUM(c_delivery_cnt) FROM customer"), "27");
    });
}

#[test]
fn questions_are_answered_and_change_nothing() {
    everywhere("questions", |lab, mut seat, what| {
        let before = lab.dump();
        for (customer, expected) in
            [(Customer::Id(3), 23), (Customer::Id(5), 25), (Customer::LastName(7), 22)]
        {
            let input = OrderStatus { warehouse: 1, district: 2, customer };
            let (mut db, reactor) = seat.database();
            assert_eq!(block_on(reactor, order_status::run(&mut db, &input)).unwrap(), expected, "{what}");
        }
        let input = StockLevel { warehouse: 1, district: 2, threshold: 14 };
        // The last 20 orders are of items 1 to 5, with 11 to 15 in stock.
        let (mut db, reactor) = seat.database();
        let form = StockLevelForm::TwoStatements;
        assert_eq!(block_on(reactor, stock_level::run(&mut db, form, &input)).unwrap(), 3, "{what}");
        // Not prepared here, so that it goes as text.
        let (mut db, reactor) = seat.database();
        let form = StockLevelForm::Join;
        assert_eq!(block_on(reactor, stock_level::run(&mut db, form, &input)).unwrap(), 3, "{what}");
        seat.run(Input::StockLevel(input));
        assert_eq!(lab.changes_since(&before), Vec::<String>::new(), "{what}");
        // Older orders do not count: with the newest 20 gone there is nothing.
        lab.tell("UPDATE district SET d_next_o_id = 46 WHERE d_w_id = 1 AND d_id = 2");
        let (mut db, reactor) = seat.database();
        let form = StockLevelForm::TwoStatements;
        let input = StockLevel { warehouse: 1, district: 2, threshold: 20 };
        assert_eq!(block_on(reactor, stock_level::run(&mut db, form, &input)).unwrap(), 0, "{what}");
    });
}

#[test]
fn rows_that_are_missing_are_said_to_be_missing() {
    let lab = Lab::new("missing", Flavour::Mysql);
    lab.small_tables();
    let mut seat = Seat::new(&lab, StatementStyle::Prepared);
    seat.terminal.input = Some(Input::NewOrder(Box::new(NewOrder { customer: 999, ..order(&LINES) })));
    let error = block_on(&seat.reactor, seat.terminal.transaction(&mut seat.session)).unwrap_err();
    assert!(matches!(error, StatementError::Data { .. }), "{error:?}");
    block_on(&seat.reactor, seat.terminal.roll_back(&mut seat.session)).unwrap();
    assert!(!seat.terminal.buffers.open);
}
