//! One terminal: it draws a card, keys in the input, runs the transaction, and thinks.

use std::rc::Rc;
use std::sync::Arc;

use model::{TpccOptions, TpccTransaction};
use random::Rng;
use random::tpcc::NuRand;

use super::database::{Database, TerminalBuffers};
use super::input::{self, Cards, Input, Place};
use super::outcome::Outcome;
use super::statements::{self, OPERATIONS, TYPES};
use super::touched::Touched;
use super::{delivery, new_order, order_status, payment, stock_level};
use crate::recorder::OperationIndex;
use crate::session::{Session, Statement};
use crate::statement_error::StatementError;
use crate::workload::statement::Text;
use crate::workload::{ClientNumber, ClientWorkload};

/// State shared by all terminals of a worker.
pub(crate) struct Shared {
    options: TpccOptions,
    nurand: NuRand,
    pub(super) texts: Vec<Text>,
    touched: Arc<Touched>,
    /// Mean seconds from the end of a transaction until the next one is due.
    cycle_s: f64,
}

impl Shared {
    pub fn new(options: &TpccOptions, seed: u64, touched: Arc<Touched>) -> Self {
        Self {
            options: options.clone(),
            nurand: NuRand::of_run(seed),
            texts: statements::texts(),
            touched,
            cycle_s: mean_cycle_s(options),
        }
    }
}

fn mean_cycle_s(options: &TpccOptions) -> f64 {
    let all =
        TpccTransaction::ALL.map(|of| f64::from(options.deck.of(of)) * (of.keying_s() + of.think_mean_s()));
    options.think * all.iter().sum::<f64>() / f64::from(options.deck.cards().max(1))
}

/// One terminal.
pub(crate) struct Terminal {
    pub(super) shared: Rc<Shared>,
    number: ClientNumber,
    rng: Rng,
    cards: Cards,
    /// The transaction that is turned to; none before the first one.
    pub(super) input: Option<Input>,
    pub(super) buffers: TerminalBuffers,
}

impl Terminal {
    pub fn new(shared: &Rc<Shared>, number: ClientNumber) -> Self {
        Self {
            shared: Rc::clone(shared),
            number,
            rng: Rng::stream(number.seed, u64::from(number.number)),
            cards: Cards::new(&shared.options.deck),
            input: None,
            buffers: TerminalBuffers::default(),
        }
    }

    /// Runs a transaction.
    async fn run(
        shared: &Shared,
        buffers: &mut TerminalBuffers,
        session: &mut Session,
        input: &Input,
    ) -> Result<Outcome, StatementError> {
        let style = shared.options.style;
        let mut db = Database { session, buffers, texts: &shared.texts };
        match input {
            Input::NewOrder(input) => return new_order::run(&mut db, style, input).await,
            Input::Payment(input) => payment::run(&mut db, style, input).await?,
            Input::OrderStatus(input) => {
                order_status::run(&mut db, input).await?;
            }
            Input::Delivery(input) => delivery::run(&mut db, style, input).await?,
            Input::StockLevel(input) => {
                stock_level::run(&mut db, shared.options.stock_level, input).await?;
            }
        }
        Ok(Outcome::Committed)
    }
}

impl ClientWorkload for Terminal {
    async fn prepare(&mut self, session: &mut Session) -> Result<(), StatementError> {
        let options = &self.shared.options;
        self.buffers.open = false;
        self.buffers.statements.clear();
        self.buffers.statements.resize_with(OPERATIONS.len(), Statement::default);
        // As BenchmarkSQL and tpcc-mysql have it: no round trip for beginning a transaction.
        session.set_up("SET SESSION autocommit = 0").await?;
        if let Some(isolation) = options.isolation {
            let level = isolation.sql();
            session.set_up(&format!("SET SESSION TRANSACTION ISOLATION LEVEL {level}")).await?;
        }
        for operation in statements::prepared(options) {
            let sql = &self.shared.texts[operation].sql;
            self.buffers.statements[operation] = session.prepare_for_rows(operation, sql).await?;
        }
        Ok(())
    }

    /// Think time of the transaction before, and keying time of the next one (clause 5.2.5). The first transactions of all
    /// terminals are spread over one mean cycle, as if they were not all switched on at the same instant.
    fn next_pause_ns(&mut self) -> u64 {
        let Shared { options, nurand, cycle_s, .. } = &*self.shared;
        let before = self.input.as_ref().map(Input::transaction);
        let next = self.cards.draw(&mut self.rng);
        let place = Place { terminal: self.number.number };
        self.input = Some(input::draw(next, &mut self.rng, nurand, options, place));
        if options.think <= 0.0 {
            return 0;
        }
        let pause_s = match before {
            Some(before) => options.think * (think_s(before, &mut self.rng) + next.keying_s()),
            None => cycle_s * f64::from(self.number.number) / f64::from(self.number.of.max(1)),
        };
        (pause_s * 1e9) as u64
    }

    fn operation(&self) -> OperationIndex {
        self.input.as_ref().map_or(crate::recorder::TRANSACTION, |input| TYPES[input.transaction() as usize])
    }

    fn only_reads(&self) -> bool {
        self.input.as_ref().is_some_and(|input| input.transaction().only_reads())
    }

    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError> {
        let Some(input) = &self.input else { return Ok(()) };
        let outcome = Self::run(&self.shared, &mut self.buffers, session, input).await?;
        if outcome == Outcome::RolledBack {
            session.rolled_back();
        }
        self.shared.touched.mark(input.warehouse());
        Ok(())
    }

    async fn roll_back(&mut self, session: &mut Session) -> Result<(), StatementError> {
        if std::mem::replace(&mut self.buffers.open, false) {
            session.query(statements::ROLLBACK, b"ROLLBACK").await?;
        }
        Ok(())
    }
}

/// Think time, negative exponential, cut at ten times its mean (clause 5.2.5.4).
fn think_s(after: TpccTransaction, rng: &mut Rng) -> f64 {
    let mean = after.think_mean_s();
    (-(1.0 - rng.uniform_f64()).ln() * mean).min(10.0 * mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminals(think: f64, of: u32) -> Vec<Terminal> {
        let options = TpccOptions { think, ..TpccOptions::default() };
        let shared = Rc::new(Shared::new(&options, 1, Arc::new(Touched::new(1))));
        (0..of).map(|number| Terminal::new(&shared, ClientNumber { number, of, seed: 1 })).collect()
    }

    #[test]
    fn think_times_have_their_mean_and_are_cut() {
        let mut rng = Rng::from_seed(1);
        let times: Vec<f64> = (0..100_000).map(|_| think_s(TpccTransaction::NewOrder, &mut rng)).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        assert!((mean - 12.0).abs() < 0.2, "{mean}");
        assert!(times.iter().all(|&time| (0.0..=120.0).contains(&time)));
    }

    #[test]
    fn without_think_times_there_are_no_pauses() {
        let mut terminals = terminals(0.0, 3);
        assert!((0..100).all(|_| terminals.iter_mut().all(|terminal| terminal.next_pause_ns() == 0)));
    }

    #[test]
    fn terminals_start_spread_over_a_mean_cycle_and_then_keep_it() {
        let mut terminals = terminals(1.0, 1_000);
        let cycle_s = terminals[0].shared.cycle_s;
        // Clause 5.2.4.2's deck: (10 x 30 + 10 x 15 + 12 + 7 + 7) / 23.
        assert!((cycle_s - 476.0 / 23.0).abs() < 1e-9, "{cycle_s}");
        let first: Vec<f64> = terminals.iter_mut().map(|t| t.next_pause_ns() as f64 / 1e9).collect();
        assert_eq!(first[0], 0.0);
        assert!((first[500] - cycle_s / 2.0).abs() < 0.1 && first[999] < cycle_s);
        let pauses: Vec<f64> =
            terminals.iter_mut().flat_map(|t| (0..46).map(|_| t.next_pause_ns() as f64 / 1e9)).collect();
        let mean = pauses.iter().sum::<f64>() / pauses.len() as f64;
        assert!((mean - cycle_s).abs() < 0.3, "{mean}");
        assert!(pauses.iter().all(|&pause| pause >= 2.0), "keying time is the least pause");
    }
}
