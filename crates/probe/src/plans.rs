//! Execution plans of a workload's statements.

use model::{PlanStep, StatementPlan};
use wire::{Client, QueryError, ResultSet, Row};

use crate::error::ProbeError;
use crate::replication::version;

/// A statement to explain, with values in place of its question marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explain {
    /// The operation of the workload.
    pub operation: String,
    /// The statement.
    pub sql: String,
    /// Whether it changes nothing and takes no locks, so that it may be executed to compare the estimate with actual counts.
    pub may_execute: bool,
}

/// The first MySQL with EXPLAIN ANALYZE.
const ANALYZE_SINCE: (u32, u32, u32) = (8, 0, 18);
/// An execution that takes longer is given up: its plan is bad enough.
const PATIENCE_MS: u32 = 2_000;

/// The plan of each statement. A statement that the server cannot explain has the reason instead.
///
/// # Errors
/// The server no longer answers.
pub fn plans(client: &mut Client, statements: &[Explain]) -> Result<Vec<StatementPlan>, ProbeError> {
    let patience = if client.session().is_mariadb {
        format!("SET max_statement_time = {}", PATIENCE_MS / 1_000)
    } else {
        format!("SET max_execution_time = {PATIENCE_MS}")
    };
    // Servers of before 5.7 have no such limit; none of their statements is executed either.
    let _ = tried(client.query(&patience))?;
    statements.iter().map(|statement| plan(client, statement)).collect()
}

/// The server's refusal as a value; only a lost connection is an error.
fn tried(outcome: Result<ResultSet, QueryError>) -> Result<Result<ResultSet, String>, ProbeError> {
    match outcome {
        Ok(found) => Ok(Ok(found)),
        Err(QueryError::Server { error, .. }) => Ok(Err(error.to_string())),
        Err(other) => Err(other.into()),
    }
}

fn plan(client: &mut Client, statement: &Explain) -> Result<StatementPlan, ProbeError> {
    let (mariadb, sql) = (client.session().is_mariadb, &statement.sql);
    let table = if mariadb { format!("EXPLAIN {sql}") } else { format!("EXPLAIN FORMAT=TRADITIONAL {sql}") };
    let mut plan = StatementPlan {
        operation: statement.operation.clone(),
        sql: sql.clone(),
        ..StatementPlan::default()
    };
    match tried(client.query(&table))? {
        Ok(found) => plan.steps = steps(&found),
        Err(why) => {
            plan.error = Some(why);
            return Ok(plan);
        }
    }
    if let Ok(found) = tried(client.query(&format!("EXPLAIN FORMAT=JSON {sql}")))? {
        plan.json = found.first().and_then(|row| row.text(0)).unwrap_or_default().to_owned();
    }
    if !statement.may_execute {
        return Ok(plan);
    }
    if mariadb {
        if let Ok(found) = tried(client.query(&format!("ANALYZE {sql}")))? {
            plan.steps = steps(&found);
        }
    } else if version(&client.session().server_version) >= ANALYZE_SINCE
        && let Ok(found) = tried(client.query(&format!("EXPLAIN ANALYZE {sql}")))?
    {
        plan.analyzed = found.first().and_then(|row| row.text(0)).unwrap_or_default().to_owned();
        for step in &mut plan.steps {
            step.actual_rows = actual_rows(&plan.analyzed, &step.table);
        }
    }
    Ok(plan)
}

/// The rows of EXPLAIN's table. MariaDB's ANALYZE has the actual counts beside the estimates.
fn steps(found: &ResultSet) -> Vec<PlanStep> {
    let at = |name| found.position(name);
    let step = |row: &Row| {
        let text = |name| at(name).and_then(|at| row.text(at)).unwrap_or_default().to_owned();
        let number = |name| at(name).and_then(|at| row.parse::<f64>(at));
        let table = text("table");
        (!table.is_empty()).then(|| PlanStep {
            table,
            access: text("type"),
            key: text("key"),
            rows: number("rows").unwrap_or_default(),
            actual_rows: number("r_rows"),
        })
    };
    found.rows.iter().filter_map(step).collect()
}

/// The rows that an execution read of a table, per loop, by the tree of EXPLAIN ANALYZE:
/// `-> Index range scan on sbtest1 using PRIMARY ... (actual time=0.01..0.02 rows=100 loops=1)`.
fn actual_rows(tree: &str, table: &str) -> Option<f64> {
    let reads = |line: &&str| {
        let named = line.split(" on ").nth(1).and_then(|rest| rest.split_whitespace().next());
        named == Some(table) && line.contains("(actual ")
    };
    let line = tree.lines().find(reads)?;
    let actual = line.split("(actual ").nth(1)?;
    actual.split("rows=").nth(1)?.split([' ', ')']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::actual_rows;

    #[test]
    fn actual_rows_are_read_from_the_tree() {
        let tree = "-> Sort: sbtest1.c  (cost=20.3 rows=100) (actual time=0.2..0.21 rows=100 loops=1)\n    \
             -> Filter: (sbtest1.id between 5 and 104)  (cost=20.3 rows=100) (actual time=0.02..0.09 rows=100 loops=1)\n        \
             -> Index range scan on sbtest1 using PRIMARY over (5 <= id <= 104)  (cost=20.3 rows=101) (actual \
             time=0.018..0.07 rows=1e+3 loops=1)\n";
        assert_eq!(actual_rows(tree, "sbtest1"), Some(1_000.0));
        assert_eq!(actual_rows(tree, "sbtest10"), None);
        assert_eq!(actual_rows("-> Table scan on t (cost=1 rows=2) (never executed)", "t"), None);
    }
}
