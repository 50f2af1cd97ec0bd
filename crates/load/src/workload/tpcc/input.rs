//! The inputs of the five transactions, drawn according to clauses 2.4.1 to 2.8.1: functions of a generator and the options.

use model::{TpccDeck, TpccHome, TpccOptions, TpccTransaction};
use random::Rng;
use random::tpcc::{DISTRICTS, ITEMS, NuRand};

use crate::rows::Cents;

/// Lines of an order, at most (clause 2.4.1.3).
pub(super) const LINES_MAX: usize = 15;
/// An item that does not exist (clause 2.4.1.5).
const UNUSED_ITEM: i64 = ITEMS as i64 + 1;

/// The input of one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    NewOrder(Box<NewOrder>),
    Payment(Payment),
    OrderStatus(OrderStatus),
    Delivery(Delivery),
    StockLevel(StockLevel),
}

/// Clause 2.4.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewOrder {
    pub warehouse: i64,
    pub district: i64,
    pub customer: i64,
    pub(super) lines: [OrderLine; LINES_MAX],
    pub(super) count: usize,
}

/// One line of an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OrderLine {
    /// `ol_number`, from 1.
    pub number: i64,
    pub item: i64,
    pub supplier: i64,
    pub quantity: i64,
}

impl NewOrder {
    /// The lines as entered.
    pub fn lines(&self) -> &[OrderLine] {
        &self.lines[..self.count]
    }

    /// True if all lines are supplied by the home warehouse.
    pub fn all_local(&self) -> bool {
        self.lines().iter().all(|line| line.supplier == self.warehouse)
    }

    /// The lines in the order in which their stock is locked, the same for all terminals: two orders of the same items
    /// then wait for each other, where they would run into a deadlock. An unused item comes last, as entered.
    pub fn in_lock_order(&self) -> ([OrderLine; LINES_MAX], usize) {
        let mut lines = self.lines;
        lines[..self.count].sort_unstable_by_key(|line| (line.item == UNUSED_ITEM, line.supplier, line.item));
        (lines, self.count)
    }
}

/// A customer, by one of two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Customer {
    Id(i64),
    /// Number of the last name, see [`random::tpcc::last_name`].
    LastName(u64),
}

/// Clause 2.5.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Payment {
    pub warehouse: i64,
    pub district: i64,
    pub customer: Customer,
    pub customer_warehouse: i64,
    pub customer_district: i64,
    pub amount: Cents,
}

/// Clause 2.6.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OrderStatus {
    pub warehouse: i64,
    pub district: i64,
    pub customer: Customer,
}

/// Clause 2.7.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Delivery {
    pub warehouse: i64,
    pub carrier: i64,
}

/// Clause 2.8.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StockLevel {
    pub warehouse: i64,
    pub district: i64,
    pub threshold: i64,
}

impl Input {
    pub fn transaction(&self) -> TpccTransaction {
        match self {
            Self::NewOrder(_) => TpccTransaction::NewOrder,
            Self::Payment(_) => TpccTransaction::Payment,
            Self::OrderStatus(_) => TpccTransaction::OrderStatus,
            Self::Delivery(_) => TpccTransaction::Delivery,
            Self::StockLevel(_) => TpccTransaction::StockLevel,
        }
    }

    /// The warehouse that the transaction works for.
    pub fn warehouse(&self) -> i64 {
        match self {
            Self::NewOrder(input) => input.warehouse,
            Self::Payment(input) => input.warehouse,
            Self::OrderStatus(input) => input.warehouse,
            Self::Delivery(input) => input.warehouse,
            Self::StockLevel(input) => input.warehouse,
        }
    }
}

/// The position of a terminal among all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Number of the terminal, from 0.
    pub terminal: u32,
}

impl Place {
    /// The warehouse of the next transaction.
    pub fn warehouse(self, rng: &mut Rng, options: &TpccOptions) -> i64 {
        let warehouses = u64::from(options.data.warehouses.max(1));
        let hot = warehouses.div_ceil(5);
        let from_0 = match options.home {
            TpccHome::Fixed => u64::from(self.terminal) % warehouses,
            TpccHome::Random => rng.below(warehouses),
            TpccHome::Skewed if warehouses == hot || rng.below(100) < 80 => rng.below(hot),
            TpccHome::Skewed => hot + rng.below(warehouses - hot),
        };
        from_0 as i64 + 1
    }

    /// The district of Stock-Level: a terminal's own (clause 2.8.1.1), unless its warehouse changes.
    fn district(self, rng: &mut Rng, options: &TpccOptions) -> i64 {
        match options.home {
            TpccHome::Fixed => {
                i64::from(self.terminal / options.data.warehouses.max(1)) % DISTRICTS as i64 + 1
            }
            TpccHome::Random | TpccHome::Skewed => district(rng),
        }
    }
}

/// Draws the input of a transaction.
pub(super) fn draw(
    transaction: TpccTransaction,
    rng: &mut Rng,
    nurand: &NuRand,
    options: &TpccOptions,
    place: Place,
) -> Input {
    let warehouse = place.warehouse(rng, options);
    match transaction {
        TpccTransaction::NewOrder => Input::NewOrder(Box::new(new_order(rng, nurand, options, warehouse))),
        TpccTransaction::Payment => Input::Payment(payment(rng, nurand, options, warehouse)),
        TpccTransaction::OrderStatus => Input::OrderStatus(OrderStatus {
            warehouse,
            district: district(rng),
            customer: customer(rng, nurand),
        }),
        TpccTransaction::Delivery => Input::Delivery(Delivery { warehouse, carrier: between(rng, 1, 10) }),
        TpccTransaction::StockLevel => Input::StockLevel(StockLevel {
            warehouse,
            district: place.district(rng, options),
            threshold: between(rng, 10, 20),
        }),
    }
}

fn new_order(rng: &mut Rng, nurand: &NuRand, options: &TpccOptions, warehouse: i64) -> NewOrder {
    let district = district(rng);
    let customer = nurand.customer(rng) as i64;
    let count = between(rng, 5, LINES_MAX as i64) as usize;
    let rolled_back = percent(rng, options.rollback_pct);
    let mut lines = [OrderLine::default(); LINES_MAX];
    for (index, line) in lines[..count].iter_mut().enumerate() {
        let item = nurand.item(rng) as i64;
        let supplier = match percent(rng, options.remote_lines_pct) {
            true => another_warehouse(rng, options, warehouse),
            false => warehouse,
        };
        *line = OrderLine { number: index as i64 + 1, item, supplier, quantity: between(rng, 1, 10) };
    }
    if rolled_back {
        lines[count - 1].item = UNUSED_ITEM;
    }
    NewOrder { warehouse, district, customer, lines, count }
}

fn payment(rng: &mut Rng, nurand: &NuRand, options: &TpccOptions, warehouse: i64) -> Payment {
    let own_district = district(rng);
    let remote = percent(rng, options.remote_payments_pct) && options.data.warehouses > 1;
    let (customer_warehouse, customer_district) = match remote {
        true => (another_warehouse(rng, options, warehouse), district(rng)),
        false => (warehouse, own_district),
    };
    let customer = customer(rng, nurand);
    let amount = Cents(between(rng, 100, 500_000));
    Payment { warehouse, district: own_district, customer, customer_warehouse, customer_district, amount }
}

/// 60 % by last name, 40 % by id (clauses 2.5.1.2 and 2.6.1.2).
fn customer(rng: &mut Rng, nurand: &NuRand) -> Customer {
    match percent(rng, 60) {
        true => Customer::LastName(nurand.last_name(rng)),
        false => Customer::Id(nurand.customer(rng) as i64),
    }
}

fn district(rng: &mut Rng) -> i64 {
    between(rng, 1, DISTRICTS as i64)
}

/// Any other warehouse, all equally likely; the same one if there is no other.
fn another_warehouse(rng: &mut Rng, options: &TpccOptions, than: i64) -> i64 {
    let warehouses = u64::from(options.data.warehouses);
    if warehouses < 2 {
        return than;
    }
    let other = rng.below(warehouses - 1) as i64 + 1;
    if other >= than { other + 1 } else { other }
}

fn between(rng: &mut Rng, low: i64, high: i64) -> i64 {
    low + rng.below((high - low + 1) as u64) as i64
}

fn percent(rng: &mut Rng, share: u32) -> bool {
    rng.below(100) < u64::from(share)
}

/// The cards of a terminal (clause 5.2.4.2): all of them are drawn, in random order, before they are reshuffled.
#[derive(Debug, Clone)]
pub(super) struct Cards {
    cards: Box<[TpccTransaction]>,
    drawn: usize,
}

impl Cards {
    /// A deck without cards counts as the standard's.
    pub fn new(deck: &TpccDeck) -> Self {
        let deck = if deck.cards() == 0 { &TpccDeck::STANDARD } else { deck };
        let kinds = TpccTransaction::ALL.into_iter();
        let cards: Box<[_]> = kinds.flat_map(|of| std::iter::repeat_n(of, deck.of(of) as usize)).collect();
        Self { drawn: cards.len(), cards }
    }

    pub fn draw(&mut self, rng: &mut Rng) -> TpccTransaction {
        if self.drawn == self.cards.len() {
            self.drawn = 0;
        }
        // Fisher and Yates, a step per card.
        let left = (self.cards.len() - self.drawn) as u64;
        self.cards.swap(self.drawn, self.drawn + rng.below(left) as usize);
        self.drawn += 1;
        self.cards[self.drawn - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::TpccData;
    use std::collections::BTreeSet;

    const DRAWS: u32 = 100_000;

    fn options(warehouses: u32, home: TpccHome) -> TpccOptions {
        TpccOptions { data: TpccData { warehouses, ..TpccData::default() }, home, ..TpccOptions::default() }
    }

    fn drawn(transaction: TpccTransaction, options: &TpccOptions) -> impl Iterator<Item = Input> {
        let (nurand, mut rng) = (NuRand::of_run(1), Rng::from_seed(1));
        (0..DRAWS).map(move |terminal| draw(transaction, &mut rng, &nurand, options, Place { terminal }))
    }

    fn new_orders(options: &TpccOptions) -> Vec<NewOrder> {
        let orders = drawn(TpccTransaction::NewOrder, options).filter_map(|input| match input {
            Input::NewOrder(order) => Some(*order),
            _ => None,
        });
        orders.collect()
    }

    fn payments(options: &TpccOptions) -> Vec<Payment> {
        let payments = drawn(TpccTransaction::Payment, options).filter_map(|input| match input {
            Input::Payment(payment) => Some(payment),
            _ => None,
        });
        payments.collect()
    }

    /// The share is as expected, but for five times what chance does to it.
    fn assert_share(what: &str, hits: usize, of: usize, expected: f64) {
        let share = hits as f64 / of as f64;
        let chance = (expected * (1.0 - expected) / of as f64).sqrt();
        assert!((share - expected).abs() < 5.0 * chance, "{what}: {share}, not {expected}");
    }

    #[test]
    fn every_deck_holds_the_mix_exactly() {
        let mut rng = Rng::from_seed(1);
        let mut cards = Cards::new(&TpccDeck::STANDARD);
        let mut orders = BTreeSet::new();
        for _ in 0..DRAWS / 23 {
            let deck: Vec<_> = (0..23).map(|_| cards.draw(&mut rng)).collect();
            let counts = TpccTransaction::ALL.map(|of| deck.iter().filter(|card| **card == of).count());
            assert_eq!(counts, [10, 10, 1, 1, 1]);
            orders.insert(deck.iter().map(|card| *card as u8).collect::<Vec<_>>());
        }
        assert!(orders.len() > 4_000, "the order of the cards changes: {}", orders.len());
    }

    #[test]
    fn new_orders_are_as_clause_2_4_1_says() {
        let orders = new_orders(&options(7, TpccHome::Fixed));
        let of = orders.len();
        for count in 5..=15 {
            let hits = orders.iter().filter(|order| order.lines().len() == count).count();
            assert_share("ol_cnt", hits, of, 1.0 / 11.0);
        }
        for district in 1..=10 {
            let hits = orders.iter().filter(|order| order.district == district).count();
            assert_share("d_id", hits, of, 0.1);
        }
        let unused = |order: &&NewOrder| order.lines().last().is_some_and(|line| line.item == UNUSED_ITEM);
        assert_share("rolled back", orders.iter().filter(unused).count(), of, 0.01);

        let lines = || orders.iter().flat_map(|order| order.lines().iter().map(move |line| (order, line)));
        let remote: Vec<_> = lines().filter(|(order, line)| line.supplier != order.warehouse).collect();
        assert_share("remote lines", remote.len(), lines().count(), 0.01);
        for supplier in 1..=7 {
            let hits = remote.iter().filter(|(_, line)| line.supplier == supplier).count();
            assert_share("supplier", hits, remote.len(), 1.0 / 7.0);
        }
        for order in &orders {
            assert!((1..=3_000).contains(&order.customer));
            assert_eq!(order.all_local(), order.lines().iter().all(|l| l.supplier == order.warehouse));
            let inner = &order.lines()[..order.lines().len() - 1];
            assert!(inner.iter().all(|line| (1..=100_000).contains(&line.item)), "only the last is unused");
            assert!(order.lines().iter().all(|l| (1..=10).contains(&l.quantity)));
            assert!(order.lines().iter().enumerate().all(|(index, line)| line.number == index as i64 + 1));
            let (locked, count) = order.in_lock_order();
            let used = locked[..count].iter().filter(|line| line.item != UNUSED_ITEM);
            assert!(used.map(|line| (line.supplier, line.item)).is_sorted());
            assert_eq!(locked[count - 1].item == UNUSED_ITEM, unused(&order));
        }
    }

    #[test]
    fn payments_are_as_clause_2_5_1_says() {
        let payments = payments(&options(7, TpccHome::Fixed));
        let of = payments.len();
        let remote = payments.iter().filter(|p| p.customer_warehouse != p.warehouse).count();
        assert_share("remote", remote, of, 0.15);
        let by_name = payments.iter().filter(|p| matches!(p.customer, Customer::LastName(_))).count();
        assert_share("by name", by_name, of, 0.6);
        for payment in &payments {
            assert!((100..=500_000).contains(&payment.amount.0));
            assert!((1..=7).contains(&payment.customer_warehouse));
            let local = payment.customer_warehouse == payment.warehouse;
            assert!(!local || payment.customer_district == payment.district);
            match payment.customer {
                Customer::Id(id) => assert!((1..=3_000).contains(&id)),
                Customer::LastName(number) => assert!(number <= 999),
            }
        }
    }

    #[test]
    fn the_others_are_as_their_clauses_say() {
        let options = options(7, TpccHome::Fixed);
        let mut by_name = 0;
        for input in drawn(TpccTransaction::OrderStatus, &options) {
            let Input::OrderStatus(input) = input else { panic!("{input:?}") };
            by_name += usize::from(matches!(input.customer, Customer::LastName(_)));
        }
        assert_share("by name", by_name, DRAWS as usize, 0.6);
        for (terminal, input) in drawn(TpccTransaction::StockLevel, &options).enumerate() {
            let Input::StockLevel(input) = input else { panic!("{input:?}") };
            assert!((10..=20).contains(&input.threshold));
            assert_eq!(
                (input.warehouse, input.district),
                (terminal as i64 % 7 + 1, terminal as i64 / 7 % 10 + 1)
            );
        }
        for input in drawn(TpccTransaction::Delivery, &options) {
            let Input::Delivery(input) = input else { panic!("{input:?}") };
            assert!((1..=10).contains(&input.carrier));
        }
    }

    #[test]
    fn one_warehouse_has_no_other() {
        let options = TpccOptions { remote_lines_pct: 100, ..options(1, TpccHome::Skewed) };
        assert!(new_orders(&options).iter().all(NewOrder::all_local));
        assert!(payments(&options).iter().all(|p| (p.warehouse, p.customer_warehouse) == (1, 1)));
    }

    #[test]
    fn homes_are_fixed_random_or_skewed() {
        let hits = |home, first: i64| {
            payments(&options(10, home)).iter().filter(|payment| payment.warehouse <= first).count()
        };
        assert_eq!(hits(TpccHome::Fixed, 2), DRAWS as usize / 5);
        assert_share("random", hits(TpccHome::Random, 2), DRAWS as usize, 0.2);
        assert_share("skewed", hits(TpccHome::Skewed, 2), DRAWS as usize, 0.8);
        assert_eq!(hits(TpccHome::Skewed, 10), DRAWS as usize);
    }
}
