//! What sessions other than the load's clients execute on the server while it is measured.

use knowledge::doctor::OtherStatements;
use model::OperationKind;

use crate::cell::CellSummary;
use crate::tops::TopStatement;

/// First words of statements that clients send besides those that have a plan.
const UNEXPLAINED: [&str; 9] =
    ["begin", "start", "commit", "rollback", "savepoint", "release", "set", "use", "insert"];
/// In the names of the operations that are such statements.
const UNEXPLAINED_OPERATIONS: [&str; 4] = ["begin", "commit", "rollback", "insert"];
/// Statements that wait and take nothing.
const WAITING: [&str; 4] = ["sleep", "get_lock", "master_pos_wait", "wait_for_executed_gtid_set"];

/// Of the cell's statement digests those that are no statement of its workload; none where a statement of the workload is not known by
/// its text, or where nothing else was executed.
pub(crate) fn others(cell: &CellSummary) -> Option<OtherStatements> {
    let tops = cell.tops.as_ref()?;
    let per_s = cell.throughput_per_s?.mean;
    if cell.plans.is_empty() || !all_known(cell) {
        return None;
    }
    let own: Vec<String> = cell.plans.iter().map(|plan| shape(&plan.sql)).collect();
    let all = tops.statements.iter();
    let other: Vec<&TopStatement> =
        all.filter(|one| is_other(&one.text, &own) && !is_as_often(one, cell)).collect();
    // They come in the order of their time.
    let first = other.first()?;
    Some(OtherStatements {
        share: other.iter().map(|one| one.share).sum(),
        sessions: other.iter().map(|one| one.mean_ms / 1e3 * one.per_transaction * per_s).sum(),
        text: first.text.clone(),
        mean_ms: first.mean_ms,
    })
}

/// Whether every statement of the workload was explained, or is of a kind that is not.
fn all_known(cell: &CellSummary) -> bool {
    let is_planned = |name: &str| cell.plans.iter().any(|plan| plan.operation == name);
    let is_unexplained = |name: &str| UNEXPLAINED_OPERATIONS.iter().any(|word| name.contains(word));
    let sent =
        cell.operations.iter().filter(|one| one.kind == OperationKind::Statement && one.service.count > 0);
    sent.map(|one| one.name.as_str()).all(|name| is_planned(name) || is_unexplained(name))
}

/// As many executions per transaction as one of the workload's statements has: then it may be that one, written in another way.
fn is_as_often(one: &TopStatement, cell: &CellSummary) -> bool {
    const NEAR: f64 = 0.05;
    let transactions = cell.transaction().map_or(0, |transaction| transaction.response.count) as f64;
    let own = cell.operations.iter().filter(|own| own.kind == OperationKind::Statement);
    let mut each = own.map(|own| own.service.count as f64 / transactions);
    each.any(|each| (one.per_transaction - each).abs() <= NEAR * each)
}

fn is_other(text: &str, own: &[String]) -> bool {
    let shape = shape(text);
    let words = || shape.split(' ');
    let copies = words().any(|word| word == "select");
    let is_unexplained = words().next().is_some_and(|first| UNEXPLAINED.contains(&first)) && !copies;
    if is_unexplained || words().any(|word| WAITING.contains(&word) || word == "mydyno") {
        return false;
    }
    // A server keeps the beginning of a long statement.
    let is_cut = text.trim_end().ends_with("...");
    let known = shape.trim_end_matches([' ', '?']);
    !own.iter().any(|one| *one == shape || (is_cut && one.starts_with(known)))
}

/// The words of a statement in lower case, with `?` for its values and lists of values, numbers at the end of names left out: the same of a
/// statement as it is sent and of its digest.
fn shape(sql: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut rest = sql.strip_prefix("EXECUTE ").unwrap_or(sql).chars().peekable();
    while let Some(c) = rest.next() {
        let word = match c {
            '\'' | '"' => {
                while let Some(inside) = rest.next() {
                    match inside {
                        '\\' => _ = rest.next(),
                        end if end == c => break,
                        _ => {}
                    }
                }
                "?".to_owned()
            }
            '?' => "?".to_owned(),
            '.' if rest.next_if_eq(&'.').is_some() => "?".to_owned(),
            c if is_of_a_name(c) => {
                let mut word = String::from(c);
                while let Some(next) = rest.next_if(|next| is_of_a_name(*next)) {
                    word.push(next);
                }
                named(&word)
            }
            _ => continue,
        };
        if word != "?" || words.last().is_none_or(|last| last != "?") {
            words.push(word);
        }
    }
    words.join(" ")
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '@'
}

fn named(word: &str) -> String {
    let plain = word.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
    // `#` stands for such a number where tables were put together, and is no part of the word.
    match plain.as_str() {
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => "?".to_owned(),
        "null" => "?".to_owned(),
        // Digests of MySQL have the longer one.
        "distinctrow" => "distinct".to_owned(),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_has_the_shape_of_its_digest() {
        let pairs = [
            ("SELECT c FROM sbtest1 WHERE id=5000", "SELECT `c` FROM `sbtest#` WHERE `id` = ?"),
            ("UPDATE sbtest1 SET k=k+1 WHERE id=7", "UPDATE `sbtest#` SET `k` = `k` + ? WHERE `id` = ?"),
            ("SELECT id FROM sbtest1 WHERE k IN (1, 2, 3)", "SELECT `id` FROM `sbtest1` WHERE `k` IN (...)"),
            (
                "SELECT COUNT(DISTINCT s_i_id) FROM stock WHERE d_next_o_id - 20 > 'it''s' LIMIT 1",
                "SELECT COUNT ( DISTINCT `s_i_id` ) FROM `stock` WHERE `d_next_o_id` - ? > ? LIMIT ?",
            ),
            (
                "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 1 AND 100",
                "SELECT DISTINCTROW `c` FROM `sbtest#` WHERE `id` BETWEEN ? AND ?",
            ),
            (
                "SELECT a FROM t WHERE b = NULL AND c = -1.5",
                "SELECT `a` FROM `t` WHERE `b` = ? AND `c` = - ?",
            ),
        ];
        for (sent, digest) in pairs {
            assert_eq!(shape(sent), shape(digest));
        }
    }

    #[test]
    fn only_what_the_workload_does_not_send_is_of_others() {
        let own = [shape("SELECT c FROM sbtest1 WHERE id=5000")];
        let is_other = |text: &str| is_other(text, &own);
        for text in [
            "SELECT `c` FROM `sbtest#` WHERE `id` = ?",
            "SELECT `c` FROM `sbtest#` ...",
            "COMMIT",
            "INSERT INTO `sbtest#` ( `id` , `k` , `c` , `pad` ) VALUES (...)",
            "DO `SLEEP` (?)",
            "REPLACE INTO `mydyno` . `heartbeat` VALUES (...)",
        ] {
            assert!(!is_other(text), "{text}");
        }
        for text in [
            "SELECT COUNT ( * ) , `SUM` ( `LENGTH` ( `pad` ) ) FROM `sbtest#`",
            "INSERT INTO `copy` SELECT * FROM `sbtest#`",
            "ALTER TABLE `sbtest#` ADD COLUMN `x` INTEGER",
        ] {
            assert!(is_other(text), "{text}");
        }
    }
}
