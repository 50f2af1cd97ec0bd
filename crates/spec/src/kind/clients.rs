//! Lists of client counts: `16`, `1,2,4..64` (doubling from 4 to 64).

/// More clients than any server takes, and than one machine has ports for.
const MOST_CLIENTS: u32 = 65_535;
/// More points than any curve needs; a longer list is a typing error.
const MOST_POINTS: usize = 64;

/// Reads a list, in the order in which it was written, each number once. `A..B` doubles from A and ends at B, even if B
/// is not A times a power of two.
pub fn list(text: &str) -> Result<Vec<u32>, String> {
    let mut list = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            None => list.push(clients(part)?),
            Some((low, high)) => {
                let (low, high) = (clients(low)?, clients(high)?);
                if low > high {
                    return Err(format!("{low}..{high} runs backwards"));
                }
                list.extend(std::iter::successors(Some(low), |n| n.checked_mul(2)).take_while(|n| *n < high));
                list.push(high);
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    list.retain(|threads| seen.insert(*threads));
    if list.len() > MOST_POINTS {
        return Err(format!("it has {} points, more than {MOST_POINTS}", list.len()));
    }
    Ok(list)
}

fn clients(text: &str) -> Result<u32, String> {
    match super::size::count_u32(text) {
        Ok(0) => Err("0 clients do nothing".to_owned()),
        Ok(threads) if threads <= MOST_CLIENTS => Ok(threads),
        Ok(_) => Err(format!("more than {MOST_CLIENTS} clients do not fit one machine")),
        Err(_) => Err("it is a list such as 16 or 1,4,16 or 1..64 (doubling)".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    fn list(text: &str) -> Vec<u32> {
        super::list(text).unwrap_or_default()
    }

    #[test]
    fn a_single_count() {
        assert_eq!(list("16"), [16]);
    }

    #[test]
    fn a_range_doubles_and_always_holds_its_end() {
        assert_eq!(list("1..64"), [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!(list("1..100"), [1, 2, 4, 8, 16, 32, 64, 100]);
        assert_eq!(list("3..3"), [3]);
    }

    #[test]
    fn lists_and_ranges_mix_and_repeat_nothing() {
        assert_eq!(list("1,2,4..64"), [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!(list("64,1..4,2"), [64, 1, 2, 4]);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "0", "0..4", "8..2", "1,,2", "a", "1...4", "1..", "..4", "-1", "70000", "1..999999"]
        {
            assert!(super::list(text).is_err(), "{text}");
        }
    }
}
