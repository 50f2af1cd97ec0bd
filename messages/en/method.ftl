### How an experiment was made, what was seen of server and machine, and who was measured.

## How it was made. Whole sentences.

# Variables:
#   $trials (Count)
#   $blocks (Count)
#   $seed (Text)
method-order = { $trials } { $trials ->
    [one] trial
   *[other] trials
  } in { $blocks ->
    [one] one block
   *[other] { $blocks } blocks
  }. A block holds every cell once. Each block has its own random order of workloads and numbers of clients; the arms of a cell run next to each other, in random order. Seed { $seed } determines order, keys and arrivals.

# Variables:
#   $time (Text) - seconds
#   $warmup (Text) - seconds
method-window = A trial measures { $time } s after { $warmup } s of warm-up.

method-loads-differ = Each workload has its own load: see the command and the plan.

method-correction = Verdicts are corrected for multiple comparisons (Holm, 5 %): for each pair of targets over the throughput at all workloads and numbers of clients; other metrics form a separate family.

method-drift-check = The first cell was repeated at the end as a drift check; that trial counts in no figure.

method-profiled = After all others, each target was run once more with each workload while perf sampled its server; these trials count in no figure.

# Variables:
#   $most (Count) - blocks
#   $added (Count) - trials
method-until-sure = Blocks were added until every arm differed significantly from the first or was equivalent to it (at most { $most } { $most ->
    [one] block
   *[other] blocks
  }); trials added: { $added }. Intervals are confidence sequences, valid at every look, hence wider.

# Variables:
#   $added (Count) - trials
method-refined = Trials added between numbers of clients where a curve collapsed or two crossed: { $added }.

# Variables:
#   $data (Word: restored, kept)
method-data = { $data ->
    [restored] The data were restored before each trial.
   *[kept] The data were not restored before every trial: later trials see what earlier ones wrote.
  }

## Lines over time: a noun each

# Variables:
#   $line (Word: server_cpu, cpu_user, cpu_system, cpu_iowait, cpu_steal, throttled, disk_written, disk_read, redo, network, fsyncs, pool_misses, row_lock_waits, opened_tables, tmp_disk_tables, threads_running, run_queue, dirty_pages, checkpoint_age, history_list, lag, conflicts, appliers_busy, to_apply, to_certify, to_send, to_acknowledge, relay_log, certification_rows, received, applied, acknowledgement, flow_control, round_trip)
observed-line = { $line ->
    [server_cpu] server
    [cpu_user] all programs
    [cpu_system] kernel
    [cpu_iowait] waiting for disk
    [cpu_steal] stolen by the hypervisor
    [throttled] throttled by quota
    [disk_written] written
    [disk_read] read
    [redo] redo log
    [network] network
    [fsyncs] fsyncs of InnoDB
    [pool_misses] buffer pool misses
    [row_lock_waits] row lock waits
    [opened_tables] tables opened
    [tmp_disk_tables] temporary tables on disk
    [threads_running] threads running
    [run_queue] run queue of the machine
    [dirty_pages] dirty pages
    [checkpoint_age] checkpoint age
    [history_list] history list length
    [lag] replication lag
    [conflicts] certification conflicts
    [appliers_busy] applier workers busy
    [to_apply] waiting to be applied
    [to_certify] waiting for certification
    [to_send] waiting to be sent
    [to_acknowledge] commits waiting for an acknowledgement
    [relay_log] relay logs
    [certification_rows] rows in the certification database
    [received] received
    [applied] applied
    [acknowledgement] wait for an acknowledgement
    [flow_control] paused by flow control
   *[round_trip] round trip
  }

## Who was measured

# Variables:
#   $source (Text) - the tool
target-imported = imported: measured with { $source }; nothing is known of the server

target-unknown = nothing is known of the server

# Variables:
#   $version (Text)
#   $kind (Word: sandbox, server)
#   $pool (Bytes)
#   $durability (Message) - what a crash can lose
#   $binlog (Word: on, off)
#   $tls (Word: on, off)
#   $transport (Word: socket, tcp, unknown)
#   $place (Text?) - CPUs, nodes and limits
#   $ms (Figure?) - of a round trip
target-summary = { $version }, { $kind ->
    [sandbox] sandbox
   *[server] server
  }, buffer pool { $pool }, { $durability }, binary log { $binlog ->
    [on] on
   *[off] off
  }, TLS { $tls ->
    [on] on
   *[off] off
  }, { $transport ->
    [socket] Unix socket
    [tcp] TCP
   *[unknown] unknown transport
  }{ $place ->
    [not-given] {""}
   *[other] , placed { $place }
  }{ $ms ->
    [not-given] {""}
   *[other] , round trip { $ms } ms
  }

# Variables:
#   $durability (Message)
same-durability = Durability is the same in all targets: { $durability }.

## What is wrong with a recording

# Variables:
#   $why (Text)
failed-before-first-trial = Failed before the first trial: { $why }.

# Variables:
#   $recording (Text)
#   $what (Text)
recording-damaged = damaged file in { $recording }: { $what }

# The line above the answer.
# Variables:
#   $level (Word: green, amber, red)
#   $reasons (Clauses) - the first of them
#   $more (Count) - reasons that are not named
validity-line = { $level ->
    [green] Valid
    [amber] Valid with caveats
   *[red] Not valid
  }: { $reasons }{ $more ->
    [0] {""}
   *[other] ; and { $more } more
  }.

## What a workload is, on its card

# Variables:
#   $tables (Count)
#   $rows (Count)
tables-of-rows = { $tables } × { $rows } rows

# Variables:
#   $protocol (Word: prepared, text)
#   $commits (Word: transaction, each) - whether statements share a transaction
statements-sent = { $protocol ->
    [prepared] server-side prepared
   *[text] text protocol
  }, { $commits ->
    [transaction] in transactions
   *[each] each in its own transaction
  }

tables-of-user = those on the server, whose contents mydyno does not know

# Variables:
#   $tables (Count)
#   $rows (Count) - of all of them
tables-of-file = { $tables } { $tables ->
    [one] table
   *[other] tables
  } with { $rows } rows

# Variables:
#   $name (Text) - of a kind of transaction
#   $weight (Count)
transaction-weight = { $name } (weight { $weight })

# Variables:
#   $protocol (Word: prepared, text)
statements-of-file = { $protocol ->
    [prepared] from a file, server-side prepared
   *[text] from a file, text protocol
  }

# Variables:
#   $path (Text) - of the script
#   $version (Text) - of sysbench
script-of-user = { $path }, with the Lua interface of sysbench { $version }

# Variables:
#   $protocol (Word: prepared, text)
statements-of-script = { $protocol ->
    [prepared] as the script sends them
   *[text] as the script sends them, but never prepared
  }

# Variables:
#   $warehouses (Count)
n-warehouses = { $warehouses } { $warehouses ->
    [one] warehouse
   *[other] warehouses
  }

with-foreign-keys = foreign keys

without-order-index = no index for Order-Status

# Variables:
#   $partitions (Count)
n-partitions = { $partitions } { $partitions ->
    [one] partition
   *[other] partitions
  }

# Variables:
#   $times (Count)
aged-data = aged by { $times } times the initial orders

isolation-of-server = the server's

# A server of a topology.
# Variables:
#   $role (Word: primary, replica)
#   $topology (Word: async, semisync, group, galera, independent)
#   $summary (Message) - version, memory, durability
#   $differs (Parts) - what is not as on the entry point
#   $count (Count) - how many of them
member-line = { $role ->
    [primary] primary
   *[replica] replica
  }, { $topology ->
    [async] asynchronous replication
    [semisync] semi-synchronous replication
    [group] Group Replication
    [independent] beside the others
   *[galera] Galera
  }: { $summary }{ $count ->
    [0] {""}
   *[other] ; differs from the primary: { $differs }
  }

# Variables:
#   $name (Text) - a server variable
#   $value (Text)
#   $of_entry (Text) - that of the server that clients connect to
member-difference = { $name } { $value } instead of { $of_entry }

# Variables:
#   $trials (Count)
#   $repeats (Count)
#   $precision (Percent)
#   $seed (Text)
method-search = { $trials } trials. A closed loop measures the maximum throughput of each target; each further trial offers one rate in an open loop, the one expected to narrow the interval of the capacity most. When the interval is at most { $precision } of the rate wide, the highest rate that holds and the lowest that does not are tried until each has { $repeats } trials. Targets are searched in turns, in random order. Seed { $seed } determines order, keys and arrivals.
