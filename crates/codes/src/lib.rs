//! Error codes of MySQL and MariaDB: the one list of those that mydyno knows, by name and class.
//!
//! Names are those of the servers' own headers (`mysqld_error.h`, `errmsg.h`); 1000 to 1999 mean the same in both, except
//! for a few beyond 1900. This is the only place that assigns codes to classes; each caller decides what to do about a
//! class.

/// The meaning of a code for its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// Conflict with another transaction: rolled back and run again, this one may succeed.
    Conflict,
    /// The server is shutting down.
    Shutdown,
    /// The statement was killed.
    StatementKilled,
    /// The connection was killed.
    ConnectionKilled,
    /// The server takes no changes: it may have become a replica.
    ReadOnly,
    /// The connection was lost.
    ConnectionLost,
    /// An error detected by the client.
    Client,
    /// `max_connections` is reached.
    TooManyConnections,
    /// The account has a limit, and has reached it.
    UserLimit,
    /// Wrong user or password.
    AccessDenied,
    /// The account lacks a privilege for a database, table, column, operation or routine.
    Privilege,
    /// Unknown database.
    UnknownDatabase,
    /// A row with that key exists.
    DuplicateKey,
    /// An index of that name exists.
    DuplicateName,
    /// A table or column is missing.
    OtherTables,
    /// `max_prepared_stmt_count` is reached.
    TooManyStatements,
    /// A table or the disk is full.
    NoSpace,
    /// A file could not be written; the message may hold the system's error, 28 for a full disk.
    FileError,
    /// LOAD DATA LOCAL is not allowed.
    NoLocalInfile,
}

/// A code that mydyno knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The number in the protocol.
    pub number: u16,
    /// The name in the servers' headers.
    pub name: &'static str,
    /// Its class.
    pub class: ErrorClass,
}

macro_rules! codes {
    ($($name:ident = $number:literal, $class:ident;)*) => {
        $(#[doc = concat!("`", stringify!($name), "`.")] pub const $name: u16 = $number;)*

        /// All codes. Within a class, they are in display order.
        pub const ALL: &[Code] =
            &[$(Code { number: $number, name: stringify!($name), class: ErrorClass::$class }),*];
    };
}

codes! {
    ER_LOCK_DEADLOCK = 1213, Conflict;
    ER_LOCK_WAIT_TIMEOUT = 1205, Conflict;
    ER_CHECKREAD = 1020, Conflict;
    ER_TRANSACTION_ROLLBACK_DURING_COMMIT = 3101, Conflict;
    ER_UNKNOWN_COM_ERROR = 1047, Conflict;
    ER_ERROR_DURING_COMMIT = 1180, Conflict;
    ER_SERVER_SHUTDOWN = 1053, Shutdown;
    ER_QUERY_INTERRUPTED = 1317, StatementKilled;
    ER_CONNECTION_KILLED = 1927, ConnectionKilled;
    ER_SESSION_WAS_KILLED = 3169, ConnectionKilled;
    ER_OPTION_PREVENTS_STATEMENT = 1290, ReadOnly;
    ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION = 1792, ReadOnly;
    CR_SERVER_GONE_ERROR = 2006, ConnectionLost;
    CR_SERVER_LOST = 2013, ConnectionLost;
    ER_CLIENT_INTERACTION_TIMEOUT = 4031, ConnectionLost;
    CR_UNKNOWN_ERROR = 2000, Client;
    ER_CON_COUNT_ERROR = 1040, TooManyConnections;
    ER_USER_LIMIT_REACHED = 1226, UserLimit;
    ER_ACCESS_DENIED_ERROR = 1045, AccessDenied;
    ER_ACCESS_DENIED_NO_PASSWORD_ERROR = 1698, AccessDenied;
    ER_DBACCESS_DENIED_ERROR = 1044, Privilege;
    ER_TABLEACCESS_DENIED_ERROR = 1142, Privilege;
    ER_COLUMNACCESS_DENIED_ERROR = 1143, Privilege;
    ER_SPECIFIC_ACCESS_DENIED_ERROR = 1227, Privilege;
    ER_PROCACCESS_DENIED_ERROR = 1370, Privilege;
    ER_BAD_DB_ERROR = 1049, UnknownDatabase;
    ER_DUP_ENTRY = 1062, DuplicateKey;
    ER_DUP_KEYNAME = 1061, DuplicateName;
    ER_NO_SUCH_TABLE = 1146, OtherTables;
    ER_BAD_FIELD_ERROR = 1054, OtherTables;
    ER_MAX_PREPARED_STMT_COUNT_REACHED = 1461, TooManyStatements;
    ER_RECORD_FILE_FULL = 1114, NoSpace;
    ER_DISK_FULL = 1021, NoSpace;
    EE_WRITE = 3, FileError;
    ER_ERROR_ON_WRITE = 1026, FileError;
    ER_GET_ERRNO = 1030, FileError;
    ER_TEMP_FILE_WRITE_FAILURE = 1878, FileError;
    ENOSPC = 28, FileError;
    ER_NOT_ALLOWED_COMMAND = 1148, NoLocalInfile;
    ER_CLIENT_LOCAL_FILES_DISABLED = 3948, NoLocalInfile;
    ER_LOAD_INFILE_CAPABILITY_DISABLED = 4166, NoLocalInfile;
    CR_LOAD_DATA_LOCAL_INFILE_REJECTED = 2068, NoLocalInfile;
}

/// The class of a code, if it is known.
pub fn class(number: u16) -> Option<ErrorClass> {
    ALL.iter().find(|code| code.number == number).map(|code| code.class)
}

/// Whether a code belongs to one of these classes.
pub fn is(number: u16, classes: &[ErrorClass]) -> bool {
    class(number).is_some_and(|class| classes.contains(&class))
}

/// The codes of a class.
pub fn of(class: ErrorClass) -> impl Iterator<Item = u16> {
    ALL.iter().filter(move |code| code.class == class).map(|code| code.number)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_there_once() {
        let numbers: BTreeSet<u16> = ALL.iter().map(|code| code.number).collect();
        let names: BTreeSet<&str> = ALL.iter().map(|code| code.name).collect();
        assert_eq!((numbers.len(), names.len()), (ALL.len(), ALL.len()));
    }

    #[test]
    fn conflicts_are_sysbenchs_three_and_those_of_clusters() {
        assert_eq!(of(ErrorClass::Conflict).collect::<Vec<_>>(), [1213, 1205, 1020, 3101, 1047, 1180]);
        assert_eq!((class(1062), class(9999)), (Some(ErrorClass::DuplicateKey), None));
        assert!(is(3169, &[ErrorClass::ConnectionKilled, ErrorClass::Shutdown]));
    }
}
