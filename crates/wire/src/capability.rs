//! Capability flags: what client and server agree on in the greeting, the server's own 32 bits and MariaDB's 32 more.

use std::ops::{BitAnd, BitOr};

/// A set of capability flags; MariaDB's extended ones are the upper 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities(pub u64);

impl Capabilities {
    /// CLIENT_MYSQL (CLIENT_LONG_PASSWORD): a MariaDB server clears it to announce its extended capabilities.
    pub const MYSQL: Self = Self(1);
    /// Affected rows are the rows found, not the rows changed.
    pub const FOUND_ROWS: Self = Self(1 << 1);
    /// A database is named in the handshake response.
    pub const CONNECT_WITH_DB: Self = Self(1 << 3);
    /// LOAD DATA LOCAL INFILE may be answered.
    pub const LOCAL_FILES: Self = Self(1 << 7);
    /// The protocol of MySQL 4.1 and later; mydyno speaks no older one.
    pub const PROTOCOL_41: Self = Self(1 << 9);
    /// TLS.
    pub const SSL: Self = Self(1 << 11);
    /// OK packets carry status flags.
    pub const TRANSACTIONS: Self = Self(1 << 13);
    /// 20-byte scrambles.
    pub const SECURE_CONNECTION: Self = Self(1 << 15);
    /// Several statements in one COM_QUERY.
    pub const MULTI_STATEMENTS: Self = Self(1 << 16);
    /// Several result sets for one COM_QUERY.
    pub const MULTI_RESULTS: Self = Self(1 << 17);
    /// Several result sets for one COM_STMT_EXECUTE.
    pub const PS_MULTI_RESULTS: Self = Self(1 << 18);
    /// Authentication plugins by name.
    pub const PLUGIN_AUTH: Self = Self(1 << 19);
    /// Connection attributes.
    pub const CONNECT_ATTRS: Self = Self(1 << 20);
    /// The authentication response is a length-encoded string.
    pub const PLUGIN_AUTH_LENENC: Self = Self(1 << 21);
    /// No EOF packet after column definitions; a result ends with an OK packet.
    pub const DEPRECATE_EOF: Self = Self(1 << 24);
    /// MariaDB: column definitions of a prepared statement are sent again only when they changed.
    pub const MARIADB_CACHE_METADATA: Self = Self(1 << 36);

    /// The capabilities that mydyno requests where the server offers them. Deliberately absent: compression and session
    /// tracking (work that would be measured as the server's), query attributes (they lengthen every command).
    pub const WANTED: Self = Self::MYSQL
        .union(Self::PROTOCOL_41)
        .union(Self::TRANSACTIONS)
        .union(Self::SECURE_CONNECTION)
        .union(Self::MULTI_RESULTS)
        .union(Self::PS_MULTI_RESULTS)
        .union(Self::PLUGIN_AUTH)
        .union(Self::CONNECT_ATTRS)
        .union(Self::PLUGIN_AUTH_LENENC)
        .union(Self::DEPRECATE_EOF)
        .union(Self::MARIADB_CACHE_METADATA);

    /// Whether all flags of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These flags and those of `other`.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These flags without those of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The 32 bits that every server knows.
    pub const fn base(self) -> u32 {
        self.0 as u32
    }

    /// MariaDB's 32 bits.
    pub const fn extended(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

impl BitOr for Capabilities {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitAnd for Capabilities {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl std::fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Capabilities({:#x})", self.0)
    }
}

/// Flags of the server's status in OK and EOF packets.
pub mod status {
    /// A transaction is open.
    pub const IN_TRANSACTION: u16 = 1;
    /// Autocommit is on.
    pub const AUTOCOMMIT: u16 = 1 << 1;
    /// Another result of the same command follows.
    pub const MORE_RESULTS: u16 = 1 << 3;
}
