### Names: of metrics, of facts of a workload, of groups of server variables, of columns and lines.

# Variables:
#   $metric (Word: throughput, queries, tpmc, response_mean, response_p50, response_p95, response_p99, response_p999, response_p9999, response_max, lag, errors, generator_cpu, capacity, benchmark)
metric-label = { $metric ->
    [throughput] transactions/s
    [queries] queries/s
    [tpmc] tpmC
    [response_mean] mean response time
    [response_p50] median response time
    [response_p95] p95 response time
    [response_p99] p99 response time
    [response_p999] p99.9 response time
    [response_p9999] p99.99 response time
    [response_max] longest response time
    [lag] longest replication lag
    [errors] errors/s
    [generator_cpu] generator CPU per query
    [capacity] capacity
   *[benchmark] value
  }

# Variables:
#   $fact (Word: tables, row-ids, mix, statements, data, deviations, isolation, script, options)
workload-fact = { $fact ->
    [tables] Tables
    [row-ids] Row ids drawn
    [script] Script
    [options] Options
    [mix] Transactions
    [statements] Statements
    [data] Data
    [deviations] Differs from the standard
   *[isolation] Isolation
  }

# Variables:
#   $group (Word: durability, memory, io, concurrency, replication, instrumentation, optimizer, version, other) - of server variables
variable-group = { $group ->
    [durability] Durability
    [memory] Memory
    [io] I/O
    [concurrency] Concurrency
    [replication] Replication
    [instrumentation] Instrumentation
    [optimizer] Optimizer
    [version] Version
   *[other] Other
  }

# Variables:
#   $part (Word: reads, writes, clients, all, replicas, restart, nothing) - that a server variable touches
part-of-load = { $part ->
    [reads] reads
    [writes] writes
    [clients] many clients
    [all] every load
    [replicas] replicas
    [restart] start and stop
   *[nothing] no load
  }

# Variables:
#   $part (Message) - of a load
#   $effect (Message) - of a server variable
effect-on-load = { $part }: { $effect }
