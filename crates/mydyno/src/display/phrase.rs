//! Numbers as people say them: durations, bytes, thousands.

use model::Wait;

pub use model::thousands;

/// What a run waits for, in a few words.
pub fn waiting(wait: Wait, target: &str) -> String {
    match wait {
        Wait::Snapshot => format!("keeping a snapshot of the data of {target}"),
        Wait::Restore => format!("restoring the data of {target}"),
        Wait::Reload => format!("loading the data of {target} again"),
        Wait::CoolDown => "resting before the next trial".to_owned(),
        Wait::Check => format!("checking the consistency of {target}"),
        Wait::Stop => format!("stopping {target}"),
    }
}

/// `3 min 12 s`, `6.1 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `1 GiB`, `512 MiB`; the unit in which the number is short.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 4] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.into_iter().find(|(_, size)| bytes >= *size) {
        Some((unit, size)) if bytes.is_multiple_of(size) => format!("{} {unit}", bytes / size),
        Some((unit, size)) => format!("{:.1} {unit}", bytes as f64 / size as f64),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        let said = [0.04, 6.1, 42.4, 192.0, 7500.0].map(duration);
        assert_eq!(said, ["0.0 s", "6.1 s", "42 s", "3 min 12 s", "2 h 5 min"]);
    }

    #[test]
    fn sizes_are_readable() {
        assert_eq!([1 << 30, 3 << 29, 128 << 20, 12].map(bytes), ["1 GiB", "1.5 GiB", "128 MiB", "12 B"]);
    }
}
