//! Events of a load: `30s kill primary; 45s set innodb_flush_log_at_trx_commit=2`.

use model::{EventAction, PlannedEvent};

use super::size::seconds;

/// Separator between two events in one text.
pub const BETWEEN: char = ';';

const FORM: &str = "an event is when and what, such as '30s kill primary', '10s stop 2', '10s freeze 2 for 5s', \
                    '20s cut 1-3 for 10s', '15s set innodb_flush_log_at_trx_commit=2' or '20s sql ANALYZE TABLE sbtest1'";

/// The events in order of time. `off` or an empty text: none.
pub fn events(text: &str) -> Result<Vec<PlannedEvent>, String> {
    if text.trim() == "off" {
        return Ok(Vec::new());
    }
    let parts = text.split(BETWEEN).map(str::trim).filter(|part| !part.is_empty());
    let mut all = parts.map(event).collect::<Result<Vec<_>, _>>()?;
    all.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(all)
}

/// The events as written.
pub fn text(events: &[PlannedEvent]) -> String {
    events.iter().map(PlannedEvent::describe).collect::<Vec<_>>().join("; ")
}

fn event(text: &str) -> Result<PlannedEvent, String> {
    let (at, what) = word(text);
    let at_s = seconds(at).map_err(|_| format!("'{text}': {FORM}"))?;
    let action = action(what).map_err(|why| format!("'{text}': {why}"))?;
    Ok(PlannedEvent { at_s, action })
}

fn action(text: &str) -> Result<EventAction, String> {
    let (verb, rest) = word(text);
    match verb {
        "kill" => Ok(EventAction::Kill { server: server(rest)? }),
        "stop" => Ok(EventAction::Stop { server: server(rest)? }),
        "freeze" => {
            let (who, for_s) = for_a_while(rest)?;
            Ok(EventAction::Freeze { server: server(who)?, for_s })
        }
        "cut" => {
            let (who, for_s) = for_a_while(rest)?;
            let (one, other) = who.split_once('-').map_or((who, None), |(one, other)| (one, Some(other)));
            let (one, from) = (server(one)?, other.map(server).transpose()?);
            if from == Some(one) {
                return Err("a server cannot be cut off from itself".to_owned());
            }
            Ok(EventAction::Cut { server: one, from, for_s })
        }
        "set" => set(rest),
        "sql" if !rest.is_empty() => Ok(EventAction::Sql { statement: rest.to_owned() }),
        _ => Err(FORM.to_owned()),
    }
}

/// The first word, and what comes behind it.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// `primary`, or a number from 1 on.
fn server(text: &str) -> Result<u32, String> {
    match text.trim() {
        "primary" => Ok(1),
        other => other.parse().ok().filter(|number| *number > 0).ok_or_else(|| {
            format!("'{other}' is not a server: name primary, or its number from 1, the primary, on")
        }),
    }
}

fn for_a_while(text: &str) -> Result<(&str, f64), String> {
    let (who, length) = text
        .split_once(" for ")
        .ok_or("it needs a length, such as 'freeze 2 for 5s' or 'cut 1-3 for 10s'")?;
    match seconds(length.trim()) {
        Ok(for_s) if for_s > 0.0 => Ok((who.trim(), for_s)),
        _ => Err(format!("'{}' is not a length, such as 5s or 500ms", length.trim())),
    }
}

/// `VARIABLE=VALUE`, and `on 2`.
fn set(text: &str) -> Result<EventAction, String> {
    let form = "it is 'set VARIABLE=VALUE', or 'set VARIABLE=VALUE on 2' for another server than the primary";
    let (variable, value) = text.split_once('=').ok_or(form)?;
    let variable = variable.trim();
    let variable = if variable.len() > 7 && variable[..7].eq_ignore_ascii_case("global ") {
        variable[7..].trim()
    } else {
        variable
    };
    let (value, on) = match value.rsplit_once(" on ") {
        Some((value, on)) => (value, server(on)?),
        None => (value, 1),
    };
    let value = value.trim();
    let bare = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
    match (is_variable(variable), bare.unwrap_or(value)) {
        (true, value) if !value.is_empty() => {
            Ok(EventAction::Set { server: on, variable: variable.to_owned(), value: value.to_owned() })
        }
        _ => Err(form.to_owned()),
    }
}

/// Components and plugins have dots in the names of their variables.
fn is_variable(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_in_the_order_of_their_times() {
        let written = "45s set innodb_flush_log_at_trx_commit=2; 30 kill primary; 1m freeze 2 for 500ms; \
                       70s cut 1-3 for 10s; 80s cut 2 for 1s; 90s stop 3; 95s set GLOBAL a = 'b' on 2; 100s sql ALTER TABLE a FORCE";
        let read = events(written).expect("valid");
        let expected = "30s kill primary; 45s set innodb_flush_log_at_trx_commit=2; 60s freeze 2 for 0.5s; \
                        70s cut 1-3 for 10s; 80s cut 2 for 1s; 90s stop 3; 95s set a=b on 2; 100s sql ALTER TABLE a FORCE";
        assert_eq!(text(&read), expected);
        assert_eq!(events(expected), Ok(read));
        assert_eq!((events("off"), events(" ")), (Ok(Vec::new()), Ok(Vec::new())));
    }

    #[test]
    fn what_is_no_event_is_told_what_one_is() {
        let why = |text: &str| events(text).expect_err("not an event");
        assert_eq!(why("kill primary"), format!("'kill primary': {FORM}"));
        assert_eq!(why("3s explode 1"), format!("'3s explode 1': {FORM}"));
        let server = "'second' is not a server: name primary, or its number from 1, the primary, on";
        assert_eq!(why("3s kill second"), format!("'3s kill second': {server}"));
        assert!(why("3s freeze 2").ends_with("'freeze 2 for 5s' or 'cut 1-3 for 10s'"));
        assert_eq!(
            why("3s freeze 2 for 0s"),
            "'3s freeze 2 for 0s': '0s' is not a length, such as 5s or 500ms"
        );
        assert_eq!(why("3s cut 2-2 for 1s"), "'3s cut 2-2 for 1s': a server cannot be cut off from itself");
        for text in ["3s set a", "3s set a b=1", "3s set =1", "3s set a=", "3s sql"] {
            assert!(events(text).is_err(), "{text}");
        }
    }
}
