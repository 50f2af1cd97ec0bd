// The view model as the program writes it (crates/report/src/view.rs). Units are in the key names.

export type Lang = "en" | "zh";
export type Words = Record<Lang, string>;
export type Level = "green" | "amber" | "red";

export interface Estimate {
  mean: number;
  low: number | null;
  high: number | null;
  n: number;
}

export interface Latency {
  min_ms: number;
  avg_ms: number;
  p50_ms: number;
  p90_ms: number;
  p95_ms: number;
  p99_ms: number;
  p999_ms: number;
  p9999_ms: number;
  max_ms: number;
  sum_ms: number;
}

export interface Failure {
  code: string;
  message: string;
  hint: string | null;
  server_error: number | null;
  /** The end of a server's log, set apart by the page. */
  log?: string;
}

export interface Host {
  hostname: string;
  os: string;
  kernel: string;
  architecture: string;
  cpu_model: string;
  cpus: number;
  memory_bytes: number;
  governor: string | null;
  virtualised: boolean;
  cgroup_cpus: number | null;
  cgroup_memory_bytes: number | null;
  mydyno_version: string;
}

export interface Run {
  id: string;
  /** As `--name` gave it, else that of the workloads; and what the user says of it. */
  name?: string;
  note?: string | null;
  started_at: string | null;
  plan_hash: string;
  seed: number;
  warmup_s: number;
  time_s: number;
  events: number;
  rate_per_s: number | null;
  in_flight: number | null;
  think_s: number;
  repeats: number;
  command: string;
  host: Host;
  trials_planned: number;
  trials_done: number;
  truncated: string | null;
  /** Why all of it failed, if it did. */
  failure?: Failure;
  cautions: { target: string | null; text: string }[];
  /** Where it comes from, if another tool measured it. */
  imported?: { tool: string; version?: string; files: string[]; notes?: string[] };
}

export interface Server {
  flavour: string;
  version: string;
  version_comment: string;
  tls_cipher: string | null;
  durability: string;
  binlog: boolean;
  buffer_pool_bytes: number;
  max_connections: number;
}

export interface Target {
  label: string;
  server: Server | null;
  sandbox: boolean;
  /** CPUs, memory nodes and limits that a sandbox was given. */
  place?: string;
  transport: "socket" | "tcp" | "unknown";
  ssl_mode: string;
  durability: Words | null;
  instance: Record<string, string>;
  summary: Words;
}

export interface Workload {
  label: string;
  name: string;
  summary: string;
  summary_zh?: string;
  facts: { name: Words; value: Words }[];
  options: Record<string, string>;
}

export interface Operation {
  name: string;
  kind: "transaction" | "statement" | "connect";
  count: number;
  per_transaction: number;
  response: Latency | null;
  service: Latency;
}

export interface Percentiles {
  p50_ms: number;
  p90_ms: number;
  p95_ms: number;
  p99_ms: number;
  max_ms: number;
}

export interface TpccType {
  name: string;
  title: string;
  count: number;
  per_minute: number;
  mix_pct: number;
  mix_least_pct: number;
  response: Percentiles;
  service: Percentiles;
  limit_s: number;
  limit_kept: boolean;
  retries: number;
  rollbacks: number;
  errors: number;
}

export interface Tpcc {
  tpmc: Estimate | null;
  tpm_total: Estimate | null;
  types: TpccType[];
  warehouses_touched: number;
  warehouses: number;
  consistency: { holding: number; checked: number; violated: string[] } | null;
  deviations: Words[];
}

export interface Distribution {
  percentile: number[];
  response_ms: number[];
  service_ms: number[];
}

export interface ErrorRow {
  code: number;
  state: string;
  message: string;
  statement: string;
  /** Type of transaction; absent if there is only one. */
  transaction?: string;
  count: number;
  per_s: number | null;
  forgiven: boolean;
}

export interface Generator {
  cpu_us_per_query: number | null;
  user_share: number | null;
  host_share: number;
  busiest_worker: number;
  workers: number;
  run_queue_wait_s: number;
  memory_peak_bytes: number;
}

export interface Series {
  end_s: number[];
  throughput_per_s: number[];
  response_p95_ms: (number | null)[];
  errors_per_s: number[];
  /** Only of an open loop: what the timetable asks for, and what is due and not started at the end of the interval. */
  offered_per_s?: number[];
  backlog?: number[];
  warmup_intervals: number;
}

/** Lines that share an axis. */
export type PanelName = "cpu" | "disk" | "server" | "state" | "pages" | "round_trip";

/** Server and machine over time, on the time axis of `Series`. */
export interface Observed {
  at_s: number[];
  series: { id: string; panel: PanelName; label: Words; unit: string; values: (number | null)[] }[];
}

/** Something that could not be seen, and the server's answer. */
export interface Unseen {
  what: string;
  why: string;
}

export interface TopStatement {
  text: string;
  share: number;
  per_transaction: number;
  mean_ms: number;
  rows_examined: number;
  rows_returned: number;
  full_scans: number;
  errors: number;
}

export interface TopWait {
  event: string;
  per_transaction: number;
  ms_per_transaction: number;
  threads: number;
}

export interface TopThreads {
  name: string;
  threads: number;
  cpus: number;
  busiest: number;
}

/** Statement time that the server keeps no digests of, and what the clients timed of it. */
export interface Undigested {
  share: number;
  per_transaction: number | null;
  says: Words;
  by_client: { operation: string; share: number; per_transaction: number; mean_ms: number }[];
}

/** What took the server's time. */
export interface Tops {
  undigested?: Undigested;
  statements: TopStatement[];
  waits: TopWait[];
  stages: TopWait[];
  threads: TopThreads[];
  unseen: Unseen[];
}

/** What the machine did meanwhile, and what the watching cost. Shares are 0 to 1. */
export interface MachineUse {
  server_is_here: boolean;
  server_cpus: number | null;
  cpu_user: number;
  cpu_system: number;
  cpu_iowait: number;
  cpu_steal: number;
  cpu_idle: number;
  run_queue: number;
  disk_reads_per_s: number;
  disk_writes_per_s: number;
  disk_read_bytes_per_s: number;
  disk_written_bytes_per_s: number;
  disk_write_ms: number | null;
  disk_read_ms: number | null;
  disk_busy: number | null;
  network_bytes_per_s: number;
  pressure_cpu: number | null;
  pressure_io: number | null;
  pressure_memory: number | null;
  throttled: number | null;
  memory_available_bytes: number;
  round_trip_ms: number | null;
  readings: number;
  reading_ms: number;
  reading_late_ms: number;
}

/** How a statement of the workload is executed. */
export interface PlanSummary {
  operation: string;
  sql: string;
  says: string[];
  changed_to: string[] | null;
  error: string | null;
}

export interface Cost {
  id: string;
  label: Words;
  unit: string;
  per_transaction: number;
}

export interface Advice {
  id: string;
  severity: "high" | "medium" | "low";
  evidence: string;
  why: string;
  action: string;
  cost: string;
  manual: string;
  /** The same texts in Chinese; empty in older recordings. */
  evidence_zh: string;
  why_zh: string;
  action_zh: string;
  cost_zh: string;
}

/** What the doctor says of a target. */
export interface TargetAdvice {
  target: number;
  items: { advice: Advice; clients: number[] }[];
  unseen: Unseen[];
}

export interface Trial {
  run: number;
  index: number;
  repeat: number;
  outcome: "completed" | "failed" | "interrupted" | null;
  failure: Failure | null;
  started_at: string | null;
  connect_s: number;
  warmup_s: number;
  measured_s: number;
  transactions: number;
  queries: { read: number; write: number; other: number };
  errors_forgiven: number;
  errors_unknown?: boolean;
  reconnects: number;
  response: Latency | null;
  /** TPC-C: New-Order transactions per minute. */
  tpmc?: number;
  /** Why it is not valid and left out of the figures of its cell; absent: it counts. */
  set_aside?: Words[];
  data_restored: boolean;
  /** When the whole generator stood still. */
  stood_still?: { from_s: number; length_s: number }[];
  series: Series;
  /** What was seen of server and machine meanwhile. */
  observed?: Observed;
  /** As another tool reported it: all transactions, then each type of them. */
  stated?: StatedRow[];
}

export interface StatedLatency {
  min_ms: number | null;
  avg_ms: number | null;
  p50_ms: number | null;
  p90_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  p999_ms: number | null;
  max_ms: number | null;
}

export interface StatedRow {
  name: string;
  transactions: number | null;
  errors: number | null;
  per_minute: number | null;
  response: StatedLatency;
}

export interface Caveat {
  id: string;
  severity: "note" | "warn" | "invalid";
  text: Words;
}

export interface Reason {
  id: string;
  level: Level;
  text: Words;
  cells: number;
}

export interface Cell {
  id: string;
  target: number;
  workload: number;
  threads: number;
  status: "completed" | "partial" | "failed" | "missing";
  runs_completed: number;
  runs_planned: number;
  failure: Failure | null;
  throughput_per_s: Estimate | null;
  queries_per_s: Estimate | null;
  response_p50_ms: Estimate | null;
  response_p95_ms: Estimate | null;
  response_p99_ms: Estimate | null;
  totals: {
    transactions: number;
    queries: number | null;
    time_s: number;
    response_avg_ms: number | null;
    response_p95_ms: number | null;
    reconnects: number;
  } | null;
  operations: Operation[];
  /** Bytes per transaction, TLS included, and what TLS agreed on. */
  network?: {
    sent_bytes: number;
    received_bytes: number;
    tls: { version: string; cipher: string; handshakes: number; resumed: number } | null;
  };
  /** What a transaction cost the server. */
  costs?: Cost[];
  tops?: Tops;
  machine?: MachineUse;
  plans?: PlanSummary[];
  /** Only of TPC-C. */
  tpcc?: Tpcc;
  /** tpmC as another tool reported it. */
  tpmc?: Estimate;
  open_loop?: { says: Words };
  /** Of TPC-C, and of runs of two minutes and more. */
  timelines?: Timeline[];
  over_time?: OverTime;
  distribution: Distribution | null;
  errors: ErrorRow[];
  generator: Generator | null;
  caveats: Caveat[];
  trials: Trial[];
}

/** The runs of a cell over time: what the charts mark, and what there is to say. */
export interface OverTime {
  runs: RunOverTime[];
  findings: { question: string; text: Words }[];
  too_short: Words | null;
}

/** Seconds are counted from when the clients started. Of what was judged, the page needs only what it marks. */
export interface RunOverTime {
  repeat: number;
  silence: { stretches: [number, number][]; found: boolean } | null;
  changes: {
    at_s: number;
    before_per_s: number;
    after_per_s: number;
    ratio: number;
    low: number | null;
    high: number | null;
  }[];
}

/** A run over time, in at most 32 slots. */
export interface Timeline {
  repeat: number;
  slot_s: number;
  slots: Slot[];
  /** Kinds of transaction, the whole of them first; in the order of `Slot.operations`. */
  operations: string[];
  sustained: Sustained | null;
}

export interface Slot {
  end_s: number;
  throughput_per_s: number;
  transactions_before: number;
  operations: { per_s: number; p95_ms: number | null }[];
}

export interface Sustained {
  first_per_s: number;
  last_per_s: number;
  window_s: number;
  variation: number;
  variation_from_s: number;
  variation_chance: number;
  transactions: number;
  silent_s: number;
  silent_longest_s: number;
  growth: Growth | null;
  says: Words;
  slower: Words | null;
}

/** 1/throughput as a straight line through the transactions done. */
export interface Growth {
  start_s: number;
  per_million: number;
  low: number;
  high: number;
  misfit: number;
  found: boolean;
}

export interface Comparison {
  workload: number;
  threads: number;
  base: number;
  other: number;
  throughput_ratio: number;
  low: number | null;
  high: number | null;
  verdict: "better" | "worse" | "same" | "inconclusive" | "single_run" | "withheld";
  runs_needed: number | null;
  /** After Holm's correction over all points of this pair of targets, and how many those are. */
  p_adjusted?: number | null;
  family_size?: number;
  /** Why no verdict is given although both completed. */
  withheld?: Words;
}

/** Whether an arm does the same with both of two workloads. Effects are ratios of throughput, arm over base. */
export interface Interaction {
  arm: string;
  base: string;
  first: string;
  second: string;
  /** The other factor, if it is not the workload. */
  factor?: string;
  workload?: string;
  threads: number;
  effect_first: Estimate;
  effect_second: Estimate;
  ratio: Estimate;
  p_adjusted: number;
  differs: boolean;
}

export type VariableGroup =
  | "durability"
  | "memory"
  | "io"
  | "concurrency"
  | "replication"
  | "instrumentation"
  | "optimizer"
  | "version"
  | "other";

export interface Variable {
  name: string;
  values: (string | null)[];
  group: VariableGroup;
  differs: boolean;
  /** As people say the values; absent where that says no more than they do. */
  shown?: (string | null)[];
  /** The default in each target's version; absent where none is known. */
  default?: (string | null)[];
  is_default?: boolean[];
  unit?: string;
  meaning?: Words;
  effect?: Words;
  /** Whether its difference is likely to matter here. */
  matters?: boolean;
}

export interface View {
  schema_version: number;
  mydyno_version: string;
  lang: Lang;
  title: string;
  /** Of an experiment. */
  about?: {
    experiment: string;
    question: string;
    published?: string;
    shows?: string;
    quick: boolean;
    question_zh?: string;
    published_zh?: string;
    shows_zh?: string;
  };
  answer: Words;
  trust: {
    level: Level;
    summary: Words;
    reasons: Reason[];
    /** Nothing valid is left that the answer rests on. */ withdrawn?: boolean;
  };
  runs: Run[];
  targets: Target[];
  workloads: Workload[];
  cells: Cell[];
  comparisons: Comparison[];
  curves?: { workload: string; says: Words[] }[];
  overtakings?: { workload: string; says: Words }[];
  /** Of an experiment with several workloads. */
  interactions?: { points: Interaction[]; says: Words[] };
  /** What would change the answer of an experiment. */
  doubts?: { kind: string; text: Words }[];
  /** How an experiment was made. */
  method?: { arms: { target: number; differs: string[] }[]; says: Words[] };
  differences: (Words & { id: string })[];
  variables: Variable[];
  advice?: TargetAdvice[];
  generator_share: Words | null;
}

/** The newest schema this page understands. */
export const SCHEMA_VERSION = 1;
