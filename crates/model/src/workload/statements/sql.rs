//! The text of a statement, with named parameters.

/// What a statement does, as far as its first words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// It reads, without locks.
    Read,
    /// It reads, and locks what it reads.
    LockingRead,
    /// It changes rows, but not how many there are.
    Update,
    /// It may add or remove rows.
    AddOrRemove,
    /// Anything else.
    Other,
}

/// A statement, cut at its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementText {
    /// The parts before, between and after the parameters: one more than these.
    pub pieces: Vec<String>,
    /// Names of the parameters, in order; a name may come several times.
    pub names: Vec<String>,
}

impl StatementText {
    /// Finds the parameters, written `:name`. What is quoted or in a comment is left as it is.
    ///
    /// # Errors
    /// It has a `?`, or a quotation or comment without an end.
    pub fn parse(sql: &str) -> Result<Self, String> {
        let sql = sql.trim().trim_end_matches(';').trim_end();
        let mut text = Self { pieces: vec![String::new()], names: Vec::new() };
        let mut rest = sql;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '\'' | '"' | '`' => quoted(rest, first)?,
                '-' if is_dash_comment(rest) => rest.find('\n').unwrap_or(rest.len()),
                '#' => rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => {
                    rest.find("*/").map(|at| at + 2).ok_or("a comment /* has no end */")?
                }
                '?' => return Err("it has a ?: name the parameter, such as :id".to_owned()),
                ':' => {
                    let name = name_of(&rest[1..]);
                    if !name.is_empty() {
                        text.names.push(name.to_owned());
                        text.pieces.push(String::new());
                        rest = &rest[1 + name.len()..];
                        continue;
                    }
                    rest[1..].find(|c| c != ':').map_or(rest.len(), |at| at + 1)
                }
                other => other.len_utf8(),
            };
            if let Some(piece) = text.pieces.last_mut() {
                piece.push_str(&rest[..length]);
            }
            rest = &rest[length..];
        }
        match sql.is_empty() {
            true => Err("it is empty".to_owned()),
            false => Ok(text),
        }
    }

    /// With `?` in place of the parameters, as it is prepared.
    pub fn template(&self) -> String {
        self.pieces.join("?")
    }

    /// What it does.
    pub fn kind(&self) -> StatementKind {
        let sql = self.template().to_uppercase();
        let words: Vec<&str> =
            sql.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
        let has = |list: &[&str]| words.windows(list.len()).any(|some| some == list);
        let locks = has(&["FOR", "UPDATE"]) || has(&["FOR", "SHARE"]) || has(&["IN", "SHARE", "MODE"]);
        match words.first().copied().unwrap_or_default() {
            "SELECT" | "WITH" | "TABLE" | "VALUES" if locks => StatementKind::LockingRead,
            "WITH" if has(&["UPDATE"]) => StatementKind::Update,
            "WITH" if has(&["DELETE"]) => StatementKind::AddOrRemove,
            "SELECT" | "WITH" | "TABLE" | "VALUES" | "SHOW" => StatementKind::Read,
            "UPDATE" => StatementKind::Update,
            "INSERT" | "REPLACE" | "DELETE" | "CALL" | "LOAD" | "TRUNCATE" => StatementKind::AddOrRemove,
            _ => StatementKind::Other,
        }
    }
}

impl StatementKind {
    /// True if it changes rows, or might.
    pub fn writes(self) -> bool {
        matches!(self, Self::Update | Self::AddOrRemove)
    }
}

/// Length of a quotation, with its quotes.
fn quoted(text: &str, quote: char) -> Result<usize, String> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' if quote != '`' => drop(characters.next()),
            // A doubled quote ends one quotation and begins the next: the same text.
            c if c == quote => return Ok(at + c.len_utf8()),
            _ => {}
        }
    }
    Err(format!("a {quote} has no end"))
}

fn is_dash_comment(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// The name at the beginning; empty if there is none.
fn name_of(text: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &text[..end] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sql: &str) -> Vec<String> {
        StatementText::parse(sql).expect("valid").names
    }

    #[test]
    fn parameters_are_found_outside_of_quotes_and_comments() {
        let text = StatementText::parse("SELECT a FROM t WHERE id=:id AND b = :other_1 OR id > :id;")
            .expect("valid");
        assert_eq!(text.names, ["id", "other_1", "id"]);
        assert_eq!(text.template(), "SELECT a FROM t WHERE id=? AND b = ? OR id > ?");
        assert!(
            names("SELECT ':a', \":b\", `:c`, 'it''s :d', 'x\\':e' -- :f\n # :g\n /* :h */ FROM t")
                .is_empty()
        );
        assert_eq!(names("SELECT @x := :v, a::b, '12:30', 5--:w"), ["v", "w"]);
        assert_eq!(names("SELECT '\u{e4}' = :\u{e4}"), Vec::<String>::new());
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for sql in ["SELECT ?", "SELECT 'a", "SELECT /* a", "", " ; "] {
            assert!(StatementText::parse(sql).is_err(), "{sql}");
        }
        assert!(StatementText::parse("SELECT '?'").is_ok());
    }

    #[test]
    fn the_first_words_tell_what_it_does() {
        use StatementKind::{AddOrRemove, LockingRead, Other, Read, Update};
        for (sql, kind) in [
            ("select 1", Read),
            ("WITH x AS (SELECT 1) SELECT * FROM x", Read),
            ("SELECT a FROM t FOR UPDATE SKIP LOCKED", LockingRead),
            ("select a from t lock in share mode", LockingRead),
            ("UPDATE t SET a = 1", Update),
            ("insert into t values (1)", AddOrRemove),
            ("DELETE FROM t", AddOrRemove),
            ("SET @a = 1", Other),
            ("(SELECT 1) UNION (SELECT 2)", Read),
        ] {
            assert_eq!(StatementText::parse(sql).expect("valid").kind(), kind, "{sql}");
        }
    }
}
