//! What a crash can lose, and what a commit pays for it.

use super::Since::{Both, Mariadb, Mysql};
use super::{Entry, FIRST, Touches, Unit};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "innodb_flush_log_at_trx_commit",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Both("1")],
        meaning: (
            "when a commit's redo is on disk: 1 at the commit, 2 a second later, 0 neither written nor flushed for a second",
            "提交的 redo 何时落盘：1 提交时，2 约一秒后，0 一秒内既不写也不刷",
        ),
        effect: (
            "0 and 2 save a flush per commit: several times the commits on a slow disk, and the last second can be lost",
            "0 和 2 省去每次提交的刷盘：慢盘上提交数可达数倍，但可能丢失最后一秒",
        ),
    },
    Entry {
        name: "sync_binlog",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mysql(FIRST, "1"), Mariadb(FIRST, "0")],
        meaning: (
            "binary log is flushed after so many groups of commits; 0: when the system likes",
            "每多少组提交刷一次二进制日志；0：由操作系统决定",
        ),
        effect: (
            "1 costs a second flush per group of commits; anything else can lose commits from the binary log",
            "1 使每组提交多一次刷盘；其他值可能使二进制日志丢失提交",
        ),
    },
    Entry {
        name: "log_bin",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mysql(FIRST, "OFF"), Mysql((8, 0, 0), "ON"), Mariadb(FIRST, "OFF")],
        meaning: ("whether the binary log is written", "是否写二进制日志"),
        effect: (
            "on: every commit is written twice and committed in two phases",
            "开启：每次提交写两份，并两阶段提交",
        ),
    },
    Entry {
        name: "innodb_doublewrite",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Both("ON")],
        meaning: (
            "pages are written twice, so that a torn page can be repaired",
            "页写两次，以便修复写了一半的页",
        ),
        effect: (
            "off halves the page writes; a crash can then destroy pages",
            "关闭使页写入减半；崩溃时页可能损坏",
        ),
    },
    Entry {
        name: "innodb_flush_method",
        unit: Unit::Plain,
        touches: Touches::All,
        defaults: &[
            Mysql(FIRST, "fsync"),
            Mysql((8, 4, 0), "O_DIRECT"),
            Mariadb(FIRST, "fsync"),
            Mariadb((10, 6, 0), "O_DIRECT"),
        ],
        meaning: (
            "how data files are read and written: past the cache of the system (O_DIRECT) or through it (fsync)",
            "数据文件的读写方式：绕过系统缓存（O_DIRECT）或经过它（fsync）",
        ),
        effect: (
            "fsync keeps a second copy of pages in the system cache: reads that miss a small buffer pool are faster (2.0x was measured), and memory holds the data twice; O_DIRECT reads from the disk",
            "fsync 使系统缓存中多一份页副本：缓冲池小时，未命中的读更快（曾测得 2.0 倍），但数据占用两份内存；O_DIRECT 直接读盘",
        ),
    },
    Entry {
        name: "innodb_flush_log_at_timeout",
        unit: Unit::Seconds,
        touches: Touches::Writes,
        defaults: &[Both("1")],
        meaning: ("how often redo is flushed in the background", "后台多久刷一次 redo"),
        effect: (
            "what a crash can lose when innodb_flush_log_at_trx_commit is 0 or 2",
            "innodb_flush_log_at_trx_commit 为 0 或 2 时崩溃可能丢失的时间",
        ),
    },
    Entry {
        name: "innodb_use_fdatasync",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mysql((8, 0, 26), "OFF"), Mysql((8, 4, 0), "ON")],
        meaning: ("fdatasync in place of fsync", "用 fdatasync 代替 fsync"),
        effect: ("on saves the write of file metadata at each flush", "开启省去每次刷盘时的文件元数据写入"),
    },
    Entry {
        name: "innodb_data_file_buffering",
        unit: Unit::Plain,
        touches: Touches::All,
        defaults: &[Mariadb((11, 0, 0), "OFF")],
        meaning: ("data files go through the cache of the system", "数据文件经过系统缓存"),
        effect: ("on: data are held twice in memory", "开启：数据在内存中有两份"),
    },
    Entry {
        name: "innodb_data_file_write_through",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mariadb((11, 0, 0), "OFF")],
        meaning: ("each write to a data file waits for the disk", "数据文件的每次写入都等待磁盘"),
        effect: ("on: page writes are slower, checkpoints need no flush", "开启：写页较慢，检查点无需刷盘"),
    },
    Entry {
        name: "innodb_log_file_buffering",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mariadb((10, 11, 0), "OFF")],
        meaning: ("the redo log goes through the cache of the system", "redo 日志经过系统缓存"),
        effect: (
            "off writes the log past the cache; which is faster depends on the disk",
            "关闭时日志绕过缓存；孰快取决于磁盘",
        ),
    },
    Entry {
        name: "innodb_log_file_write_through",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mariadb((11, 0, 0), "OFF")],
        meaning: ("each write of redo waits for the disk", "每次写 redo 都等待磁盘"),
        effect: ("on: write and flush are one, which suits fast flash", "开启：写与刷合一，适合快速闪存"),
    },
    Entry {
        name: "innodb_checksum_algorithm",
        unit: Unit::Plain,
        touches: Touches::All,
        defaults: &[Mysql(FIRST, "crc32"), Mariadb(FIRST, "crc32"), Mariadb((10, 5, 0), "full_crc32")],
        meaning: ("checksum of data pages", "数据页的校验算法"),
        effect: ("little: crc32 is done by the CPU", "很小：crc32 由 CPU 指令完成"),
    },
    Entry {
        name: "innodb_log_checksums",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mysql(FIRST, "ON")],
        meaning: ("checksum of redo log blocks", "redo 日志块的校验"),
        effect: ("little; off, a damaged log is not noticed", "很小；关闭则发现不了损坏的日志"),
    },
    Entry {
        name: "innodb_support_xa",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mysql((5, 7, 0), "ON")],
        meaning: (
            "two-phase commit between InnoDB and the binary log",
            "InnoDB 与二进制日志之间的两阶段提交",
        ),
        effect: ("off: log and data can differ after a crash", "关闭：崩溃后日志与数据可能不一致"),
    },
    Entry {
        name: "innodb_fast_shutdown",
        unit: Unit::Plain,
        touches: Touches::Restart,
        defaults: &[Both("1")],
        meaning: (
            "how much is tidied up at a shutdown; 2 leaves it to crash recovery",
            "关闭时整理多少；2 留给崩溃恢复",
        ),
        effect: ("0 is slow, 2 makes the next start slow", "0 关闭慢，2 使下次启动慢"),
    },
    Entry {
        name: "innodb_force_recovery",
        unit: Unit::Plain,
        touches: Touches::All,
        defaults: &[Both("0")],
        meaning: (
            "parts of InnoDB that are switched off to get at damaged data",
            "为读取损坏数据而关闭的 InnoDB 部分",
        ),
        effect: ("above 0 nothing measured means anything", "大于 0 时测量没有意义"),
    },
    Entry {
        name: "innodb_max_undo_log_size",
        unit: Unit::Bytes,
        touches: Touches::Writes,
        defaults: &[Mysql(FIRST, "1073741824"), Mariadb(FIRST, "10485760")],
        meaning: ("size from which an undo tablespace is truncated", "undo 表空间超过此大小即被截断"),
        effect: ("truncation stalls writes for a moment", "截断会使写入短暂停顿"),
    },
    Entry {
        name: "innodb_undo_log_truncate",
        unit: Unit::Plain,
        touches: Touches::Writes,
        defaults: &[Mysql(FIRST, "OFF"), Mysql((8, 0, 0), "ON"), Mariadb(FIRST, "OFF")],
        meaning: ("undo tablespaces that have grown are truncated", "截断变大的 undo 表空间"),
        effect: (
            "on bounds the disk space, at the price of short stalls",
            "开启限制磁盘占用，代价是短暂停顿",
        ),
    },
    Entry {
        name: "aria_group_commit",
        unit: Unit::Plain,
        touches: Touches::Nothing,
        defaults: &[Mariadb(FIRST, "none")],
        meaning: ("commits of Aria tables are flushed together", "Aria 表的提交合并刷盘"),
        effect: ("none on InnoDB tables", "对 InnoDB 表无影响"),
    },
];
