### Labels of the page. Sentences about the results come with the report.

## Frame

contents = Contents
language = 中文
theme-dark = Dark
theme-light = Light
back = Back to top
newer = A newer mydyno wrote these data (schema { $found }; this page knows up to { $known }). Parts of them may not be shown.
no-view = This page contains no report. Create one with: mydyno report RECORDING --format html
link-to = Link to “{ $title }”
copy = Copy
copied = Copied
copy-csv = Copy as CSV
save-chart = Save chart as { $kind }: { $title }
show-all = Show all { $count }
chart-data = Chart data

## How texts are put together

labelled = { $label }: { $text }
sentence = { $text }.
join-list = { $before }, { $next }
join-phrases = { $before }, { $next }
join-clauses = { $before }; { $next }
join-sentences = { $before } { $next }
with-unit = { $what }, { $unit }
in-ms = { $what }, ms
in-percent = { $what }, %
ms-value = { $value } ms
seconds-value = { $value }{ "\u00A0" }s
p95-value = p95 { $value } ms
rate-value = { $rate } transactions/s
errors-value = { $rate } errors/s
yes = yes
no = no

## Answer

answer = Answer
validity =
    { $level ->
        [green] Valid
        [amber] Valid with caveats
       *[red] Not valid
    }
no-result = No result: { $why }
nothing-measured = no trial was completed
withdrawn = Claim withdrawn
what-to-do = What to do
all-caveats = All caveats ({ $count })
whole-answer = Full answer
whole-log = End of the server log

## What was measured

workloads-count =
    { $count ->
        [one] { $count } workload
       *[other] { $count } workloads
    }
warehouses-count =
    { $count ->
        [one] { $count } warehouse
       *[other] { $count } warehouses
    }
tables-of-rows =
    { $tables ->
        [one] { $tables } table of { $rows } rows
       *[other] { $tables } tables of { $rows } rows each
    }
clients-count =
    { $count ->
        [one] { $count } client
       *[other] { $count } clients
    }
clients-range = { $from } to { $to } clients
transactions-count =
    { $count ->
        [one] { $count } transaction
       *[other] { $count } transactions
    }
repeats-of = { $repeats }{ "\u00A0" }x{ "\u00A0" }{ $window }
offered-rate = { $rate } transactions/s offered
machine-size =
    { $cpus ->
        [one] { $cpus } CPU, { $memory }
       *[other] { $cpus } CPUs, { $memory }
    }
generator-on = generator: { $machine }
measured-with = measured with { $tool }

## Charts

throughput = Throughput
transactions-per-s = transactions/s
tpmc = tpmC
tpmc-reported = tpmC, reported by the tool
p95 = 95th percentile of response time
p99 = 99th percentile of response time
ms = ms
ms-log = ms, log scale
per-s = per s
errors-per-s = errors/s
clients = clients
threads = threads
seconds = seconds
second = second
at-second = at { $second } s
response-time = response time
service-time = service time
percentile = percentile
maximum = max
ratio-title = Throughput relative to { $base }
ratio-axis = ratio to { $base }, log scale
decided = conclusive
undecided = inconclusive
beyond-hundredfold = more than 100x either way
single-trial = single trial
repeat = repeat
repeat-n = repeat { $n }
repeat-says = Repeat { $n }: { $text }
in-repeat = { $text }, repeat { $n }
of-server = { $server }: { $what }
repeats = repeats
warm-up = warm-up
stall = stall
stood-still = generator suspended
errors-count = errors
curves = Metrics by concurrency
curves-note = Bands are 95 % confidence intervals over the repeats of a cell; a triangle marks a band that continues beyond the axis. Lines join the measured points and are not smoothed.
curves-note-dots = Small dots are the repeats of a cell. Lines join means; percentiles are those of all response times of a cell together.
curves-note-single = Every point is a single trial, so there are no confidence intervals. Lines only guide the eye.

## How a cell, a trial or a recording ended

status =
    { $status ->
        [completed] completed
        [partial] partly completed
        [failed] failed
        [missing] not run
        [interrupted] interrupted
        [with-failures] with failures
        [broken-off] aborted
        [running] running
       *[unreadable] unreadable
    }
set-aside = not valid, set aside: { $why }

## Results

results = Results by number of clients
results-of = Results by number of clients: { $workload }
results-note = Ratios compare throughput with the first target. p95 is that of all response times of a cell together. Intervals are over its repeats.
results-note-alone = p95 is that of all response times of a cell together. Intervals are over its repeats.
results-family = Verdicts are corrected for { $count } comparisons per pair of targets (Holm).
results-imported = All figures of an imported recording are reported by the tool.
results-by-target = Totals, averages and p99 by target
results-sums = Transactions, statements and time are totals over the repeats of a cell.
interval = 95 % interval
interval-of = 95 % interval, { $figure }
ratio = ratio
ratio-of = ratio { $other } / { $base }
verdict = verdict
verdict-is =
    { $verdict ->
        [better] better
        [worse] worse
        [same] equivalent
        [inconclusive] inconclusive
        [single_run] single trial
       *[withheld] withheld
    }
target = target
workload = workload
transactions = transactions
statements = statements
time-s = time, s
average = avg
minimum = min
mean = mean
count = count
per-minute = per minute
all-types = all transactions
reported = Reported by the tool

## Caveats and recommendations

caveats = Caveats
caveats-none = No caveats.
caveats-count =
    { $count ->
        [one] { $count } caveat
       *[other] { $count } caveats
    }
urgent = High-severity recommendations
urgent-more = What to do about them
advice = Recommendations
advice-note = Based on what the servers showed during the measurement. Measure again after a change.
advice-none = No recommendations.
advice-none-grave = Nothing of medium or high severity.
advice-low = Low severity ({ $count })
advice-at = Seen at concurrency { $clients }.
advice-why = why
advice-cost = cost
advice-manual = Manual
severity =
    { $severity ->
        [high] High
        [medium] Medium
       *[low] Low
    }

## Failures and errors

failures = What failed or was set aside
trials-valid = { $done } of { $planned } trials valid
outcome = outcome
reason = reason
hint = what to do
errors = Errors by code
errors-none = The servers reported no errors.
code = code
sqlstate = SQLSTATE
message = message
statement = statement
load-continued = load continued

## Differences between targets

differences = Differences between the targets
variables = Server variables
variable = variable
default = default
default-is = default { $value }
variables-likely = Likely to matter ({ $count })
variables-changed = Not the default ({ $count })
variables-differing = Different ({ $count })
variables-one-sided = Including those of one target only ({ $count })
variables-all = All ({ $count })
variables-note = Paths, ports and IDs differ without effect; they are under “All”.
variables-none = No variables in this list.
category = category
category-is =
    { $group ->
        [durability] durability
        [memory] memory
        [io] I/O
        [concurrency] concurrency
        [replication] replication
        [instrumentation] instrumentation
        [optimizer] optimizer
        [version] version
       *[other] other
    }

## Experiments

others = Published results
doubts = What would change this answer
method = Method
arm = arm
arm-same = no difference
arm-against = { $arm } against { $base }
interactions = Do the effects depend on each other?
interactions-note = The effect of an arm under one condition (a workload, or a level of another factor), divided by its effect under the other. 1 means no interaction. Corrected for the number of points (Holm).
interactions-none = No point shows an interaction.
interactions-points = All points ({ $count })
condition = condition
effect-first = effect under the first
effect-second = effect under the second
p-adjusted = p, corrected
effects-differ = differs

## Cells

cells = Every cell in detail
cells-note = Click a point in a chart to go to its cell.
over-time = Throughput over time
offered = offered per s
offered-over-time = Throughput over time: offered (dashed) and completed
p95-over-time = 95th percentile of response time over time
backlog = backlog
backlog-over-time = Backlog: transactions due but not started
start-delay-over-time = Start delay: time to complete the backlog at the current rate
distribution = Latency distribution
times-note = Response time counts from when a transaction was due, service time from when its first statement was sent.
times-equal = Response time and service time are the same: transactions were sent when they were due.
percentile-axis = The percentile axis is stretched towards 100.
operations = Latency by operation
operation = operation
per-transaction = per transaction
time-kind = time
share-of-time = share of time
traffic = { $sent } B sent and { $received } B received per transaction.
tls-use =
    { $handshakes ->
        [one] { $version } { $cipher }: { $handshakes } handshake, { $resumed } of them resumed.
       *[other] { $version } { $cipher }: { $handshakes } handshakes, { $resumed } of them resumed.
    }
trials = Trials of this cell
started = started
connect-s = connecting, s
measured-s = measured, s
reconnects = reconnects
data-restored = data restored

## TPC-C

tpcc = TPC-C by transaction type
tpcc-latency = TPC-C latency by transaction type
tpcc-times-note = Response time counts from when a transaction was due, service time from when it was first sent; both include its retries.
tpmc-by-clients = tpmC by number of clients
type = type
mix = mix
limit = limit (p90)
limit-is =
    { $met ->
        [yes] { $seconds } s, met
       *[no] { $seconds } s, exceeded
    }
retries = retries
rollbacks = rollbacks
consistency = consistency conditions met
consistency-line = Consistency conditions met: { $met }; home warehouses used: { $used } / { $warehouses }
not-checked = not checked
types-over-time = p95 of response time by transaction type, over time
tpmc-over-time = tpmC over time
cost-over-work = Time per transaction (1/throughput) against transactions completed
slots-note = Each point covers { $seconds } s.
thousands-done = thousand transactions completed
ms-per-transaction = ms per transaction
cost-at = { $done } thousand transactions completed: { $ms } ms per transaction

## Generator

generator = Generator overhead
generator-note = If the generator is the bottleneck, the figures describe the generator, not the server.
cpu-per-statement = CPU per statement, µs
user-share = share in user space
host-share = share of host
busiest-worker = busiest worker
workers = workers
cpu-wait-s = waiting for CPU, s
memory-peak = peak memory

## Origin

origin = Method and origin of the data
name = Name
note = Note
recorded = Recorded
recording = recording
extent = Extent
trials-done = { $done } of { $planned } trials
window = Window
window-is = { $time } s after { $warmup } s of warm-up
load = Load
closed-loop = closed loop: a client sends its next transaction once the last one is answered
open-loop = open loop: { $rate } transactions/s offered over all clients
concurrency-limit =
    { $count ->
        [one] concurrency limit of { $count } transaction
       *[other] concurrency limit of { $count } transactions
    }
think-time = mean think time of { $seconds } s
seed = Seed
plan-hash = Plan hash
machine = Generator host
machine-is =
    { $cpus ->
        [one] { $cpus } CPU ({ $model }), { $memory }
       *[other] { $cpus } CPUs ({ $model }), { $memory }
    }
virtual-machine = virtual machine
system = Operating system
imported = Imported from
versions = Versions
all-options = All options of the workload ({ $count })
command = Command to repeat it
specification = Specification
warnings = Warnings during the measurement
raw = Raw data
download = Download as JSON

## Server and machine over time

overview = Load, server and machine on one time axis
overview-note = Rates are means since the previous point and are not smoothed.
zoom-note = To zoom all charts over time of this cell, drag across a chart or type seconds; double-click to reset.
repeat-shown = Repeat shown
zoom-seconds = Seconds
zoom-from = from second
zoom-to = to second
zoom-reset = Reset zoom
percent-of-cpus = % of all CPUs
panel-cpu = CPU
panel-disk = Disks, redo log and network
panel-server = Server events
panel-rarer = Rarer server events
panel-state = Concurrency
panel-pages = Dirty pages and checkpoint age
panel-history = History list length
panel-lag = Replication lag
panel-queues = Replication queues
panel-relay-log = Relay logs on disk
panel-certification = Rows in the certification database
panel-applied = Transactions received and applied
panel-acknowledgement = Mean wait of a commit for an acknowledgement
panel-flow-control = Commits held back by flow control
percent-of-time = % of the time
panel-round-trip = Round trip of an empty request

## What the server did

server-did = What the server did
machine-elsewhere = These are figures of the generator host; the server runs on another one.
cpu-shares = CPU time of the machine: { $shares }.
cpu-user = user { $share }
cpu-system = system { $share }
cpu-iowait = I/O wait { $share }
cpu-steal = steal { $share }
cpu-idle = idle { $share }
server-used = The server used { $cpus } CPUs.
run-queue-mean = On average, { $threads } threads were running or waiting for a CPU.
throttled = Its CPU quota throttled the server { $share } of the time.
disk-wrote = Disk writes: { $rate } MiB/s in { $count } writes/s.
disk-wrote-each = Disk writes: { $rate } MiB/s in { $count } writes/s of { $ms } ms each.
disk-did-read = Disk reads: { $rate } MiB/s in { $count } reads/s.
disk-did-read-each = Disk reads: { $rate } MiB/s in { $count } reads/s of { $ms } ms each.
disk-busy = The disks were busy { $share } of the time.
network-rate = Network traffic: { $rate }/s.
memory-left = At least { $memory } of memory was available.
round-trip-median = Median round trip of an empty request: { $ms } ms.
pressure = Some thread was waiting { $shares } of the time.
pressure-cpu = for a CPU { $share }
pressure-io = for I/O { $share }
pressure-memory = for memory { $share }
watching = From { $count } readings of { $each } ms each, taken at most { $late } ms late.
unseen = Not observed
top-statements = Statements by time in the server
as-clients-timed = Statements as timed by the clients
top-waits = Waits by time
top-stages = Statement stages by time
top-threads = Server threads by CPU time
rows-examined = rows examined
rows-returned = rows returned
full-scans = full scans
event = event
threads-in-it = threads in it, mean
of-which-server = server
thread-name = name
cpus-used = CPUs used
busiest-thread = by the busiest
plans = Plans
plans-count = Statement plans ({ $count })
plans-changed = Statement plans ({ $count }), changed: { $changed }
plan-steps = tables in join order
plan-after = after the load
plan-is =
    { $state ->
        [same] same
        [changed] changed
       *[missing] no plan
    }
plan-then = after the load:
costs = What a transaction cost the server
costs-note = Counted over the measured window by the servers that clients use, and by their processes.
costs-over-cells = Cost per transaction
cost = cost

## History

recordings = Recordings
recordings-count =
    { $count ->
        [one] { $count } recording
       *[other] { $count } recordings
    }
history-series = Cell by cell
history-in-order = recordings in order, UTC
history-day = time of day on { $day }, UTC; recordings in order
history-empty = No recording has a figure.
history-note = A point is a recording with the 95 % confidence interval over its repeats; a horizontal line is the mean of a level. Change points are found by E-divisive, which needs at least { $least } recordings and finds one in { $alarms } % of series without a change. The latest recording is compared with the variation of the level before it. A change within ±{ $margin } % is equivalent.
history-axis-break = { $label } (axis starts at { $from })
history-shift = { $at }: { $change } (p = { $p }), from { $run } on.
history-with = Changed at the same time: { $changes }.
history-with-nothing = No other recorded property changed at the same time.
history-near = Changed nearby: { $changes }.
history-latest =
    { $recordings ->
        [one] The latest recording against the level of the one before it: { $change }, { $verdict }.
       *[other] The latest recording against the level of the { $recordings } before it: { $change }, { $verdict }.
    }
history-untold = undetermined
history-low = lower end
history-high = upper end
history-changed = changed since the previous one
history-left-out = why it has no point
change = { $name }: { $from } → { $to }
change-of = { $target } { $name }: { $from } → { $to }
change-at = { $change } ({ $at })

## Capacity

capacity = Rates tried
capacity-note = Each row is an arrival rate. It is met or missed if all trials together leave at most 2.5 % doubt whether it is below or above the capacity, the rate at which half of the trials meet every condition.
offered-axis = transactions/s offered
log-axis = { $unit }, log scale
offered-column = offered, transactions/s
done-column = completed, transactions/s
held-column = all held
held-of = { $held } of { $trials }
missed-column = what failed
rate-standing = { $standing ->
    [met] met
    [missed] missed
   *[undecided] undecided
  }

## Where the time goes

where = Where the time goes
where-note = Breakdown of the mean response time of a transaction on both targets. Bold parts carry at least a tenth of the difference, and their 95{ "\u00A0" }% interval excludes zero. “Unattributed” is time that neither client, server nor kernel account for. Each bar starts where the one above it ends.
where-by = { $by ->
    [cause] cause
   *[statement] statement
  }
where-change = change,{ "\u00A0" }ms
where-from-to = from { $from } to { $to }{ "\u00A0" }ms
where-of = { $workload }, { $clients }: mean response time by { $by },{ "\u00A0" }ms
where-others = others
where-whole = mean response time

## Crashes

failover = Failovers
failover-note = The primary is lost at a scheduled time of the load; clients follow the new primary as soon as there is one. In addition to the load, four clients keep a journal of the commits acknowledged to them. “No commit” is the longest stretch in which none of them got a commit acknowledged. “Lost” are commits that were acknowledged and that the new primary lacks. When the old primary freezes or is cut off, one of these clients stays with it: “split brain” counts the commits that it got acknowledged after the new primary took writes. They do not count as lost.
failover-primary = primary
failover-kind =
  { $loss ->
    [kill] killed
    [stop] shut down
    [freeze] frozen
   *[cut] cut off
  }
failover-without = no commit,{ "\u00A0" }s (worst)
failover-median = median,{ "\u00A0" }s
failover-promoted = new primary after,{ "\u00A0" }s
failover-back = 90{ "\u00A0" }% back after,{ "\u00A0" }s
failover-promised = promise of the topology
failover-lost = lost in
failover-lost-in = { $lost } of { $failovers }
failover-age = oldest lost,{ "\u00A0" }ms
failover-split = split brain, commits
failover-unknown = outcome unknown
failover-errors = client errors (code x count)
failover-promise-async = none (fell back)
failover-old = old primary
failover-diverged = must be rebuilt: { $count } of its own
failover-away = did not rejoin
failover-rejoined = rejoined in { $s } s
events = Events during the load
events-note = Events at scheduled times and their effect on the load. “Before” are the five seconds before an event, “in the end” the last five before the next one or the end of the load. For several trials, these are medians; the time without a transaction and the time to 90 % are those of the worst trial.
events-event = event
events-before = before,{ "\u00A0" }/s
events-lowest = worst second,{ "\u00A0" }/s
events-silent = silent,{ "\u00A0" }s
events-after = in the end,{ "\u00A0" }/s
events-errors = errors
events-lasted = lasted,{ "\u00A0" }s
crash = Commits lost in crashes
crash-note = Each trial crashes the server at a random moment under load and restarts it. mydyno then looks for every acknowledged commit. Times are the age, at the crash, of the oldest commit that the tables lack; a crash that lost nothing counts as 0. “At most” is the upper end of the one-sided 95 % confidence interval of the share of crashes that lose something.
crash-chart = Commits lost from the tables against throughput
crash-axis = age of the oldest lost commit in ms, log scale
crash-nothing-lost = nothing lost from the tables
crash-key-worst = worst crash
crash-key-median = median crash
crash-broken = promise broken
crash-column = crash
crash-kind =
    { $kind ->
        [kill] kill -9
        [os] OS crash
        [power] power failure
       *[lying] power failure, flushes ignored
    }
crash-promised = promise of the settings
crash-promise =
    { $standing ->
        [kept] kept
        [broken] broken
       *[none] none
    }
crash-lost = lost in
crash-lost-in = { $lost } of { $crashes }
crash-lost-in-bound = { $lost } of { $crashes } (at most { $bound })
crash-not-recovered = { $count } not recovered
crash-damaged = { $count } damaged
crash-most = most commits lost
crash-worst = worst loss
crash-median = median loss
crash-recovery = recovery,{ "\u00A0" }s
crash-log = The binary log
crash-log-note = mydyno looks for the same commits in the binary log. Replicas and point-in-time recovery lack the commits that the log lacks, and replicas apply transactions that are only in the log. These commits are a few seconds old at most, so a log that lacks all of them may lack more.
crash-log-lost = lacks commits in
crash-log-most = most commits lacking
crash-log-worst = worst
crash-log-differs = differs from tables in
crash-log-only-tables = only in tables, most
crash-log-only-log = only in log, most
crash-log-unreadable = { $count } not read
crash-torn = torn at
crash-torn-at = { $bytes } in { $crashes }
crash-replicas = Replicas
crash-replicas-note = After the crash of the primary each replica applies what it has received, the primary starts again, and replication is resumed. A replica that has transactions which the primary lost is ahead: replication stops, or it goes on and the two have diverged. “Lost by a failover” are the acknowledged commits that the best replica lacks.
crash-replicas-ahead = ahead in
crash-replicas-most = ahead by, most
crash-replicas-saved = saved commits, most
crash-replicas-stopped = replication stopped in
crash-replicas-diverged = diverged in
crash-replicas-lacking = never received, most
crash-replicas-lost = lost by a failover, most

colocation = Instances side by side
colocation-note = S is the throughput of all instances together over the sum of what each does alone, with as many clients of its own. A hypothesis is supported if S without the cause is significantly nearer to 1 (Holm), and excluded if the 95 % interval leaves out that the cause makes up half of the distance of S from 1, or more.
serial = What limits commits
serial-note = While each commit waits for a round trip between the servers, N clients commit at most N / round trip. Each row stands at the number of clients from which on throughput no longer grows: no greater number adds 10 % or more, by the whole 95 % interval. Where CPUs are idle there, a stage that transactions pass one at a time may be the limit; its time for each transaction is then 1 / throughput. A thread, a lock and a disk that is synced can be such a stage.
profile = Where servers spend CPU
profile-note = Sampled by perf in a trial of its own, whose figures count nowhere else. In a flame graph the width of a function is the share of the samples in which it ran or was waiting for one that it had called; the lowest row has the names of threads. Click a function to zoom in. Functions of the kernel are orange and end with _[k] in tables; code without symbols is called by its file, such as [mysqld].
profile-search = Search functions (regular expression)
profile-file = Folded stacks, as flame graph tools read them: { $file }
profile-change-note = The stacks of { $other }: red functions take a larger share of its CPU time than of that of { $base }, blue ones a smaller share.
profile-function = function
profile-self = self, %
profile-total = with callees, %
profile-thread = thread
profile-share = share, %
profile-share-of = { $target } self, %
profile-functions = Hottest functions · { $title }
profile-threads = Busiest threads · { $title }
round-trip-ms = round trip, ms
serial-bound = clients / round trip
cpu-used = CPU used
serial-service = 1 / throughput, µs
serial-limit = limit
serial-is =
    { $standing ->
        [serial] a serial stage, perhaps
        [cpus] busy CPUs
        [cpus_unknown] unknown: CPU use was not read
        [grows] none: throughput grows, or may
       *[single_trials] not judged: single trials
    }
clients-each = clients each
clients-in-all = clients in all
alone-tps = 1 instance, transactions/s
together-tps = { $instances } instances, transactions/s
s-is =
    { $standing ->
        [super_linear] super-linear
        [linear] linear
        [contention] contention
        [inconclusive] inconclusive
       *[single_trial] single trials
    }
hypothesis = hypothesis
hypotheses = Hypotheses
hypothesis-is =
    { $standing ->
        [supported] supported
        [excluded] excluded
       *[not_decided] not decided
    }
evidence-column = evidence

bisect = Which differences matter
bisect-note = Combinations of both targets were measured. A difference explains the mean of what it does alone on the first target and of what the second target loses without it, as a share of the whole difference on a logarithmic scale; brackets are 95 % intervals.
bisect-difference = difference
bisect-share = explains
bisect-alone = { $base } with it
bisect-last = { $other } against { $other } without it
bisect-confirmed = confirmed
bisect-not-confirmed = not confirmed
bisect-not-started = Combinations with which the server does not start
bisect-combination = taken from { $other }

proof = Recommendations tried
proof-note = Each recommendation that is a setting of the server was tried on a sandbox against the current settings; the last row of the trials has all of them together. Brackets are 95 % intervals.
proof-recommendation = recommendation
proof-settings = settings
proof-throughput = throughput
proof-result = result
proof-all = all together
proof-helps = helps
proof-none = no effect
proof-harms = lowers throughput
proof-undecided = undecided
proof-not-valid = not valid
proof-cannot-be-tried = cannot be tried here
proof-not-measured = not tried yet
proof-not-tried-no-setting = takes more than a setting: not tried
proof-not-tried-weakens-durability = weakens durability: not tried

builds = The build that changed it
builds-note = The first and the last build were measured until they differ, then the builds between them until it was sure which of the two each one is like. Brackets are 95 % intervals.
builds-build = build
builds-trials = trials
builds-ratio = against { $first }
builds-place = place
builds-before = last one like the first
builds-after = first one like the last
builds-caption-throughput = Throughput by build
builds-caption-p99 = p99 response time by build
