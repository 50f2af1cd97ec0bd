### Where the mean response time of a transaction goes, and which parts carry a difference.

# Variables:
#   $part (Word: queue, client, network, cpu, cpu_wait, row_locks, data_io, replication, commit_wait, unattributed)
part-of-response = { $part ->
    [queue] queueing before the start
    [client] load generator
    [network] round trips
    [cpu] server CPU
    [cpu_wait] waiting for a CPU
    [row_locks] row locks
    [data_io] data files
    [replication] acknowledgements of replicas
    [commit_wait] waiting in COMMIT
   *[unattributed] unattributed
  }

# Variables:
#   $part (Message) - a statement, or what time is spent on
#   $ms (Figure)
#   $direction (Word: less, more)
part-changes = { $part } { $ms } ms { $direction ->
    [less] less
   *[more] more
  }

# Variables:
#   $base (Text) - target
#   $other (Text) - target
#   $workload (Text?) - if there are several
#   $clients (Count)
#   $ms (Figure) - by so much they differ
#   $interval (Interval) - of it
#   $direction (Word: less, more) - on $other
#   $was (Figure) - ms on $base
#   $is (Figure) - ms on $other
#   $statements (Message?) - those that carry the difference
#   $resources (Message?) - what carries it
explanation = { $direction ->
    [less] A transaction takes { $ms } ms { $interval } less on { $other } than on { $base } { at-clients }{ $workload ->
        [not-given] {""}
       *[other] {" "}of { $workload }
      } ({ $is } against { $was } ms).
   *[more] A transaction takes { $ms } ms { $interval } more on { $other } than on { $base } { at-clients }{ $workload ->
        [not-given] {""}
       *[other] {" "}of { $workload }
      } ({ $is } against { $was } ms).
  }{ $statements ->
    [not-given] {""}
   *[other] {" "}By statement: { $statements }.
  }{ $resources ->
    [not-given] {""}
   *[other] {" "}By cause: { $resources }.
  }

# Variables:
#   $by (Word: cause, statement)
#   $workload (Text)
#   $clients (Count)
where-title = where the time of a transaction goes, by { $by ->
    [cause] cause
   *[statement] statement
  }: { $workload }, { n-clients }, ms [95 % interval]

# Variables:
#   $ms (Figure) - mean response time
#   $parts (Parts) - of which part how many ms, the largest first
breakdown = mean response time { $ms } ms: { $parts }

# Variables:
#   $part (Message)
#   $ms (Figure)
breakdown-part = { $part } { $ms }

# Variables:
#   $column (Word: statement, cause, change)
where-column = { $column ->
    [statement] statement
    [cause] cause
   *[change] change
  }

where-others = others

where-whole = mean response time
