### Caveats: what is wrong with the figures of a cell. A sentence begins in lower case and ends without a full stop.

## The generator

# Variables:
#   $share (Percent) - CPU time of the busiest worker, of one CPU
generator-bottleneck = the generator was the bottleneck: a worker used { $share } of a CPU; give it more workers or a machine of its own

# Variables:
#   $late (Figure) - 99th percentile of what the timers were late, milliseconds
late-timers = the generator started transactions late although a client was free (p99 { $late } ms): its machine was busy

# Variables:
#   $implied (Figure) - throughput times response time
#   $clients (Count)
littles-law = the figures contradict Little's law: throughput times response time gives { $implied } clients, { $clients } were running

# Variables:
#   $share (Percent) - of the time that workers waited for a CPU
#   $where (Word: starved, beside-server, alone) - how bad it is, and whether the server shares the machine
cpu-contention = { $where ->
    [starved] the generator was starved: its workers waited { $share } of the time for a CPU, so it could neither offer the load nor receive answers in time
    [beside-server] generator and server share this machine and its CPUs were saturated: workers waited { $share } of the time
   *[alone] the generator's machine was overloaded: workers waited { $share } of the time for a CPU, and latencies include that
  }

# Variables:
#   $latencies (Count)
saturated-histogram = { $latencies } { $latencies ->
    [one] latency was longer than an hour and counts
   *[other] latencies were longer than an hour and count
  } as an hour

## Recordings from other tools

# Variables:
#   $tool (Text) - with its version
#   $notes (Text?) - of the import, separated by semicolons
imported-figures = imported from { $tool }: warm-up, generator and server are unknown, so no check of validity was possible{ $notes ->
    [not-given] {""}
   *[other] ; { $notes }
  }

## What interrupted the measured window

# Variables:
#   $times (Count)
#   $all (Seconds) - of all of them
#   $longest (Seconds)
#   $from (Seconds) - where the longest begins
generator-paused = the generator was suspended { $times ->
    [one] for { $longest }, from { $from } on
   *[other] { $times } times for { $all } in all, the longest for { $longest }, from { $from } on
  }: its process was stopped, or its machine was suspended

# Variables:
#   $all (Seconds) - without a transaction
#   $share (Percent) - of the window
#   $stalls (Count)
#   $longest (Seconds)
stall = throughput was zero for { $all } of the window, { $share } of it{ $stalls ->
    [one] {""}
   *[other] , in { $stalls } stalls of up to { $longest }
  }

# Variables:
#   $counted (Hundredths) - seconds
#   $window (Hundredths) - seconds
windows-differ = the seconds do not add up: { $counted } s were counted in a window of { $window } s

## The trials of a cell

# Variables:
#   $text (Message) - the caveat
#   $scope (Word: all, some) - of the trials have it
#   $having (Count) - trials
#   $of (Count) - trials
#   $worst (Count?) - the repeat in which it is worst
#   $cells (Message?) - the cells that it concerns
in-trials = { $text } ({ $scope ->
    [all] all { $of } trials
   *[some] { $having } of { $of } trials
  }{ $worst ->
    [not-given] {""}
   *[other] { $having ->
        [one] : repeat { $worst }
       *[other] , worst in repeat { $worst }
      }
  }{ $cells ->
    [not-given] {""}
   *[other] ; { $cells }
  })

# Variables:
#   $text (Message) - the caveat
#   $cells (Message) - the cells that it concerns
caveat-in-cells = { $text } ({ $cells })

# Variables:
#   $aside (Count) - trials
#   $of (Count) - trials
#   $reasons (Clauses)
set-aside = { $aside } of { $of } trials { $aside ->
    [one] was not valid and does
   *[other] were not valid and do
  } not count: { $reasons }

# Variables:
#   $text (Message) - why they were set aside
#   $repeats (List)
#   $count (Count) - of repeats
in-repeats = { $text } ({ $count ->
    [one] repeat
   *[other] repeats
  } { $repeats })

# Variables:
#   $trials (Count)
#   $of (Count) - trials
interrupted = { $trials } of { $of } trials { $trials ->
    [one] was interrupted and does
   *[other] were interrupted and do
  } not count

# Variables:
#   $trials (Count)
#   $of (Count) - trials
#   $why (Text) - the message of the first failure
some-trials-failed = { $trials } of { $of } trials failed and { $trials ->
    [one] does
   *[other] do
  } not count: { $why }

# Variables:
#   $lost (Count) - connections
#   $why (Text) - the server's message
connections-lost = { $lost } { $lost ->
    [one] connection was
   *[other] connections were
  } lost and reopened ({ $why })

# Variables:
#   $share (Percent) - of the attempted transactions
#   $code (Text?) - the most frequent error
#   $why (Text?) - its message
errors = { $share } of the attempted transactions failed with an error{ $code ->
    [not-given] {""}
   *[other] , most often { $code } ({ $why })
  }

# Variables:
#   $trials (Count)
few-trials = { $trials ->
    [one] a single trial: no interval is possible
   *[other] only { $trials } trials: the interval is wide
  }

# Variables:
#   $change (ChangePercent)
#   $low (ChangePercent) - of its interval
#   $high (ChangePercent) - of its interval
drift-trend = the machine drifted: throughput of repeated cells changed by { $change } [{ $low }, { $high }] from the first trial to the last; comparisons within a block hold, but figures differ between blocks

# Variables:
#   $change (ChangePercent)
drift-first-cell = the machine drifted: throughput of the first cell, repeated at the end, changed by { $change }; comparisons within a block hold, but figures differ between blocks

# Variables:
#   $size (Word: changed, kept) - of the tables
data-not-restored = the data were not restored: earlier trials had written to them ({ $size ->
    [changed] the tables had changed in size
   *[kept] the tables kept their size
  })

# Variables:
#   $files (Count)
#   $what (Text) - each file with what is wrong with it
damaged-file = { $files ->
    [one] damaged file
   *[other] damaged files
  }: { $what }

histograms-lost = the histograms of one trial are missing, so there are no percentiles over all trials

## The server

# Variables:
#   $share (Percent) - of the statements
other-clients = other clients sent { $share } of the statements that the server executed: measure without other load

# Variables:
#   $name (Text)
#   $before (Text)
#   $after (Text)
#   $more (Count) - other variables
variables-changed = server variables changed during the trial: { $name } from { $before } to { $after }{ $more ->
    [0] {""}
   *[other] , and { $more } more
  }

## The machine of the generator

# Variables:
#   $share (Percent) - of its CPUs
#   $program (Text?) - the busiest one
#   $most (Percent?) - what that one used
other-processes = other processes used { $share } of this machine's CPUs{ $program ->
    [not-given] {""}
   *[other] , most of all { $program } with { $most }
  }: use an idle machine

# Variables:
#   $share (Percent) - of the CPU time
steal = the hypervisor withheld { $share } of this machine's CPU time as steal time

# Variables:
#   $read (Figure) - MB
#   $written (Figure) - MB
swap = this machine swapped: { $read } MB in, { $written } MB out; it has too little memory for the load

# Variables:
#   $lost (Seconds)
clock-back = the monotonic clock went back by { $lost }: the machine is faulty

# Variables:
#   $direction (Word: forward, back)
#   $by (Seconds)
clock-set = the wall clock was set { $direction ->
    [forward] forward
   *[back] back
  } by { $by } during the measurement; this affects timestamps, not durations

# Variables:
#   $thread (Text) - its name
#   $server (Text)
#   $share (Percent) - of one CPU
#   $idle (Percent) - of all CPU time
#   $does (Message?) - what such a thread does
#   $more (Count) - threads that were as busy
saturated-thread = thread { $thread } of { $server } used { $share } of one CPU while { $idle } of the machine's CPU time was idle{ $does ->
    [not-given] {""}
   *[other] : it { $does }
  }; one thread cannot use a second CPU{ $more ->
    [0] {""}
    [one] , and one more thread was as busy
   *[other] , and { $more } more threads were as busy
  }

# Variables:
#   $share (Percent) - of one CPU
#   $idle (Percent) - of all CPU time
saturated-router = a thread of MySQL Router used { $share } of one CPU while { $idle } of the machine's CPU time was idle; the router may limit the throughput

## Topologies

# Variables:
#   $parts (Sentences)
router = { $parts }.

# Variables:
#   $version (Text)
router-version = Clients connected through MySQL Router { $version }

# Variables:
#   $added (Figure) - us, of the medians
#   $direct (Figure) - us, median
#   $directtail (Figure) - us, p99
#   $through (Figure) - us, median
#   $throughtail (Figure) - us, p99
router-adds = Before the load, the router added { $added } us to a small request: { $through } us instead of { $direct } us (median; p99 { $throughtail } us instead of { $directtail } us)

# Variables:
#   $cpus (Hundredths) - over the measured window
#   $each (Figure) - us per transaction
#   $memory (Bytes)
router-uses = The router used { $cpus } CPUs, { $each } us of CPU per transaction, and { $memory } of memory

# Variables:
#   $lag (Figure?) - seconds, the longest in the window
#   $after (Figure) - seconds after the end of the load
#   $compared (Count) - tables
together = { $lag ->
    [not-given] Every server
   *[other] The replicas were at most { $lag } s behind. Every server
  } had applied all transactions { $after } s after the load{ $compared ->
    [0] .
    [one] , and the table has the same rows on all of them.
   *[other] , and all { $compared } tables have the same rows on all of them.
  }

# Variables:
#   $delay (Figure?) - ms, one way; none if servers are not delayed
#   $clients (Figure?) - ms, one way; none if clients are not delayed
#   $cut (Message?) - link-cut
#   $median (Figure) - ms
#   $p99 (Figure) - ms
#   $cpu (Figure?) - seconds
simulated-network = Simulated network{ $delay ->
    [not-given] {""}
   *[other] {" "}between the servers: { $delay } ms one way
  }{ $clients ->
    [not-given] {""}
   *[other] { $delay ->
        [not-given] {" "}between clients and servers: { $clients } ms one way
       *[other] ; between clients and servers: { $clients } ms
      }
  }{ $cut ->
    [not-given] {""}
   *[other] { $delay ->
        [not-given] :
       *[other] ;
      } { $cut }
  }. Packets took { $median } ms (median) and { $p99 } ms (p99) longer than configured{ $cpu ->
    [not-given] {""}
   *[other] ; forwarding them used { $cpu } s of CPU
  }.

# Variables:
#   $server (Text)
#   $from (Seconds) - since the clients started
#   $length (Seconds)
link-cut = { $server } was cut off from the others at { $from } of the load, for { $length }

# Variables:
#   $server (Text)
#   $per_s (Figure)
#   $p50 (Figure) - ms
#   $p99 (Figure?) - ms; none of fewer than a hundred
by-server-of = { $server } { $per_s }/s, p50 { $p50 } ms{ $p99 ->
    [not-given] {""}
   *[other] , p99 { $p99 } ms
  }

# Variables:
#   $unit (Word: transaction, statement)
#   $servers (Clauses) - by-server-of
by-server = { $unit ->
    [statement] Statements
   *[transaction] Transactions
  } by server: { $servers }.

# Variables:
#   $server (Text)
#   $reads (Count)
#   $stale (Count) - of these
stale-reads-of = { $stale } of { $reads } on { $server }

# Variables:
#   $stale (Count) - of all replicas
#   $servers (Enumeration) - stale-reads-of
#   $median (Figure) - ms, of the slowest replica
#   $p99 (Figure) - ms, likewise
#   $max (Figure) - ms, likewise
stale-reads = { $stale ->
    [0] Every read sent to a replica right after an acknowledged commit saw that commit (stale: { $servers }).
   *[other] Some reads sent to a replica right after an acknowledged commit did not see that commit (stale: { $servers }). On the slowest replica, commits became visible after { $median } ms (median) and { $p99 } ms (p99), at most { $max } ms.
  }

# Variables:
#   $delay (Figure) - ms, one way
#   $p99 (Figure) - ms
network-late = the simulated network delivered packets late: p99 { $p99 } ms above the configured { $delay } ms; the machine was too busy to forward them on time

# Variables:
#   $parts (Sentences)
queues = { $parts }.

# Variables:
#   $transactions (Count) - the most at one reading
queue-longest = { $transactions ->
    [0] No server had transactions waiting to be applied (read once a second)
    [one] At most one transaction was waiting on a server to be applied (read once a second)
   *[other] At most { $transactions } transactions were waiting on one server to be applied (read once a second)
  }

# Variables:
#   $ms (Figure)
acknowledgement-mean = A commit waited { $ms } ms for an acknowledgement on average

# Variables:
#   $share (Percent) - of the window
flow-control-share = Flow control held commits back for { $share } of the window

# Variables:
#   $transactions (Count) - that were rolled back
conflicts-found = { $transactions ->
    [0] Certification found no conflicts
    [one] Certification rolled back one conflicting transaction
   *[other] Certification rolled back { $transactions } conflicting transactions
  }

# Variables:
#   $share (Percent) - of the window
#   $server (Text) - the slowest
#   $from (Seconds) - when it began, since the clients started
flow-control = flow control held commits back for { $share } of the window, from { $from } of the load on, because { $server } could not keep up: this throughput is what that server can sustain

# Variables:
#   $server (Text)
#   $fault (Word: no_source, not_receiving, not_applying, semisync_off, fell_back, few_acknowledge, member_state, few_members, no_answer)
#   $detail (Text) - what the server says, "1 of 2", or a number of commits
#   $from (Seconds) - since the clients started
#   $more (Count) - other faults
#   $asked (Word: yes, no) - whether a cut was asked for
topology-degraded = { $asked ->
    [yes] as link_cut asks,{" "}
   *[no] {""}
  }{ $fault ->
    [no_source] { $server } replicated from no other server
    [not_receiving] { $server } did not receive transactions: { $detail }
    [not_applying] { $server } did not apply transactions: { $detail }
    [semisync_off] { $server } did not wait for acknowledgements: semisynchronous replication was off
    [fell_back] { $server } fell back to asynchronous replication (commits without an acknowledgement: { $detail })
    [few_acknowledge] { $detail } replicas of { $server } acknowledged
    [member_state] { $server } was in the state { $detail }
    [few_members] { $server } saw { $detail } members online
   *[no_answer] { $server } did not answer: { $detail }
  }, from { $from } of the load on{ $more ->
    [0] {""}
    [one] , and { $more } more fault
   *[other] , and { $more } more faults
  }

# Variables:
#   $server (Text)
#   $table (Text)
#   $more (Count) - other tables that differ
#   $compared (Count) - tables
servers-differ = the servers do not hold the same rows after the load: table { $table } of { $server } differs from the primary{ $more ->
    [0] {""}
   *[other] , and { $more } more of { $compared }
  }

# Variables:
#   $after (Seconds) - the end of the load
replicas-behind = the replicas needed { $after } after the load to catch up: they cannot sustain this throughput

# Variables:
#   $why (Text)
equality-unknown = unknown whether the servers hold the same rows: { $why }

## TPC-C

# Variables:
#   $holding (Count) - conditions
#   $checked (Count) - conditions
#   $first (Message) - that does not hold
inconsistent = the database is inconsistent, { $holding } of { $checked } conditions hold: { $first }

# Variables:
#   $condition (Text) - its name
#   $says (Text) - what it demands
#   $keys (Count)
#   $example (Text?)
condition-violated = { $condition } ({ $says }) does not hold for { $keys } { $keys ->
    [one] key
   *[other] keys
  }{ $example ->
    [not-given] {""}
   *[other] , such as { $example }
  }

# Variables:
#   $trials (Count)
#   $of (Count) - trials
#   $why (Text)
check-missing = the consistency check was requested but failed after { $trials } of { $of } trials: { $why }

# Variables:
#   $type (Text) - of transaction
#   $found (Seconds)
#   $limit (Seconds)
tpcc-limits = the response-time limit of TPC-C is exceeded: p90 of { $type } is { $found }, the limit is { $limit }

# Variables:
#   $type (Text) - of transaction
#   $share (Tenths) - percent of the mix
#   $least (Whole) - percent of the mix
tpcc-mix = the mix does not meet TPC-C: { $type } has a share of { $share } %, the standard requires at least { $least } %

## The measured window

# Variables:
#   $event (Text) - as it was asked for: 30s kill 2
#   $why (Text?) - what the server said; none where the load ended before
event-failed = the event “{ $event }” did not happen as requested: { $why ->
    [not-given] the load ended before
   *[other] { $why }
  }

no-transactions = no transaction completed

# Variables:
#   $cut (Seconds) - how long the beginning is
#   $share (Percent)
#   $direction (Word: slower, faster) - of the beginning
#   $enough (Whole) - seconds of warm-up
warmup-not-over = the warm-up was too short: the first { $cut } of the window were { $share } { $direction ->
    [slower] slower
   *[faster] faster
  } than the rest; warm up for { $enough } s

# Variables:
#   $direction (Word: rose, dropped)
#   $share (Percent)
#   $at (Seconds)
change-point = throughput { $direction ->
    [rose] rose
   *[dropped] dropped
  } by { $share } at { $at }: the mean mixes two levels

# Variables:
#   $direction (Word: rose, fell)
#   $share (Percent)
trend = { $direction ->
    [rose] throughput rose by { $share } from the first third of the window to the last: the server was still warming up; use a longer warm-up
   *[fell] throughput fell by { $share } from the first third of the window to the last: the server slowed down under this load; a longer window shows where it settles
  }

# Variables:
#   $window (Seconds)
short-window = a window of { $window } is too short to show checkpoints and log rotation

# Variables:
#   $transactions (Count)
#   $percentiles (Word: all, high) - those that have too few samples
few-transactions = only { $transactions } transactions: too few samples for { $percentiles ->
    [all] every percentile
   *[high] p99 and beyond
  }

## Why a cell gets no verdict

# Variables:
#   $target (Text)
#   $rule (Word: windows_differ, generator_paused, no_transactions, event_failed, inconsistent, servers_differ, topology_degraded, generator_bottleneck, littles_law, cpu_contention, other_clients, variables_changed, other_processes, clock_steps, stall) - by which it is not valid
target-not-valid = { $target }: { $rule ->
    [windows_differ] the seconds of a trial do not add up to its window
    [generator_paused] the generator was suspended
    [no_transactions] no transaction completed
    [event_failed] an event did not happen as requested
    [inconsistent] the database is inconsistent
    [servers_differ] the servers do not hold the same rows
    [topology_degraded] the topology was degraded
    [generator_bottleneck] the generator was the bottleneck
    [littles_law] the figures contradict Little's law
    [cpu_contention] the generator was short of CPU
    [other_clients] other clients used the server
    [variables_changed] server variables changed during a trial
    [other_processes] other processes used this machine's CPUs
    [clock_steps] the monotonic clock went back
   *[stall] throughput was zero for a part of the window
  }
