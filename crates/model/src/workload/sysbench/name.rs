//! sysbench's workloads by name, and what distinguishes them.

use serde::{Deserialize, Serialize};

/// The database workloads of sysbench 1.0, by sysbench's own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names are sysbench's, and say all there is
pub enum SysbenchWorkload {
    OltpReadWrite,
    OltpReadOnly,
    OltpWriteOnly,
    OltpPointSelect,
    OltpInsert,
    OltpDelete,
    OltpUpdateIndex,
    OltpUpdateNonIndex,
    SelectRandomPoints,
    SelectRandomRanges,
    BulkInsert,
}

impl SysbenchWorkload {
    /// Every workload, in the order of sysbench's documentation.
    pub const ALL: [Self; 11] = [
        Self::OltpReadWrite,
        Self::OltpReadOnly,
        Self::OltpWriteOnly,
        Self::OltpPointSelect,
        Self::OltpInsert,
        Self::OltpDelete,
        Self::OltpUpdateIndex,
        Self::OltpUpdateNonIndex,
        Self::SelectRandomPoints,
        Self::SelectRandomRanges,
        Self::BulkInsert,
    ];

    /// sysbench's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::OltpReadWrite => "oltp_read_write",
            Self::OltpReadOnly => "oltp_read_only",
            Self::OltpWriteOnly => "oltp_write_only",
            Self::OltpPointSelect => "oltp_point_select",
            Self::OltpInsert => "oltp_insert",
            Self::OltpDelete => "oltp_delete",
            Self::OltpUpdateIndex => "oltp_update_index",
            Self::OltpUpdateNonIndex => "oltp_update_non_index",
            Self::SelectRandomPoints => "select_random_points",
            Self::SelectRandomRanges => "select_random_ranges",
            Self::BulkInsert => "bulk_insert",
        }
    }

    /// Whether it reads sbtest1 alone, regardless of the number of tables.
    pub fn reads_one_table(self) -> bool {
        matches!(self, Self::SelectRandomPoints | Self::SelectRandomRanges)
    }

    /// The workload of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|w| w.name() == name)
    }

    /// True if the workload changes rows, so that data must be restored for an exact repeat.
    pub fn writes(self) -> bool {
        !matches!(
            self,
            Self::OltpReadOnly | Self::OltpPointSelect | Self::SelectRandomPoints | Self::SelectRandomRanges
        )
    }

    /// A one-line summary for help and reports.
    pub fn summary(self) -> &'static str {
        match self {
            Self::OltpReadWrite => {
                "10 point selects, 4 range selects, 2 updates, a delete and an insert per transaction"
            }
            Self::OltpReadOnly => "10 point selects and 4 range selects per transaction",
            Self::OltpWriteOnly => "2 updates, a delete and an insert per transaction",
            Self::OltpPointSelect => "one row by primary key",
            Self::OltpInsert => "one row inserted",
            Self::OltpDelete => "one row deleted by primary key",
            Self::OltpUpdateIndex => "one update of an indexed column",
            Self::OltpUpdateNonIndex => "one update of a column without index",
            Self::SelectRandomPoints => "several rows by secondary key, IN (...)",
            Self::SelectRandomRanges => "count over several ranges of a secondary key",
            Self::BulkInsert => "multi-row inserts of up to 512 KiB, one table per client",
        }
    }

    /// The one-line summary in Simplified Chinese.
    pub fn summary_zh(self) -> &'static str {
        match self {
            Self::OltpReadWrite => "每个事务 10 次点查、4 次范围查询、2 次更新、1 次删除和 1 次插入",
            Self::OltpReadOnly => "每个事务 10 次点查和 4 次范围查询",
            Self::OltpWriteOnly => "每个事务 2 次更新、1 次删除和 1 次插入",
            Self::OltpPointSelect => "按主键读一行",
            Self::OltpInsert => "插入一行",
            Self::OltpDelete => "按主键删除一行",
            Self::OltpUpdateIndex => "更新一个有索引的列",
            Self::OltpUpdateNonIndex => "更新一个没有索引的列",
            Self::SelectRandomPoints => "按二级索引读若干行，IN (...)",
            Self::SelectRandomRanges => "在二级索引的若干范围上计数",
            Self::BulkInsert => "每条语句插入多行，最多 512 KiB，每个客户端一张表",
        }
    }
}
