//! A statement taken apart: its shape, which all of its kind share, and the values in it.

use crate::parity::log::Kind;

/// A statement as it came to the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The command it came with.
    pub kind: Kind,
    /// Its text with N for numbers, S for strings, T for the number of the table, and single blanks.
    pub shape: String,
    /// The number of the table.
    pub table: Option<u32>,
    /// Its numbers, in order.
    pub numbers: Vec<i64>,
    /// Its strings, in order.
    pub strings: Vec<String>,
}

impl Statement {
    pub fn parse(kind: Kind, text: &str) -> Self {
        let mut statement =
            Self { kind, shape: String::new(), table: None, numbers: Vec::new(), strings: Vec::new() };
        let mut rest = text.trim();
        while !rest.is_empty() {
            rest = statement.token(rest);
        }
        statement
    }

    /// Takes a token from the front of `text`; what is left comes back.
    fn token<'a>(&mut self, text: &'a str) -> &'a str {
        let head = text.chars().next().unwrap_or_default();
        if head.is_whitespace() {
            self.shape.push(' ');
            return text.trim_start();
        }
        if let Some(quoted) = text.strip_prefix('\'') {
            let (string, rest) = quoted.split_once('\'').unwrap_or((quoted, ""));
            self.shape.push('S');
            self.strings.push(string.to_owned());
            return rest;
        }
        let length = match head {
            '-' => 1 + text[1..].chars().take_while(char::is_ascii_digit).count(),
            _ => text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').count(),
        };
        let (word, rest) = text.split_at(length.max(head.len_utf8()));
        if let Ok(number) = word.parse() {
            self.shape.push('N');
            self.numbers.push(number);
        } else if let Some(Ok(table)) = word.strip_prefix("sbtest").map(str::parse) {
            self.shape.push_str("sbtestT");
            self.table = Some(table);
        } else {
            self.shape.push_str(word);
        }
        rest
    }
}

#[test]
fn a_statement_is_its_shape_and_its_values() {
    let insert = "INSERT INTO sbtest12 (id, k, c, pad)\n  VALUES (-7, 25, '1-2', '')";
    let parsed = Statement::parse(Kind::Query, insert);
    assert_eq!(parsed.shape, "INSERT INTO sbtestT (id, k, c, pad) VALUES (N, N, S, S)");
    assert_eq!((parsed.table, parsed.numbers), (Some(12), vec![-7, 25]));
    assert_eq!(parsed.strings, ["1-2", ""]);
    let update = Statement::parse(Kind::Query, "UPDATE sbtest1 SET k=k+1 WHERE id=90");
    assert_eq!(update.shape, "UPDATE sbtestT SET k=k+N WHERE id=N");
}
