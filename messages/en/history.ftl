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

rate-kept = it kept up with the rate, so its throughput is the offered rate

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
   *[cells] its cells
  }

# Variables:
#   $what (Word: server_version, server_build, origin, place, mydyno_version, hostname, os, kernel, cpu_model, cpus, cgroup_cpus, memory, governor, calibration)
circumstance = { $what ->
    [server_version] version
    [server_build] build
    [origin] origin
    [place] place
    [mydyno_version] mydyno's version
    [hostname] machine of the generator
    [os] its operating system
    [kernel] its kernel
    [cpu_model] its CPU model
    [cpus] its CPUs
    [cgroup_cpus] its CPU limit
    [memory] its memory
    [governor] its frequency governor
   *[calibration] calibration, queries/s of a CPU
  }

## Recordings over time

# Variables:
#   $why (Text)
recording-unreadable = unreadable: { $why }

# Variables:
#   $tool (Text) - with its version
recording-imported = imported: measured with { $tool }, the time is unknown

# Variables:
#   $status (Word: interrupted, failed, broken, running, unreadable)
recording-status = { $status ->
    [interrupted] interrupted
    [failed] failed
    [broken] aborted
    [running] still running
   *[unreadable] unreadable
  }

# Variables:
#   $what (Word: version, commit, seconds, rounds)
benchmark-circumstance = { $what ->
    [version] version
    [commit] commit
    [seconds] seconds per trial
   *[rounds] rounds
  }

# Variables:
#   $metric (Message)
in-milliseconds = { $metric }, ms

# Variables:
#   $latest (Parts) - verdicts
#   $shift (Message) - the last change point
#   $recordings (Count)
history-answer = The latest recording against the level before it: { $latest }; { $shift }; { $recordings } { $recordings ->
    [one] recording
   *[other] recordings
  }

no-change-point = no change point

# Variables:
#   $shifted (Count) - series
#   $all (Count) - series
#   $day (Text)
#   $change (Text) - signed, percent
last-change-point = the level changed in { $shifted } of { $all } series, last on { $day } ({ $change } %)

# Variables:
#   $verdict (Word: worse, better, equivalent, inconclusive, unknown)
history-verdict = { $verdict ->
    [worse] worse
    [better] better
    [equivalent] equivalent
    [inconclusive] inconclusive
   *[unknown] undetermined
  }

# Variables:
#   $verdict (Word: worse, better, equivalent, inconclusive, unknown)
#   $some (Count)
#   $all (Count)
history-verdict-in-some = { history-verdict } in { $some } of { $all } series

# Why a recording that was named is left out.
# Variables:
#   $what (Parts) - in what it differs
asked-otherwise = its plan differs: { $what }
