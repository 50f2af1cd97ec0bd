### What the console and Markdown say around figures: lines, headings, columns.

## Columns and headings

# Variables:
#   $column (Word: clients, target, terminals, type, count, per-minute, mix, ms, limit, retries, rollbacks, errors, new-order-p90, consistency, transactions, queries, time, avg-ms, p95-ms, tps, code, per-thousand, latency, response-time, reported, repeat, level-since, recordings, mean, change, variable, default, meaning, effect)
column = { $column ->
    [clients] clients
    [target] target
    [terminals] terminals
    [type] type
    [count] count
    [per-minute] /min
    [mix] mix %
    [ms] ms
    [limit] limit
    [retries] retries
    [rollbacks] rollbacks
    [errors] errors
    [new-order-p90] New-Order p90 ms
    [consistency] consistency
    [transactions] transactions
    [queries] queries
    [time] time, s
    [avg-ms] avg, ms
    [p95-ms] p95, ms
    [tps] tps
    [code] code
    [per-thousand] per 1,000 tried
    [latency] latency, ms
    [response-time] response time, ms
    [reported] reported by the tool, ms
    [repeat] repeat
    [level-since] level since
    [recordings] recordings
    [mean] geometric mean
    [change] change
    [variable] variable
    [default] default
    [meaning] meaning
   *[effect] effect
  }

# Variables:
#   $heading (Word: others, doubts, method, differences, failures, set-aside, origin) - of a part of a report
heading = { $heading ->
    [others] What others found
    [doubts] What would change this answer
    [method] Method
    [differences] What differs
    [failures] What failed
    [set-aside] Trials that do not count
   *[origin] How the data were made
  }

## TPC-C

# Variables:
#   $limit (Seconds)
#   $kept (Word: kept, exceeded)
tpcc-limit = { $limit } { $kept ->
    [kept] ok
   *[exceeded] exceeded
  }

# Variables:
#   $kind (Word: response, service)
latency-kind = { $kind ->
    [response] response
   *[service] service
  }

# Variables:
#   $verdict (Word: unchecked, holds, violated)
#   $holding (Count?) - conditions
#   $checked (Count?) - conditions
tpcc-consistency = { $verdict ->
    [unchecked] consistency not checked
    [holds] consistency { $holding } of { $checked } ok
   *[violated] consistency { $holding } of { $checked }
  }

# Variables:
#   $used (Count)
#   $all (Count)
home-warehouses-used = home warehouses used { $used } of { $all }

not-checked = not checked

## Server and machine

# Variables:
#   $mode (Word: programs, kernel, disk, stolen)
#   $percent (Whole)
cpu-mode = { $mode ->
    [programs] programs
    [kernel] kernel
    [disk] waiting for disk
   *[stolen] stolen
  } { $percent } %

# Variables:
#   $modes (Parts)
cpu-modes = CPU { $modes }

# Variables:
#   $cpus (Figure)
server-cpus = server { $cpus } CPUs

# Variables:
#   $rate (Figure) - MiB/s
#   $each (Figure?) - milliseconds
disk-writes = disk writes { $rate } MiB/s{ $each ->
    [not-given] {""}
   *[other] , { $each } ms
  }

# Variables:
#   $ms (Figure)
round-trip = round trip { $ms } ms

# Variables:
#   $whose (Word: servers, generators)
#   $parts (Clauses)
machine-line = { $whose ->
    [servers] machine
   *[generators] this machine, not the server's
  }  { $parts }

# Variables:
#   $line (Word: statements, by-client, waits, unseen)
server-line = { $line ->
    [statements] statements
    [by-client] by client
    [waits] waits
   *[unseen] not available
  }

ms-per-transaction = ms per transaction

# Variables:
#   $more (Count)
more-advice = and { $more } more

advice-for-servers = recommendations for the servers (all of them: the page, or mydyno doctor)

## History

no-figures = no recording has a figure

# Variables:
#   $alarms (Percent) - of series without a change
#   $least (Count) - recordings
#   $margin (Figure) - percent
#   $series (Count)
history-rule = change points: E-divisive, false alarms in { $alarms } of series, at least { $least } recordings. The latest recording against the level before it: 95 % interval of one more recording, equivalent within { $margin } %, corrected for { $series } series (Holm)

# Variables:
#   $at (Text) - day and time
latest-at = latest { $at }

# Variables:
#   $verdict (Word: better, worse, equivalent, unknown, inconclusive)
#   $p (Hundredths)
level-verdict = { $verdict ->
    [better] better
    [worse] worse
    [equivalent] equivalent
    [unknown] undetermined
   *[inconclusive] inconclusive, corrected p { $p }
  }

# Variables:
#   $change (Message)
#   $at (Text) - day and time of a recording
changed-near = { $change } ({ $at })

# Variables:
#   $at (Text) - day and time
#   $change (Text) - in percent
#   $p (Text)
#   $recording (Text)
#   $there (Clauses?) - what changed with it
#   $near (Clauses?) - what changed shortly before or after
change-point-at = change point { $at }: { $change } (p { $p }), from { $recording } on; { $there ->
    [not-given] no recorded property changed with it
   *[other] changed with it: { $there }
  }{ $near ->
    [not-given] {""}
   *[other] ; near it: { $near }
  }

# Variables:
#   $recording (Text)
#   $why (Message)
without-recording = excluded { $recording }: { $why }

# Variables:
#   $recording (Text)
#   $why (Message)
recording-left-out = excluded: { $recording }: { $why }

# Variables:
#   $gate (Text)
gate-holds = gate { $gate }: holds

# Variables:
#   $gate (Text)
#   $standing (Word: failed, unknown)
#   $cell (Message)
#   $detail (Text) - the change, or why it is not known
gate-in-cell = gate { $gate }: { $standing ->
    [failed] FAILED
   *[unknown] undetermined
  }, { $cell }: { $detail }

## Parts of a report

# Variables:
#   $arm (Text)
#   $what (Parts) - settings
arm-differs = { $arm }: { $what }

# Variables:
#   $command (Text)
repeat-it = Repeat it: { $command }

# Variables:
#   $target (Text)
#   $clients (Count)
cell-with-clients = { $target }, { n-clients }

# Variables:
#   $cell (Message)
#   $findings (Clauses)
cell-over-time = { $cell }: { $findings }

# Variables:
#   $cell (Message)
#   $says (Message) - sentences
cell-router = { $cell }: { $says }

# Variables:
#   $cells (Count)
more-cells-over-time = and { $cells } more { $cells ->
    [one] cell
   *[other] cells
  } that changed over time, on the page

# Variables:
#   $target (Text)
#   $clients (Count)
#   $repeat (Count)
#   $why (Clauses)
trial-set-aside = { $target } { at-clients }, repeat { $repeat }, does not count: { $why }

# Variables:
#   $variable (Text)
#   $values (Parts) - of each target
variable-differs = differs: { $variable }: { $values }

# Variables:
#   $variables (Count)
more-variables-differ = differs: { $variables } more { $variables ->
    [one] variable
   *[other] variables
  }, on the page

# Variables:
#   $target (Text)
#   $clients (Count)
#   $why (Text)
cell-failure = { $target } { at-clients }: { $why }

# Variables:
#   $why (Text)
run-failure = the run could not continue: { $why }

interval-unknown = {"["}too few trials]

## The console

# Variables:
#   $question (Text)
question = Question: { $question }

# Variables:
#   $answer (Text)
withdrawn = Withdrawn: { $answer }

# Variables:
#   $workload (Text)
#   $trials (Count) - of each cell
sweep-heading = { $workload }, transactions/s (p95 ms), { $trials ->
    [one] single trials
   *[other] { $trials } trials per cell, [95 % interval over the trials]
  }

entry-failed-silently = failed

# Variables:
#   $what (Word: connect, server-gone, data, machine, sandbox, protocol, other)
#   $error (Text?) - its number, where the server answered with one
entry-failed = failed{ $error ->
    [not-given] { $what ->
        [connect] : no connection
        [server-gone] : server gone
        [data] : data
        [machine] : limit of this machine
        [sandbox] : sandbox not started
        [protocol] : protocol violated
       *[other] {""}
      }
   *[other] : error { $error }
  }

entry-not-run = not run

# Variables:
#   $workload (Text)
#   $target (Text)
#   $clients (Count)
cell-heading = { $workload } on { $target }, { n-clients }

# Variables:
#   $servers (Count) - that clients are spread over; 0 if there is one only
per-transaction = per transaction{ $servers ->
    [0] {""}
    [one] , on 1 server
   *[other] , { $servers } servers together
  }

# Variables:
#   $sent (Count) - bytes
#   $received (Count) - bytes
#   $tls (Message?)
network-line = network  { $sent } B sent and { $received } B received per transaction{ $tls ->
    [not-given] {""}
   *[other] ; { $tls }
  }

# Variables:
#   $version (Text)
#   $cipher (Text)
#   $handshakes (Count)
#   $resumed (Count) - handshakes
tls-used = { $version } { $cipher }, { $handshakes } { $handshakes ->
    [one] handshake
   *[other] handshakes
  }, { $resumed } of them resumed

# Variables:
#   $repeat (Count)
#   $text (Message)
of-repeat = repeat { $repeat }: { $text }

# Variables:
#   $kinds (Count)
more-errors = and { $kinds } more { $kinds ->
    [one] kind of error
   *[other] kinds of errors
  }, on the page

# Variables:
#   $end (Word: retried, fatal)
#   $message (Text)
error-in-row = { $end ->
    [retried] retried
   *[fatal] fatal
  }: { $message }

# Variables:
#   $code (Text)
#   $count (Count)
#   $end (Word: retried, fatal)
#   $message (Text)
error-line = error { $code } x { $count } ({ $end ->
    [retried] retried
   *[fatal] fatal
  }): { $message }

# Variables:
#   $recording (Text)
recording-named = recording { $recording }

# Variables:
#   $recording (Text)
#   $started (Text)
#   $seed (Text)
#   $plan (Text) - its hash
run-origin = { $recording }, { $started }, seed { $seed }, plan { $plan }

## Servers side by side

# Variables:
#   $fact (Word: what, seen, version, build, host, cpus, memory, system, place, instance, plugins, threads, role, up, connections, judged-for, durability, because)
server-fact = { $fact ->
    [what] what
    [seen] seen
    [version] version
    [build] build
    [host] host
    [cpus] CPUs
    [memory] memory
    [system] system
    [place] place
    [instance] instance
    [plugins] plugins
    [threads] threads
    [role] role
    [up] up
    [connections] connections
    [judged-for] judged for
    [durability] durability
   *[because] because
  }

not-known = not known

whole-machine = all of the machine

# Variables:
#   $kind (Word: sandbox, server)
#   $run (Text?) - the recording that it stands in
what-was-seen = { $kind ->
    [sandbox] sandbox
   *[server] server
  }, { $run ->
    [not-given] now
   *[other] in recording { $run }
  }

# Variables:
#   $workloads (Parts)
#   $work (Word: reads, writes)
judged-for-load = { $work ->
    [reads] Judged for a load that only reads: { $workloads }.
   *[writes] Judged for { $workloads }.
  }

# Variables:
#   $value (Text)
default-value = { $value } (default)

sized-by-server = sized by the server

no-effect-on-reads = no effect on this read-only workload

# Variables:
#   $names (Parts) - each with its server
other-names = also named { $names }

how-to-make-equal = make it equal:

# Variables:
#   $value (Text)
has-default = default { $value }

## The note about a server

nothing-to-recommend = Nothing to recommend.

not-visible = Not visible

# Variables:
#   $option (Text) - that shows all
full-advice = Reasons, costs and manual pages of all: { $option }

# Variables:
#   $known (Word: hidden, built-in, listed)
#   $listed (Text?)
plugins = { $known ->
    [hidden] not visible
    [built-in] built-in only
   *[listed] { $listed }
  }

# Variables:
#   $target (Text)
#   $server (Text) - flavour and version
#   $series (Text)
server-of-target = { $target }: { $server }, { $series }

# Variables:
#   $now (Text)
#   $most (Text)
#   $allowed (Text)
connections = { $now } now, { $most } at most, { $allowed } allowed

# Variables:
#   $time (Text)
#   $counters (Word: young, old)
uptime = { $time }{ $counters ->
    [young] ; too short for meaningful counters
   *[old] {""}
  }

# Variables:
#   $class (Message)
#   $because (Text) - settings
durability-because = { $class } ({ $because })

# Variables:
#   $severity (Word: high, medium, low)
advice-of-severity = { $severity ->
    [high] HIGH: can lose data, or makes what is measured meaningless
    [medium] MEDIUM: costs throughput, latency or safety
   *[low] LOW: worth knowing
  }

# Variables:
#   $line (Word: cost, see)
advice-line = { $line ->
    [cost] cost:
   *[see] see:
  }
