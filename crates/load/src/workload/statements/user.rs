//! One client of a workload in a file.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use model::Mix;
use random::{DrawAt, Drawn, Rng, ValueSource};

use super::program::{From, Program, Transaction, Value};
use crate::recorder::OperationIndex;
use crate::rows::{CellValue, Rows};
use crate::session::{Param, Session, Statement};
use crate::statement_error::StatementError;
use crate::workload::{ClientNumber, ClientWorkload};

/// A counter of all clients of a trial.
#[derive(Debug)]
pub(crate) struct SharedCounter {
    next: AtomicU64,
    /// A client has asked, or is asking, for the last row.
    has_asked: AtomicBool,
}

impl SharedCounter {
    /// A counter that begins with a number.
    pub fn new(first: u64) -> Self {
        Self { next: AtomicU64::new(first), has_asked: AtomicBool::new(false) }
    }

    /// Leaves out the numbers that rows have already.
    fn skip_to(&self, first: u64) {
        self.next.fetch_max(first, Ordering::Relaxed);
    }
}

/// The value of a place.
#[derive(Debug, Default)]
struct Held {
    kind: Holds,
    int: i64,
    bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Holds {
    #[default]
    Null,
    Int,
    Text,
    Bytes,
}

impl Held {
    fn param(&self) -> Param<'_> {
        match self.kind {
            Holds::Null => Param::Null,
            Holds::Int => Param::Int(self.int),
            Holds::Text => Param::Text(&self.bytes),
            Holds::Bytes => Param::Bytes(&self.bytes),
        }
    }

    fn draw(&mut self, source: &ValueSource, rng: &mut Rng, at: DrawAt) {
        self.kind = match source.draw(rng, at, &mut self.bytes) {
            Drawn::Null => Holds::Null,
            Drawn::Int(int) => {
                self.int = int;
                Holds::Int
            }
            Drawn::Decimal | Drawn::Text => Holds::Text,
            Drawn::Bytes => Holds::Bytes,
        };
    }

    fn keep(&mut self, cell: CellValue<'_>) {
        self.bytes.clear();
        self.kind = match cell {
            CellValue::Null => Holds::Null,
            CellValue::Int(int) => {
                self.int = int;
                Holds::Int
            }
            CellValue::Text(text) => {
                self.bytes.extend_from_slice(text);
                Holds::Text
            }
        };
    }
}

/// One client.
pub(crate) struct User {
    program: Rc<Program>,
    counters: Arc<[SharedCounter]>,
    number: u32,
    rng: Rng,
    /// Source of the mix and of think times, apart from the values.
    choices: Rng,
    deck: Vec<u32>,
    statements: Vec<Statement>,
    /// BEGIN and COMMIT.
    brackets: [Statement; 2],
    /// The transaction that is turned to.
    turn: usize,
    has_turned: bool,
    held: Vec<Held>,
    found: Vec<bool>,
    rows: Rows,
    in_transaction: bool,
}

/// Keeps the stream of choices apart from that of values.
const CHOICES: u64 = 0x6368_6f69_6365_0000;

impl User {
    pub fn new(program: &Rc<Program>, counters: &Arc<[SharedCounter]>, client: ClientNumber) -> Self {
        let number = u64::from(client.number);
        Self {
            program: Rc::clone(program),
            counters: Arc::clone(counters),
            number: client.number + 1,
            rng: Rng::stream(client.seed, number),
            choices: Rng::stream(client.seed, CHOICES + number),
            deck: Vec::new(),
            statements: Vec::new(),
            brackets: Default::default(),
            turn: 0,
            has_turned: false,
            held: Vec::new(),
            found: Vec::new(),
            rows: Rows::default(),
            in_transaction: false,
        }
    }

    /// Chooses the next transaction.
    fn choose(&mut self) -> usize {
        let cards = &self.program.cards;
        if cards.len() == 1 {
            return 0;
        }
        match self.program.mix {
            Mix::Random => {
                let sum: u64 = cards.iter().map(|weight| u64::from(*weight)).sum();
                let drawn = self.choices.below(sum);
                let mut up_to = 0;
                let passed = |weight: &u32| {
                    up_to += u64::from(*weight);
                    drawn < up_to
                };
                cards.iter().position(passed).unwrap_or(0)
            }
            Mix::Exact => {
                if self.deck.is_empty() {
                    let of = |(at, count): (usize, &u32)| std::iter::repeat_n(at as u32, *count as usize);
                    self.deck.extend(cards.iter().enumerate().flat_map(of));
                    for at in (1..self.deck.len()).rev() {
                        self.deck.swap(at, self.choices.below(at as u64 + 1) as usize);
                    }
                }
                self.deck.pop().map_or(0, |card| card as usize)
            }
        }
    }

    /// Lets new rows begin after those that an earlier run has left. The first client asks, before the load begins.
    async fn find_last_rows(&mut self, session: &mut Session) -> Result<(), StatementError> {
        for (counter, shared) in self.program.counters.iter().zip(self.counters.iter()) {
            let Some(last_row) = &counter.last_row else { continue };
            if shared.has_asked.swap(true, Ordering::Relaxed) {
                continue;
            }
            session.ask(&last_row.sql, &mut self.rows).await?;
            // NULL if there is no row.
            if let Some(largest) = self.rows.get(0).and_then(|row| row.int(0).ok())
                && let Ok(more) = u64::try_from(largest.saturating_sub(last_row.expected))
            {
                shared.skip_to(more);
            }
        }
        Ok(())
    }

    fn draw(&mut self, place: usize, value: &Value) {
        match &value.from {
            From::Plus(of, by) => {
                let Held { kind, int, .. } = self.held[*of];
                (self.held[place].kind, self.held[place].int) = (kind, int.wrapping_add(*by));
            }
            From::Source(source, counter) => {
                let next = |counter: usize| self.counters[counter].next.fetch_add(1, Ordering::Relaxed);
                let at = DrawAt { number: counter.map_or(0, next), client: self.number };
                self.held[place].draw(source, &mut self.rng, at);
            }
        }
    }

    /// Draws the values of the transaction, but those that are drawn for each repetition.
    fn draw_all(&mut self, transaction: &Transaction) {
        if self.held.len() < transaction.values.len() {
            self.held.resize_with(transaction.values.len(), Held::default);
        }
        for (place, value) in transaction.values.iter().enumerate() {
            match value {
                Some(value) if value.only_for.is_none() => self.draw(place, value),
                Some(_) => {}
                None => self.held[place].kind = Holds::Null,
            }
        }
        self.found.clear();
        self.found.resize(transaction.steps.len(), false);
    }

    async fn step(
        &mut self,
        session: &mut Session,
        transaction: &Transaction,
        at: usize,
    ) -> Result<(), StatementError> {
        let program = Rc::clone(&self.program);
        let step = &transaction.steps[at];
        if step.condition.is_some_and(|(earlier, wanted)| self.found[earlier] != wanted) {
            return Ok(());
        }
        if step.probability < 1.0 && self.choices.uniform_f64() >= step.probability {
            return Ok(());
        }
        let (from, to) = step.repeat;
        let times =
            if from == to { from } else { from + self.choices.below(u64::from(to - from) + 1) as u32 };
        let statement = &program.statements[step.statement];
        for _ in 0..times {
            for (place, value) in transaction.values.iter().enumerate() {
                if let Some(value) = value.as_ref().filter(|value| value.only_for == Some(at)) {
                    self.draw(place, value);
                }
            }
            let prepared = &mut self.statements[step.statement];
            let held = &self.held;
            let params = Params::of(&statement.params, held);
            if statement.keeps_rows {
                let rows = &mut self.rows;
                let changed = session
                    .execute_for_rows(
                        statement.operation,
                        prepared,
                        &statement.pieces,
                        params.as_slice(),
                        rows,
                    )
                    .await?;
                self.found[at] |= changed > 0 || self.rows.len() > 0;
                self.keep(&step.keep);
            } else {
                session.execute(statement.operation, prepared, &statement.pieces, params.as_slice()).await?;
            }
        }
        Ok(())
    }

    /// Keeps the first row.
    fn keep(&mut self, places: &[usize]) {
        let row = self.rows.get(0);
        for (column, place) in places.iter().enumerate() {
            let cell = row.as_ref().map_or(CellValue::Null, |row| row.value(column));
            self.held[*place].keep(cell);
        }
    }
}

/// The parameters of a statement, without a place on the heap where they are few.
enum Params<'a> {
    Few([Param<'a>; FEW], usize),
    Many(Vec<Param<'a>>),
}

const FEW: usize = 8;

impl<'a> Params<'a> {
    fn of(places: &[usize], held: &'a [Held]) -> Self {
        if places.len() > FEW {
            return Self::Many(places.iter().map(|place| held[*place].param()).collect());
        }
        let mut few = [Param::Null; FEW];
        for (param, place) in few.iter_mut().zip(places) {
            *param = held[*place].param();
        }
        Self::Few(few, places.len())
    }

    fn as_slice(&self) -> &[Param<'a>] {
        match self {
            Self::Few(few, length) => &few[..*length],
            Self::Many(many) => many,
        }
    }
}

/// Begins or ends a transaction: prepared, where the server can prepare that.
async fn bracket(
    session: &mut Session,
    operation: OperationIndex,
    statement: &mut Statement,
    sql: &str,
) -> Result<(), StatementError> {
    match statement.is_prepared() {
        true => session.execute(operation, statement, &[], &[]).await.map(drop),
        false => session.query(operation, sql.as_bytes()).await.map(drop),
    }
}

impl ClientWorkload for User {
    async fn prepare(&mut self, session: &mut Session) -> Result<(), StatementError> {
        let program = Rc::clone(&self.program);
        self.in_transaction = false;
        self.statements.clear();
        self.statements.resize_with(program.statements.len(), Statement::default);
        self.brackets = Default::default();
        for sql in &program.connect {
            session.set_up(sql).await?;
        }
        self.find_last_rows(session).await?;
        if !program.prepared {
            return Ok(());
        }
        if program.has_brackets() {
            self.brackets[0] = session.prepare(program.begin, "BEGIN").await?;
            self.brackets[1] = session.prepare(program.commit, "COMMIT").await?;
        }
        for (place, statement) in program.statements.iter().enumerate() {
            let made = match statement.keeps_rows {
                true => session.prepare_for_rows(statement.operation, &statement.sql).await?,
                false => session.prepare(statement.operation, &statement.sql).await?,
            };
            self.statements[place] = if statement.changes_types { made.with_changing_types() } else { made };
        }
        Ok(())
    }

    fn next_pause_ns(&mut self) -> u64 {
        let mean_s = if self.has_turned { self.program.transactions[self.turn].think_s } else { 0.0 };
        self.has_turned = true;
        self.turn = self.choose();
        match mean_s {
            0.0 => 0,
            mean_s => (-mean_s * 1e9 * (1.0 - self.choices.uniform_f64()).ln()) as u64,
        }
    }

    fn operation(&self) -> OperationIndex {
        self.program.transactions[self.turn].operation
    }

    fn only_reads(&self) -> bool {
        self.program.transactions[self.turn].only_reads
    }

    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError> {
        let program = Rc::clone(&self.program);
        let transaction = &program.transactions[self.turn];
        self.draw_all(transaction);
        if !transaction.commits_each {
            bracket(session, program.begin, &mut self.brackets[0], "BEGIN").await?;
            self.in_transaction = true;
        }
        for at in 0..transaction.steps.len() {
            self.step(session, transaction, at).await?;
        }
        if self.in_transaction {
            bracket(session, program.commit, &mut self.brackets[1], "COMMIT").await?;
            self.in_transaction = false;
        }
        Ok(())
    }

    async fn roll_back(&mut self, session: &mut Session) -> Result<(), StatementError> {
        if std::mem::replace(&mut self.in_transaction, false) {
            session.query(self.program.rollback, b"ROLLBACK").await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::StatementsOptions;

    fn options(file: &str) -> StatementsOptions {
        let text = format!(
            r#"{{"path": "t.toml", "file": {file}, "scale": 1.0, "engine": "innodb", "reconnect": 0,
                "errors": {{"retry": [], "retry_all": false, "reconnect_on_loss": true}}}}"#
        );
        serde_json::from_str(&text).expect("valid")
    }

    fn user(file: &str, number: u32) -> User {
        let program = Program::new(&options(file)).expect("valid");
        let counters = program.counters.iter().map(|counter| SharedCounter::new(counter.first)).collect();
        User::new(&Rc::new(program), &counters, ClientNumber { number, of: 4, seed: 5 })
    }

    fn mixed(mix: &str, weights: &str) -> String {
        format!(
            r#"{{"mix": "{mix}", "weights": "{weights}", "transaction": [
                {{"name": "one", "weight": 80, "statement": "SELECT 1"}},
                {{"name": "two", "weight": 20, "statement": ["SELECT 2", "SELECT 3"]}},
                {{"name": "never", "weight": 0, "statement": "SELECT 4"}}]}}"#
        )
    }

    fn chosen(file: &str, times: usize) -> [usize; 3] {
        let mut user = user(file, 0);
        let mut counts = [0; 3];
        (0..times).for_each(|_| counts[user.choose()] += 1);
        counts
    }

    #[test]
    fn a_deck_holds_each_transaction_as_often_as_its_weight_says() {
        assert_eq!(chosen(&mixed("exact", "transactions"), 100), [80, 20, 0]);
        // Two statements count twice: 80 of 90 transactions are 80 % of the statements.
        assert_eq!(chosen(&mixed("exact", "statements"), 10_000)[..2], [8_889, 1_111]);
        let [one, two, never] = chosen(&mixed("random", "transactions"), 10_000);
        assert!((7_800..8_200).contains(&one) && one + two == 10_000 && never == 0, "{one} {two}");
    }

    fn held(user: &User) -> Vec<i64> {
        user.held.iter().map(|held| held.int).collect()
    }

    #[test]
    fn values_are_drawn_once_and_sums_follow_them() {
        let file = r#"{"table": [{"name": "t", "rows": 100, "column": [{"name": "id", "type": "INT", "value": {"sequence": 1}}]}],
            "transaction": [{"name": "a", "values": {"from": {"row_of": "t"}, "to": {"plus": ["from", 9]}, "new": {"new_row_of": "t"}},
                "statement": ["SELECT * FROM t WHERE id BETWEEN :from AND :to", "INSERT INTO t VALUES (:new), (:new)",
                    {"sql": "SELECT :each", "repeat": 3}]}],
            "values": {"each": {"uniform": [1, 1000000]}}}"#;
        let mut user = user(file, 0);
        let program = Rc::clone(&user.program);
        let transaction = &program.transactions[0];
        for number in 0..50 {
            user.draw_all(transaction);
            let held = held(&user);
            assert!((1..=100).contains(&held[0]) && held[1] == held[0] + 9, "{held:?}");
            assert_eq!((held[2], held[3]), (101 + number, 0), "the last one is drawn for each repetition");
        }
        assert!(!transaction.commits_each && transaction.steps.len() == 3);
        assert_eq!(program.statements[1].params, [2, 2]);
    }

    #[test]
    fn clients_draw_values_of_their_own() {
        let file = r#"{"values": {"x": {"uniform": [1, 1000000]}},
            "transaction": [{"name": "a", "statement": "SELECT :x"}]}"#;
        let draw = |number| {
            let mut user = user(file, number);
            let program = Rc::clone(&user.program);
            user.draw_all(&program.transactions[0]);
            held(&user)
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
