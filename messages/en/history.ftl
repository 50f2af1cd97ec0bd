### One benchmark over time: change points, the latest recording, gates.

# Variables:
#   $way (Word: fall, rise)
#   $size (Percent)
detectable = ; it would have detected a { $way ->
    [fall] fall
   *[rise] rise
  } of { $size } or more

nothing-detectable = ; the trials are too few to have detected any change

not-measured = not measured

# Variables:
#   $why (Text)
cell-failed = failed: { $why }

no-trial-completed = no trial completed

# Variables:
#   $why (Message)
cell-not-valid = not valid: { $why }

rate-kept = it kept up with the rate: its throughput is what was offered

# Variables:
#   $metric (Message)
has-no-metric = it has no { $metric }

# Variables:
#   $least (Count) - recordings
#   $recordings (Count)
too-few-recordings = a change point needs at least { $least } recordings; there { $recordings ->
    [one] is 1
   *[other] are { $recordings }
  }

latest-not-in-series = the latest recording is not in the series

# Variables:
#   $recordings (Count)
no-baseline = needs at least two earlier recordings as a baseline; there { $recordings ->
    [one] is 1
   *[other] are { $recordings }
  }

value-not-positive = not above 0: it has no ratio to others

# Variables:
#   $workload (Text) - row
#   $target (Text) - machine
series-of-benchmark = { $workload }, { $target }

# Variables:
#   $target (Text)
#   $workload (Text)
#   $clients (Count)
series-of-cell = { $target }, { $workload }, { n-clients }

# Variables:
#   $target (Text?)
#   $name (Message)
#   $from (Text)
#   $to (Text)
circumstance-changed = { $target ->
    [not-given] {""}
   *[other] { $target }{" "}
  }{ $name }: { $from } -> { $to }

# Variables:
#   $what (Word: targets, workloads, options, clients, cells)
asks-another = { $what ->
    [targets] its targets
    [workloads] its workloads
    [options] options of its workloads or load
    [clients] its numbers of clients
   *[cells] which cells it runs
  }
