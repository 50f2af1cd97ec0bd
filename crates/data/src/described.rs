//! Properties of a data set that are known without a server.

use model::{DataSet, for_data_set};

/// A data set, implemented by what the model keeps of it.
pub(crate) trait Described {
    /// Names of its tables.
    fn names(&self) -> Vec<String>;

    /// Rows in all of its tables.
    fn rows(&self) -> u64;

    /// Hash of everything that decides what the tables look like.
    fn identity(&self) -> u64;

    /// Description of the data set. It begins with the name of its family, by which a ledger identifies the owner.
    fn describe(&self) -> String;
}

/// The description of a data set.
pub(crate) fn described(data: &DataSet) -> &dyn Described {
    for_data_set!(data, data => data)
}
