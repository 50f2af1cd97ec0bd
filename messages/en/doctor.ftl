### What doctor found: facts and evidence. Why it matters, what to do and at what cost stand in knowledge/rules.
### A clause begins in lower case and ends without a full stop.

## The head of a note: what a server is and what it is doing

# Variables:
#   $groups (Text)
doctor-thread-pool = thread pool of { $groups } groups

doctor-thread-pool-plain = thread pool

doctor-one-per-connection = one per connection

doctor-threads-unknown = unknown

doctor-replication-not-visible = replication status not visible

# Variables:
#   $source (Text)
doctor-replica-lag-unknown = replica of { $source } (lag unknown)

# Variables:
#   $source (Text)
#   $lag (Count) - seconds
doctor-replica-of = replica of { $source } ({ $lag } s behind)

# Variables:
#   $size (Count) - nodes
doctor-galera = member of a { $size }-node Galera cluster

doctor-group-replication = configured for Group Replication

# Variables:
#   $count (Count) - replicas
doctor-source-of = source of { $count ->
    [one] { $count } replica
   *[other] { $count } replicas
  }

doctor-standalone = standalone

doctor-binlog-on = binary log on

doctor-binlog-none = no binary log

doctor-read-only = read-only

# Variables:
#   $major (Text)
#   $minor (Text)
doctor-series-unknown = series { $major }.{ $minor }, end of life unknown

doctor-series-lts = LTS

doctor-series-innovation = Innovation release

doctor-series-short = short-term release

doctor-series-bug-fix = bug-fix series

# Variables:
#   $end (Text) - a day
#   $extended (Text) - a day
doctor-support-all-ended = premier support ended { $end }, extended support ended { $extended }

# Variables:
#   $end (Text) - a day
#   $extended (Text) - a day
doctor-support-premier-ended = premier support ended { $end }, extended support ends { $extended }

# Variables:
#   $end (Text) - a day
#   $extended (Text) - a day
doctor-support = premier support until { $end }, extended until { $extended }

# Variables:
#   $end (Text) - a day
doctor-maintenance-ended = end of life since { $end }

# Variables:
#   $end (Text) - a day
doctor-maintenance = maintained until { $end }

doctor-end-unknown = end of life unknown

## Evidence: durability

# Variables:
#   $count (Count) - tables
doctor-not-crash-safe = tables in MyISAM, CSV or ARCHIVE: { $count }

## Evidence: version

# Variables:
#   $major (Text)
#   $minor (Text)
#   $end (Text) - a day
doctor-last-fixes = series { $major }.{ $minor } received its last fixes on { $end }

## Evidence: reading and writing

# Variables:
#   $dirty (Percent)
#   $limit (Whole) - percent
#   $capacity (Text) - a setting with its value
doctor-dirty-pages = { $dirty } of the buffer pool is dirty, innodb_max_dirty_pages_pct = { $limit }, { $capacity }

# Variables:
#   $waits (Count)
#   $capacity (Text) - a setting with its value
doctor-pool-wait-free = waits for a free buffer pool page: { $waits }, { $capacity }

# Variables:
#   $share (Percent)
#   $size (Bytes)
doctor-binlog-cache = { $share } of transactions exceed binlog_cache_size = { $size }

# Variables:
#   $capacity (Text) - a setting with its value
#   $per_s (Figure)
#   $ms (Figure?) - each write takes
doctor-disk-writes = { $capacity }; the disk completed { $per_s } writes/s{ $ms ->
    [not-given] {""}
   *[other] , { $ms } ms each
  }

# Variables:
#   $name (Text) - of the variable
#   $size (Bytes)
#   $lasts (Whole?) - seconds
#   $since (Message) - over what the rate was counted
doctor-redo-capacity = { $name } = { $size }{ $lasts ->
    [not-given] {""}
   *[other] ; fills in { $lasts } s at the mean write rate { $since }
  }

# Variables:
#   $how (Word: set, restart) - whether the server has to be restarted
#   $name (Text) - of the variable
#   $value (Text) - bytes
#   $size (Bytes) - of all files
#   $by (Word: rate, default) - whether writes were seen
#   $since (Message) - over what the rate was counted
doctor-redo-capacity-action = { $how ->
    [set] SET GLOBAL { $name } = { $value };  (and in my.cnf)
   *[restart] { $name } = { $value } in my.cnf, and restart
  }{"  "}{ $size }{ $by ->
    [rate] : an hour of writes at the mean rate { $since }
   *[default] ; under load, size it for an hour of writes
  }

## Evidence: planned load and limits

# Variables:
#   $most (Count)
#   $used (Count)
#   $refused (Count)
doctor-max-connections = max_connections = { $most }, peak { $used }, refused { $refused }

# Variables:
#   $most (Count)
#   $open (Count)
doctor-prepared-statements = max_prepared_stmt_count = { $most }, currently open { $open }

# Variables:
#   $handling (Text) - a setting with its value
#   $clients (Count)
doctor-planned-clients = { $handling }, planned clients: { $clients }

# Variables:
#   $handling (Text) - a setting with its value
#   $clients (Count) - threads
doctor-running-threads = { $handling }, threads running: { $clients }

# Variables:
#   $said (Text) - a setting with its value
#   $usual (Text) - its default
doctor-not-default = { $said } (default { $usual })

# Variables:
#   $cache (Text) - a setting with its value
#   $made (Count)
#   $all (Count)
doctor-thread-cache = { $cache }, threads created for { $made } of { $all } connections

# Variables:
#   $limit (Count)
#   $open (Count)
doctor-open-files = open_files_limit = { $limit }, open files and connections: { $open }

# Variables:
#   $cache (Count)
#   $wanted (Count)
doctor-planned-tables = table_open_cache = { $cache }, planned clients x tables: { $wanted }

# Variables:
#   $size (Text) - entries
doctor-table-cache-action = SET GLOBAL table_open_cache = { $size };  (and in my.cnf)

# Variables:
#   $cache (Count)
#   $opened (Tenths) - tables per second
#   $missed (Percent)
doctor-table-cache-misses = table_open_cache = { $cache }, { $opened } tables opened per second, { $missed } of lookups missed

# Variables:
#   $cache (Count)
doctor-table-cache-small = table_open_cache = { $cache } (default 2,000 and more)

# Variables:
#   $size (Bytes)
#   $seconds (Whole?)
#   $since (Message) - over what the rate was counted
doctor-max-binlog-size = max_binlog_size = { $size }{ $seconds ->
    [not-given] {""}
   *[other] , a rotation every { $seconds } s at the mean rate { $since }
  }

# Variables:
#   $setting (Text) - with its value
#   $deadlocks (Count?)
#   $since (Message) - over what they were counted
doctor-deadlocks-printed = { $setting }{ $deadlocks ->
    [not-given] {""}
    [one] , { $deadlocks } deadlock { $since }
   *[other] , { $deadlocks } deadlocks { $since }
  }

## Evidence: memory

# Variables:
#   $size (Bytes)
#   $all (Bytes) - memory
doctor-pool-and-memory = innodb_buffer_pool_size = { $size }, memory { $all }

# Variables:
#   $size (Bytes)
#   $waits (Count)
doctor-log-buffer = innodb_log_buffer_size = { $size }, waits for log buffer space: { $waits }

# Variables:
#   $part (Percent)
#   $whole (Count)
#   $size (Bytes)
doctor-tmp-tables-on-disk = { $part } of { $whole } temporary tables were created on disk, tmp_table_size = { $size }

# Variables:
#   $parts (Count)
#   $size (Bytes)
doctor-pool-instances = innodb_buffer_pool_instances = { $parts } for a pool of { $size }

# Variables:
#   $setting (Text) - a setting with its value
#   $nodes (Count)
doctor-numa = { $setting }, { $nodes } NUMA nodes

# Variables:
#   $size (Bytes)
#   $number (Count)
doctor-session-buffers = up to { $size } for { $number } sessions

# Variables:
#   $pool (Bytes)
#   $data (Bytes?) - data and indexes, if they exceed the pool
#   $memory (Bytes?)
#   $missed (Percent?) - of page requests
doctor-pool-small = innodb_buffer_pool_size = { $pool }{ $data ->
    [not-given] {""}
   *[other] , data and indexes { $data }
  }{ $memory ->
    [not-given] {""}
   *[other] , memory { $memory }
  }{ $missed ->
    [not-given] {""}
   *[other] , { $missed } of page requests go to disk
  }

## Evidence: waits and contention

# Variables:
#   $age (Count) - seconds
doctor-old-transaction = a transaction has been open for { $age } s

# Variables:
#   $length (Count)
doctor-history-list = history list length { $length }

# Variables:
#   $waits (Count)
#   $mean (Count) - milliseconds
#   $clients (Figure)
doctor-row-lock-waits = { $waits } row lock waits, mean { $mean } ms: { $clients } clients waiting on average

# Variables:
#   $all (Count)
#   $each_minute (Figure)
doctor-deadlocks = { $all } deadlocks, { $each_minute } per minute

# Variables:
#   $part (Percent)
doctor-table-locks = { $part } of table lock requests waited

# Variables:
#   $all (Count)
#   $each (Figure) - per second
doctor-full-joins = { $all } joins without an index, { $each } per second

# Variables:
#   $part (Percent)
#   $each (Figure) - rows per second
doctor-scans = { $part } of rows were read by table scans, { $each } per second

# Variables:
#   $each (Figure) - per second
#   $size (Text) - a setting with its value
doctor-sorts-on-disk = { $each } sort merge passes per second, { $size }

# Variables:
#   $part (Count)
#   $whole (Count)
doctor-aborted-connects = { $part } of { $whole } connections failed

# Variables:
#   $events (Count)
doctor-events = event_scheduler = ON, enabled events: { $events }

## Evidence: binary log and replicas

# Variables:
#   $source (Text)
doctor-does-not-apply = replication from { $source }: the applier (SQL thread) is not running

# Variables:
#   $source (Text)
doctor-does-not-receive = replication from { $source }: the receiver (I/O thread) is not running

# Variables:
#   $lag (Count) - seconds
doctor-behind = { $lag } s behind its source

doctor-binlogs-never-expire = no expiration period for binary logs

# Variables:
#   $off (Text) - a status variable
doctor-semisync-fallback = { $off } = OFF although semisynchronous replication is enabled

# Variables:
#   $all (Count) - tables
#   $names (Text?)
#   $listed (Word: some, all) - of the tables
doctor-without-key = tables without a primary key: { $all }{ $names ->
    [not-given] {""}
   *[other] {" "}({ $listed ->
        [some] { $names }, ...
       *[all] { $names }
      })
  }

## Evidence: security

doctor-sql-mode-empty = sql_mode is empty

doctor-file-priv-empty = secure_file_priv is empty

doctor-no-tls = no TLS

# Variables:
#   $all (Count) - accounts
#   $names (Text)
#   $listed (Word: some, all) - of the accounts
#   $reach (Word: open, closed, local) - whether they can be used from other hosts
#   $elsewhere (Count) - accounts that may connect from other hosts
doctor-no-password = accounts without a password: { $all } ({ $listed ->
    [some] { $names }, ...
   *[all] { $names }
  }); { $reach ->
    [open] { $elsewhere } can connect from other hosts
    [closed] { $elsewhere } may connect from other hosts, but the server listens on the local host only
   *[local] usable only from the server's host
  }

## Evidence: the measured window

# Variables:
#   $throttled (Figure) - seconds
#   $at (Message) - at so many clients
doctor-throttled = { $throttled } s of throttling per second { $at }

# Variables:
#   $operation (Text)
#   $before (Text)
#   $after (Text)
doctor-plan-changed = { $operation }: before the load { $before }; after the load { $after }

# Variables:
#   $misses (Figure) - pages
#   $at (Message) - at so many clients
#   $size (Bytes)
doctor-pool-misses = { $misses } pages read from disk per transaction { $at }, innodb_buffer_pool_size = { $size }

# Variables:
#   $size (Bytes)
#   $seconds (Figure)
#   $at (Message) - at so many clients
doctor-binlog-rotations = max_binlog_size = { $size }, a rotation every { $seconds } s { $at }

# Variables:
#   $cache (Text) - a setting with its value
#   $opened (Figure)
#   $at (Message) - at so many clients
doctor-tables-reopened = { $cache }, { $opened } tables opened per transaction { $at }

# Variables:
#   $name (Text)
#   $share (Percent)
#   $at (Message) - at so many clients
doctor-saturated-thread = thread { $name } uses { $share } of a CPU { $at }

# Variables:
#   $left (Bytes)
#   $all (Bytes)
doctor-memory-short = { $left } of { $all } memory available

# Variables:
#   $operation (Text)
#   $expected (Count)
#   $table (Text)
#   $read (Count)
doctor-rows-expected = { $operation }: { $expected } rows of { $table } estimated, { $read } read

# Variables:
#   $ms (Figure)
#   $part (Percent)
#   $at (Message) - at so many clients
doctor-commits-wait = { $ms } ms per transaction in redo and binary log I/O, { $part } of its time { $at }

# Variables:
#   $operation (Text)
#   $table (Text)
#   $rows (Count)
#   $sql (Text)
doctor-scan-by-plan = { $operation } reads all of { $table }, { $rows } rows: { $sql }

# Variables:
#   $examined (Count) - rows
#   $returned (Figure) - rows
#   $share (Percent)
#   $sql (Text)
doctor-scan-by-digest = { $examined } rows examined for { $returned } returned, { $share } of total statement time: { $sql }

# Variables:
#   $ms (Figure)
#   $target (Text) - the other target
doctor-excess = { $ms } ms more than on { $target }

# Variables:
#   $ms (Figure)
#   $whole (Figure) - ms of a transaction
#   $share (Percent)
#   $at (Message) - at so many clients
#   $statements (Whole?) - of a transaction
#   $each (Figure?) - ms of a round trip
#   $excess (Message?) - how much more than on another target
doctor-round-trips = round trips: { $ms } of { $whole } ms of a transaction ({ $share }) { $at }{ $statements ->
    [not-given] {""}
   *[other] , { $statements } statements of { $each } ms each
  }{ $excess ->
    [not-given] {""}
   *[other] , { $excess }
  }

# Variables:
#   $setting (Text) - a setting with its value
#   $waited (Figure?) - ms of a transaction; none without COMMIT
#   $delay (Figure) - ms
#   $whole (Figure) - ms of a transaction
#   $at (Message) - at so many clients
#   $logs (Percent?) - of the time
#   $excess (Message?) - how much more than on another target
doctor-commit-delay = { $setting }: { $waited ->
    [not-given] up to { $delay } ms of delay in the { $whole } ms of a transaction
   *[other] { $waited } of { $whole } ms of a transaction waiting in COMMIT
  } { $at }{ $logs ->
    [not-given] {""}
   *[other] , while the logs are in use { $logs } of the time
  }{ $excess ->
    [not-given] {""}
   *[other] , { $excess }
  }

# Variables:
#   $share (Percent) - of the time of all statements
#   $sessions (Figure)
#   $at (Message) - at so many clients
#   $ms (Figure) - each execution takes
#   $sql (Text)
doctor-other-statements = { $share } of the server's statement time is not the load's { $at }: { $sessions } other sessions on average, most of it { $ms } ms each in { $sql }

# Variables:
#   $ms (Figure)
#   $whole (Figure) - ms of a transaction
#   $share (Percent)
#   $at (Message) - at so many clients
#   $beside (Message?) - a statement that ran meanwhile
doctor-metadata-locks = waiting for metadata locks: { $ms } of { $whole } ms of a transaction ({ $share }) { $at }{ $beside ->
    [not-given] {""}
   *[other] , { $beside }
  }

# Variables:
#   $sessions (Figure) - that wait, in the mean
#   $clients (Count)
#   $state (Text) - what they do, in the server's words
#   $seconds (Seconds) - the longest wait
#   $beside (Message?) - a statement that ran meanwhile
doctor-metadata-lock-waits = { $sessions } statements on average, of { $clients ->
    [one] { $clients } client
   *[other] { $clients } clients
  }, in state "{ $state }" for up to { $seconds }{ $beside ->
    [not-given] {""}
   *[other] , { $beside }
  }

# Variables:
#   $verb (Text) - first word of the statement
#   $state (Text) - what it does, in the server's words
#   $seconds (Seconds) - how long it has run
doctor-beside-statement = while { $verb } ran for up to { $seconds } ("{ $state }")

# Variables:
#   $sessions (Figure)
#   $at (Message) - at so many clients
#   $verb (Text) - first word of the statement
#   $state (Text) - what it does, in the server's words
#   $seconds (Seconds) - how long it has run
doctor-long-statements = { $sessions } statements of other sessions on average run for a second or more { $at }, most of them { $verb } ("{ $state }") for up to { $seconds }

# Variables:
#   $tables (Figure)
#   $at (Message) - at so many clients
#   $size (Bytes?)
doctor-tmp-disk-tables = { $tables } temporary tables on disk per transaction { $at }{ $size ->
    [not-given] {""}
   *[other] , tmp_table_size = { $size }
  }

# Variables:
#   $tables (Figure)
#   $at (Message) - at so many clients
#   $size (Bytes)
doctor-tmp-tables-exceed = { $tables } temporary tables per transaction exceed tmp_table_size = { $size } { $at }

# Variables:
#   $setting (Text) - a setting with its value
#   $cpus (Count?)
#   $at (Message) - at so many clients
#   $idle (Percent?) - of the machine's CPU time
doctor-thread-pool-groups = { $setting }{ $cpus ->
    [not-given] {""}
   *[other] , CPUs: { $cpus }
  }{ $idle ->
    [not-given] {""}
   *[other] , { $idle } of the CPU time idle
  } { $at }

# Variables:
#   $others (Bytes) - per second
#   $server (Bytes) - per second
#   $at (Message) - at so many clients
#   $busy (Percent?) - of the time
#   $ms (Figure?) - a write takes
doctor-disk-shared = other processes write { $others } per second to disk, the server { $server } { $at }{ $busy ->
    [not-given] {""}
   *[other] ; the disk is busy { $busy } of the time
  }{ $ms ->
    [not-given] {""}
   *[other] ; a write takes { $ms } ms
  }

# Variables:
#   $ms (Figure)
#   $whole (Figure) - ms of a transaction
#   $share (Percent)
#   $at (Message) - at so many clients
#   $logs (Percent?) - of the time
#   $excess (Message?) - how much more than on another target
doctor-commit-wait-time = waiting in COMMIT: { $ms } of { $whole } ms of a transaction ({ $share }) { $at }{ $logs ->
    [not-given] {""}
   *[other] , while the logs are in use { $logs } of the time
  }{ $excess ->
    [not-given] {""}
   *[other] , { $excess }
  }

# Variables:
#   $part (Message) - what the time is spent on
#   $ms (Figure)
#   $whole (Figure) - ms of a transaction
#   $share (Percent)
#   $at (Message) - at so many clients
#   $excess (Message?) - how much more than on another target
doctor-part-time = { $part }: { $ms } of { $whole } ms of a transaction ({ $share }) { $at }{ $excess ->
    [not-given] {""}
   *[other] , { $excess }
  }

# Variables:
#   $ms (Figure)
#   $whole (Figure) - ms of a transaction
#   $share (Percent)
#   $at (Message) - at so many clients
#   $event (Text?) - the wait that took most time, in the performance schema
#   $waited (Figure?) - ms of a transaction in it
#   $idle (Percent?) - of the machine's CPU time
#   $excess (Message?) - how much more than on another target
doctor-unattributed-time = unattributed: { $ms } of { $whole } ms of a transaction ({ $share }) { $at }{ $excess ->
    [not-given] {""}
   *[other] , { $excess }
  }{ $idle ->
    [not-given] {""}
   *[other] ; { $idle } of the CPU time idle
  }{ $event ->
    [not-given] {""}
   *[other] ; most waited for: { $event }, { $waited } ms
  }

doctor-serializable-action = SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ;  SERIALIZABLE locks every row it reads

doctor-read-committed-action = shorten transactions; touch hot rows last and always in the same order; fewer clients

# Variables:
#   $clients (Count)
doctor-at = at { $clients ->
    [one] { $clients } client
   *[other] { $clients } clients
  }

doctor-in-window = in the measured window

doctor-since-start = since server start

# Variables:
#   $size (Bytes)
#   $at (Message) - at so many clients
#   $deadlocks (Word: printed, not-printed) - whether the server writes deadlocks to it
doctor-error-log = { $size } per second written to the error log { $at }{ $deadlocks ->
    [printed] , innodb_print_all_deadlocks = ON
   *[not-printed] {""}
  }

# Variables:
#   $share (Percent)
#   $at (Message) - at so many clients
#   $per_100 (Figure?) - deadlocks and lock timeouts
#   $level (Text?) - the isolation level, as a setting with its value
doctor-row-locks = { $share } of a transaction's time waiting for row locks { $at }{ $per_100 ->
    [not-given] {""}
   *[other] , { $per_100 } deadlocks and lock timeouts per 100 transactions
  }{ $level ->
    [not-given] {""}
   *[other] , { $level }
  }

# In place of an action that would undo what the targets are compared by.
# Variables:
#   $variable (Text)
differs-on-purpose = nothing to change: the targets differ in { $variable } on purpose

costs-nothing = none

# What comes of limits that are too low for a planned load.
limits-why = clients of the planned load would be refused, or fail while they work

limits-cost = memory on the server for what is allowed
