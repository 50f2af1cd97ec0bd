// The view and the history as the program writes them. Written by crates/report/src/typescript.rs; to renew it:
// MYDYNO_UPDATE_TYPES=1 cargo test -p report the_page_has_the_types_of_the_program

/**
 * The experiment that a run belongs to.
 */
export type About = { 
/**
 * Its name in the catalogue, or its file.
 */
experiment: string, 
/**
 * What it is to answer.
 */
question: string, 
/**
 * What others found, and how.
 */
published?: string | null, 
/**
 * What a small machine, or one server, can show of it and what not.
 */
shows?: string | null, 
/**
 * In the size of minutes.
 */
quick: boolean, 
/**
 * Its targets are arms of one server: they differ in what is asked about, and on purpose.
 */
arms: boolean, 
/**
 * The question in Simplified Chinese; none: it was not translated.
 */
question_zh?: string | null, 
/**
 * What others found, likewise.
 */
published_zh?: string | null, 
/**
 * What a small machine can show of it, likewise.
 */
shows_zh?: string | null, };

/**
 * An arm, and what it has that not all of them have.
 */
export type ArmView = { 
/**
 * Position in [`super::View::targets`].
 */
target: number, 
/**
 * In the grammar of `--target`, such as `sync_binlog=1000`; empty if nothing differs.
 */
differs: Array<string>, };

/**
 * How far a search came.
 */
export type BisectStanding = "unfinished" | "equivalent" | "undecided" | "unexplained" | "explained" | "failed";

/**
 * Which differences between two targets make one of them faster.
 */
export type Bisection = { 
/**
 * Label of the first target.
 */
base: string, 
/**
 * Label of the second target.
 */
other: string, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Clients.
 */
threads: number, 
/**
 * How far the search came.
 */
standing: BisectStanding, 
/**
 * Throughput of the second target over that of the first; none as long as it is not known.
 */
ratio: RatioEstimate | null, 
/**
 * How many differences can be exchanged.
 */
differences: number, 
/**
 * Those that were found, the one with the largest share first.
 */
found: Array<FoundDifference>, 
/**
 * The share of the whole difference that is left with all that were found; none where it is not known.
 */
unexplained: ShareEstimate | null, 
/**
 * What each of the others explains at most, as a share of the whole difference.
 */
others_max: number | null, 
/**
 * Combinations with which the server did not start.
 */
not_started: Array<NotStarted>, 
/**
 * Trials that count.
 */
trials: number, 
/**
 * Trials that completed and do not count: they were not valid.
 */
not_valid: number, 
/**
 * Combinations that were measured, both targets among them.
 */
combinations: number, 
/**
 * The answer in sentences.
 */
says: Words, 
/**
 * The proof and the effort, in sentences.
 */
evidence: Words, };

/**
 * A fall between two neighbouring numbers of clients that neither the law nor the noise explains.
 */
export type Break = { 
/**
 * The last number of clients before it.
 */
below: number, 
/**
 * The first after it.
 */
above: number, 
/**
 * Share of the throughput that is lost.
 */
drop: number, 
/**
 * Numbers of clients between, at which to measure next.
 */
refine: Array<number>, };

/**
 * The mean response time of a transaction, in parts.
 */
export type Breakdown = { 
/**
 * The whole, milliseconds: mean over the trials.
 */
response_ms: Measure, 
/**
 * By statement, as clients timed them, with what comes before, between and after them.
 */
statements: Array<BreakdownPart>, 
/**
 * By what the time was spent on; empty where neither server nor kernel told anything.
 */
resources: Array<BreakdownPart>, };

/**
 * A part of the response time.
 */
export type BreakdownPart = { 
/**
 * Which: the name of a statement, or one of those below.
 */
id: string, 
/**
 * What it is called.
 */
label: Words, 
/**
 * Milliseconds of a transaction: mean over the trials.
 */
ms: Measure, };

/**
 * A calibration of the generator on one machine.
 */
export type Calibration = { 
/**
 * Format version.
 */
format: number, 
/**
 * When, RFC 3339 in UTC.
 */
at: string, 
/**
 * mydyno's version.
 */
mydyno_version: string, 
/**
 * CPU model of the machine.
 */
cpu_model: string, 
/**
 * CPUs that mydyno might use.
 */
cpus: number, 
/**
 * Kernel release.
 */
kernel: string, 
/**
 * A bare round trip over loopback TCP, median, nanoseconds.
 */
round_trip_ns: number, 
/**
 * The generator against a server that answers from memory, prepared point selects over TCP.
 */
points: Array<CalibrationPoint>, 
/**
 * From due to begun with clients to spare, median, nanoseconds.
 */
timer_p50_ns: number, 
/**
 * The 99th percentile.
 */
timer_p99_ns: number, 
/**
 * The longest.
 */
timer_max_ns: number, };

/**
 * The generator's cost at a number of connections.
 */
export type CalibrationPoint = { 
/**
 * Connections.
 */
connections: number, 
/**
 * Queries per second that it reached beside the null server, which took the rest of the machine.
 */
queries_per_s: number, 
/**
 * CPU per query, microseconds.
 */
cpu_us: number, 
/**
 * The part of it in user space.
 */
user_us: number, };

/**
 * The capacity of a target with a workload.
 */
export type Capacity = { 
/**
 * Label of the target.
 */
target: string, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Clients.
 */
threads: number, 
/**
 * How far the search came.
 */
standing: CapacityStanding, 
/**
 * The rate at which half of the trials hold, transactions per second; none where it is not within the range.
 */
per_s: number | null, 
/**
 * Lower end of its 95 % interval.
 */
low_per_s: number | null, 
/**
 * Upper end of it.
 */
high_per_s: number | null, 
/**
 * Transactions per second of a closed loop with as many clients; none if none was run.
 */
closed_loop_per_s: number | null, 
/**
 * The conditions, in the order in which they were named.
 */
conditions: Array<ConditionView>, 
/**
 * The rates that were tried, ascending.
 */
rates: Array<RateTried>, 
/**
 * The answer in a sentence or two.
 */
says: Words, 
/**
 * What was tried next to it, in a sentence.
 */
evidence: Words, };

/**
 * How far a search for a capacity came.
 */
export type CapacityStanding = "confirmed" | "unconfirmed" | "below" | "above" | "unknown";

/**
 * Something that a reader of a figure must know.
 */
export type Caveat = { 
/**
 * Which rule: stable, for files and filters.
 */
id: string, 
/**
 * How much it matters.
 */
severity: Severity, 
/**
 * The sentence.
 */
text: Words, 
/**
 * The numbers behind it. The first says how bad it is.
 */
evidence: Array<Evidence>, 
/**
 * In how many trials it was found; none: it concerns the cell as a whole.
 */
trials?: InTrials | null, };

/**
 * One target, workload and number of clients, with all its runs.
 */
export type Cell = { 
/**
 * Name for addresses, such as `mysql-oltp_read_write-16`.
 */
id: string, 
/**
 * Position in [`super::View::targets`].
 */
target: number, 
/**
 * Position in [`super::View::workloads`].
 */
workload: number, 
/**
 * Clients.
 */
threads: number, 
/**
 * How it went.
 */
status: CellStatus, 
/**
 * Trials that completed and count.
 */
runs_completed: number, 
/**
 * Trials planned.
 */
runs_planned: number, 
/**
 * Why it failed, if a run of it did.
 */
failure: Failure | null, 
/**
 * Transactions per second.
 */
throughput_per_s: EstimateView | null, 
/**
 * Statements per second.
 */
queries_per_s: EstimateView | null, 
/**
 * Median response time of transactions, of all trials together.
 */
response_p50_ms: EstimateView | null, 
/**
 * 95th percentile of response time, of all trials together: the same as in `totals` and `operations`.
 */
response_p95_ms: EstimateView | null, 
/**
 * 99th percentile of response time, of all trials together.
 */
response_p99_ms: EstimateView | null, 
/**
 * Sums and merged figures over the completed runs.
 */
totals: TotalsView | null, 
/**
 * Latency per operation over the completed runs; the first is the transaction.
 */
operations: Array<Operation>, 
/**
 * What each server was asked, in a sentence; none where clients connect to one only.
 */
by_server?: Words | null, 
/**
 * Percentile curve of transactions over the completed runs.
 */
distribution: Distribution | null, 
/**
 * Errors over the completed and the failed runs.
 */
errors: Array<ErrorRow>, 
/**
 * What the generator used.
 */
generator: Generator | null, 
/**
 * What went over the sockets.
 */
network?: Network | null, 
/**
 * What a simulated network did, in a sentence; none without one.
 */
simulated_network?: Words | null, 
/**
 * What became of the servers of a topology after the load.
 */
together?: TogetherSummary | null, 
/**
 * What MySQL Router between clients and servers cost.
 */
router?: RouterSummary | null, 
/**
 * What crashes on purpose lost.
 */
crash?: CrashSummary | null, 
/**
 * What failovers cost.
 */
failover?: FailoverSummary | null, 
/**
 * What events during the load did to it, in the order of time.
 */
events?: Array<EventSummary>, 
/**
 * Where the mean response time of a transaction goes.
 */
breakdown?: Breakdown | null, 
/**
 * What a transaction cost the server.
 */
costs?: Array<Cost>, 
/**
 * What took the server's time: statements, waits, threads.
 */
tops?: Tops | null, 
/**
 * What the machine did meanwhile, and what the watching cost.
 */
machine?: MachineUse | null, 
/**
 * How the workload's statements are executed.
 */
plans?: Array<PlanSummary>, 
/**
 * New-Order transactions per minute, as another tool stated them.
 */
tpmc?: EstimateView | null, 
/**
 * What TPC-C asks for besides.
 */
tpcc?: TpccSummary | null, 
/**
 * What an open loop adds.
 */
open_loop?: OpenSummary | null, 
/**
 * Its runs over time: those of TPC-C, and of other workloads those of two minutes and more.
 */
timelines?: Array<Timeline>, 
/**
 * Whether throughput settled, held its level, fell silent, came back at equal distances, or changed its level.
 */
over_time?: OverTime | null, 
/**
 * What a reader must know about this cell, worst first.
 */
caveats: Array<Caveat>, 
/**
 * Its runs.
 */
trials: Array<Trial>, };

/**
 * A piece of advice, with the cells in which it was found.
 */
export type CellAdvice = { 
/**
 * The advice, with the evidence of the cell where it weighs most.
 */
advice: Recommendation, 
/**
 * Numbers of clients of the cells in which it was found; all of them for what is so in every cell.
 */
clients: Array<number>, };

/**
 * How a cell went.
 */
export type CellStatus = "completed" | "partial" | "failed" | "missing";

/**
 * What else changed at a change-point.
 */
export type Changed = { 
/**
 * From the recording before it to the first of the new level.
 */
there: Array<CircumstanceChange>, 
/**
 * Up to two recordings away: noise may move a change-point by as much.
 */
near: Array<Near>, };

/**
 * Runs after which the conditions were to be checked and could not be.
 */
export type CheckMissing = { 
/**
 * How many.
 */
runs: number, 
/**
 * What stood in the way of the first.
 */
reason: string, };

/**
 * Something that is not as it was in the recording before.
 */
export type CircumstanceChange = { 
/**
 * Which kind: `kernel`, `server_version`, `variable`, ...; stable, for files and filters.
 */
id: string, 
/**
 * Label of the target it concerns; none: the machine or mydyno.
 */
target: string | null, 
/**
 * What changed, in words.
 */
name: Words, 
/**
 * What it was.
 */
from: string, 
/**
 * What it is.
 */
to: string, };

/**
 * One kind of statement, as the clients timed it from sending to the end of its result.
 */
export type ClientStatement = { 
/**
 * Name of the operation.
 */
operation: string, 
/**
 * Share of the service time of all statements.
 */
share: number, 
/**
 * Executions per transaction.
 */
per_transaction: number, 
/**
 * Mean service time.
 */
mean_ms: number, };

/**
 * What instances side by side do, with one workload.
 */
export type Colocation = { 
/**
 * Label of the target of one instance.
 */
alone: string, 
/**
 * Label of the target of several.
 */
together: string, 
/**
 * How many those are.
 */
instances: number, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * S at each number of clients.
 */
points: Array<ColocationPoint>, 
/**
 * Position of the point that the answer and the hypotheses are about: the significant one farthest from 1, or the one with
 * the most clients.
 */
lead: number, 
/**
 * What might explain it.
 */
hypotheses: Array<Hypothesis>, 
/**
 * S in words.
 */
says: Words, 
/**
 * Which hypotheses are supported, excluded, not decided, in words.
 */
verdicts: Words, };

/**
 * S at a number of clients.
 */
export type ColocationPoint = { 
/**
 * Clients of each instance, alone and together.
 */
threads: number, 
/**
 * Throughput of one instance alone, transactions per second.
 */
alone_per_s: number, 
/**
 * Throughput of all instances together.
 */
together_per_s: number, 
/**
 * Together over the sum of each alone, with its 95 % interval.
 */
s: Measure, 
/**
 * Two-sided p-value of S = 1, after Holm's correction over the numbers of clients; none of single trials.
 */
p_adjusted: number | null, 
/**
 * What may be said.
 */
standing: ColocationStanding, };

/**
 * What may be said of S.
 */
export type ColocationStanding = "super_linear" | "linear" | "contention" | "inconclusive" | "single_trial";

/**
 * Throughput of one target over that of another at the same workload and clients.
 */
export type ComparisonView = { 
/**
 * Position in [`View::workloads`].
 */
workload: number, 
/**
 * Clients.
 */
threads: number, 
/**
 * The target divided by, position in [`View::targets`].
 */
base: number, 
/**
 * The target compared with it.
 */
other: number, 
/**
 * Throughput of `other` over that of `base`.
 */
throughput_ratio: number, 
/**
 * Lower end of the 95 % interval; none when either is a single run.
 */
low: number | null, 
/**
 * Upper end of the 95 % interval.
 */
high: number | null, 
/**
 * What may be said of `other` against `base`.
 */
verdict: Verdict, 
/**
 * For an inconclusive comparison, about how many trials of each cell might decide it.
 */
runs_needed: number | null, 
/**
 * Two-sided p-value of no difference, after Holm's correction over all points of this pair of targets.
 */
p_adjusted: number | null, 
/**
 * How many points those are.
 */
family_size: number, 
/**
 * Why no verdict is given although both completed.
 */
withheld?: Words | null, };

/**
 * A condition.
 */
export type ConditionView = { 
/**
 * As it was written: `p99<20ms`.
 */
text: string, 
/**
 * What the metric is called.
 */
label: Words, 
/**
 * Unit of the bound and of the values at each rate.
 */
unit: string, 
/**
 * The bound.
 */
bound: number, };

/**
 * What the checks after the runs found.
 */
export type Consistent = { 
/**
 * Conditions that held after every run.
 */
holding: number, 
/**
 * Conditions checked.
 */
checked: number, 
/**
 * The others: condition, number of keys, an example.
 */
violated: Array<Words>, };

/**
 * A cost per transaction.
 */
export type Cost = { 
/**
 * Which: stable, for files.
 */
id: string, 
/**
 * What it is.
 */
label: Words, 
/**
 * Its unit; empty for a plain number.
 */
unit: string, 
/**
 * Mean over the completed trials of which it is known; the label says how many, if not all.
 */
per_transaction: number, };

/**
 * A straight line through 1/throughput against cumulative transactions: what a transaction costs grows with the data
 * that the ones before it left.
 */
export type CostGrowth = { 
/**
 * 1/throughput at the start of the line, seconds.
 */
start_s: number, 
/**
 * By how much a million transactions lengthen the time per transaction, as a share of what it is at the start.
 */
per_million: number, 
/**
 * Lower end of its 95 % interval.
 */
low: number, 
/**
 * Upper end.
 */
high: number, 
/**
 * How far the line's throughput is from the one found, root mean square, as a share.
 */
misfit: number, 
/**
 * Whether throughput declines as such a law says: the interval is above zero, the decline more than 2 %, and the
 * line within 5 %.
 */
found: boolean, };

/**
 * The consistency conditions of TPC-C after crashes, over the trials of a cell.
 */
export type CrashConditionsSummary = { 
/**
 * Conditions of the standard that were checked after each crash.
 */
conditions: number, 
/**
 * Crashes after which they were checked.
 */
checked: number, 
/**
 * Those of them after which one did not hold.
 */
violated_in: number, 
/**
 * What did not hold after some crash: `condition 3`.
 */
violated: Array<string>, 
/**
 * Crashes after which they could not be checked.
 */
unchecked: number, 
/**
 * Why not, of the first of them.
 */
trouble: string | null, };

/**
 * How a server is made to crash.
 */
export type CrashKind = "kill" | "os" | "power" | "lying";

/**
 * Replicas after crashes of their primary, held against it and the journal, over the trials of a cell. Where there are several
 * replicas, the figures are those of the one with the most.
 */
export type CrashReplicasSummary = { 
/**
 * Crashes after which a replica was compared with its primary.
 */
compared: number, 
/**
 * Crashes after which a replica could not be read.
 */
unreadable: number, 
/**
 * Why not, of the first of them.
 */
trouble: string | null, 
/**
 * Crashes after which a replica had transactions that the primary had lost.
 */
ahead_in: number, 
/**
 * Upper end of the one-sided 95 % interval of the share of crashes after which a replica is ahead, where none ever was.
 */
ahead_bound: number | null, 
/**
 * The most such transactions after a crash.
 */
ahead_most: number, 
/**
 * The most acknowledged commits of the journal after a crash that the primary had lost and a replica had.
 */
saved_most: number, 
/**
 * Crashes after which replication from the primary did not go on.
 */
stopped_in: number, 
/**
 * Why not, of the first of them.
 */
stopped: string | null, 
/**
 * Crashes after which replication went on although a replica and the primary held different transactions.
 */
diverged_in: number, 
/**
 * Crashes after which a replica never got transactions that the tables of the primary had.
 */
lacking_in: number, 
/**
 * The most of them, of the journal.
 */
lacking_most: number, 
/**
 * Crashes after which every replica lacked acknowledged commits of the journal.
 */
lost_in: number, 
/**
 * The most that the best replica lacked after a crash: what a failover to it would have lost.
 */
lost_most: number, 
/**
 * Crashes after which a replica told what it had.
 */
told: number, };

/**
 * How what was lost stands to what the settings promise.
 */
export type CrashStanding = "kept" | "broken" | "lost" | "spared";

/**
 * What crashes under load lost, over the trials of a cell.
 */
export type CrashSummary = { 
/**
 * How the server was made to crash.
 */
kind: CrashKind, 
/**
 * What its settings promise.
 */
class: Durability, 
/**
 * Crashes.
 */
crashes: number, 
/**
 * Those of them after which the tables lacked an acknowledged commit.
 */
lost_in: number, 
/**
 * Those of them after which the server did not start, or could not be read.
 */
not_recovered: number, 
/**
 * Those of them after which rows were there that may not be, or not as they should be.
 */
damaged: number, 
/**
 * Commits that had been acknowledged, over all crashes.
 */
acknowledged: number, 
/**
 * The most acknowledged commits that the tables lacked after a crash.
 */
lost_most: number, 
/**
 * The age of the oldest commit that they lacked, milliseconds since its acknowledgement: median over the crashes, 0 of those that lost
 * nothing; none if no crash tells.
 */
lost_ms_median: number | null, 
/**
 * The same: worst.
 */
lost_ms_worst: number | null, 
/**
 * Upper end of the one-sided 95 % interval of the share of crashes after which the tables are harmed, where they never were.
 */
bound: number | null, 
/**
 * From the start of the server until it answered, seconds: median.
 */
recovery_s: number | null, 
/**
 * The binary log, compared with the tables; none: there is none, or the recordings are older than the comparison.
 */
binary_log?: LogSummary, 
/**
 * Its replicas, compared with it; none where it had none.
 */
replicas?: CrashReplicasSummary, 
/**
 * The consistency conditions of TPC-C after the crashes; none where they were not asked for.
 */
conditions?: CrashConditionsSummary, 
/**
 * Crashes in which the disk kept a part of what was not flushed, by the number of bytes that it wrote whole or not at all.
 */
torn: Array<TornAt>, 
/**
 * How what was lost stands to what the settings promise.
 */
standing: CrashStanding, 
/**
 * All of it in a sentence.
 */
says: Words, };

/**
 * The throughput of one target with one workload over the number of clients.
 */
export type Curve = { 
/**
 * Label of the target.
 */
target: string, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * The Universal Scalability Law, if it describes the curve.
 */
law: Law | null, 
/**
 * Where it breaks, if it does.
 */
cliff: Break | null, 
/**
 * What there is to say, a sentence each.
 */
says: Array<Words>, };

/**
 * Where one target overtakes another.
 */
export type CurveCrossover = { 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Who is ahead before.
 */
before: string, 
/**
 * Who is ahead after.
 */
after: string, 
/**
 * The last number of clients at which the one is clearly ahead.
 */
below: number, 
/**
 * The first at which the other is.
 */
above: number, 
/**
 * Where both are equal, with its 95 % interval; none where the runs do not determine it.
 */
at: Measure | null, 
/**
 * In words.
 */
says: Words, };

/**
 * A respect in which the targets differ, or that they do not differ in durability.
 */
export type Difference = { 
/**
 * Which: [`Difference::SAME_DURABILITY`], or the id of the comparability warning, such as [`Difference::DURABILITY`].
 */
id: string, 
/**
 * English.
 */
en: string, 
/**
 * Simplified Chinese.
 */
zh: string, };

/**
 * A percentile curve: three columns of one length.
 */
export type Distribution = { 
/**
 * Percentiles, 0 to 100, ascending. It ends where fewer than one value lies beyond.
 */
percentile: Array<number>, 
/**
 * Response time at each.
 */
response_ms: Array<number>, 
/**
 * Service time at each; empty if it was not recorded.
 */
service_ms: Array<number>, };

/**
 * What a crash can lose: commits, and whole pages.
 */
export type Durability = "durable" | "tears_pages" | "loses_on_os_crash" | "loses_on_os_crash_and_tears_pages" | "loses_on_process_crash" | "loses_on_process_crash_and_tears_pages";

/**
 * What settings do to throughput.
 */
export type Effect = "helps" | "none" | "harms" | "undecided" | "not_valid" | "cannot_be_tried" | "not_measured";

/**
 * Errors of one kind.
 */
export type ErrorRow = { 
/**
 * MySQL error code.
 */
code: number, 
/**
 * SQLSTATE.
 */
state: string, 
/**
 * The first message seen.
 */
message: string, 
/**
 * The statement it came from.
 */
statement: string, 
/**
 * The type of transaction it came from; empty if there is only one.
 */
transaction?: string, 
/**
 * How often.
 */
count: number, 
/**
 * How often per second of measured time.
 */
per_s: number | null, 
/**
 * True if the run went on.
 */
forgiven: boolean, };

/**
 * A figure of a cell with its 95 % interval over the trials.
 */
export type EstimateView = { 
/**
 * Rates: mean over the trials. Percentiles: of all trials together, or where their histograms are lost the mean over
 * the trials. Of one trial: its value.
 */
mean: number, 
/**
 * Lower end of the 95 % interval over the trials; none for a single trial, and where there are too few for one.
 */
low: number | null, 
/**
 * Upper end of it.
 */
high: number | null, 
/**
 * Trials.
 */
n: number, };

/**
 * What an event during the load did to it, over the trials of a cell: medians, unless something else is said.
 */
export type EventSummary = { 
/**
 * The event, as it was asked for.
 */
event: string, 
/**
 * When it happened, seconds since the load began.
 */
at_s: number, 
/**
 * Trials in which it happened.
 */
trials: number, 
/**
 * How long it lasted, seconds; none where it has no length.
 */
lasted_s: number | null, 
/**
 * Transactions per second in the five seconds before it.
 */
before_per_s: number, 
/**
 * The same in the worst second between it and the next event, or the end of the load.
 */
lowest_per_s: number, 
/**
 * The same in the last five seconds before the next event, or the end of the load.
 */
after_per_s: number, 
/**
 * The longest stretch without a transaction, if it is a tenth of a second or more, seconds: worst.
 */
silent_s: number, 
/**
 * Until throughput was back at 90 % of what it was, seconds: worst; none where it was not back once.
 */
back_s: number | null, 
/**
 * Trials in which it was.
 */
back_in: number, 
/**
 * Errors until the next event, or the end of the load.
 */
errors: number, 
/**
 * All of it in a sentence.
 */
says: Words, };

/**
 * A number behind a caveat.
 */
export type Evidence = { 
/**
 * What it is, with its unit last.
 */
name: string, 
/**
 * The number.
 */
value: number, };

/**
 * Why transactions take longer on one target than on another.
 */
export type Explanation = { 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Clients.
 */
threads: number, 
/**
 * Label of the target that the other one is compared with.
 */
base: string, 
/**
 * Label of the other one.
 */
other: string, 
/**
 * Mean response time of `base`, milliseconds.
 */
base_ms: number, 
/**
 * Mean response time of `other`, milliseconds.
 */
other_ms: number, 
/**
 * The difference, `other` less `base`, trial by trial.
 */
change_ms: Measure, 
/**
 * By statement.
 */
statements: Array<PartChange>, 
/**
 * By what the time was spent on.
 */
resources: Array<PartChange>, 
/**
 * Of the numbers of clients of this pair of targets, the one at which response times differ most.
 */
leads: boolean, 
/**
 * The difference and the parts that carry it, in a sentence.
 */
says: Words, };

/**
 * One thing worth knowing.
 */
export type Fact = { 
/**
 * What it is about.
 */
name: Words, 
/**
 * What it is.
 */
value: Words, };

/**
 * Errors of one code.
 */
export type FailoverErrors = { 
/**
 * The code.
 */
code: number, 
/**
 * How many.
 */
count: number, };

/**
 * What failovers under load cost, over the trials of a cell.
 */
export type FailoverSummary = { 
/**
 * How the primary was lost.
 */
loss: PrimaryLoss, 
/**
 * Who promotes.
 */
by: PromotedBy, 
/**
 * Whether the topology promises that no acknowledged commit is lost.
 */
promised: boolean, 
/**
 * Whether it broke that promise once.
 */
broken: boolean, 
/**
 * Those failovers before which semisynchronous replication had fallen back to asynchronous, so that nothing was promised.
 */
fell_back: number, 
/**
 * Failovers.
 */
failovers: number, 
/**
 * Those of them with a new primary before the load ended.
 */
promoted: number, 
/**
 * From the loss until clients were told of a new primary, seconds: median.
 */
promoted_s: number | null, 
/**
 * The longest stretch without an acknowledged commit, seconds: median.
 */
without_commit_s_median: number, 
/**
 * The same: worst.
 */
without_commit_s_worst: number, 
/**
 * From the loss until the throughput was back at 90 %, seconds: worst; none where it was not back once.
 */
recovered_s: number | null, 
/**
 * Those failovers after which an acknowledged commit was missing on the new primary.
 */
lost_in: number, 
/**
 * The most acknowledged commits that were missing.
 */
lost_most: number, 
/**
 * The age of the oldest of them when clients were told of the new primary, milliseconds: worst; none where none was missing.
 */
lost_ms_worst: number | null, 
/**
 * The most commits that the old primary acknowledged after the new one had taken writes, which do not count as lost; none where no
 * client stayed with it.
 */
split_brain_most: number | null, 
/**
 * Upper end of the one-sided 95 % interval of the share of failovers that lose a commit, where none did.
 */
bound: number | null, 
/**
 * Commits whose outcome clients do not know, since the connection ended before the answer: the most.
 */
unknown_most: number, 
/**
 * Errors of the load's clients from the loss on, over all failovers, the most frequent first.
 */
errors: Array<FailoverErrors>, 
/**
 * Those after which rows were there that may not be, or not as they should be.
 */
damaged: number, 
/**
 * Those after which the old primary followed the new one.
 */
rejoined: number, 
/**
 * How long that took, seconds: worst.
 */
rejoined_s: number | null, 
/**
 * Those after which it had transactions that the new one lacks.
 */
diverged: number, 
/**
 * The most of them.
 */
diverged_most: number, 
/**
 * All of it in a sentence.
 */
says: Words, };

/**
 * Why something failed, in words for a user.
 */
export type Failure = { 
/**
 * What kind of failure.
 */
code: FailureCode, 
/**
 * One clear sentence.
 */
message: string, 
/**
 * What to do about it, if anything is known.
 */
hint: string | null, 
/**
 * The server's error code, if it came from the server.
 */
server_error: number | null, };

/**
 * Kinds of failure, for grouping and for exit codes.
 */
export type FailureCode = "connect" | "server_gone" | "server_error" | "data" | "machine" | "sandbox" | "protocol" | "other";

/**
 * How evenly the clients shared the work.
 */
export type Fairness = { 
/**
 * Mean transactions per client.
 */
transactions_mean: number, 
/**
 * Standard deviation of transactions per client.
 */
transactions_stddev: number, 
/**
 * Mean seconds a client spent in transactions.
 */
busy_s_mean: number, 
/**
 * Standard deviation of those seconds.
 */
busy_s_stddev: number, };

/**
 * Comparisons that are corrected together.
 */
export type Family = "primary" | "secondary";

/**
 * Something that stands out.
 */
export type Finding = { 
/**
 * Which question found it.
 */
question: Question, 
/**
 * In words.
 */
text: Words, };

/**
 * Whose server it is.
 */
export type Flavour = "mysql" | "mariadb";

/**
 * A difference that was found.
 */
export type FoundDifference = { 
/**
 * What differs: variables, or a part of the target. Several that are exchanged only together are named together.
 */
name: string, 
/**
 * Its value in the first target.
 */
base: Words, 
/**
 * Its value in the second target.
 */
other: Words, 
/**
 * It matters for certain: it is part of the answer.
 */
named: boolean, 
/**
 * Its share of the whole difference: mean of what it does alone and of what is lost without it. None where there is no whole, or
 * where differences work against each other.
 */
share: ShareEstimate | null, 
/**
 * Throughput of the first target with it over that of the first target.
 */
alone: RatioEstimate | null, 
/**
 * Throughput of the second target over that of the second target without it.
 */
last: RatioEstimate | null, 
/**
 * How it depends on others that were found.
 */
depends: Array<Words>, };

/**
 * What the generator itself cost.
 */
export type Generator = { 
/**
 * CPU per statement.
 */
cpu_us_per_query: number | null, 
/**
 * Share of that CPU spent in user space, 0 to 1.
 */
user_share: number | null, 
/**
 * Share of the host's CPUs, 0 to 1.
 */
host_share: number, 
/**
 * Share of one CPU that the busiest worker used, 0 to 1.
 */
busiest_worker: number, 
/**
 * Worker threads.
 */
workers: number, 
/**
 * Seconds runnable but not running, all workers and runs together.
 */
run_queue_wait_s: number, 
/**
 * Peak resident memory, bytes.
 */
memory_peak_bytes: number, };

/**
 * What a variable decides.
 */
export type Group = "durability" | "memory" | "io" | "concurrency" | "replication" | "instrumentation" | "optimizer" | "version" | "other";

/**
 * sysbench's latency histogram without its empty buckets: two columns of one length.
 */
export type Histogram = { 
/**
 * Value of each bucket, ascending.
 */
value_ms: Array<number>, 
/**
 * Transactions in it.
 */
count: Array<number>, };

/**
 * The history: what `mydyno history --format json` prints, and what the page shows.
 */
export type History = { 
/**
 * Tells the page what it is given.
 */
kind: string, 
/**
 * Version of its shape.
 */
schema_version: number, 
/**
 * Version of the program that made it.
 */
mydyno_version: string, 
/**
 * Language to show first.
 */
lang: Lang, 
/**
 * Workloads and targets.
 */
title: string, 
/**
 * The answer in one sentence.
 */
answer: Words, 
/**
 * Every recording that was looked at, by time, also those that are not part of any series.
 */
recordings: Array<HistoryEntry>, 
/**
 * One for each cell and metric.
 */
series: Array<HistoryLine>, 
/**
 * The chance that a series without a change has a change-point.
 */
false_alarms: number, 
/**
 * Recordings of which a change-point can be found at all.
 */
recordings_min: number, 
/**
 * Ratios within this distance of 1 count as the same.
 */
margin: number, };

/**
 * A recording of the history.
 */
export type HistoryEntry = { 
/**
 * Its id.
 */
id: string, 
/**
 * Name of its plan.
 */
name: string, 
/**
 * Wall clock of its start, RFC 3339 in UTC.
 */
started_at: string, 
/**
 * How it stands, as `mydyno list` says it.
 */
status: string, 
/**
 * Why it is not part of the history; none: it is.
 */
left_out: Words | null, 
/**
 * What is not as it was in the recording of the history before it.
 */
changes: Array<CircumstanceChange>, };

/**
 * A series, with what else changed at its change-points.
 */
export type HistoryLine = { 
/**
 * Label of the metric with its unit.
 */
label: Words, 
/**
 * The change-points, with what else changed there.
 */
changed: Array<Changed>, 
/**
 * Label of the target; of a benchmark the machine.
 */
target: string, 
/**
 * Label of the workload; of a benchmark its row.
 */
workload: string, 
/**
 * Clients; 0 of a benchmark.
 */
threads: number, 
/**
 * Id of the metric.
 */
metric: string, 
/**
 * What each recording measured, by time.
 */
points: Array<MeasuredValue>, 
/**
 * Recordings that have no point here, and why.
 */
left_out: Array<LeftOut>, 
/**
 * Where the level changed.
 */
shifts: Array<Shift>, 
/**
 * Why there are none, where the series is too short for any.
 */
too_short: Words | null, 
/**
 * The last recording against the level before it.
 */
latest: Latest | null, 
/**
 * Why that cannot be told, if it cannot.
 */
untold: Words | null, };

/**
 * The machine that offers the load (and, for sandboxes, carries the server too).
 */
export type HostFacts = { 
/**
 * Format version of the file.
 */
format: number, 
/**
 * Kernel host name.
 */
hostname: string, 
/**
 * Pretty name from os-release.
 */
os: string, 
/**
 * Kernel release.
 */
kernel: string, 
/**
 * Machine architecture (`x86_64`, `aarch64`).
 */
architecture: string, 
/**
 * CPU model as the kernel names it.
 */
cpu_model: string, 
/**
 * CPUs this process may use.
 */
cpus: number, 
/**
 * Memory, bytes.
 */
memory_bytes: number, 
/**
 * NUMA nodes.
 */
numa_nodes: number, 
/**
 * Frequency governor, where the kernel shows one.
 */
governor: string | null, 
/**
 * Hypervisor, where the CPU flags show one.
 */
virtualised: boolean, 
/**
 * CPU limit from a cgroup, in CPUs.
 */
cgroup_cpus: number | null, 
/**
 * Memory limit from a cgroup, bytes.
 */
cgroup_memory_bytes: number | null, 
/**
 * mydyno's own version.
 */
mydyno_version: string, 
/**
 * The generator's calibration on this machine, if there is one of this version.
 */
calibration?: Calibration | null, };

/**
 * A function that takes another share of one server's CPU time than of the other's.
 */
export type HotChange = { 
/**
 * Its name.
 */
name: string, 
/**
 * Share of the samples that end in it, of the first server.
 */
base_share: number, 
/**
 * Of the other server.
 */
other_share: number, };

/**
 * A function that uses CPU.
 */
export type HotFunction = { 
/**
 * Its name; `_[k]` at the end: of the kernel; `[mysqld]`: code of that file without a symbol.
 */
name: string, 
/**
 * Share of the samples that end in it.
 */
self_share: number, 
/**
 * Share of the samples that end in it, or in what it calls.
 */
total_share: number, };

/**
 * The threads of one name.
 */
export type HotThread = { 
/**
 * Their name.
 */
name: string, 
/**
 * Their share of the samples.
 */
share: number, };

/**
 * A possible explanation of S, and what its control says.
 */
export type Hypothesis = { 
/**
 * What is suspected.
 */
cause: SuspectedCause, 
/**
 * In a word or two.
 */
name: Words, 
/**
 * As a claim.
 */
claim: Words, 
/**
 * What the control says of it.
 */
standing: HypothesisStanding, 
/**
 * S without the suspected cause.
 */
s?: Measure | null, 
/**
 * That over S, with its 95 % interval.
 */
ratio?: Measure | null, 
/**
 * Two-sided p-value of a ratio of 1, after Holm's correction over all controls and numbers of clients.
 */
p_adjusted?: number | null, 
/**
 * What the standing rests on.
 */
evidence: Words, };

/**
 * What a control says of a hypothesis.
 */
export type HypothesisStanding = "supported" | "excluded" | "not_decided";

/**
 * Where a recording comes from that mydyno did not make itself.
 */
export type Imported = { 
/**
 * The tool that measured, such as `sysbench`; of a table: `a table`.
 */
tool: string, 
/**
 * Its version, where it says so.
 */
version?: string | null, 
/**
 * Names of the files, without their directories.
 */
files: Array<string>, 
/**
 * What a reader must know of the figures, in sentences; may be empty.
 */
notes?: Array<string>, };

/**
 * In how many of the trials that count something was found.
 */
export type InTrials = { 
/**
 * Trials that have it.
 */
having: number, 
/**
 * Trials that count.
 */
of: number, };

/**
 * Two factors at two levels each, at one number of clients. Effects are ratios of throughput, arm over base.
 */
export type Interaction = { 
/**
 * The arm, or the level of a factor.
 */
arm: string, 
/**
 * The first arm, or the first level.
 */
base: string, 
/**
 * One workload, or one level of another factor.
 */
first: string, 
/**
 * The other.
 */
second: string, 
/**
 * The other factor, if it is not the workload.
 */
factor?: string | null, 
/**
 * The workload, where the other factor is not it and there are several.
 */
workload?: string | null, 
/**
 * Clients.
 */
threads: number, 
/**
 * Effect with the one.
 */
effect_first: Measure, 
/**
 * Effect with the other.
 */
effect_second: Measure, 
/**
 * The second effect over the first, with its 95 % interval.
 */
ratio: Measure, 
/**
 * Two-sided p-value of a ratio of 1, after Holm's correction over all points.
 */
p_adjusted: number, 
/**
 * Whether the effect differs: significant, and by more than the margin that counts as equal.
 */
differs: boolean, };

/**
 * What was found, and what is said of it.
 */
export type Interactions = { 
/**
 * Every point that four cells determine.
 */
points: Array<Interaction>, 
/**
 * A sentence for each arm and pair of workloads whose effects differ; empty where none does.
 */
says: Array<Words>, };

/**
 * The largest spread within a window of a quarter of the run, of 32 slots.
 */
export type Jitter = { 
/**
 * Largest difference between two slots of one window, as a share of the window's mean.
 */
variation: number, 
/**
 * Start of that window, seconds since the clients started.
 */
from_s: number, 
/**
 * Its length.
 */
window_s: number, 
/**
 * What slots that scatter independently of each other as much as neighbours do show in one run of a thousand.
 */
chance: number, 
/**
 * Whether clause 5.5 of TPC-C would be kept: less than 2 %; none where so few transactions vary as much by chance.
 */
kept: boolean | null, };

/**
 * A language of the report.
 */
export type Lang = "en" | "zh";

/**
 * A latency distribution in a few numbers.
 */
export type Latency = { min_ms: number, avg_ms: number, p50_ms: number, p90_ms: number, p95_ms: number, p99_ms: number, p999_ms: number, p9999_ms: number, max_ms: number, sum_ms: number, };

/**
 * The last recording against the level before it.
 */
export type Latest = { 
/**
 * The recording.
 */
recording: number, 
/**
 * The first recording of the level: the one after the last change-point that the recordings before the last one show.
 */
since: number, 
/**
 * Recordings of the level.
 */
recordings: number, 
/**
 * Mean over the trials of the base.
 */
base_value: number, 
/**
 * Mean over the trials of the other.
 */
other_value: number, 
/**
 * Id of the metric.
 */
metric: string, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Clients.
 */
threads: number, 
/**
 * Label of the target divided by.
 */
base: string, 
/**
 * Label of the target compared with it.
 */
other: string, 
/**
 * Other over base.
 */
ratio: number, 
/**
 * Lower end of the 95 % interval; none with a single run.
 */
low: number | null, 
/**
 * Upper end of the 95 % interval; none with a single run.
 */
high: number | null, 
/**
 * What may be said.
 */
verdict: Verdict, 
/**
 * For an inconclusive comparison, about how many trials of each might decide it; none if more than a hundred.
 */
runs_needed: number | null, 
/**
 * Two-sided p-value of no difference, after Holm's correction over its family; none without an interval.
 */
p_adjusted: number | null, 
/**
 * With which others it was corrected.
 */
family: Family, 
/**
 * How many those are, with itself.
 */
family_size: number, 
/**
 * Ratios this far from 1, up or down, would have been significant after correction; none without an interval.
 */
detectable: number | null, 
/**
 * Why no verdict is given, where that is so although both completed.
 */
withheld?: Words | null, };

/**
 * X(N) = lambda N / (1 + alpha (N - 1) + beta N (N - 1)), with 95 % intervals where there are any.
 */
export type Law = { 
/**
 * Throughput of one client.
 */
lambda: Measure, 
/**
 * Share of the work that waits for others.
 */
alpha: Measure, 
/**
 * Cost of keeping in step.
 */
beta: Measure, 
/**
 * How far the points are from the law, root mean square of the relative distance.
 */
rms: number, 
/**
 * Number of clients at which perfect scaling would reach the highest throughput.
 */
knee: number | null, 
/**
 * Number of clients with the highest throughput.
 */
peak: number | null, };

/**
 * A recording without a point.
 */
export type LeftOut = { 
/**
 * Its place among the recordings.
 */
recording: number, 
/**
 * Why.
 */
why: Words, };

/**
 * Valid, valid with caveats, or not valid.
 */
export type Level = "green" | "amber" | "red";

/**
 * A change of the level.
 */
export type LevelChange = { 
/**
 * When, seconds since the clients started.
 */
at_s: number, 
/**
 * Transactions per second before it, since the change before or the beginning.
 */
before_per_s: number, 
/**
 * After it, until the next or the end.
 */
after_per_s: number, 
/**
 * The second over the first.
 */
ratio: number, 
/**
 * Lower end of its 95 % interval; none where there is none.
 */
low: number | null, 
/**
 * Upper end.
 */
high: number | null, 
/**
 * How likely chance gives as strong a one.
 */
p_value: number, };

/**
 * The binary log after crashes, held against the journal and the tables, over the trials of a cell.
 */
export type LogSummary = { 
/**
 * Crashes after which it was compared.
 */
compared: number, 
/**
 * Crashes after which it could not be read.
 */
unreadable: number, 
/**
 * Why not, of the first of them.
 */
trouble: string | null, 
/**
 * Crashes after which it lacked an acknowledged commit.
 */
lost_in: number, 
/**
 * Those of them after which it lacked every acknowledged commit: the loss may go back further than the journal.
 */
all_lost_in: number, 
/**
 * The most acknowledged commits that it lacked after a crash.
 */
lost_most: number, 
/**
 * The age of the oldest commit that it lacked, milliseconds since its acknowledgement: worst; none if it was never read.
 */
lost_ms_worst: number | null, 
/**
 * Upper end of the one-sided 95 % interval of the share of crashes after which it lacks something, where it never did.
 */
lost_bound: number | null, 
/**
 * Crashes after which it and the tables held different transactions.
 */
differs_in: number, 
/**
 * The same interval for that.
 */
differs_bound: number | null, 
/**
 * The most transactions after a crash that the tables had and it lacked.
 */
only_in_tables_most: number, 
/**
 * The most transactions after a crash that it had and the tables lacked.
 */
only_in_log_most: number, 
/**
 * Crashes after which a file of it ended in an event that cannot be read.
 */
damaged_end_in: number, };

/**
 * The machine of the load over the measured window: means over time and over the completed runs. It is the server's only if
 * `server_is_here`.
 */
export type MachineUse = { 
/**
 * The server's process is one of this machine that could be looked at.
 */
server_is_here: boolean, 
/**
 * CPUs that the server's process used; those of all servers that clients connect to.
 */
server_cpus: number | null, 
/**
 * Shares of the time of all CPUs: programs, kernel, idle while a disk was waited for, taken by the hypervisor, idle.
 */
cpu_user: number, 
/**
 * Kernel.
 */
cpu_system: number, 
/**
 * Idle while a disk was waited for.
 */
cpu_iowait: number, 
/**
 * Taken by the hypervisor.
 */
cpu_steal: number, 
/**
 * Idle.
 */
cpu_idle: number, 
/**
 * Threads that ran or wanted to.
 */
run_queue: number, 
/**
 * Reads from disks per second.
 */
disk_reads_per_s: number, 
/**
 * Writes to disks per second.
 */
disk_writes_per_s: number, 
/**
 * Read from disks, bytes per second.
 */
disk_read_bytes_per_s: number, 
/**
 * Written to disks, bytes per second.
 */
disk_written_bytes_per_s: number, 
/**
 * Mean time of a write to a disk, queueing included.
 */
disk_write_ms: number | null, 
/**
 * Mean time of a read.
 */
disk_read_ms: number | null, 
/**
 * Share of the time in which a disk was busy; summed over disks. None if the kernel's clock of it began anew.
 */
disk_busy: number | null, 
/**
 * Over the network, both ways, bytes per second.
 */
network_bytes_per_s: number, 
/**
 * Share of the time in which some thread waited for a CPU, a disk, memory (PSI); none where the kernel does not tell.
 */
pressure_cpu: number | null, 
/**
 * For a disk.
 */
pressure_io: number | null, 
/**
 * For memory.
 */
pressure_memory: number | null, 
/**
 * Share of the time in which the server was kept from running by the quota of its control group, over all its CPUs.
 */
throttled: number | null, 
/**
 * The least memory that was left, bytes.
 */
memory_available_bytes: number, 
/**
 * Median round trip of a request that asks for nothing.
 */
round_trip_ms: number | null, 
/**
 * Readings of the window.
 */
readings: number, 
/**
 * Mean time that one took.
 */
reading_ms: number, 
/**
 * The most that one was late.
 */
reading_late_ms: number, };

/**
 * Something that was done at a known second of the load.
 */
export type Mark = { 
/**
 * When, seconds since the clients started.
 */
at_s: number, 
/**
 * What, in two words.
 */
says: Words, 
/**
 * Which event of the load it is, counted from 1; none of a failover.
 */
event?: number | null, 
/**
 * This is where the event is over.
 */
is_end?: boolean, };

/**
 * A mean over runs, with its 95 % interval where there can be one.
 */
export type Measure = { 
/**
 * Mean over the runs; of a single run its value.
 */
mean: number, 
/**
 * Lower end of the interval; none for a single run.
 */
low: number | null, 
/**
 * Upper end of the interval; none for a single run.
 */
high: number | null, 
/**
 * Runs.
 */
n: number, };

/**
 * What a recording measured.
 */
export type MeasuredValue = { 
/**
 * Its place among the recordings.
 */
recording: number, 
/**
 * Mean over the runs; of a single run its value.
 */
mean: number, 
/**
 * Lower end of the interval; none for a single run.
 */
low: number | null, 
/**
 * Upper end of the interval; none for a single run.
 */
high: number | null, 
/**
 * Runs.
 */
n: number, };

/**
 * A variable of a server that is not as that of the server that clients connect to.
 */
export type MemberDifference = { 
/**
 * The variable.
 */
name: string, 
/**
 * Its value.
 */
value: string, 
/**
 * That of the server that clients connect to.
 */
of_entry: string, };

/**
 * A server of a topology.
 */
export type MemberView = { 
/**
 * The target's label, with its number behind it: `ha`, `ha:2`.
 */
name: string, 
/**
 * What it does in the topology.
 */
role: Role, 
/**
 * One line: its role, version, memory, durability, encryption, transport, and what differs from the entry point.
 */
summary: Words, 
/**
 * Variables that matter to a load and are not as those of the server that clients connect to.
 */
differs: Array<MemberDifference>, };

/**
 * How an experiment was made.
 */
export type Method = { 
/**
 * Its arms, the one that the others are compared with first.
 */
arms: Array<ArmView>, 
/**
 * Repeats, order, windows, seed: a sentence each.
 */
says: Array<Words>, };

/**
 * A change beside a change-point.
 */
export type Near = { 
/**
 * The recording that it came with.
 */
recording: number, 
/**
 * Which kind: `kernel`, `server_version`, `variable`, ...; stable, for files and filters.
 */
id: string, 
/**
 * Label of the target it concerns; none: the machine or mydyno.
 */
target: string | null, 
/**
 * What changed, in words.
 */
name: Words, 
/**
 * What it was.
 */
from: string, 
/**
 * What it is.
 */
to: string, };

/**
 * What went over the sockets of all clients, over the completed runs. Bytes are those of the sockets: TLS is included,
 * TCP and IP are not.
 */
export type Network = { 
/**
 * To the server, per transaction.
 */
sent_bytes: number, 
/**
 * From the server, per transaction.
 */
received_bytes: number, 
/**
 * What TLS agreed on; none without TLS.
 */
tls: TlsUse | null, };

/**
 * A combination with which the server did not start.
 */
export type NotStarted = { 
/**
 * What was taken from the second target.
 */
taken: Array<string>, 
/**
 * The end of the story, as the server or mydyno told it.
 */
why: Words, };

/**
 * A recommendation that was not tried.
 */
export type NotTried = { 
/**
 * Its id.
 */
id: string, 
/**
 * Why.
 */
why: UntriedReason, };

/**
 * Server and machine over time, on the time axis of [`TrialSeries`].
 */
export type Observed = { 
/**
 * When each reading was complete, seconds since the clients started.
 */
at_s: Array<number>, 
/**
 * Columns of that length.
 */
series: Array<ObservedSeries>, };

/**
 * One line.
 */
export type ObservedSeries = { 
/**
 * Which: stable, for files.
 */
id: string, 
/**
 * With which others it shares an axis.
 */
panel: Panel, 
/**
 * What it is.
 */
label: Words, 
/**
 * Its unit; empty for a plain number.
 */
unit: string, 
/**
 * At each reading; null where it could not be told.
 */
values: Array<number | null>, };

/**
 * Something that would change the answer.
 */
export type OpenQuestion = { 
/**
 * Of which kind: stable, for files and filters.
 */
kind: OpenQuestionKind, 
/**
 * The sentence.
 */
text: Words, };

/**
 * Kinds of doubt, in the order in which they are told.
 */
export type OpenQuestionKind = "inconclusive" | "single_runs" | "margin" | "caveats" | "quick" | "limits" | "one_machine";

/**
 * The open loop of a cell, over its completed runs.
 */
export type OpenSummary = { 
/**
 * Mean rate that the plan asks for, transactions per second.
 */
rate_per_s: number, 
/**
 * Runs.
 */
runs: number, 
/**
 * Transactions due in the measured windows.
 */
offered: number, 
/**
 * Those of them that were never started.
 */
unstarted: number, 
/**
 * So many that were never started say nothing: as many as can be in flight, over all runs.
 */
unstarted_allowed: number, 
/**
 * The largest backlog of any run.
 */
backlog_max: number, 
/**
 * At the end of some run it was still at least half of its largest.
 */
backlog_stayed: boolean, 
/**
 * From due to started, the worst run: median, milliseconds.
 */
late_p50_ms: number, 
/**
 * The 99th percentile.
 */
late_p99_ms: number, 
/**
 * The longest.
 */
late_max_ms: number, 
/**
 * 99th percentile of those for which a client was waiting, the worst run, milliseconds: the error of the timers.
 */
timer_p99_ms: number, 
/**
 * All of it in a sentence.
 */
says: Words, };

/**
 * Latency of one operation.
 */
export type Operation = { 
/**
 * Name, such as `point_select`.
 */
name: string, 
/**
 * What it is.
 */
kind: OperationKind, 
/**
 * How often it was run.
 */
count: number, 
/**
 * How often per transaction.
 */
per_transaction: number, 
/**
 * From due to done. Only transactions have a due time.
 */
response: Latency | null, 
/**
 * From sent to done.
 */
service: Latency, };

/**
 * What an operation is.
 */
export type OperationKind = "transaction" | "statement" | "connect" | "server";

/**
 * The runs of a cell over time.
 */
export type OverTime = { 
/**
 * The completed runs that have their seconds.
 */
runs: Array<RunOverTime>, 
/**
 * What there is to say of the cell; empty where nothing stands out.
 */
findings: Array<Finding>, 
/**
 * What the runs are too short for, in a sentence; none if for nothing.
 */
too_short: Words | null, };

/**
 * Lines that share an axis.
 */
export type Panel = "cpu" | "disk" | "server" | "state" | "pages" | "replication" | "queues" | "applied" | "round_trip";

/**
 * A part of the response time on both targets.
 */
export type PartChange = { 
/**
 * Which.
 */
id: string, 
/**
 * What it is called.
 */
label: Words, 
/**
 * Milliseconds of a transaction on the base.
 */
base_ms: number, 
/**
 * The same on the other.
 */
other_ms: number, 
/**
 * The difference, trial by trial.
 */
change_ms: Measure, 
/**
 * It carries a part of the difference that is worth naming, and its interval leaves zero out.
 */
named: boolean, };

/**
 * Latencies of a type of transaction, milliseconds.
 */
export type Percentiles = { p50_ms: number, p90_ms: number, p95_ms: number, p99_ms: number, max_ms: number, };

/**
 * Something that comes back at equal distances.
 */
export type Period = { 
/**
 * Its length, seconds.
 */
period_s: number, 
/**
 * How far its lowest second is below the median, as a share; all periods laid over each other.
 */
dip: number, 
/**
 * How far its highest is above.
 */
peak: number, 
/**
 * Autocorrelation at the period.
 */
strength: number, 
/**
 * How likely chance gives as strong a one.
 */
p_value: number, };

/**
 * How one table is read.
 */
export type PlanStep = { 
/**
 * Table.
 */
table: string, 
/**
 * How (`const`, `range`, `ALL`, ...), as in the manual's table of join types.
 */
access: string, 
/**
 * Index; empty: none.
 */
key: string, 
/**
 * Rows that the server expects to read.
 */
rows: number, 
/**
 * Rows that an execution read; none where nothing was executed.
 */
actual_rows?: number | null, };

/**
 * The plan of a statement, in the first completed run that was watched.
 */
export type PlanSummary = { 
/**
 * Which operation of the workload.
 */
operation: string, 
/**
 * The statement that was explained.
 */
sql: string, 
/**
 * The tables in the order in which they are read.
 */
steps: Array<PlanStep>, 
/**
 * The same in words, a line each.
 */
says: Array<string>, 
/**
 * The plan after the load, in words, if in some run it was another one than before it.
 */
changed_to: Array<string> | null, 
/**
 * Why there is no plan.
 */
error: string | null, };

/**
 * How a primary is lost.
 */
export type PrimaryLoss = "kill" | "stop" | "freeze" | "cut";

/**
 * How two servers differ in where they spend CPU with a workload.
 */
export type ProfileChangeView = { 
/**
 * Position in [`super::View::profiles`] of the one that the other is compared with.
 */
base: number, 
/**
 * Position of the other.
 */
other: number, 
/**
 * What it is about.
 */
title: Words, 
/**
 * The functions whose shares differ most.
 */
functions: Array<HotChange>, 
/**
 * The differential flame graph, an SVG in the shape of the other; only in the page.
 */
flame_graph?: string | null, };

/**
 * Where the server of a target spends CPU with a workload.
 */
export type ProfileView = { 
/**
 * Position in [`super::View::targets`].
 */
target: number, 
/**
 * Position in [`super::View::workloads`].
 */
workload: number, 
/**
 * Clients.
 */
threads: number, 
/**
 * What it is about.
 */
title: Words, 
/**
 * What was sampled, what that cost, and what is missing; or why nothing was sampled: a sentence each.
 */
says: Array<Words>, 
/**
 * Samples with a stack; none if nothing was sampled.
 */
samples: number | null, 
/**
 * Throughput of the sampled trial over the mean of those without sampling; none without such.
 */
throughput_ratio: number | null, 
/**
 * Share of the samples that end in code without a symbol.
 */
unknown_share: number | null, 
/**
 * The functions with the most time of their own.
 */
functions: Array<HotFunction>, 
/**
 * The threads that use most.
 */
busy_threads: Array<HotThread>, 
/**
 * The file of the folded stacks: `thread;function;function COUNT` on each line.
 */
file: string | null, 
/**
 * The flame graph, an SVG; only in the page.
 */
flame_graph?: string | null, };

/**
 * Who makes another server the primary.
 */
export type PromotedBy = "topology" | "mydyno";

/**
 * Statements by kind, as sysbench counts them.
 */
export type QueryCounts = { 
/**
 * SELECT.
 */
read: number, 
/**
 * INSERT, UPDATE, DELETE.
 */
write: number, 
/**
 * BEGIN, COMMIT and everything else.
 */
other: number, };

/**
 * A question about a run over time.
 */
export type Question = "silence" | "steady_state" | "trend" | "change_points" | "period" | "jitter" | "growth";

/**
 * Whether a rate holds, with 95 % confidence.
 */
export type RateStanding = "met" | "missed" | "undecided";

/**
 * A rate that was tried.
 */
export type RateTried = { 
/**
 * Transactions per second that were offered.
 */
per_s: number, 
/**
 * Trials that count.
 */
trials: number, 
/**
 * Those of them in which everything held.
 */
held: number, 
/**
 * Trials that say nothing of the server.
 */
set_aside: number, 
/**
 * It is one of the two that confirm the result.
 */
confirms: boolean, 
/**
 * Whether it holds, as far as all trials together tell.
 */
standing: RateStanding, 
/**
 * What did not hold, the most frequent first.
 */
missed: Array<Words>, 
/**
 * Transactions per second that were completed, mean over the trials that count.
 */
done_per_s: number | null, 
/**
 * 95th percentile of the response time, mean over the trials that count.
 */
p95_ms: number | null, 
/**
 * Mean of each condition's metric over the trials that count; none where it was not measured.
 */
values: Array<number | null>, };

/**
 * A ratio with its 95 % interval.
 */
export type RatioEstimate = { 
/**
 * The estimate.
 */
value: number, 
/**
 * Lower end of the interval.
 */
low: number, 
/**
 * Upper end of it.
 */
high: number, };

/**
 * One reason for a level of trust.
 */
export type ReasonView = { 
/**
 * Which rule found it: a stable name.
 */
id: string, 
/**
 * How bad it is; green for a merit.
 */
level: Level, 
/**
 * What it is.
 */
text: Words, 
/**
 * Cells concerned; 0: not about cells.
 */
cells: number, };

/**
 * One piece of advice.
 */
export type Recommendation = { 
/**
 * Which rule: stable, for files and filters.
 */
id: string, 
/**
 * How bad it is.
 */
severity: RecommendationSeverity, 
/**
 * Variables with their values, and figures.
 */
evidence: string, 
/**
 * Why it matters.
 */
why: string, 
/**
 * What to do.
 */
action: string, 
/**
 * What that may cost.
 */
cost: string, 
/**
 * Address of the manual's page.
 */
manual: string, 
/**
 * The recommendation as lines of my.cnf, by variable. Empty where it is no setting.
 */
set?: { [key in string]: string }, 
/**
 * As [`Recommendation::evidence`].
 */
evidence_zh: string, 
/**
 * As [`Recommendation::why`].
 */
why_zh: string, 
/**
 * As [`Recommendation::action`].
 */
action_zh: string, 
/**
 * As [`Recommendation::cost`].
 */
cost_zh: string, };

/**
 * What the settings of a recommendation do.
 */
export type RecommendationEffect = { 
/**
 * Id of the recommendation; empty: all of them.
 */
id: string, 
/**
 * Its settings, as `name = value`.
 */
set: Array<string>, 
/**
 * What they do to throughput.
 */
effect: Effect, 
/**
 * Throughput with them over throughput without; none where it was not measured.
 */
ratio: number | null, 
/**
 * Lower end of its 95 % interval.
 */
low: number | null, 
/**
 * Upper end of it.
 */
high: number | null, 
/**
 * A crash loses less with them.
 */
raises_durability: boolean, 
/**
 * What stands behind the effect, or against a verdict; empty if nothing.
 */
why: Words, };

/**
 * Which recommendations help with a workload.
 */
export type RecommendationProof = { 
/**
 * Label of the target with the current settings.
 */
base: string, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Clients.
 */
threads: number, 
/**
 * Recommendations that were tried, in the order in which they were made.
 */
tried: Array<RecommendationEffect>, 
/**
 * All of them together; none where only one was tried.
 */
together: RecommendationEffect | null, 
/**
 * Recommendations that were not tried.
 */
not_tried: Array<NotTried>, 
/**
 * The answer in sentences.
 */
says: Words, };

/**
 * How bad it is. `High` is only what can lose data or makes a measured figure meaningless.
 */
export type RecommendationSeverity = "high" | "medium" | "low";

/**
 * A latency as another tool stated it; what it did not state is none.
 */
export type ReportedLatencyView = { min_ms: number | null, avg_ms: number | null, p50_ms: number | null, p90_ms: number | null, p95_ms: number | null, p99_ms: number | null, p999_ms: number | null, max_ms: number | null, };

/**
 * What a server does in a topology.
 */
export type Role = "primary" | "replica";

/**
 * What a router adds to a round trip, microseconds.
 */
export type RouterAdds = { 
/**
 * Directly: median.
 */
direct_p50_us: number, 
/**
 * Directly: 99th percentile.
 */
direct_p99_us: number, 
/**
 * Through the router: median.
 */
through_p50_us: number, 
/**
 * Through the router: 99th percentile.
 */
through_p99_us: number, 
/**
 * What it adds to the median.
 */
added_p50_us: number, };

/**
 * What MySQL Router between clients and servers cost, over the trials of a cell. Of each figure: the median of the trials.
 */
export type RouterSummary = { 
/**
 * Its version.
 */
version: string, 
/**
 * A small request sent directly, and through the router, just before the trials; none where that could not be measured.
 */
round_trip?: RouterAdds | null, 
/**
 * CPUs that it used within the measured window.
 */
cpus?: number | null, 
/**
 * Its CPU time for each transaction, microseconds.
 */
cpu_us_per_transaction?: number | null, 
/**
 * Its resident memory at the end of the load, bytes.
 */
memory_bytes?: number | null, 
/**
 * All of it in a sentence.
 */
says: Words, };

/**
 * A recording: how and when it was made.
 */
export type Run = { 
/**
 * Run id; also the name of its directory.
 */
id: string, 
/**
 * Name of its plan: that of the workloads, or as `--name` gave it.
 */
name: string, 
/**
 * When it began, RFC 3339 in UTC.
 */
started_at: string | null, 
/**
 * SHA-256 of its plan.
 */
plan_hash: string, 
/**
 * Seed of everything random in it.
 */
seed: number, 
/**
 * Seconds before each measured window.
 */
warmup_s: number, 
/**
 * Seconds of each measured window.
 */
time_s: number, 
/**
 * Limit of transactions per trial; 0: none.
 */
events: number, 
/**
 * Mean of the offered rate; none: closed loop.
 */
rate_per_s: number | null, 
/**
 * Transactions in flight at the same time, at most; none: as many as there are clients.
 */
in_flight: number | null, 
/**
 * Mean seconds that a client thinks.
 */
think_s: number, 
/**
 * Runs planned per cell.
 */
repeats: number, 
/**
 * A command that repeats it.
 */
command: string, 
/**
 * What was asked for, as the recording keeps it: a file for `mydyno run`.
 */
spec: string, 
/**
 * The machine that offered the load.
 */
host: HostFacts, 
/**
 * Trials planned.
 */
trials_planned: number, 
/**
 * Trials with a result.
 */
trials_done: number, 
/**
 * Why the recording ends early, if it does.
 */
truncated: string | null, 
/**
 * Why it could not go on, if its latest attempt ended so.
 */
failure?: Failure | null, 
/**
 * What the user says of it.
 */
note?: string | null, 
/**
 * Where it comes from, if another tool measured it.
 */
imported?: Imported | null, 
/**
 * What was said during the run.
 */
cautions: Array<RunWarning>, };

/**
 * One run over time. Seconds are counted from when the clients started, as the charts have them.
 */
export type RunOverTime = { 
/**
 * Which repeat, from 1.
 */
repeat: number, 
/**
 * Start of the measured window.
 */
from_s: number, 
/**
 * Its length, seconds.
 */
measured_s: number, 
/**
 * Transactions of the measured window.
 */
transactions: number, 
/**
 * What the run is too short for.
 */
too_short_for: Array<Question>, 
/**
 * Where it settled.
 */
steady: Steady | null, 
/**
 * The largest spread within a sliding window.
 */
jitter: Jitter | null, 
/**
 * A straight line through the throughput, once it has settled.
 */
trend: Trend | null, 
/**
 * 1/throughput against the transactions done.
 */
growth: CostGrowth | null, 
/**
 * What comes back, if chance gives that in at most one of a hundred runs.
 */
period: Period | null, 
/**
 * Seconds without a completed transaction, if there is one.
 */
silence: Stall | null, 
/**
 * Where the level changed, if chance gives that in at most one of a hundred runs; in order of time.
 */
changes: Array<LevelChange>, };

/**
 * A caution raised during a run.
 */
export type RunWarning = { 
/**
 * Label of the target concerned, if one.
 */
target: string | null, 
/**
 * The sentence.
 */
text: string, };

/**
 * A build among others.
 */
export type SearchedBuild = { 
/**
 * Label of its target.
 */
target: string, 
/**
 * Trials that count.
 */
trials: number, 
/**
 * The metric over that of the first build; none where it was not measured.
 */
ratio: RatioEstimate | null, 
/**
 * Why it could not be measured; none if it could, or was not.
 */
why: Words | null, };

/**
 * What limits the commits of a target over a simulated link, with one workload.
 */
export type SerialStage = { 
/**
 * Label of the target.
 */
target: string, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Round trip between the servers, ms: twice the delay of the link.
 */
round_trip_ms: number, 
/**
 * The number of clients from which on throughput no longer grows; if it grows to the end, the greatest.
 */
threads: number, 
/**
 * Throughput there.
 */
per_s: Measure, 
/**
 * The most that this many clients can commit if each commit waits for one round trip; none where commits do not wait, or some
 * transactions only read.
 */
bound_per_s?: number | null, 
/**
 * Share of the machine's CPU time that was used, the most from there on; none where that was not read.
 */
cpu_busy?: number | null, 
/**
 * What may be said.
 */
standing: SerialStanding, 
/**
 * Time of a transaction in a stage that they pass one at a time, if that is the limit, microseconds: 1 / throughput. Of
 * `Serial` alone.
 */
service_us?: Measure | null, };

/**
 * What limits commits.
 */
export type SerialStanding = "serial" | "cpus" | "cpus_unknown" | "grows" | "single_trials";

/**
 * What a server says of itself.
 */
export type ServerFacts = { 
/**
 * Whose server.
 */
flavour: Flavour, 
/**
 * `VERSION()`.
 */
version: string, 
/**
 * `@@version_comment`.
 */
version_comment: string, 
/**
 * Cipher of the probing connection; none: not encrypted.
 */
tls_cipher: string | null, 
/**
 * What a crash can lose.
 */
durability: Durability, 
/**
 * The settings that make it less than durable, worst first, as `name = value`. Older recordings have none.
 */
durability_because?: Array<string>, 
/**
 * True if the binary log is written.
 */
binlog: boolean, 
/**
 * `innodb_buffer_pool_size`, bytes.
 */
buffer_pool_bytes: number, 
/**
 * `max_connections`.
 */
max_connections: number, 
/**
 * Median round trip of a request that asks for nothing (COM_PING), while there is no load, ms.
 */
round_trip_ms?: number | null, };

/**
 * How much a caveat matters.
 */
export type Severity = "note" | "warn" | "invalid";

/**
 * A share of the whole difference, on a logarithmic scale, with its 95 % interval.
 */
export type ShareEstimate = { 
/**
 * The estimate; 1 is the whole.
 */
value: number, 
/**
 * Lower end of the interval.
 */
low: number, 
/**
 * Upper end of it.
 */
high: number, };

/**
 * A change-point.
 */
export type Shift = { 
/**
 * The first recording of the new level.
 */
recording: number, 
/**
 * Its place among the points.
 */
point: number, 
/**
 * Geometric mean of the recordings from the change-point before (or the beginning) to this.
 */
mean_before: number, 
/**
 * Geometric mean from this to the next (or the end), without the latest recording.
 */
mean_after: number, 
/**
 * P-value of the test that found it.
 */
p_value: number, };

/**
 * A part of a run.
 */
export type Slot = { 
/**
 * End, seconds since the clients started.
 */
end_s: number, 
/**
 * Transactions per second.
 */
throughput_per_s: number, 
/**
 * Transactions done since the measured window began, up to the middle of the slot.
 */
transactions_before: number, 
/**
 * By kind of transaction.
 */
operations: Array<SlotOperation>, };

/**
 * One kind of transaction in a slot.
 */
export type SlotOperation = { 
/**
 * Completed per second.
 */
per_s: number, 
/**
 * Response time, milliseconds; none if none was completed.
 */
p95_ms: number | null, };

/**
 * Seconds without a completed transaction.
 */
export type Stall = { 
/**
 * All of them, seconds.
 */
silent_s: number, 
/**
 * Stretches of them: from and to, seconds since the clients started; the hundred longest, in order of time.
 */
stretches: Array<[number, number]>, 
/**
 * How many stretches there are.
 */
count: number, 
/**
 * Length of the longest, seconds.
 */
longest_s: number, 
/**
 * Where it begins.
 */
longest_from_s: number, 
/**
 * Seconds from there until nine tenths of the median before it are reached again; none if they never are.
 */
recovery_s: number | null, 
/**
 * Whether it is more than chance gives where few transactions are completed.
 */
found: boolean, };

/**
 * All transactions of a trial, or those of one type, as another tool stated them.
 */
export type StatedRow = { 
/**
 * `transaction`, or the type.
 */
name: string, 
/**
 * Completed.
 */
transactions: number | null, 
/**
 * Failed.
 */
errors: number | null, 
/**
 * Completed per minute.
 */
per_minute: number | null, 
/**
 * Response time.
 */
response: ReportedLatencyView, };

/**
 * Where MSER cuts the beginning off.
 */
export type Steady = { 
/**
 * Length of the beginning that is not like the rest, seconds of the measured window; 0: it is.
 */
cut_s: number, 
/**
 * Throughput of the beginning over that of the rest, less 1.
 */
change: number, 
/**
 * What chance gives.
 */
chance: number, 
/**
 * Whether the beginning differs by more than chance and 5 %, and the rest is most of the run.
 */
found: boolean, };

/**
 * A stretch of time.
 */
export type Stretch = { 
/**
 * Its beginning, seconds since the clients started.
 */
from_s: number, 
/**
 * Its length, seconds.
 */
length_s: number, };

/**
 * What may be behind an S other than 1.
 */
export type SuspectedCause = "shared_limit" | "cpus" | "memory" | "read_views" | "commit" | "generator" | "order";

/**
 * How throughput held over a run.
 */
export type Sustained = { 
/**
 * Transactions per second in the first quarter of the slots.
 */
first_per_s: number, 
/**
 * Transactions per second in the last quarter.
 */
last_per_s: number, 
/**
 * Length of the sliding window, seconds.
 */
window_s: number, 
/**
 * Largest difference between two slots of one window, as a share of the window's mean.
 */
variation: number, 
/**
 * Start of that window, seconds since the clients started.
 */
variation_from_s: number, 
/**
 * The variation that counts of this size show by chance.
 */
variation_chance: number, 
/**
 * Transactions of the measured window.
 */
transactions: number, 
/**
 * Seconds without a completed transaction.
 */
silent_s: number, 
/**
 * The longest stretch of them.
 */
silent_longest_s: number, 
/**
 * 1/throughput against the transactions done before.
 */
growth: CostGrowth | null, 
/**
 * All of it in a sentence.
 */
says: Words, 
/**
 * What became slower while the rest did not, if anything.
 */
slower: Words | null, };

/**
 * What the doctor says of a target, from what was seen of its server while it was measured.
 */
export type TargetAdvice = { 
/**
 * Position of the target.
 */
target: number, 
/**
 * Findings, worst first.
 */
items: Array<CellAdvice>, 
/**
 * What could not be seen, and why.
 */
unseen: Array<Unseen>, };

/**
 * A server under test.
 */
export type TargetView = { 
/**
 * Label, unique in the view.
 */
label: string, 
/**
 * How its servers belong together.
 */
topology: Topology, 
/**
 * The servers of a topology, the one that clients connect to first; empty of a single server.
 */
members?: Array<MemberView>, 
/**
 * What the server that clients connect to said of itself; none if it never answered.
 */
server: ServerFacts | null, 
/**
 * True if mydyno started it on the machine of the generator.
 */
sandbox: boolean, 
/**
 * CPUs, memory nodes and limits that it was given, in the words of the command line; none: as the machine has it.
 */
place?: string | null, 
/**
 * Unix socket, or TCP.
 */
transport: TransportView, 
/**
 * Encryption of the load's connections as configured, MySQL's spelling.
 */
ssl_mode: string, 
/**
 * What a crash can lose, in words.
 */
durability: Words | null, 
/**
 * What the user said of it: class, region, storage, price.
 */
instance: { [key in string]: string }, 
/**
 * One line: version, place, memory, durability, encryption, transport.
 */
summary: Words, };

/**
 * One run over time.
 */
export type Timeline = { 
/**
 * Which repeat, from 1.
 */
repeat: number, 
/**
 * Length of a slot, seconds; some are a second longer.
 */
slot_s: number, 
/**
 * The measured window, slot by slot.
 */
slots: Array<Slot>, 
/**
 * Kinds of transaction, in the order of `Slot::operations`.
 */
operations: Array<string>, 
/**
 * Whether the throughput was sustained; none for runs below two minutes.
 */
sustained: Sustained | null, };

/**
 * What TLS agreed on.
 */
export type TlsUse = { 
/**
 * `TLSv1.2` or `TLSv1.3`.
 */
version: string, 
/**
 * The cipher suite by its IANA name.
 */
cipher: string, 
/**
 * Handshakes made.
 */
handshakes: number, 
/**
 * Those of them that resumed an earlier session.
 */
resumed: number, };

/**
 * What became of the servers of a topology after the load, over the trials of a cell.
 */
export type TogetherSummary = { 
/**
 * How long it took at most until all servers had applied everything, seconds.
 */
caught_up_s: number, 
/**
 * Tables whose rows were compared on all servers; 0: none, as nothing was written, or the servers are not ours.
 */
compared: number, 
/**
 * The longest that a replica was behind within the measured window, seconds; none where no heartbeat tells.
 */
lag_max_s?: number | null, 
/**
 * All of it in a sentence.
 */
says: Words, 
/**
 * What waited between them within the measured window, in a sentence; none where nothing tells.
 */
queues?: Words | null, 
/**
 * Whether replicas that clients read from showed what had been committed, in a sentence; none where that was not looked at.
 */
reads?: Words | null, };

/**
 * A form of statement.
 */
export type TopStatement = { 
/**
 * Without its values; tables that differ by a number at their end stand together.
 */
text: string, 
/**
 * Share of the time of all statements, those without a digest among them.
 */
share: number, 
/**
 * Executions per transaction.
 */
per_transaction: number, 
/**
 * Mean time of an execution in the server.
 */
mean_ms: number, 
/**
 * Rows that an execution looks at.
 */
rows_examined: number, 
/**
 * Rows that it sends or changes.
 */
rows_returned: number, 
/**
 * Share of the executions that went through a whole table.
 */
full_scans: number, 
/**
 * Executions that ended with an error.
 */
errors: number, };

/**
 * The threads of one name.
 */
export type TopThreads = { 
/**
 * The server that they belong to; none of a target with one server.
 */
server?: string | null, 
/**
 * The name that the server gave them.
 */
name: string, 
/**
 * How many.
 */
threads: number, 
/**
 * CPUs that they used together.
 */
cpus: number, 
/**
 * CPUs that the busiest of them used: near 1 it can do no more.
 */
busiest: number, };

/**
 * A wait, or a stage.
 */
export type TopWait = { 
/**
 * The event's name in the performance schema.
 */
event: string, 
/**
 * Times per transaction.
 */
per_transaction: number, 
/**
 * Time per transaction.
 */
ms_per_transaction: number, 
/**
 * Threads that were in it at any time, in the mean.
 */
threads: number, };

/**
 * How the servers of a target belong together.
 */
export type Topology = "single" | "async" | "semisync" | "group" | "galera" | "independent";

/**
 * The most expensive of each kind over all completed runs of a cell and all servers that clients connect to, most expensive first.
 */
export type Tops = { 
/**
 * Statements by their time.
 */
statements: Array<TopStatement>, 
/**
 * Statements that the server keeps no digest of, if they are a part worth naming.
 */
undigested?: Undigested | null, 
/**
 * Waits by their time.
 */
waits: Array<TopWait>, 
/**
 * Stages of statements by their time.
 */
stages: Array<TopWait>, 
/**
 * Threads of the server by their CPU.
 */
threads: Array<TopThreads>, 
/**
 * What could not be seen, and why.
 */
unseen: Array<Unseen>, };

/**
 * Crashes of a disk that tore writes at so many bytes.
 */
export type TornAt = { 
/**
 * What it wrote whole or not at all, bytes.
 */
bytes: number, 
/**
 * How many crashes.
 */
crashes: number, };

/**
 * Sums over the completed runs of a cell, as in the tables of published comparisons.
 */
export type TotalsView = { 
/**
 * Transactions.
 */
transactions: number, 
/**
 * Statements; none if another tool measured and did not say.
 */
queries: number | null, 
/**
 * Seconds measured.
 */
time_s: number, 
/**
 * Mean response time of a transaction; none if another tool measured and did not say.
 */
response_avg_ms: number | null, 
/**
 * 95th percentile of all response times together; percentiles of runs are not averaged.
 */
response_p95_ms: number | null, 
/**
 * Connections opened again.
 */
reconnects: number, };

/**
 * The figures of a TPC-C cell over its completed runs.
 */
export type TpccSummary = { 
/**
 * New-Order transactions per minute (clause 5.4), those rolled back for an unused item among them.
 */
tpmc: Measure | null, 
/**
 * All transactions per minute.
 */
tpm_total: Measure | null, 
/**
 * One row per type that ran, in the order of the standard.
 */
types: Array<TypeSummary>, 
/**
 * Home warehouses that transactions worked for, in the run with the fewest.
 */
warehouses_touched: number, 
/**
 * Warehouses in the data.
 */
warehouses: number, 
/**
 * The consistency conditions, over every check that was made; none without one.
 */
consistency: Consistent | null, 
/**
 * Checks that were asked for and could not be made.
 */
check_missing?: CheckMissing | null, 
/**
 * In which ways the run was not as the standard wants it.
 */
deviations: Array<Words>, };

/**
 * How the load reaches a server.
 */
export type TransportView = "socket" | "tcp" | "unknown";

/**
 * A straight line through the throughput.
 */
export type Trend = { 
/**
 * Change from the first second of the line to the last, as a share of the first.
 */
change: number, 
/**
 * Lower end of its 95 % interval.
 */
low: number, 
/**
 * Upper end.
 */
high: number, 
/**
 * Whether it is more than 2 % and no chance (99 %).
 */
found: boolean, };

/**
 * One run of a cell.
 */
export type Trial = { 
/**
 * Position in [`super::View::runs`].
 */
run: number, 
/**
 * Position in the plan of that run.
 */
index: number, 
/**
 * Which repeat, from 1.
 */
repeat: number, 
/**
 * How it ended; none: not reached.
 */
outcome: TrialOutcome | null, 
/**
 * Why it failed.
 */
failure: Failure | null, 
/**
 * Why it does not count although it completed: it is not valid, and another trial of the cell is. Empty: it counts.
 */
set_aside?: Array<Words>, 
/**
 * When its clients started, RFC 3339 in UTC.
 */
started_at: string | null, 
/**
 * Seconds it took to connect all clients.
 */
connect_s: number, 
/**
 * Seconds of warm-up.
 */
warmup_s: number, 
/**
 * Seconds measured.
 */
measured_s: number, 
/**
 * Transactions completed.
 */
transactions: number, 
/**
 * Statements answered, by kind.
 */
queries: QueryCounts, 
/**
 * Errors that the policy forgave; of an imported run those that its tool stated.
 */
errors_forgiven: number, 
/**
 * Another tool measured, and did not state how many errors there were.
 */
errors_unknown?: boolean, 
/**
 * Connections opened again.
 */
reconnects: number, 
/**
 * Response time of transactions.
 */
response: Latency | null, 
/**
 * Service time of transactions.
 */
service: Latency | null, 
/**
 * TPC-C: New-Order transactions per minute.
 */
tpmc?: number | null, 
/**
 * How evenly the clients shared the work.
 */
fairness: Fairness, 
/**
 * True if the data were restored before it.
 */
data_restored: boolean, 
/**
 * When the whole generator stood still, on the time axis of [`TrialSeries`].
 */
stood_still?: Array<Stretch>, 
/**
 * What was done to a server meanwhile, on the same axis.
 */
marks?: Array<Mark>, 
/**
 * Its seconds; of a long run its stretches.
 */
series: TrialSeries, 
/**
 * What was seen of server and machine meanwhile.
 */
observed?: Observed, 
/**
 * The same of the other servers of a topology, in their order, without what is of the machine.
 */
others?: Array<Observed>, 
/**
 * Response times in sysbench's log-scaled buckets.
 */
histogram: Histogram, 
/**
 * What another tool stated: all transactions, then each type of them.
 */
stated?: Array<StatedRow>, };

/**
 * How a trial ended.
 */
export type TrialOutcome = "completed" | "failed" | "interrupted";

/**
 * A trial over time, columns of one length: every second with the warm-up, or of a run of more than 1,500 seconds the
 * measured window in at most 1,500 stretches.
 */
export type TrialSeries = { 
/**
 * End of each interval, seconds since the clients started.
 */
end_s: Array<number>, 
/**
 * Transactions per second.
 */
throughput_per_s: Array<number>, 
/**
 * 95th percentile of response time; null where nothing completed.
 */
response_p95_ms: Array<number | null>, 
/**
 * Errors per second.
 */
errors_per_s: Array<number>, 
/**
 * Transactions due per second in the middle of each interval, as the timetable asks for; empty for a closed loop.
 */
offered_per_s?: Array<number>, 
/**
 * Transactions due and not started at the end of each interval; empty for a closed loop.
 */
backlog?: Array<number>, 
/**
 * The first so many intervals are warm-up; none of a long run, which begins with the measured window.
 */
warmup_intervals: number, };

/**
 * How far the figures can be relied on.
 */
export type Trust = { 
/**
 * How valid the measurement is as a whole.
 */
level: Level, 
/**
 * The line above the answer.
 */
summary: Words, 
/**
 * True if nothing valid is left that the answer could rest on: it is shown only as what would have been said.
 */
withdrawn: boolean, 
/**
 * What was found, worst first.
 */
reasons: Array<ReasonView>, };

/**
 * One type of transaction.
 */
export type TypeSummary = { 
/**
 * Name of the operation, `new_order`.
 */
name: string, 
/**
 * As the standard writes it.
 */
title: string, 
/**
 * Completed.
 */
count: number, 
/**
 * Completed per minute.
 */
per_minute: number, 
/**
 * Share of all, percent.
 */
mix_pct: number, 
/**
 * The least share that the standard asks for, percent.
 */
mix_least_pct: number, 
/**
 * From due to done, retries included.
 */
response: Percentiles, 
/**
 * From first sent to done, retries included.
 */
service: Percentiles, 
/**
 * What 90 % of the response times must keep, seconds.
 */
limit_s: number, 
/**
 * Whether they do.
 */
limit_kept: boolean, 
/**
 * Tried again after an error that the policy forgives.
 */
retries: number, 
/**
 * Rolled back for an unused item; only New-Order has that.
 */
rollbacks: number, 
/**
 * Errors of all codes.
 */
errors: number, };

/**
 * Statements that the server counts without a digest: MySQL before 9.0 keeps none of what a client executes by the
 * prepared-statement protocol.
 */
export type Undigested = { 
/**
 * Share of the time of all statements.
 */
share: number, 
/**
 * Executions per transaction; none: not counted apart.
 */
per_transaction: number | null, 
/**
 * What they are, and where to look instead.
 */
says: Words, 
/**
 * The statements as the clients timed them, which is complete: by their share of that time.
 */
by_client: Array<ClientStatement>, };

/**
 * Unit of a variable's values.
 */
export type Unit = "plain" | "bytes" | "mebibytes" | "seconds" | "milliseconds" | "microseconds" | "percent" | "pages" | "threads" | "per_second" | "switches" | "list";

/**
 * Something that could not be seen.
 */
export type Unseen = { 
/**
 * Name of the fact that was not available.
 */
what: string, 
/**
 * The server's answer.
 */
why: string, };

/**
 * Why a recommendation is not tried.
 */
export type UntriedReason = "no_setting" | "weakens_durability";

/**
 * One server variable in all targets.
 */
export type Variable = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value per target; none: the server has no such variable.
 */
values: Array<string | null>, 
/**
 * What it decides.
 */
group: Group, 
/**
 * True if it makes a difference between the targets. Paths, ports and ids differ without making one.
 */
differs: boolean, 
/**
 * True if a difference is likely to matter to these workloads.
 */
matters: boolean, 
/**
 * Unit of its values, where it is known and there is one.
 */
unit?: Unit | null, 
/**
 * Its values as people say them, with unit; empty where that says no more than the values.
 */
shown?: Array<string | null>, 
/**
 * Its default in each target's version, as people say it; empty where none is known.
 */
default?: Array<string | null>, 
/**
 * Whether each target has that default; empty where none is known.
 */
is_default?: Array<boolean>, 
/**
 * What it is, where that is known.
 */
meaning?: Words | null, 
/**
 * What a difference is likely to do, and to which part of a load.
 */
effect?: Words | null, };

/**
 * What may be said of a ratio.
 */
export type Verdict = "better" | "worse" | "same" | "inconclusive" | "single_run" | "withheld";

/**
 * At which build a metric changed.
 */
export type VersionSearch = { 
/**
 * Id of the metric.
 */
metric: string, 
/**
 * Label of the workload.
 */
workload: string, 
/**
 * Clients.
 */
threads: number, 
/**
 * How far the search came.
 */
standing: VersionStanding, 
/**
 * The builds in their order.
 */
builds: Array<SearchedBuild>, 
/**
 * The metric of the last build over that of the first; none as long as it is not known.
 */
ratio: RatioEstimate | null, 
/**
 * Label of the last build that is like the first one.
 */
before: string | null, 
/**
 * Label of the first build that is like the last one.
 */
after: string | null, 
/**
 * The metric of `after` over that of `before`.
 */
step: RatioEstimate | null, 
/**
 * A build was placed by its estimate, because its trials did not decide it.
 */
is_estimated: boolean, 
/**
 * The answer in sentences.
 */
says: Words, };

/**
 * How far a search came.
 */
export type VersionStanding = "unfinished" | "equivalent" | "undecided" | "found" | "failed";

/**
 * Everything a report shows.
 */
export type View = { 
/**
 * [`SCHEMA_VERSION`] of the program that made it.
 */
schema_version: number, 
/**
 * mydyno's version.
 */
mydyno_version: string, 
/**
 * Language to show first.
 */
lang: Lang, 
/**
 * Workloads and targets in a few words.
 */
title: string, 
/**
 * The experiment that all of it comes from, if it is one.
 */
about?: About | null, 
/**
 * The answer in one sentence, with its figure and interval.
 */
answer: Words, 
/**
 * Whether it can be trusted.
 */
trust: Trust, 
/**
 * Recordings that went into this view.
 */
runs: Array<Run>, 
/**
 * Servers under test. Cells refer to them by position.
 */
targets: Array<TargetView>, 
/**
 * Workloads. Cells refer to them by position.
 */
workloads: Array<WorkloadView>, 
/**
 * One per target, workload and number of clients; ordered by workload, target, clients.
 */
cells: Array<Cell>, 
/**
 * Ratios of throughput to that of the first target, per workload and number of clients.
 */
comparisons: Array<ComparisonView>, 
/**
 * Where transactions spend the time by which response times differ from those of the first target, wherever a verdict says
 * that one is faster.
 */
explanations?: Array<Explanation>, 
/**
 * What probably makes one of two sandboxes faster, untested, with the command that tests it.
 */
candidates?: Words | null, 
/**
 * Which differences between two targets matter, of recordings that search for them.
 */
bisections?: Array<Bisection>, 
/**
 * At which of several builds a metric changed, of recordings that search for it.
 */
version_searches?: Array<VersionSearch>, 
/**
 * Which recommendations help, of recordings that try them.
 */
proofs?: Array<RecommendationProof>, 
/**
 * The capacity of each target with each workload, of recordings that search it.
 */
capacities?: Array<Capacity>, 
/**
 * What instances side by side do, of recordings that have one of them alone as well.
 */
colocations?: Array<Colocation>, 
/**
 * What limits commits over a simulated link, of recordings with several numbers of clients.
 */
serial_stages?: Array<SerialStage>, 
/**
 * Where servers spend CPU, of recordings that sampled them; ordered by workload and target.
 */
profiles?: Array<ProfileView>, 
/**
 * How the first two targets of each workload differ in that.
 */
profile_changes?: Array<ProfileChangeView>, 
/**
 * How each target scales over the number of clients, and where it breaks.
 */
curves?: Array<Curve>, 
/**
 * Where one target overtakes another.
 */
overtakings?: Array<CurveCrossover>, 
/**
 * Whether what an arm of an experiment does depends on the workload.
 */
interactions?: Interactions, 
/**
 * What would change the answer of an experiment.
 */
doubts?: Array<OpenQuestion>, 
/**
 * How an experiment was made.
 */
method?: Method | null, 
/**
 * What differs between the targets, durability first.
 */
differences: Array<Difference>, 
/**
 * Server variables, side by side.
 */
variables: Array<Variable>, 
/**
 * What the doctor says of each target that was watched.
 */
advice?: Array<TargetAdvice>, 
/**
 * How much of its machine the generator used, in a sentence.
 */
generator_share: Words | null, };

/**
 * One sentence, in both languages.
 */
export type Words = { 
/**
 * English.
 */
en: string, 
/**
 * Simplified Chinese.
 */
zh: string, 
/**
 * The message of the catalogues: stable, for files and filters. None of what needs no translation, and in recordings
 * of version 0.2 and earlier.
 */
id?: string, 
/**
 * Its arguments, unrounded, in the units that the catalogue documents.
 */
args?: Record<string, unknown>, };

/**
 * A workload as it was run.
 */
export type WorkloadView = { 
/**
 * Label, unique in the view.
 */
label: string, 
/**
 * Name that users type.
 */
name: string, 
/**
 * What one transaction does.
 */
summary: string, 
/**
 * The same in Simplified Chinese.
 */
summary_zh: string, 
/**
 * What decides how it behaves: data, keys, statements.
 */
facts: Array<Fact>, 
/**
 * Every option, by its name on the command line.
 */
options: { [key in string]: string }, };
