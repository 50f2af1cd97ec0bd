//! The placement of a sandbox: keys about CPUs and memory after the `?` of its target.

use std::fmt::Display;
use std::str::FromStr;

use model::Place;

use crate::error::{Outcome, UserError, nearest};

/// A word this close to a key is that key, misspelt: no server variable is.
const SLIPS: usize = 2;

/// Takes a placement key. Returns false if it is none.
///
/// # Errors
/// An invalid value, or a key that is nearly a placement key: it would become a server variable that no server knows.
pub fn set(place: &mut Place, key: &str, value: &str) -> Outcome<bool> {
    let wrong = |why: String| UserError::usage(format!("{key} of a sandbox: {why}"));
    match key {
        "cpus" => place.cpus = Some(read(value).map_err(wrong)?),
        "cpu-nodes" => place.cpu_nodes = Some(read(value).map_err(wrong)?),
        "cpu-share" => place.cpu_share = Some(read(value).map_err(wrong)?),
        "memory-nodes" => place.memory_nodes = Some(read(value).map_err(wrong)?),
        "interleave" => place.interleave = Some(read(value).map_err(wrong)?),
        "cpu-quota" => place.cpu_quota = Some(read(value).map_err(wrong)?),
        "memory-max" => place.memory_max_bytes = Some(memory(value).map_err(wrong)?),
        _ => return refuse_slip(key).map(|()| false),
    }
    Ok(true)
}

fn read<T: FromStr<Err: Display>>(value: &str) -> Result<T, String> {
    value.trim().parse().map_err(|why: T::Err| why.to_string())
}

/// A server that may use less than a few megabytes does not start; a size without its unit is a slip.
fn memory(value: &str) -> Result<u64, String> {
    const LEAST: u64 = 1 << 20;
    match spec::bytes(value)? {
        bytes if bytes < LEAST => Err("it is less than 1M: a size has K, M, G or T behind it".to_owned()),
        bytes => Ok(bytes),
    }
}

/// Refuses a key that is nearly one of the place.
pub fn refuse_slip(name: &str) -> Outcome<()> {
    let key = name.replace('_', "-");
    let key = key.as_str();
    let is_about_place = key.starts_with("cpu") || key.starts_with("memory-");
    let is_slip = Place::KEYS.iter().any(|known| strsim::damerau_levenshtein(key, known) <= SLIPS);
    if !is_about_place && !is_slip {
        return Ok(());
    }
    let near = nearest(key, Place::KEYS).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    Err(UserError::usage(format!("a sandbox has no key '{key}', and no server has such a variable"))
        .hint(format!("{near}of its place there are: {}", Place::KEYS.join(", "))))
}

/// Refuses a key of the place where a server variable is set.
pub fn refuse_as_variable(name: &str) -> Outcome<()> {
    match name.replace('_', "-") {
        key if Place::KEYS.contains(&key.as_str()) => {
            Err(UserError::usage(format!("{key} says where a server runs: it is not a server variable"))
                .hint(format!("it goes into the target: --target 'sandbox:mysql?{key}=...'")))
        }
        _ => Ok(()),
    }
}

/// Refuses what contradicts itself.
pub fn check(place: &Place) -> Outcome<()> {
    let cpus = [
        ("cpus", place.cpus.is_some()),
        ("cpu-nodes", place.cpu_nodes.is_some()),
        ("cpu-share", place.cpu_share.is_some()),
    ];
    let given: Vec<&str> = cpus.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).collect();
    if let [one, other, ..] = given.as_slice() {
        return Err(UserError::usage(format!(
            "{one} and {other} of a sandbox both say on which CPUs it runs"
        ))
        .hint("leave one of them out"));
    }
    if place.memory_nodes.is_some() && place.interleave.is_some() {
        return Err(UserError::usage("memory-nodes and interleave of a sandbox are two policies for one memory")
            .hint("leave one of them out: interleave=0,1 uses these nodes in turn, memory-nodes=0,1 fills the nearest first"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(words: &[(&str, &str)]) -> Outcome<Place> {
        let mut place = Place::default();
        for (key, value) in words {
            assert!(set(&mut place, key, value)?, "{key}");
        }
        check(&place).map(|()| place)
    }

    fn refusal(words: &[(&str, &str)]) -> String {
        given(words).expect_err("it is refused").message
    }

    #[test]
    fn every_key_has_its_meaning() {
        let place =
            given(&[("cpus", "0-1"), ("memory-nodes", "0"), ("cpu-quota", "1.5"), ("memory-max", "2G")]);
        let place = place.unwrap_or_default();
        assert_eq!(place.to_string(), "cpus=0-1 memory-nodes=0 cpu-quota=1.5 memory-max=2G");
        assert_eq!(place.memory_max_bytes, Some(2 << 30));
        let spread = given(&[("cpu-nodes", "1"), ("interleave", "all")]).unwrap_or_default();
        assert_eq!(spread.to_string(), "cpu-nodes=1 interleave=all");
    }

    #[test]
    fn values_that_are_none_are_refused_with_their_key() {
        for (key, value) in [
            ("cpus", ""),
            ("cpus", "all"),
            ("cpus", "3-1"),
            ("memory-nodes", "x"),
            ("interleave", "some"),
            ("cpu-quota", "0"),
            ("cpu-quota", "50%"),
            ("memory-max", "2"),
            ("memory-max", "lots"),
        ] {
            let said = refusal(&[(key, value)]);
            assert!(said.starts_with(&format!("{key} of a sandbox: ")), "{said}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        assert!(refusal(&[("cpus", "0"), ("cpu-nodes", "0")]).starts_with("cpus and cpu-nodes"));
        assert!(refusal(&[("cpu-share", "1/2"), ("cpus", "0")]).starts_with("cpus and cpu-share"));
        assert!(refusal(&[("cpu-share", "half")]).contains("it is not a share such as 1/2"));
        assert!(refusal(&[("memory-nodes", "0"), ("interleave", "all")]).starts_with("memory-nodes and"));
    }

    #[test]
    fn a_slip_is_told_from_a_server_variable() {
        let said = |key: &str| set(&mut Place::default(), key, "1").map_err(|error| error.to_string());
        for (slip, meant) in [
            ("cpu", "cpus"),
            ("cpu-quote", "cpu-quota"),
            ("memory-limit", "memory-max"),
            ("interleav", "interleave"),
        ] {
            assert!(said(slip).is_err_and(|said| said.contains(&format!("did you mean {meant}?"))), "{slip}");
        }
        for (_, entry) in knowledge::variables::entries() {
            let name = entry.name.replace('_', "-");
            assert_eq!(said(&name), Ok(false), "{name}");
        }
    }
}
