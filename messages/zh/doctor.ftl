### What doctor found: facts and evidence. Why it matters, what to do and at what cost stand in knowledge/rules.
### A clause begins in lower case and ends without a full stop.

## The head of a note: what a server is and what it is doing

doctor-thread-pool = 线程池，{ $groups } 组

doctor-thread-pool-plain = 线程池

doctor-one-per-connection = 每个连接一个

doctor-threads-unknown = 未知

doctor-replication-not-visible = 复制状态不可见

doctor-replica-lag-unknown = { $source } 的从库（延迟未知）

doctor-replica-of = { $source } 的从库（落后 { $lag } 秒）

doctor-galera = { $size } 节点 Galera 集群的成员

doctor-group-replication = 已配置 Group Replication

doctor-source-of = { $count } 个从库的主库

doctor-standalone = 单实例

doctor-binlog-on = binlog 开启

doctor-binlog-none = 无 binlog

doctor-read-only = 只读

doctor-series-unknown = { $major }.{ $minor } 系列，停止维护的日期未知

doctor-series-lts = 长期支持版

doctor-series-innovation = 创新版

doctor-series-short = 短期版

doctor-series-bug-fix = 仅修复缺陷的系列

doctor-support-all-ended = 主要支持已于 { $end } 结束，延长支持已于 { $extended } 结束

doctor-support-premier-ended = 主要支持已于 { $end } 结束，延长支持到 { $extended }

doctor-support = 主要支持到 { $end }，延长支持到 { $extended }

doctor-maintenance-ended = 已于 { $end } 停止维护

doctor-maintenance = 维护到 { $end }

doctor-end-unknown = 停止维护的日期未知

## Evidence: durability

doctor-not-crash-safe = MyISAM、CSV 或 ARCHIVE 表：{ $count } 张

## Evidence: version

doctor-last-fixes = { $major }.{ $minor } 系列的最后一次修复发布于 { $end }

## Evidence: reading and writing

doctor-dirty-pages = 缓冲池中脏页占 { $dirty }，innodb_max_dirty_pages_pct = { $limit }，{ $capacity }

doctor-pool-wait-free = 等待缓冲池空闲页 { $waits } 次，{ $capacity }

doctor-binlog-cache = { $share } 的事务超出 binlog_cache_size = { $size }

doctor-disk-writes = { $capacity }；磁盘每秒完成 { $per_s } 次写{ $ms ->
    [not-given] {""}
   *[other] ，平均每次 { $ms } 毫秒
  }

doctor-redo-capacity = { $name } = { $size }{ $lasts ->
    [not-given] {""}
   *[other] ，按{ $since }的平均写入速率 { $lasts } 秒写满
  }

doctor-redo-capacity-action = { $how ->
    [set] SET GLOBAL { $name } = { $value };（并写入 my.cnf）
   *[restart] 在 my.cnf 中设置 { $name } = { $value } 并重启
  } { $size }{ $by ->
    [rate] ：按{ $since }的平均速率容纳一小时的写入
   *[default] ；有负载时按一小时的写入量设置
  }

## Evidence: planned load and limits

doctor-max-connections = max_connections = { $most }，峰值 { $used }，拒绝 { $refused } 次

doctor-prepared-statements = max_prepared_stmt_count = { $most }，当前已打开 { $open }

doctor-planned-clients = { $handling }，计划的客户端数：{ $clients }

doctor-running-threads = { $handling }，当前运行的线程数：{ $clients }

doctor-not-default = { $said }（默认 { $usual }）

doctor-thread-cache = { $cache }，{ $all } 个连接中有 { $made } 个新建了线程

doctor-open-files = open_files_limit = { $limit }，已打开的文件和连接数：{ $open }

doctor-planned-tables = table_open_cache = { $cache }，计划的客户端数 × 表数：{ $wanted }

doctor-table-cache-action = SET GLOBAL table_open_cache = { $size };（并写入 my.cnf）

doctor-table-cache-misses = table_open_cache = { $cache }，每秒打开 { $opened } 张表，{ $missed } 的查找未命中

doctor-table-cache-small = table_open_cache = { $cache }（默认不低于 2,000）

doctor-max-binlog-size = max_binlog_size = { $size }{ $seconds ->
    [not-given] {""}
   *[other] ，按{ $since }的平均速率每 { $seconds } 秒切换一次
  }

doctor-deadlocks-printed = { $setting }{ $deadlocks ->
    [not-given] {""}
   *[other] ，{ $since }死锁 { $deadlocks } 次
  }

## Evidence: memory

doctor-pool-and-memory = innodb_buffer_pool_size = { $size }，内存 { $all }

doctor-log-buffer = innodb_log_buffer_size = { $size }，等待日志缓冲区空间 { $waits } 次

doctor-tmp-tables-on-disk = { $whole } 个临时表中 { $part } 落盘，tmp_table_size = { $size }

doctor-pool-instances = innodb_buffer_pool_instances = { $parts }，缓冲池 { $size }

doctor-numa = { $setting }，{ $nodes } 个 NUMA 节点

doctor-session-buffers = { $number } 个会话最多共占 { $size }

doctor-pool-small = innodb_buffer_pool_size = { $pool }{ $data ->
    [not-given] {""}
   *[other] ，数据和索引 { $data }
  }{ $memory ->
    [not-given] {""}
   *[other] ，内存 { $memory }
  }{ $missed ->
    [not-given] {""}
   *[other] ，{ $missed } 的页请求需要读盘
  }

## Evidence: waits and contention

doctor-old-transaction = 有事务持续 { $age } 秒未结束

doctor-history-list = history list 长度 { $length }

doctor-row-lock-waits = 行锁等待 { $waits } 次，平均 { $mean } 毫秒：平均有 { $clients } 个客户端在等待

doctor-deadlocks = 死锁 { $all } 次，每分钟 { $each_minute } 次

doctor-table-locks = { $part } 的表锁请求需要等待

doctor-full-joins = 未用索引的连接 { $all } 次，每秒 { $each } 次

doctor-scans = { $part } 的行由全表扫描读取，每秒 { $each } 行

doctor-sorts-on-disk = 排序每秒归并 { $each } 趟，{ $size }

doctor-aborted-connects = { $whole } 次连接中有 { $part } 次失败

doctor-events = event_scheduler = ON，启用的事件：{ $events }

## Evidence: binary log and replicas

doctor-does-not-apply = 从 { $source } 复制：回放线程（SQL 线程）未运行

doctor-does-not-receive = 从 { $source } 复制：接收线程（I/O 线程）未运行

doctor-behind = 落后主库 { $lag } 秒

doctor-binlogs-never-expire = 未设置 binlog 的过期时间

doctor-semisync-fallback = 已启用半同步复制，但 { $off } = OFF

doctor-without-key = 没有主键的表：{ $all } 张{ $names ->
    [not-given] {""}
   *[other] （{ $listed ->
        [some] { $names } 等
       *[all] { $names }
      }）
  }

## Evidence: security

doctor-sql-mode-empty = sql_mode 为空

doctor-file-priv-empty = secure_file_priv 为空

doctor-no-tls = 未启用 TLS

doctor-no-password = 没有口令的账号：{ $all } 个（{ $listed ->
    [some] { $names } 等
   *[all] { $names }
  }）；{ $reach ->
    [open] 其中 { $elsewhere } 个可从其他主机连接
    [closed] 其中 { $elsewhere } 个允许从其他主机连接，但服务器只监听本机
   *[local] 仅限从服务器本机连接
  }

## Evidence: the measured window

doctor-throttled = { $at }，每秒有 { $throttled } 秒因 CPU 配额被限流

doctor-plan-changed = { $operation }：负载前 { $before }；负载后 { $after }

doctor-pool-misses = { $at }，每个事务从磁盘读 { $misses } 页，innodb_buffer_pool_size = { $size }

doctor-binlog-rotations = max_binlog_size = { $size }，{ $at }每 { $seconds } 秒切换一次

doctor-tables-reopened = { $cache }，{ $at }每个事务打开 { $opened } 张表

doctor-saturated-thread = { $at }，线程 { $name } 占用一个 CPU 的 { $share }

doctor-memory-short = 内存共 { $all }，可用仅 { $left }

doctor-rows-expected = { $operation }：估计读取 { $table } { $expected } 行，实际读取 { $read } 行

doctor-commits-wait = { $at }，每个事务的 redo 和 binlog I/O 耗时 { $ms } 毫秒，占事务时间的 { $part }

doctor-scan-by-plan = { $operation } 全表扫描 { $table }，{ $rows } 行：{ $sql }

doctor-scan-by-digest = 检查 { $examined } 行，返回 { $returned } 行，占全部语句时间的 { $share }：{ $sql }

doctor-excess = 比 { $target } 多 { $ms } 毫秒

doctor-round-trips = { $at }，网络往返占每个事务 { $whole } 毫秒中的 { $ms } 毫秒（{ $share }）{ $statements ->
    [not-given] {""}
   *[other] ，共 { $statements } 条语句，每条 { $each } 毫秒
  }{ $excess ->
    [not-given] {""}
   *[other] ，{ $excess }
  }

doctor-commit-delay = { $setting }：{ $at }，{ $waited ->
    [not-given] 每个事务 { $whole } 毫秒中最多有 { $delay } 毫秒是延迟
   *[other] 每个事务 { $whole } 毫秒中有 { $waited } 毫秒在 COMMIT 中等待
  }{ $logs ->
    [not-given] {""}
   *[other] ，而日志只有 { $logs } 的时间在用
  }{ $excess ->
    [not-given] {""}
   *[other] ，{ $excess }
  }

doctor-other-statements = { $at }，服务器 { $share } 的语句时间不属于本负载：平均有 { $sessions } 个其他会话，主要是 { $sql }，每次 { $ms } 毫秒

doctor-metadata-locks = { $at }，每个事务 { $whole } 毫秒中有 { $ms } 毫秒（{ $share }）在等元数据锁{ $beside ->
    [not-given] {""}
   *[other] ，{ $beside }
  }

doctor-metadata-lock-waits = { $clients } 个客户端中平均有 { $sessions } 条语句处于“{ $state }”，最长 { $seconds }{ $beside ->
    [not-given] {""}
   *[other] ，{ $beside }
  }

doctor-beside-statement = 期间 { $verb } 已执行 { $seconds }（“{ $state }”）

doctor-long-statements = { $at }，平均有 { $sessions } 条其他会话的语句执行了一秒以上，主要是 { $verb }（“{ $state }”），最长 { $seconds }

doctor-tmp-disk-tables = { $at }，每个事务产生 { $tables } 个磁盘临时表{ $size ->
    [not-given] {""}
   *[other] ，tmp_table_size = { $size }
  }

doctor-tmp-tables-exceed = { $at }，每个事务有 { $tables } 个临时表超过 tmp_table_size = { $size }

doctor-thread-pool-groups = { $at }，{ $setting }{ $cpus ->
    [not-given] {""}
   *[other] ，CPU 数 { $cpus }
  }{ $idle ->
    [not-given] {""}
   *[other] ，CPU 时间的 { $idle } 空闲
  }

doctor-disk-shared = { $at }，其他进程每秒写盘 { $others }，服务器 { $server }{ $busy ->
    [not-given] {""}
   *[other] ；磁盘 { $busy } 的时间繁忙
  }{ $ms ->
    [not-given] {""}
   *[other] ；每次写耗时 { $ms } 毫秒
  }

doctor-commit-wait-time = { $at }，COMMIT 中的等待占每个事务 { $whole } 毫秒中的 { $ms } 毫秒（{ $share }）{ $logs ->
    [not-given] {""}
   *[other] ，日志有 { $logs } 的时间在用
  }{ $excess ->
    [not-given] {""}
   *[other] ，{ $excess }
  }

doctor-part-time = { $at }，{ $part }占每个事务 { $whole } 毫秒中的 { $ms } 毫秒（{ $share }）{ $excess ->
    [not-given] {""}
   *[other] ，{ $excess }
  }

doctor-unattributed-time = { $at }，每个事务 { $whole } 毫秒中有 { $ms } 毫秒（{ $share }）无法归因{ $excess ->
    [not-given] {""}
   *[other] ，{ $excess }
  }{ $idle ->
    [not-given] {""}
   *[other] ；CPU 时间的 { $idle } 空闲
  }{ $event ->
    [not-given] {""}
   *[other] ；等待最多的是 { $event }，{ $waited } 毫秒
  }

doctor-serializable-action = SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ;（SERIALIZABLE 对读到的每一行加锁）

doctor-read-committed-action = 缩短事务；热点行放到最后，并按固定顺序访问；减少客户端

doctor-at = { $clients } 个客户端时

doctor-in-window = 测量窗口内

doctor-since-start = 自服务器启动以来

doctor-error-log = { $at }，错误日志每秒写入 { $size }{ $deadlocks ->
    [printed] ，innodb_print_all_deadlocks = ON
   *[not-printed] {""}
  }

doctor-row-locks = { $at }，事务时间的 { $share } 用于等待行锁{ $per_100 ->
    [not-given] {""}
   *[other] ，每 100 个事务有 { $per_100 } 次死锁和锁等待超时
  }{ $level ->
    [not-given] {""}
   *[other] ，{ $level }
  }

differs-on-purpose = 无需修改：各目标特意使用不同的 { $variable }

costs-nothing = 无

limits-why = 计划负载的客户端会被拒绝，或在运行中失败

limits-cost = 放宽上限会占用服务器内存
