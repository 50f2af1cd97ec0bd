### What differs between targets, said above every comparison, and what makes them equal. A sentence begins in lower case and
### ends without a full stop.

# What a crash can lose.
# Variables:
#   $class (Word: durable, tears_pages, loses_on_os_crash, loses_on_os_crash_and_tears_pages, loses_on_process_crash, loses_on_process_crash_and_tears_pages)
durability-class = { $class ->
    [durable] durable
    [tears_pages] commits durable, but torn pages after a power or OS crash
    [loses_on_os_crash] loses on power or OS crash
    [loses_on_os_crash_and_tears_pages] loses on power or OS crash, and pages may be torn
    [loses_on_process_crash] loses on process crash
   *[loses_on_process_crash_and_tears_pages] loses on process crash, and a power or OS crash may tear pages
  }

# Variables:
#   $target (Text)
#   $class (Message) - what a crash can lose
#   $because (Text?) - the settings that make it so
durability-of = { $target } { $class }{ $because ->
    [not-given] {""}
   *[other] {" "}({ $because })
  }

# Variables:
#   $each (Clauses) - one for each target
#   $work (Word: reads, writes) - what the load does
durability-differs = durability differs: { $each }{ unequal-work }

# Variables:
#   $targets (List) - those with a binary log
#   $work (Word: reads, writes) - what the load does
binary-log-differs = the binary log is on in { $targets } only{ unequal-work }

# Variables:
#   $work (Word: reads, writes)
unequal-work = { $work ->
    [reads] , but this read-only workload commits no changes, so its curves remain comparable
   *[writes] , so they do different work per commit and their curves are not directly comparable
  }

# A clause as a sentence.
# Variables:
#   $clause (Message)
as-sentence = { $clause }.

# Variables:
#   $on (List)
#   $off (List)
tls-differs = connections to { $on } are encrypted, those to { $off } are not

# Variables:
#   $on (List)
#   $off (List)
tls-differs-use-one = { tls-differs }: use TLS for all of them, or for none

# Variables:
#   $socket (List)
#   $tcp (List)
transport-differs = connections differ: { $socket } over a Unix socket, { $tcp } over TCP, which costs more per query

# Variables:
#   $each (Parts) - each target with its size
buffer-pools-differ = buffer pools differ ({ $each })

# Variables:
#   $each (Parts) - each target with its CPUs, nodes and limits
placement-differs = placements differ ({ $each })

# Variables:
#   $target (Text)
uses-whole-machine = { $target } all of it

# Variables:
#   $each (Parts)
placement-differs-make-equal = { placement-differs }. Make them equal: give every target the same cpus, nodes, quota and memory-max

# Variables:
#   $here (List)
#   $elsewhere (List)
machines-differ = on the machine of the generator: { $here }; elsewhere: { $elsewhere }

## What makes them equal

# Variables:
#   $fact (Message)
#   $what (Word: it, them)
#   $steps (Steps)
make-equal = { $fact }. Make { $what ->
    [it] it
   *[them] them
  } equal: { $steps }

# Variables:
#   $settings (List)
#   $target (Text)
set-for = set { $settings } for { $target }

# Variables:
#   $settings (List)
#   $target (Text)
set-in-my-cnf = { $settings } in the my.cnf of { $target }

# Variables:
#   $setting (Text) - with its value
#   $target (Text)
set-in-my-cnf-and-restart = { $setting } in the my.cnf of { $target }, and a restart

# Variables:
#   $target (Text)
#   $statement (Text)
run-on = on { $target }: { $statement }

# Variables:
#   $one (Steps)
#   $other (Steps)
either-or = { $one } or { $other }

## Deviations from the TPC-C standard

tpcc-unaudited = unaudited

# Variables:
#   $times (Figure) - of the standard's keying and think time
tpcc-think-time = keying and think time x { $times }

tpcc-no-think-time = keying and think time off

# Variables:
#   $cards (Text)
tpcc-deck = deck { $cards }

# Variables:
#   $home (Word: random, skewed)
tpcc-home = { $home ->
    [random] home warehouse drawn for each transaction
   *[skewed] home warehouses skewed
  }

# Variables:
#   $percent (Count)
#   $of (Word: remote_lines, remote_payments, rollback)
tpcc-share = { $percent } % { $of ->
    [remote_lines] remote order lines
    [remote_payments] remote payments
   *[rollback] rolled back New-Orders
  }

tpcc-stock-level-join = Stock-Level as one join

tpcc-dates = dates of the initial rows 2020-01-01

# Variables:
#   $style (Text)
tpcc-statements = statements { $style }

## Costs of a transaction

# Variables:
#   $cost (Word: server_cpu, context_switches, disk_read, disk_written, fsyncs, redo, binlog, binlog_rotations, row_lock_waits, row_lock_time, buffer_pool_misses, rows_examined, rows_read, tmp_tables, tmp_disk_tables, error_log, opened_tables)
cost = { $cost ->
    [server_cpu] server CPU
    [context_switches] context switches
    [disk_read] read from disk
    [disk_written] written to disk
    [fsyncs] fsyncs of InnoDB
    [redo] redo log
    [binlog] binary log
    [binlog_rotations] rotations of the binary log
    [row_lock_waits] row lock waits
    [row_lock_time] waiting for row locks
    [buffer_pool_misses] buffer pool misses
    [rows_examined] rows examined
    [rows_read] rows read
    [tmp_tables] temporary tables
    [tmp_disk_tables] temporary tables on disk
    [error_log] error log
   *[opened_tables] tables opened
  }

# Variables:
#   $cost (Message)
#   $known (Count)
#   $all (Count) - trials
cost-in-some-trials = { $cost } ({ $known } of { $all } trials)

## What a comparison of servers does not show

# Variables:
#   $compared (Count) - variables
nothing-differs = No variable that matters differs: { $compared } were compared.

# Variables:
#   $variables (Count)
decide-little = { $variables } of little effect

# Variables:
#   $variables (Count)
only-some-have = { $variables } that only some of them have, at their defaults

# Variables:
#   $what (Parts)
#   $option (Text) - with which they are shown
differ-too = Differing too: { $what }. Show them: { $option }

# Variables:
#   $server (Text)
#   $count (Count) - settings
#   $pool (Bytes?) - buffer pool there, if the sandbox gets less
#   $now (Bytes?) - what it gets
#   $others (List?) - variables that differ and are not taken over
settings-taken-over = { $count } { $count ->
    [one] setting
   *[other] settings
  } of { $server } taken over{ $pool ->
    [not-given] {""}
   *[other] , the buffer pool reduced from { $pool } to { $now }, half of this machine's memory
  }{ $others ->
    [not-given] {""}
   *[other] {"; "}not taken over: { $others }
  }
