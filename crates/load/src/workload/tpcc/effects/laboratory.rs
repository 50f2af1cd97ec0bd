//! A test server with small tables of TPC-C, in which every row is known.

use std::collections::BTreeMap;
use std::path::PathBuf;

use model::{Flavour, SandboxSpec};
use random::tpcc::last_name;
use sandbox::{Home, Server, StartOptions};
use wire::{Client, ConnectOptions};

/// Tables with their columns; the number is that of the key columns, which come first.
const TABLES: [(&str, usize, &str); 8] = [
    (
        "customer",
        3,
        "c_w_id, c_d_id, c_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, \
      c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance, c_ytd_payment, c_payment_cnt, \
      c_delivery_cnt, c_data",
    ),
    (
        "district",
        2,
        "d_w_id, d_id, d_name, d_street_1, d_street_2, d_city, d_state, d_zip, d_tax, d_ytd, \
      d_next_o_id",
    ),
    ("history", 8, "h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data"),
    ("new_order", 3, "no_w_id, no_d_id, no_o_id"),
    (
        "order_line",
        4,
        "ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, \
      ol_quantity, ol_amount, ol_dist_info",
    ),
    ("orders", 3, "o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local"),
    (
        "stock",
        2,
        "s_w_id, s_i_id, s_quantity, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, \
      s_dist_07, s_dist_08, s_dist_09, s_dist_10, s_ytd, s_order_cnt, s_remote_cnt, s_data",
    ),
    ("warehouse", 1, "w_id, w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax, w_ytd"),
];

/// Clause 1.3, with the types that kits use.
pub const SCHEMA: [&str; 9] = [
    "CREATE TABLE warehouse (w_id INT PRIMARY KEY, w_name VARCHAR(10), w_street_1 VARCHAR(20), \
     w_street_2 VARCHAR(20), w_city VARCHAR(20), w_state CHAR(2), w_zip CHAR(9), w_tax DECIMAL(4,4), \
     w_ytd DECIMAL(12,2))",
    "CREATE TABLE district (d_id TINYINT, d_w_id INT, d_name VARCHAR(10), d_street_1 VARCHAR(20), \
     d_street_2 VARCHAR(20), d_city VARCHAR(20), d_state CHAR(2), d_zip CHAR(9), d_tax DECIMAL(4,4), \
     d_ytd DECIMAL(12,2), d_next_o_id INT, PRIMARY KEY (d_w_id, d_id))",
    "CREATE TABLE customer (c_id INT, c_d_id TINYINT, c_w_id INT, c_first VARCHAR(16), c_middle CHAR(2), \
     c_last VARCHAR(16), c_street_1 VARCHAR(20), c_street_2 VARCHAR(20), c_city VARCHAR(20), c_state CHAR(2), \
     c_zip CHAR(9), c_phone CHAR(16), c_since DATETIME, c_credit CHAR(2), c_credit_lim DECIMAL(12,2), \
     c_discount DECIMAL(4,4), c_balance DECIMAL(12,2), c_ytd_payment DECIMAL(12,2), c_payment_cnt SMALLINT, \
     c_delivery_cnt SMALLINT, c_data VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id), \
     KEY (c_w_id, c_d_id, c_last, c_first))",
    "CREATE TABLE history (h_c_id INT, h_c_d_id TINYINT, h_c_w_id INT, h_d_id TINYINT, h_w_id INT, \
     h_date DATETIME, h_amount DECIMAL(6,2), h_data VARCHAR(24))",
    "CREATE TABLE new_order (no_o_id INT, no_d_id TINYINT, no_w_id INT, PRIMARY KEY (no_w_id, no_d_id, no_o_id))",
    "CREATE TABLE orders (o_id INT, o_d_id TINYINT, o_w_id INT, o_c_id INT, o_entry_d DATETIME, \
     o_carrier_id TINYINT, o_ol_cnt TINYINT, o_all_local TINYINT, PRIMARY KEY (o_w_id, o_d_id, o_id), \
     KEY (o_w_id, o_d_id, o_c_id, o_id))",
    "CREATE TABLE order_line (ol_o_id INT, ol_d_id TINYINT, ol_w_id INT, ol_number TINYINT, ol_i_id INT, \
     ol_supply_w_id INT, ol_delivery_d DATETIME, ol_quantity TINYINT, ol_amount DECIMAL(6,2), \
     ol_dist_info CHAR(24), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))",
    "CREATE TABLE item (i_id INT PRIMARY KEY, i_im_id INT, i_name VARCHAR(24), i_price DECIMAL(5,2), \
     i_data VARCHAR(50))",
    "CREATE TABLE stock (s_i_id INT, s_w_id INT, s_quantity SMALLINT, s_dist_01 CHAR(24), s_dist_02 CHAR(24), \
     s_dist_03 CHAR(24), s_dist_04 CHAR(24), s_dist_05 CHAR(24), s_dist_06 CHAR(24), s_dist_07 CHAR(24), \
     s_dist_08 CHAR(24), s_dist_09 CHAR(24), s_dist_10 CHAR(24), s_ytd DECIMAL(8,0), s_order_cnt SMALLINT, \
     s_remote_cnt SMALLINT, s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id))",
];

/// Every cell of every table but `item`, by table and key.
pub type Dump = BTreeMap<(&'static str, Vec<String>), Vec<String>>;

/// A running server with a database `tpcc`.
pub struct Lab {
    server: Server,
}

impl Lab {
    pub fn new(name: &str, flavour: Flavour) -> Self {
        let path = match std::env::var_os("MYDYNO_TEST_HOME") {
            Some(path) => path.into(),
            None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"),
        };
        let home = Home::open(&path).unwrap();
        home.install(flavour, &mut |line| println!("{line}")).unwrap();
        let settings =
            [("innodb_buffer_pool_size", "256M"), ("performance_schema", "OFF"), ("max_connections", "100")];
        let settings = settings.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let spec = SandboxSpec::new(flavour, settings);
        let name = format!("t-load-{name}-{}", flavour.name());
        let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
        let lab = Self { server };
        let mut client = Client::connect(&lab.server.connect_options(None)).unwrap();
        client.execute("CREATE DATABASE IF NOT EXISTS tpcc").unwrap();
        SCHEMA.iter().for_each(|table| lab.tell(table));
        lab
    }

    pub fn connect(&self) -> ConnectOptions {
        self.server.connect_options(Some("tpcc"))
    }

    pub fn tell(&self, sql: &str) {
        Client::connect(&self.connect())
            .unwrap()
            .execute(sql)
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// The first cell of the answer.
    pub fn ask(&self, sql: &str) -> String {
        let answer = Client::connect(&self.connect()).unwrap().query(sql).unwrap();
        answer.first().and_then(|row| row.text(0)).unwrap_or("NULL").to_owned()
    }

    /// Two warehouses, 20 items, five customers per district of whom the first four share a name, 25 orders of five
    /// lines per district; the last three are not delivered, but in district 4.
    pub fn small_tables(&self) {
        let mut client = Client::connect(&self.connect()).unwrap();
        for (table, ..) in TABLES {
            client.execute(&format!("TRUNCATE {table}")).unwrap();
        }
        client.execute("TRUNCATE item").unwrap();
        let mut fill = |table: &str, rows: Vec<String>| {
            client.execute(&format!("INSERT INTO {table} VALUES {}", rows.join(", "))).unwrap();
        };
        let place = "'s1', 's2', 'city', 'ST', '123411111'";
        fill("item", (1..=20).map(|i| format!("({i}, 1, 'item', {i}.50, 'data')")).collect());
        for w in 1..=2 {
            fill("warehouse", vec![format!("({w}, 'W_{w}', {place}, 0.1, 300000)")]);
            let dists: Vec<_> = (1..=10).map(|d| format!("'it''s\\\\{d}'")).collect();
            let dists = dists.join(", ");
            let stock = |i| format!("({i}, {w}, {}, {dists}, 0, 0, 0, 'data')", 10 + i);
            fill("stock", (1..=20).map(stock).collect());
            for d in 1..=10 {
                fill("district", vec![format!("({d}, {w}, 'D_{d}', {place}, 0.05, 30000, 26)")]);
                let customer = |c: usize| {
                    let first = ["D", "B", "A", "C", "E"][c - 1];
                    let last = last_name(if c == 5 { 8 } else { 7 });
                    let (credit, data) =
                        if c == 2 { ("BC", "x".repeat(490)) } else { ("GC", "good".to_owned()) };
                    format!(
                        "({c}, {d}, {w}, '{first}', 'OE', '{last}', {place}, '0123456789012345', \
                         '2020-01-01', '{credit}', 50000, 0.1, -10, 10, 1, 0, '{data}')"
                    )
                };
                fill("customer", (1..=5).map(customer).collect());
                let delivered = |o: i64| o <= 22 || d == 4;
                let order = |o: i64| {
                    let carrier = if delivered(o) { "1" } else { "NULL" };
                    format!("({o}, {d}, {w}, {}, '2020-01-01', {carrier}, 5, 1)", (o - 1) % 5 + 1)
                };
                fill("orders", (1..=25).map(order).collect());
                let line = |(o, l): (i64, i64)| {
                    let on = if delivered(o) { "'2020-01-01'" } else { "NULL" };
                    format!("({o}, {d}, {w}, {l}, {l}, {w}, {on}, 5, 1.50, 'info')")
                };
                fill("order_line", (1..=25).flat_map(|o| (1..=5).map(move |l| (o, l))).map(line).collect());
                if d != 4 {
                    fill("new_order", (23..=25).map(|o| format!("({o}, {d}, {w})")).collect());
                }
            }
        }
    }

    /// All rows. Timestamps other than the initial one read `NOW`.
    pub fn dump(&self) -> Dump {
        let mut client = Client::connect(&self.connect()).unwrap();
        let mut all = Dump::new();
        for (table, keys, columns) in TABLES {
            let order = columns.split(", ").take(keys).collect::<Vec<_>>().join(", ");
            let answer = client.query(&format!("SELECT {columns} FROM {table} ORDER BY {order}")).unwrap();
            for row in &answer.rows {
                let cell = |index| match row.text(index) {
                    None => "NULL".to_owned(),
                    Some(text) if text.starts_with("20") && text.len() == 19 && !text.starts_with("2020") => {
                        "NOW".to_owned()
                    }
                    Some(text) => text.to_owned(),
                };
                let mut cells: Vec<String> = (0..row.len()).map(cell).collect();
                let rest = cells.split_off(keys);
                all.insert((table, cells.iter().map(|cell| sortable(cell)).collect()), rest);
            }
        }
        all
    }

    /// The changes, by table and key.
    pub fn changes_since(&self, before: &Dump) -> Vec<String> {
        let after = self.dump();
        let mut changes = Vec::new();
        let keys: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
        for key in keys {
            let (table, columns) = (key.0, key.1.iter().map(|part| part.trim_start()).collect::<Vec<_>>());
            let columns = columns.join(",");
            match (before.get(key), after.get(key)) {
                (Some(old), Some(new)) if old != new => {
                    let (_, skip, names) = TABLES.iter().find(|entry| entry.0 == table).unwrap();
                    let names = names.split(", ").skip(*skip);
                    let changed = names.zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new);
                    let changed = changed.map(|(name, (old, new))| format!("{name} {old} -> {new}"));
                    changes.push(format!("{table} {columns}: {}", changed.collect::<Vec<_>>().join(", ")));
                }
                (None, Some(new)) => {
                    changes.push(format!("+ {table} {}", [&[columns], &new[..]].concat().join(",")));
                }
                (Some(_), None) => changes.push(format!("- {table} {columns}")),
                _ => {}
            }
        }
        changes
    }
}

/// Keys sort as numbers.
fn sortable(cell: &str) -> String {
    format!("{cell:>6}")
}
