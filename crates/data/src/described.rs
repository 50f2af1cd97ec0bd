//! What can be said of a data set without a server.

use model::{DataSet, for_data_set};

/// A data set, implemented by what the model keeps of it.
pub(crate) trait Described {
    /// Names of its tables.
    fn names(&self) -> Vec<String>;

    /// Rows in all of its tables.
    fn rows(&self) -> u64;

    /// Hash of everything that decides what the tables look like.
    fn identity(&self) -> u64;

    /// What it is, in words. They begin with the name of its family, by which a ledger tells whose it is.
    fn describe(&self) -> String;
}

/// What is said of a data set.
pub(crate) fn described(data: &DataSet) -> &dyn Described {
    for_data_set!(data, data => data)
}
