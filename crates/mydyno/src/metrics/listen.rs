//! `--metrics-listen`: an address. Without a host it is this machine alone, since whoever can connect can read.

use std::fmt;
use std::str::FromStr;

/// The default host.
const LOOPBACK: &str = "127.0.0.1";

/// The address on which metrics are served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listen {
    host: Option<String>,
    port: u16,
}

impl Listen {
    /// Host name or address, without brackets.
    pub fn host(&self) -> &str {
        self.host.as_deref().unwrap_or(LOOPBACK)
    }

    /// Port; 0: any that is free.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the user named the host.
    pub fn names_host(&self) -> bool {
        self.host.is_some()
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "an address is HOST:PORT, [IPV6]:PORT, or :PORT for this machine alone".to_owned();
        let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
        let port = port.parse().map_err(|_| wrong())?;
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        if bare.is_none() && host.contains([':', '[', ']', '/', ' ']) {
            return Err(wrong());
        }
        let host = bare.unwrap_or(host);
        Ok(Self { host: (!host.is_empty()).then(|| host.to_owned()), port })
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host();
        if host.contains(':') {
            write!(f, "[{host}]:{}", self.port)
        } else {
            write!(f, "{host}:{}", self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_host_is_this_machine_alone() {
        let read = |text: &str| text.parse::<Listen>().map(|listen| listen.to_string());
        for text in [":19104", "19104", "127.0.0.1:19104"] {
            assert_eq!(read(text).as_deref(), Ok("127.0.0.1:19104"), "{text}");
        }
        assert_eq!(read("[::1]:0").as_deref(), Ok("[::1]:0"));
        assert_eq!(read("db1:80").as_deref(), Ok("db1:80"));
        assert!(!":1".parse::<Listen>().is_ok_and(|listen| listen.names_host()));
        for text in ["", "db1", "db1:", ":65536", "::1:80", "http://db1:80", "a b:80"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
