//! Functions over slices: intervals, quantiles; knows nothing of MySQL.
