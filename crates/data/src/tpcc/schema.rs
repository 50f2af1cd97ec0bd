//! The definition of the nine tables (clause 1.3): how they are created, and how they are recognised.
//!
//! Names, types and order of the columns are those of go-tpc and of most other kits, so that these can run on the
//! tables. Dates are DATETIME, which no time zone changes.

use model::TpccData;

use crate::{
    account::{Session, fingerprint},
    catalog::{self, Catalog, Table},
    error::DataError,
    ledger::LEDGER,
};

/// Version of the generator: changes whenever the same seed would give other rows, or the chunks of a load would differ.
pub(crate) const GENERATOR: u32 = 2;

/// The definition of one of the nine tables.
#[derive(Debug)]
pub(crate) struct Definition {
    pub name: &'static str,
    /// Names and types.
    pub columns: &'static [(&'static str, &'static str)],
    /// The primary key; `history` has none.
    pub key: &'static [&'static str],
    /// The column that names the warehouse.
    home: Option<&'static str>,
    /// Other indexes, but for that of `orders`, which is optional.
    indexes: &'static [(&'static str, &'static [&'static str])],
}

/// The index that Order-Status needs.
const ORDER_INDEX: (&str, &[&str]) = ("idx_order", &["o_w_id", "o_d_id", "o_c_id", "o_id"]);

/// All nine, parents before children.
pub(crate) const TABLES: [Definition; 9] = [
    Definition {
        name: "item",
        columns: &[
            ("i_id", "INT NOT NULL"),
            ("i_im_id", "INT"),
            ("i_name", "VARCHAR(24)"),
            ("i_price", "DECIMAL(5, 2)"),
            ("i_data", "VARCHAR(50)"),
        ],
        key: &["i_id"],
        home: None,
        indexes: &[],
    },
    Definition {
        name: "warehouse",
        columns: &[
            ("w_id", "INT NOT NULL"),
            ("w_name", "VARCHAR(10)"),
            ("w_street_1", "VARCHAR(20)"),
            ("w_street_2", "VARCHAR(20)"),
            ("w_city", "VARCHAR(20)"),
            ("w_state", "CHAR(2)"),
            ("w_zip", "CHAR(9)"),
            ("w_tax", "DECIMAL(4, 4)"),
            ("w_ytd", "DECIMAL(12, 2)"),
        ],
        key: &["w_id"],
        home: Some("w_id"),
        indexes: &[],
    },
    Definition {
        name: "stock",
        columns: &[
            ("s_i_id", "INT NOT NULL"),
            ("s_w_id", "INT NOT NULL"),
            ("s_quantity", "INT"),
            ("s_dist_01", "CHAR(24)"),
            ("s_dist_02", "CHAR(24)"),
            ("s_dist_03", "CHAR(24)"),
            ("s_dist_04", "CHAR(24)"),
            ("s_dist_05", "CHAR(24)"),
            ("s_dist_06", "CHAR(24)"),
            ("s_dist_07", "CHAR(24)"),
            ("s_dist_08", "CHAR(24)"),
            ("s_dist_09", "CHAR(24)"),
            ("s_dist_10", "CHAR(24)"),
            ("s_ytd", "INT"),
            ("s_order_cnt", "INT"),
            ("s_remote_cnt", "INT"),
            ("s_data", "VARCHAR(50)"),
        ],
        key: &["s_w_id", "s_i_id"],
        home: Some("s_w_id"),
        indexes: &[],
    },
    Definition {
        name: "district",
        columns: &[
            ("d_id", "INT NOT NULL"),
            ("d_w_id", "INT NOT NULL"),
            ("d_name", "VARCHAR(10)"),
            ("d_street_1", "VARCHAR(20)"),
            ("d_street_2", "VARCHAR(20)"),
            ("d_city", "VARCHAR(20)"),
            ("d_state", "CHAR(2)"),
            ("d_zip", "CHAR(9)"),
            ("d_tax", "DECIMAL(4, 4)"),
            ("d_ytd", "DECIMAL(12, 2)"),
            ("d_next_o_id", "INT"),
        ],
        key: &["d_w_id", "d_id"],
        home: Some("d_w_id"),
        indexes: &[],
    },
    Definition {
        name: "customer",
        columns: &[
            ("c_id", "INT NOT NULL"),
            ("c_d_id", "INT NOT NULL"),
            ("c_w_id", "INT NOT NULL"),
            ("c_first", "VARCHAR(16)"),
            ("c_middle", "CHAR(2)"),
            ("c_last", "VARCHAR(16)"),
            ("c_street_1", "VARCHAR(20)"),
            ("c_street_2", "VARCHAR(20)"),
            ("c_city", "VARCHAR(20)"),
            ("c_state", "CHAR(2)"),
            ("c_zip", "CHAR(9)"),
            ("c_phone", "CHAR(16)"),
            ("c_since", "DATETIME"),
            ("c_credit", "CHAR(2)"),
            ("c_credit_lim", "DECIMAL(12, 2)"),
            ("c_discount", "DECIMAL(4, 4)"),
            ("c_balance", "DECIMAL(12, 2)"),
            ("c_ytd_payment", "DECIMAL(12, 2)"),
            ("c_payment_cnt", "INT"),
            ("c_delivery_cnt", "INT"),
            ("c_data", "VARCHAR(500)"),
        ],
        key: &["c_w_id", "c_d_id", "c_id"],
        home: Some("c_w_id"),
        indexes: &[("idx_customer", &["c_w_id", "c_d_id", "c_last", "c_first"])],
    },
    Definition {
        name: "history",
        columns: &[
            ("h_c_id", "INT NOT NULL"),
            ("h_c_d_id", "INT NOT NULL"),
            ("h_c_w_id", "INT NOT NULL"),
            ("h_d_id", "INT NOT NULL"),
            ("h_w_id", "INT NOT NULL"),
            ("h_date", "DATETIME"),
            ("h_amount", "DECIMAL(6, 2)"),
            ("h_data", "VARCHAR(24)"),
        ],
        key: &[],
        home: Some("h_w_id"),
        indexes: &[],
    },
    Definition {
        name: "orders",
        columns: &[
            ("o_id", "INT NOT NULL"),
            ("o_d_id", "INT NOT NULL"),
            ("o_w_id", "INT NOT NULL"),
            ("o_c_id", "INT"),
            ("o_entry_d", "DATETIME"),
            ("o_carrier_id", "INT"),
            ("o_ol_cnt", "INT"),
            ("o_all_local", "INT"),
        ],
        key: &["o_w_id", "o_d_id", "o_id"],
        home: Some("o_w_id"),
        indexes: &[],
    },
    Definition {
        name: "new_order",
        columns: &[("no_o_id", "INT NOT NULL"), ("no_d_id", "INT NOT NULL"), ("no_w_id", "INT NOT NULL")],
        key: &["no_w_id", "no_d_id", "no_o_id"],
        home: Some("no_w_id"),
        indexes: &[],
    },
    Definition {
        name: "order_line",
        columns: &[
            ("ol_o_id", "INT NOT NULL"),
            ("ol_d_id", "INT NOT NULL"),
            ("ol_w_id", "INT NOT NULL"),
            ("ol_number", "INT NOT NULL"),
            ("ol_i_id", "INT NOT NULL"),
            ("ol_supply_w_id", "INT"),
            ("ol_delivery_d", "DATETIME"),
            ("ol_quantity", "INT"),
            ("ol_amount", "DECIMAL(6, 2)"),
            ("ol_dist_info", "CHAR(24)"),
        ],
        key: &["ol_w_id", "ol_d_id", "ol_o_id", "ol_number"],
        home: Some("ol_w_id"),
        indexes: &[],
    },
];

/// A foreign key (clause 1.4).
pub(crate) struct ForeignKey {
    pub child: &'static str,
    columns: &'static str,
    pub parent: &'static str,
    parent_columns: &'static str,
}

const fn foreign_key(
    child: &'static str,
    columns: &'static str,
    parent: &'static str,
    parent_columns: &'static str,
) -> ForeignKey {
    ForeignKey { child, columns, parent, parent_columns }
}

/// All foreign keys, grouped by table.
pub(crate) const FOREIGN_KEYS: [ForeignKey; 10] = [
    foreign_key("stock", "s_w_id", "warehouse", "w_id"),
    foreign_key("stock", "s_i_id", "item", "i_id"),
    foreign_key("district", "d_w_id", "warehouse", "w_id"),
    foreign_key("customer", "c_w_id, c_d_id", "district", "d_w_id, d_id"),
    foreign_key("history", "h_c_w_id, h_c_d_id, h_c_id", "customer", "c_w_id, c_d_id, c_id"),
    foreign_key("history", "h_w_id, h_d_id", "district", "d_w_id, d_id"),
    foreign_key("orders", "o_w_id, o_d_id, o_c_id", "customer", "c_w_id, c_d_id, c_id"),
    foreign_key("new_order", "no_w_id, no_d_id, no_o_id", "orders", "o_w_id, o_d_id, o_id"),
    foreign_key("order_line", "ol_w_id, ol_d_id, ol_o_id", "orders", "o_w_id, o_d_id, o_id"),
    foreign_key("order_line", "ol_supply_w_id, ol_i_id", "stock", "s_w_id, s_i_id"),
];

/// The statement that gives a table its foreign keys, all at once.
pub(crate) fn add_foreign_keys(table: &str) -> String {
    let keys: Vec<String> = FOREIGN_KEYS
        .iter()
        .filter(|key| key.child == table)
        .map(|key| {
            let ForeignKey { child, columns, parent, parent_columns } = key;
            format!(
                "ADD CONSTRAINT fk_{child}_{parent} FOREIGN KEY ({columns}) REFERENCES {parent} ({parent_columns})"
            )
        })
        .collect();
    format!("ALTER TABLE {table} {}", keys.join(", "))
}

impl Definition {
    /// The statement that creates the table. It uses IF NOT EXISTS, since a killed predecessor's statement may still be
    /// running; its result is checked at the end.
    pub fn create(&self, data: &TpccData, origin: &Origin) -> String {
        let mut parts: Vec<String> =
            self.columns.iter().map(|(name, kind)| format!("{name} {kind}")).collect();
        if !self.key.is_empty() {
            parts.push(format!("PRIMARY KEY ({})", self.key.join(", ")));
        }
        let order_index = (self.name == "orders" && data.order_index).then_some(&ORDER_INDEX);
        for (name, columns) in self.indexes.iter().chain(order_index) {
            parts.push(format!("KEY {name} ({})", columns.join(", ")));
        }
        let comment = match self.name {
            "warehouse" => format!(" COMMENT = '{}'", origin.comment()),
            _ => String::new(),
        };
        let partitions = match (data.partitions, self.home) {
            (1.., Some(home)) => format!(" PARTITION BY HASH({home}) PARTITIONS {}", data.partitions),
            _ => String::new(),
        };
        format!(
            "CREATE TABLE IF NOT EXISTS {} ({}) ENGINE = {}{comment}{partitions}",
            self.name,
            parts.join(", "),
            data.engine
        )
    }

    /// Names of the columns, as statements list them.
    pub fn column_list(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// The reason a table of that name is not one of TPC-C's, if it is not.
    pub fn disowns(&self, table: &Table) -> Option<String> {
        if table.kind != "BASE TABLE" {
            return Some(format!("it is a {}", table.kind.to_lowercase()));
        }
        let has = |name: &str| table.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
        if let Some((lacking, _)) = self.columns.iter().find(|(name, _)| !has(name)) {
            return Some(format!("it has no column {lacking}"));
        }
        let known = |name: &str| self.columns.iter().any(|(column, _)| column.eq_ignore_ascii_case(name));
        table
            .columns
            .iter()
            .find(|c| !known(&c.name) && !c.nullable && c.default.is_none() && c.extra.is_empty())
            .map(|column| format!("its column {} has to be given a value", column.name))
    }
}

/// The definition of a table.
pub(crate) fn definition(name: &str) -> &'static Definition {
    TABLES.iter().find(|table| table.name == name).expect("only the nine tables are asked for")
}

/// The tables of these names, as a list in SQL.
fn names() -> String {
    TABLES.iter().map(|table| format!("'{}'", table.name)).collect::<Vec<_>>().join(", ")
}

/// The origin of the tables' rows; stored in the comment of `warehouse`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub seed: u64,
    pub age: u32,
    pub generator: u32,
}

impl Origin {
    const MARK: &str = "mydyno tpcc ";

    pub fn new(seed: u64, data: &TpccData) -> Self {
        Self { seed, age: data.age, generator: GENERATOR }
    }

    /// The origin from the comment; none if the table is foreign.
    pub fn of(catalog: &Catalog) -> Option<Self> {
        let rest = catalog.get("warehouse")?.comment.strip_prefix(Self::MARK)?;
        let field = |name: &str| rest.split(' ').find_map(|f| f.strip_prefix(name)?.strip_prefix('='));
        Some(Self {
            seed: field("seed")?.parse().ok()?,
            age: field("age")?.parse().ok()?,
            generator: field("generator")?.parse().ok()?,
        })
    }

    fn comment(&self) -> String {
        let Self { seed, age, generator } = self;
        format!("{}generator={generator} seed={seed} age={age}", Self::MARK)
    }

    /// A fingerprint of everything that decides the rows of this number of warehouses.
    pub fn fingerprint(&self, warehouses: u32) -> String {
        format!("{:016x}", fingerprint(&format!("{} warehouses={warehouses}", self.comment())))
    }
}

/// The tables in the database under the names of the nine.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub catalog: Catalog,
    /// Tables with the number of their partitions; those that have none are not in it.
    partitions: Vec<(String, u32)>,
    /// Foreign keys, as child and parent.
    pub foreign_keys: Vec<(String, String)>,
}

/// Reads it, and the ledger with it.
pub(crate) fn read(session: &mut Session<'_>) -> Result<Found, DataError> {
    const WHAT: &str = "reading the table definitions";
    let names = names();
    let catalog = catalog::read(session, &format!("TABLE_NAME IN ({names}, '{LEDGER}')"))?;
    let mut found = Found { catalog, ..Found::default() };
    if found.catalog.is_empty() {
        return Ok(found);
    }
    let text = |row: &wire::Row, at| row.text(at).unwrap_or_default().to_owned();
    let partitions = session.query(
        WHAT,
        &format!(
            "SELECT TABLE_NAME, COUNT(PARTITION_NAME) FROM information_schema.PARTITIONS \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ({names}) AND PARTITION_NAME IS NOT NULL \
             GROUP BY TABLE_NAME"
        ),
    )?;
    found.partitions = partitions.rows.iter().map(|r| (text(r, 0), r.parse(1).unwrap_or(0))).collect();
    let keys = session.query(
        WHAT,
        &format!(
            "SELECT TABLE_NAME, REFERENCED_TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS \
             WHERE CONSTRAINT_SCHEMA = DATABASE() AND TABLE_NAME IN ({names})"
        ),
    )?;
    found.foreign_keys = keys.rows.iter().map(|r| (text(r, 0), text(r, 1))).collect();
    Ok(found)
}

impl Found {
    /// Names of the nine tables that are not there.
    pub fn missing(&self) -> Vec<String> {
        let names = TABLES.iter().map(|table| table.name);
        names.filter(|name| !self.catalog.contains_key(*name)).map(str::to_owned).collect()
    }

    /// Foreign tables under these names, each with the reason.
    pub fn strangers(&self) -> Vec<String> {
        let there = TABLES.iter().filter_map(|table| Some((table, self.catalog.get(table.name)?)));
        there
            .filter_map(|(table, found)| {
                table.disowns(found).map(|why| format!("table {} ({why})", table.name))
            })
            .collect()
    }

    /// Differences between the existing tables and the data set, one clause each. Foreign keys are left out: they come last in
    /// a load.
    pub fn differences(&self, data: &TpccData) -> Vec<String> {
        let mut out = Vec::new();
        for table in &TABLES {
            let Some(found) = self.catalog.get(table.name) else { continue };
            let name = table.name;
            let primary = found.indexes.iter().find(|index| index.name == "PRIMARY");
            if !table.key.is_empty() && primary.is_none_or(|index| index.columns != table.key) {
                out.push(format!("table {name} lacks the primary key ({})", table.key.join(", ")));
            }
            if !found.engine.eq_ignore_ascii_case(&data.engine) {
                out.push(format!(
                    "table {name} uses engine {}, the run asks for {}",
                    found.engine, data.engine
                ));
            }
            let has = self.partitions.iter().find(|(of, _)| of == name).map_or(0, |(_, count)| *count);
            let asked = if table.home.is_some() { data.partitions } else { 0 };
            if has != asked {
                out.push(format!("table {name} has {has} partitions, the run asks for {asked}"));
            }
        }
        if let Some(orders) = self.catalog.get("orders") {
            let has =
                orders.indexes.iter().any(|index| index.columns.starts_with(&ORDER_INDEX.1.map_owned()));
            let columns = ORDER_INDEX.1.join(", ");
            match (has, data.order_index) {
                (true, false) => out.push(format!(
                    "table orders has the index ({columns}), the run asks for tables without it"
                )),
                (false, true) => out.push(format!(
                    "table orders lacks the index ({columns}), the run asks for tables with it"
                )),
                _ => {}
            }
        }
        out.extend(Origin::of(&self.catalog).filter(|origin| origin.age != data.age).map(|origin| {
            format!("the tables were loaded with an age of {}, the run asks for {}", origin.age, data.age)
        }));
        out
    }

    /// The difference in foreign keys.
    pub fn foreign_keys_differ(&self, data: &TpccData) -> Option<String> {
        let lacking = FOREIGN_KEYS.iter().find(|key| !self.has_foreign_key(key));
        match (data.foreign_keys, lacking, self.foreign_keys.first()) {
            (true, Some(key), _) => Some(format!(
                "table {} lacks the foreign key to {}, the run asks for foreign keys",
                key.child, key.parent
            )),
            (false, _, Some((child, parent))) => {
                Some(format!("table {child} has a foreign key to {parent}, the run asks for none"))
            }
            _ => None,
        }
    }

    /// True if that one is there.
    pub fn has_foreign_key(&self, key: &ForeignKey) -> bool {
        self.foreign_keys.iter().any(|(child, parent)| child == key.child && parent == key.parent)
    }

    /// Findings that do not prevent use, but slow it down.
    pub fn cautions(&self) -> Vec<String> {
        let (name, columns) = definition("customer").indexes[0];
        let Some(customer) = self.catalog.get("customer") else { return Vec::new() };
        let has = customer.indexes.iter().any(|index| index.columns.starts_with(&columns[..3].map_owned()));
        let caution = format!(
            "table customer has no index {name} ({}), so that finding customers by name reads whole districts",
            columns.join(", ")
        );
        if has { Vec::new() } else { vec![caution] }
    }
}

/// Names as the catalog has them.
trait MapOwned {
    fn map_owned(&self) -> Vec<String>;
}

impl MapOwned for [&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|&name| name.to_owned()).collect()
    }
}

/// Hash of everything that decides the definition and content of the tables, except the seed.
pub(crate) fn identity(data: &TpccData) -> u64 {
    let TpccData { warehouses, foreign_keys, order_index, partitions, age, engine } = data;
    fingerprint(&format!(
        "tpcc {GENERATOR} {warehouses} {foreign_keys} {order_index} {partitions} {age} {}",
        engine.to_lowercase()
    ))
}

/// Description of a data set; a ledger recognises its family by the beginning.
pub(crate) fn describe(data: &TpccData) -> String {
    let mut out = format!("tpcc of {}", messages::number::counted(data.warehouses.into(), "warehouse"));
    if data.age > 0 {
        out.push_str(&format!(", age {}", data.age));
    }
    if data.partitions > 0 {
        out.push_str(&format!(", {} partitions", data.partitions));
    }
    if data.foreign_keys {
        out.push_str(", with foreign keys");
    }
    if !data.order_index {
        out.push_str(", without the index on orders");
    }
    if !data.engine.eq_ignore_ascii_case("innodb") {
        out.push_str(" in ");
        out.push_str(&data.engine);
    }
    out
}
