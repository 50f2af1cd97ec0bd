//! A real load on tables of full size: afterwards the books balance.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use model::{
    Flavour, OperationKind, StatementStyle, TpccData, TpccDeck, TpccOptions, TpccTransaction, WorkloadSpec,
};

use super::STYLES;
use super::laboratory::Lab;
use crate::{Limit, Offer, Offered, Progress, Schedule, Stopped, offer};

const NUMBERS: &str = "(SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n \
                       FROM digit a, digit b, digit c, digit e, digit f) AS numbers";

/// Two warehouses as clause 4.3.3 has them, but with one line per order, and plain texts.
fn fill(lab: &Lab) {
    let syllable = |place: &str| {
        format!(
            "ELT(1 + ((n - 1) DIV {place}) % 10, 'BAR', 'OUGHT', 'ABLE', 'PRI', 'PRES', 'ESE', 'ANTI', 'CALLY', \
             'ATION', 'EING')"
        )
    };
    let last = format!("CONCAT({}, {}, {})", syllable("100"), syllable("10"), syllable("1"));
    let dists = ["'abcdefghijklmnopqrstuvwx'"; 10].join(", ");
    let place = "'s1', 's2', 'city', 'ST', '123411111'";
    let people = format!("{NUMBERS}, district WHERE n <= 3000");
    for sql in [
        "CREATE TABLE digit (d INT PRIMARY KEY)".to_owned(),
        "INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)".to_owned(),
        format!("INSERT INTO warehouse SELECT d, 'W', {place}, 0.1, 300000 FROM digit WHERE d IN (1, 2)"),
        format!(
            "INSERT INTO district SELECT d + 1, w_id, 'D', {place}, 0.1, 30000, 3001 FROM digit, warehouse"
        ),
        format!("INSERT INTO item SELECT n, 1, 'item', 1 + n % 99, 'data' FROM {NUMBERS}"),
        format!(
            "INSERT INTO stock SELECT i_id, w_id, 10 + i_id % 91, {dists}, 0, 0, 0, 'data' FROM item, warehouse"
        ),
        format!(
            "INSERT INTO customer SELECT n, d_id, d_w_id, n, 'OE', {last}, {place}, '0123456789012345', NOW(), \
             IF(n % 10 = 0, 'BC', 'GC'), 50000, 0.1, -10, 10, 1, 0, 'data' FROM {people}"
        ),
        format!("INSERT INTO history SELECT n, d_id, d_w_id, d_id, d_w_id, NOW(), 10, 'h' FROM {people}"),
        format!(
            "INSERT INTO orders SELECT n, d_id, d_w_id, n, NOW(), IF(n < 2101, 1, NULL), 1, 1 FROM {people}"
        ),
        format!(
            "INSERT INTO order_line SELECT n, d_id, d_w_id, 1, n, d_w_id, IF(n < 2101, NOW(), NULL), 5, \
             IF(n < 2101, 0, 7.5), 'i' FROM {people}"
        ),
        "INSERT INTO new_order SELECT o_id, o_d_id, o_w_id FROM orders WHERE o_id >= 2101".to_owned(),
    ] {
        lab.tell(&sql);
    }
}

/// The consistency conditions of clause 3.3.2 by which a lost or doubled change would show, and what must hold of the
/// stock: each statement counts violations.
const CONDITIONS: [&str; 9] = [
    "SELECT COUNT(*) FROM warehouse WHERE w_ytd <> (SELECT SUM(d_ytd) FROM district WHERE d_w_id = w_id)",
    "SELECT COUNT(*) FROM district WHERE d_next_o_id - 1 <> \
     (SELECT MAX(o_id) FROM orders WHERE o_w_id = d_w_id AND o_d_id = d_id)",
    "SELECT COUNT(*) FROM (SELECT 1 AS x FROM new_order GROUP BY no_w_id, no_d_id \
     HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*)) AS gaps",
    "SELECT COUNT(*) FROM orders LEFT JOIN new_order ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id \
     WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)",
    "SELECT COUNT(*) FROM orders WHERE o_ol_cnt <> \
     (SELECT COUNT(*) FROM order_line WHERE ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
     AND (ol_delivery_d IS NULL) = (o_carrier_id IS NULL))",
    "SELECT COUNT(*) FROM district WHERE d_ytd <> \
     (SELECT SUM(h_amount) FROM history WHERE h_w_id = d_w_id AND h_d_id = d_id)",
    "SELECT COUNT(*) FROM customer LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS delivered \
     FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
     WHERE o_carrier_id IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id) AS sums \
     ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id \
     WHERE c_balance + c_ytd_payment <> COALESCE(delivered, 0)",
    "SELECT COUNT(*) FROM customer JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) AS paid, COUNT(*) AS times \
     FROM history GROUP BY h_c_w_id, h_c_d_id, h_c_id) AS sums \
     ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id WHERE c_ytd_payment <> paid OR c_payment_cnt <> times",
    "SELECT COUNT(*) FROM stock LEFT JOIN (SELECT ol_supply_w_id, ol_i_id, SUM(ol_quantity) AS taken, COUNT(*) AS times, \
     SUM(ol_supply_w_id <> ol_w_id) AS away FROM order_line WHERE ol_o_id > 3000 GROUP BY ol_supply_w_id, ol_i_id) AS sums \
     ON ol_supply_w_id = s_w_id AND ol_i_id = s_i_id WHERE s_ytd <> COALESCE(taken, 0) \
     OR s_order_cnt <> COALESCE(times, 0) OR s_remote_cnt <> COALESCE(away, 0)",
];

fn load(lab: &Lab, options: TpccOptions, seconds: f64) -> (Offered, Vec<String>) {
    let workload = WorkloadSpec::Tpcc(options);
    let connect = lab.connect();
    let offered = Offer {
        entries: crate::Entries::one(&connect),
        workload: &workload,
        clients: 8,
        schedule: Schedule::Closed,
        limit: Limit {
            warmup: Duration::from_millis(300),
            time: Some(Duration::from_secs_f64(seconds)),
            events: None,
        },
        in_flight: None,
        think: Duration::ZERO,
        seed: 1,
        workers: Some(2),
        cancel: &AtomicBool::new(false),
    };
    let mut tags = Vec::new();
    let offered = offer(&offered, &mut |progress| {
        if let Progress::Interval { histograms, .. } = progress {
            tags.extend(histograms.iter().map(|histogram| histogram.tag.clone()));
        }
    });
    (offered.unwrap(), tags)
}

fn options(style: StatementStyle) -> TpccOptions {
    TpccOptions {
        data: TpccData { warehouses: 2, ..TpccData::default() },
        style,
        // More of what is rare, so that it comes in seconds.
        deck: TpccDeck { new_order: 10, payment: 10, order_status: 2, delivery: 2, stock_level: 2 },
        remote_lines_pct: 20,
        rollback_pct: 10,
        ..TpccOptions::default()
    }
}

#[test]
fn a_load_of_each_style_leaves_the_books_balanced() {
    for flavour in [Flavour::Mysql, Flavour::Mariadb] {
        let lab = Lab::new("full", flavour);
        fill(&lab);
        for style in STYLES {
            let (offered, tags) = load(&lab, options(style), 2.0);
            assert_eq!(offered.stopped, Stopped::AtLimit, "{:?}", offered.measured.errors);
            for condition in CONDITIONS {
                assert_eq!(lab.ask(condition), "0", "{} {}: {condition}", flavour.name(), style.name());
            }
            let of_type =
                |of: TpccTransaction| offered.measured.operations.iter().find(|o| o.name == of.name());
            let counts = TpccTransaction::ALL.map(|of| of_type(of).map_or(0, |o| o.response.count));
            assert_eq!(counts.iter().sum::<u64>(), offered.measured.transactions);
            assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
            assert!(tags.iter().any(|tag| tag == "response:new_order"), "{tags:?}");
            let statements =
                offered.measured.operations.iter().filter(|o| o.kind == OperationKind::Statement);
            assert!(statements.clone().all(|o| o.response.count == 0 && o.service.count > 0));
            let tpcc = offered.measured.tpcc.unwrap();
            assert_eq!(tpcc.warehouses_touched, 2);
            assert!(tpcc.rollbacks > 0 && tpcc.rollbacks < counts[0]);
            let named = offered
                .measured
                .errors
                .iter()
                .all(|error| tags.contains(&format!("response:{}", error.transaction)));
            assert!(named, "{:?}", offered.measured.errors);
            println!("{} {}: {counts:?}, {:?}", flavour.name(), style.name(), tpcc);
        }
    }
}

#[test]
fn terminals_that_think_run_at_their_own_pace_and_stop_in_time() {
    let lab = Lab::new("think", Flavour::Mysql);
    fill(&lab);
    // A mean cycle of a fifth of a second.
    let options = TpccOptions { think: 0.01, ..options(StatementStyle::Prepared) };
    let (offered, _) = load(&lab, options, 3.0);
    assert_eq!(offered.stopped, Stopped::AtLimit, "{:?}", offered.measured.errors);
    // Eight terminals in three seconds: 8 x 3 / (0.19 s and a little).
    assert!((60..=140).contains(&offered.measured.transactions), "{}", offered.measured.transactions);
}
