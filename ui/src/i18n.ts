// Every label of the page in both languages. Sentences about the results come with the view, in both as well.

import type { Lang, Words } from "./view";

const LABELS = {
  report: { en: "report", zh: "报告" },
  contents: { en: "Contents", zh: "目录" },
  language: { en: "中文", zh: "English" },
  theme_dark: { en: "Dark", zh: "深色" },
  theme_light: { en: "Light", zh: "浅色" },
  trust_green: { en: "Fit to decide on", zh: "可据此决策" },
  trust_amber: { en: "Usable with caveats", zh: "有保留地可用" },
  trust_red: { en: "Not valid", zh: "无效" },
  throughput: { en: "Throughput", zh: "吞吐量" },
  transactions_per_s: { en: "transactions/s", zh: "事务/秒" },
  clients: { en: "clients", zh: "客户端数" },
  clients_one: { en: "1 client", zh: "1 个客户端" },
  clients_many: { en: "{count} clients", zh: "{count} 个客户端" },
  threads: { en: "threads", zh: "线程数" },
  curves: { en: "Response time against concurrency", zh: "响应时间与并发" },
  curves_all: { en: "Throughput and response time against concurrency", zh: "吞吐量、响应时间与并发" },
  curves_note: {
    en: "Bands are 95 % intervals over the runs of a cell. Lines join measured points; nothing is smoothed.",
    zh: "色带为各单元多次运行的 95 % 区间。连线只连接测量点，未做平滑。",
  },
  curves_note_single: {
    en: "Every point is a single run, so there are no intervals. Lines only guide the eye.",
    zh: "每个点只有一次运行，因此没有区间。连线仅作视觉引导。",
  },
  p95: { en: "95th percentile of response time", zh: "响应时间第 95 百分位" },
  p99: { en: "99th percentile of response time", zh: "响应时间第 99 百分位" },
  ms: { en: "ms", zh: "毫秒" },
  single_run: { en: "single run", zh: "单次运行" },
  failed: { en: "failed", zh: "失败" },
  partial: { en: "partly", zh: "部分完成" },
  missing: { en: "not run", zh: "未运行" },
  completed: { en: "completed", zh: "完成" },
  interrupted: { en: "interrupted", zh: "被中断" },
  table_twin: { en: "The chart as a table", zh: "图表数据" },
  ratio: { en: "ratio", zh: "比值" },
  interval: { en: "95 % interval", zh: "95 % 区间" },
  runs: { en: "runs", zh: "运行次数" },
  run: { en: "run", zh: "运行" },
  transactions: { en: "transactions", zh: "事务数" },
  queries: { en: "queries", zh: "查询数" },
  time_s: { en: "time, s", zh: "时间（秒）" },
  avg_ms: { en: "avg, ms", zh: "平均（毫秒）" },
  p95_ms: { en: "95 %, ms", zh: "95 %（毫秒）" },
  p99_ms: { en: "99 %, ms", zh: "99 %（毫秒）" },
  per_s: { en: "per s", zh: "每秒" },
  results: { en: "Results by number of clients", zh: "各并发下的结果" },
  results_note: {
    en: "Transactions, queries and time are sums over the runs of a cell; percentiles are of all its response times together.",
    zh: "事务数、查询数和时间为单元内各次运行之和；百分位由全部响应时间合并计算。",
  },
  differences: { en: "What differs between the targets", zh: "各目标之间的差异" },
  variables: { en: "Server variables", zh: "服务器变量" },
  variable: { en: "variable", zh: "变量" },
  variables_first: { en: "Durability, memory, I/O, concurrency", zh: "持久性、内存、输入输出、并发" },
  variables_differing: { en: "Differing", zh: "有差异" },
  variables_one_sided: { en: "Also those that only one has", zh: "含仅一方存在的" },
  variables_all: { en: "All", zh: "全部" },
  variables_note: {
    en: "Paths, ports and ids differ without making a difference; they are under “All”.",
    zh: "路径、端口和 ID 的不同没有意义，见“全部”。",
  },
  variables_none: { en: "No variable that matters differs.", zh: "没有值得注意的差异。" },
  caveats: { en: "What to keep in mind", zh: "需要注意" },
  caveats_none: { en: "Nothing speaks against these figures.", zh: "没有发现问题。" },
  cells_concerned: { en: "{count} cells", zh: "{count} 个单元" },
  decides: { en: "decides", zh: "类别" },
  group_durability: { en: "durability", zh: "持久性" },
  group_memory: { en: "memory", zh: "内存" },
  group_io: { en: "I/O", zh: "输入输出" },
  group_concurrency: { en: "concurrency", zh: "并发" },
  group_replication: { en: "replication", zh: "复制" },
  group_instrumentation: { en: "instrumentation", zh: "监测" },
  group_optimizer: { en: "optimizer", zh: "优化器" },
  group_version: { en: "version", zh: "版本" },
  group_other: { en: "other", zh: "其他" },
  verdict: { en: "verdict", zh: "结论" },
  verdict_better: { en: "better", zh: "更好" },
  verdict_worse: { en: "worse", zh: "更差" },
  verdict_same: { en: "same", zh: "相同" },
  verdict_inconclusive: { en: "inconclusive", zh: "无法定论" },
  verdict_single_run: { en: "single run", zh: "单次运行" },
  verdict_withheld: { en: "withheld", zh: "不予评判" },
  errors_count: { en: "errors", zh: "错误数" },
  failures: { en: "What failed", zh: "失败情况" },
  reason: { en: "reason", zh: "原因" },
  hint: { en: "what to do", zh: "处理办法" },
  errors: { en: "Errors by code", zh: "错误（按代码）" },
  errors_none: { en: "The servers reported no errors.", zh: "服务器未报告错误。" },
  code: { en: "code", zh: "代码" },
  state: { en: "state", zh: "SQLSTATE" },
  message: { en: "message", zh: "消息" },
  statement: { en: "statement", zh: "语句" },
  count: { en: "count", zh: "次数" },
  forgiven: { en: "run went on", zh: "是否继续" },
  yes: { en: "yes", zh: "是" },
  no: { en: "no", zh: "否" },
  target: { en: "target", zh: "目标" },
  workload: { en: "workload", zh: "负载" },
  cells: { en: "Every cell in detail", zh: "各单元详情" },
  cells_note: { en: "A point in a chart leads to its cell here.", zh: "点击图中的点可跳到相应单元。" },
  over_time: { en: "Throughput over time", zh: "吞吐量随时间变化" },
  p95_over_time: { en: "95th percentile of response time over time", zh: "响应时间第 95 百分位随时间变化" },
  seconds: { en: "seconds", zh: "秒" },
  second: { en: "second", zh: "秒" },
  warmup: { en: "warm-up", zh: "预热" },
  errors_in_second: { en: "errors", zh: "错误" },
  distribution: { en: "Latency distribution", zh: "延迟分布" },
  percentile: { en: "percentile", zh: "百分位" },
  response: { en: "response", zh: "响应" },
  service: { en: "service", zh: "服务" },
  distribution_note: {
    en: "Response runs from when a transaction was due, service from when it was sent. The percentile axis stretches towards 100.",
    zh: "响应时间从事务应当开始时计，服务时间从发送时计。百分位轴向 100 方向拉伸。",
  },
  maximum: { en: "max", zh: "最大" },
  operations: { en: "Latency by operation", zh: "各操作延迟" },
  operation: { en: "operation", zh: "操作" },
  per_transaction: { en: "per transaction", zh: "每事务次数" },
  operations_note: { en: "Service time, from sent to answered.", zh: "服务时间：从发送到应答。" },
  share_of_time: { en: "share of time", zh: "时间占比" },
  min: { en: "min", zh: "最小" },
  avg: { en: "avg", zh: "平均" },
  trials: { en: "Runs of this cell", zh: "本单元的各次运行" },
  outcome: { en: "outcome", zh: "结果" },
  started: { en: "started", zh: "开始时间" },
  connect_s: { en: "connecting, s", zh: "连接（秒）" },
  measured_s: { en: "measured, s", zh: "测量（秒）" },
  reconnects: { en: "reconnects", zh: "重连" },
  data_restored: { en: "data restored", zh: "数据已恢复" },
  generator: { en: "What the generator itself cost", zh: "发压端自身开销" },
  generator_note: {
    en: "If the generator were the bottleneck, the figures would be about it and not about the server.",
    zh: "若发压端成为瓶颈，测得的将是发压端而不是服务器。",
  },
  cpu_us_per_query: { en: "CPU per query, µs", zh: "每查询 CPU（微秒）" },
  user_share: { en: "of it in user space", zh: "其中用户态" },
  host_share: { en: "share of host", zh: "占主机比例" },
  busiest_worker: { en: "busiest worker", zh: "最忙工作线程" },
  workers: { en: "workers", zh: "工作线程" },
  run_queue_wait_s: { en: "waiting for CPU, s", zh: "等待 CPU（秒）" },
  memory_peak: { en: "peak memory", zh: "峰值内存" },
  origin: { en: "How the data were made", zh: "数据的由来" },
  recorded: { en: "Recorded", zh: "记录时间" },
  run_id: { en: "Run id", zh: "运行 ID" },
  plan_hash: { en: "Plan hash", zh: "计划哈希" },
  seed: { en: "Seed", zh: "随机种子" },
  tables_rows: { en: "Tables", zh: "表" },
  tables_x_rows: { en: "{tables} × {rows} rows", zh: "{tables} × {rows} 行" },
  key_distribution: { en: "Row ids drawn", zh: "行 ID 分布" },
  statements: { en: "Statements", zh: "语句方式" },
  prepared: { en: "server-side prepared", zh: "服务器端预处理" },
  text_protocol: { en: "text protocol", zh: "文本协议" },
  autocommit: { en: "each in its own transaction", zh: "逐条自动提交" },
  in_transactions: { en: "in transactions", zh: "在事务中" },
  window: { en: "Window", zh: "测量窗口" },
  window_text: { en: "{time} s after {warmup} s of warm-up", zh: "预热 {warmup} 秒后测量 {time} 秒" },
  load_shape: { en: "Load", zh: "负载方式" },
  closed_loop: { en: "closed loop: a client sends when its last answer is there", zh: "闭环：客户端收到上一应答后再发送" },
  open_loop: { en: "{rate} transactions/s offered over all clients", zh: "全部客户端合计每秒发起 {rate} 个事务" },
  machine: { en: "Machine of the generator", zh: "发压端主机" },
  machine_text: { en: "{cpus} CPUs ({model}), {memory}", zh: "{cpus} 个 CPU（{model}），{memory}" },
  virtualised: { en: "virtual machine", zh: "虚拟机" },
  system: { en: "System", zh: "操作系统" },
  versions: { en: "Versions", zh: "版本" },
  all_options: { en: "All options of the workload ({count})", zh: "负载的全部选项（{count}）" },
  copy: { en: "Copy", zh: "复制" },
  command: { en: "Command to repeat it", zh: "重复运行的命令" },
  cautions: { en: "Said during the run", zh: "运行期间的提示" },
  trials_done: { en: "{done} of {planned} trials", zh: "{planned} 次试验完成 {done} 次" },
  extent: { en: "Extent", zh: "完成情况" },
  raw: { en: "Raw data", zh: "原始数据" },
  download: { en: "Download as JSON", zh: "下载 JSON" },
  copy_csv: { en: "Copy as CSV", zh: "复制为 CSV" },
  copied: { en: "Copied", zh: "已复制" },
  back: { en: "Back to the top", zh: "回到顶部" },
  shape_newer: {
    en: "This page is older than the data in it (schema {found}, known {known}). Some of it may be missing.",
    zh: "页面版本旧于数据（模式 {found}，已知 {known}），部分内容可能缺失。",
  },
  no_view: { en: "There is no report in this page. Make one with: mydyno report RUN --format html", zh: "此页面中没有报告。生成方法：mydyno report RUN --format html" },
} satisfies Record<string, Words>;

export type Label = keyof typeof LABELS;

/** All labels, for the test that both languages are complete. */
export const labels: Record<Label, Words> = LABELS;

let current: Lang = "en";

export function setLang(lang: Lang): void {
  current = lang;
}

export function lang(): Lang {
  return current;
}

/** A label, with `{name}` replaced. */
export function t(label: Label, values: Record<string, string | number> = {}): string {
  return LABELS[label][current].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** So many clients. */
export function clients(count: number): string {
  return count === 1 ? t("clients_one") : t("clients_many", { count: count.toLocaleString("en") });
}

/** A sentence of the view in the current language. */
export function say(words: Words): string {
  return words[current];
}
