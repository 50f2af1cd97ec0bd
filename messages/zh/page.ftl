### 页面标签。关于测量结果的句子随报告数据提供。

## 页面框架

contents = 目录
language = English
theme-dark = 深色
theme-light = 浅色
back = 回到顶部
newer = 数据由更新版本的 mydyno 写入（模式 { $found }，本页面最高支持 { $known }），部分内容可能无法显示。
no-view = 此页面中没有报告。生成方法：mydyno report RECORDING --format html
link-to = “{ $title }”的链接
copy = 复制
copied = 已复制
copy-csv = 复制为 CSV
save-chart = 将图表保存为 { $kind }：{ $title }
show-all = 显示全部 { $count } 项
chart-data = 图表数据

## 文本的组合方式

labelled = { $label }：{ $text }
sentence = { $text }。
join-list = { $before }、{ $next }
join-phrases = { $before }，{ $next }
join-clauses = { $before }；{ $next }
join-sentences = { $before }{ $next }
with-unit = { $what }（{ $unit }）
in-ms = { $what }（毫秒）
in-percent = { $what }（%）
ms-value = { $value } 毫秒
seconds-value = { $value }{ "\u00A0" }秒
p95-value = p95 { $value } 毫秒
rate-value = { $rate } 事务/秒
errors-value = { $rate } 错误/秒
yes = 是
no = 否

## 结论

answer = 结论
validity =
    { $level ->
        [green] 有效
        [amber] 有效，但有保留
       *[red] 无效
    }
no-result = 没有结果：{ $why }
nothing-measured = 没有一次试验完成
withdrawn = 已撤回的结论
what-to-do = 处理办法
all-caveats = 全部注意事项（{ $count }）
whole-answer = 完整结论
whole-log = 服务器日志末尾

## 测量内容

workloads-count = { $count } 种负载
warehouses-count = { $count } 个仓库
tables-of-rows =
    { $tables ->
        [1] { $tables } 张表，{ $rows } 行
       *[other] { $tables } 张表，每张 { $rows } 行
    }
clients-count = { $count } 个客户端
clients-range = { $from } 至 { $to } 个客户端
transactions-count = { $count } 个事务
repeats-of = 重复 { $repeats } 次，每次 { $window }
offered-rate = 每秒发起 { $rate } 个事务
machine-size = { $cpus } 个 CPU，{ $memory }
generator-on = 发压端：{ $machine }
measured-with = 由 { $tool } 测得

## 图表

throughput = 吞吐量
transactions-per-s = 事务/秒
tpmc = tpmC
tpmc-reported = tpmC（由原工具报告）
p95 = 响应时间第 95 百分位
p99 = 响应时间第 99 百分位
ms = 毫秒
ms-log = 毫秒（对数轴）
per-s = 每秒
errors-per-s = 错误/秒
clients = 客户端数
threads = 线程数
seconds = 秒
second = 秒
at-second = 第 { $second } 秒
response-time = 响应时间
service-time = 服务时间
percentile = 百分位
maximum = 最大
ratio-title = 相对于 { $base } 的吞吐量
ratio-axis = 与 { $base } 之比（对数轴）
decided = 有定论
undecided = 无法定论
beyond-hundredfold = 上下均超过 100 倍
single-trial = 单次试验
repeat = 重复
repeat-n = 第 { $n } 次
repeat-says = 第 { $n } 次：{ $text }
in-repeat = { $text }，第 { $n } 次
of-server = { $server }：{ $what }
repeats = 重复次数
warm-up = 预热
stall = 停顿
stood-still = 发压端停顿
errors-count = 错误数
curves = 各项指标随并发的变化
curves-note = 色带为各单元多次重复的 95 % 置信区间；三角形表示色带超出坐标轴。连线只连接测量点，未做平滑。
curves-note-dots = 小圆点为各单元的每次重复。连线连接平均值；百分位由单元的全部响应时间合并计算。
curves-note-single = 每个点都是单次试验，因此没有置信区间。连线仅作视觉引导。

## 单元、试验和记录的状态

status =
    { $status ->
        [completed] 完成
        [partial] 部分完成
        [failed] 失败
        [missing] 未运行
        [interrupted] 被中断
        [with-failures] 有失败
        [broken-off] 异常终止
        [running] 运行中
       *[unreadable] 无法读取
    }
set-aside = 无效，未计入：{ $why }

## 结果

results = 各并发下的结果
results-of = 各并发下的结果：{ $workload }
results-note = 比值为吞吐量与第一个目标之比。p95 由单元的全部响应时间合并计算，区间由多次重复得出。
results-note-alone = p95 由单元的全部响应时间合并计算，区间由多次重复得出。
results-family = 对每对目标之间的 { $count } 次比较做了多重比较校正（Holm）。
results-imported = 导入记录的全部数值均由原工具报告。
results-by-target = 各目标的合计、平均与 p99
results-sums = 事务数、语句数和时间为单元内各次重复之和。
interval = 95 % 区间
interval-of = { $figure } 95 % 区间
ratio = 比值
ratio-of = { $other } / { $base } 比值
verdict = 判定
verdict-is =
    { $verdict ->
        [better] 更好
        [worse] 更差
        [same] 等效
        [inconclusive] 无法定论
        [single_run] 单次试验
       *[withheld] 不作判定
    }
target = 目标
workload = 负载
transactions = 事务数
statements = 语句数
time-s = 时间（秒）
average = 平均
minimum = 最小
mean = 平均
count = 次数
per-minute = 每分钟
all-types = 全部事务
reported = 由原工具报告

## 注意事项与建议

caveats = 注意事项
caveats-none = 没有注意事项。
caveats-count = { $count } 项注意事项
urgent = 严重程度高的建议
urgent-more = 处理办法
advice = 建议
advice-note = 依据测量期间对服务器的观测。更改后请重新测量。
advice-none = 没有建议。
advice-none-grave = 没有中等或严重的问题。
advice-low = 轻微问题（{ $count }）
advice-at = 见于并发 { $clients }。
advice-why = 原因
advice-cost = 代价
advice-manual = 手册
severity =
    { $severity ->
        [high] 严重
        [medium] 中等
       *[low] 轻微
    }

## 失败与错误

failures = 失败与未计入的试验
trials-valid = { $planned } 次试验中 { $done } 次有效
outcome = 状态
reason = 原因
hint = 处理办法
errors = 错误（按代码）
errors-none = 服务器未报告错误。
code = 代码
sqlstate = SQLSTATE
message = 消息
statement = 语句
load-continued = 之后继续施压

## 目标之间的差异

differences = 各目标之间的差异
variables = 服务器变量
variable = 变量
default = 默认
default-is = 默认 { $value }
variables-likely = 可能有影响（{ $count }）
variables-changed = 非默认值（{ $count }）
variables-differing = 有差异（{ $count }）
variables-one-sided = 含仅一方存在的（{ $count }）
variables-all = 全部（{ $count }）
variables-note = 路径、端口和 ID 的差异不影响结果，列在“全部”中。
variables-none = 此列表中没有变量。
category = 类别
category-is =
    { $group ->
        [durability] 持久性
        [memory] 内存
        [io] I/O
        [concurrency] 并发
        [replication] 复制
        [instrumentation] 监控
        [optimizer] 优化器
        [version] 版本
       *[other] 其他
    }

## 实验

others = 已发表的结果
doubts = 哪些情况会改变这一结论
method = 方法
arm = 方案
arm-same = 无差异
arm-against = { $arm } 对比 { $base }
interactions = 各因素之间是否存在交互作用？
interactions-note = 方案在一个条件（某个负载，或另一因素的某个水平）下的效果，除以它在另一个条件下的效果；1 表示没有交互作用。已按点数做多重比较校正（Holm）。
interactions-none = 各点均未发现交互作用。
interactions-points = 全部点（{ $count }）
condition = 条件
effect-first = 第一个条件下的效果
effect-second = 第二个条件下的效果
p-adjusted = 校正后 p 值
effects-differ = 是否不同

## 单元

cells = 各单元详情
cells-note = 点击图中的点可跳到相应单元。
over-time = 吞吐量随时间的变化
offered = 每秒发起
offered-over-time = 吞吐量随时间的变化：发起（虚线）与完成
p95-over-time = 响应时间第 95 百分位随时间的变化
backlog = 积压
backlog-over-time = 积压：已到期而未开始的事务数
start-delay-over-time = 启动延迟：按当前速率处理完积压所需的时间
distribution = 延迟分布
times-note = 响应时间从事务到期时计起，服务时间从发送第一条语句时计起。
times-equal = 响应时间与服务时间相同：事务在到期时即已发送。
percentile-axis = 百分位轴在接近 100 处拉伸。
operations = 各操作的延迟
operation = 操作
per-transaction = 每事务
time-kind = 时间
share-of-time = 时间占比
traffic = 每个事务发送 { $sent } B，接收 { $received } B。
tls-use = { $version } { $cipher }：握手 { $handshakes } 次，其中 { $resumed } 次恢复会话。
trials = 本单元的各次试验
started = 开始时间
connect-s = 连接（秒）
measured-s = 测量（秒）
reconnects = 重连次数
data-restored = 数据已恢复

## TPC-C

tpcc = TPC-C 各类事务
tpcc-latency = TPC-C 各类事务的延迟
tpcc-times-note = 响应时间从事务到期时计起，服务时间从首次发送时计起；两者都包含重试。
tpmc-by-clients = 各并发下的 tpmC
type = 类型
mix = 比例
limit = 上限（p90）
limit-is =
    { $met ->
        [yes] { $seconds } 秒，满足
       *[no] { $seconds } 秒，超出
    }
retries = 重试
rollbacks = 回滚
consistency = 满足的一致性条件
consistency-line = 满足的一致性条件：{ $met }；使用的本地仓库：{ $used } / { $warehouses }
not-checked = 未检查
types-over-time = 各类事务响应时间 p95 随时间的变化
tpmc-over-time = tpmC 随时间的变化
cost-over-work = 每事务耗时（1/吞吐量）随累计事务数的变化
slots-note = 每个点覆盖 { $seconds } 秒。
thousands-done = 累计事务数（千）
ms-per-transaction = 毫秒/事务
cost-at = 累计 { $done } 千个事务：{ $ms } 毫秒/事务

## 发压端

generator = 发压端自身开销
generator-note = 如果瓶颈在发压端，测得的就是发压端而不是服务器。
cpu-per-statement = 每语句 CPU（微秒）
user-share = 用户态占比
host-share = 占主机比例
busiest-worker = 最忙工作线程
workers = 工作线程
cpu-wait-s = 等待 CPU（秒）
memory-peak = 内存峰值

## 数据来源

origin = 测量方法与数据来源
name = 名称
note = 备注
recorded = 记录时间
recording = 记录
extent = 完成情况
trials-done = 共 { $planned } 次试验，已执行 { $done } 次
window = 测量窗口
window-is = 预热 { $warmup } 秒后测量 { $time } 秒
load = 负载方式
closed-loop = 闭环：客户端收到上一个事务的应答后再发送下一个
open-loop = 开环：全部客户端合计每秒发起 { $rate } 个事务
concurrency-limit = 并发上限 { $count } 个事务
think-time = 平均思考时间 { $seconds } 秒
seed = 随机种子
plan-hash = 计划哈希
machine = 发压端主机
machine-is = { $cpus } 个 CPU（{ $model }），{ $memory }
virtual-machine = 虚拟机
system = 操作系统
imported = 导入自
versions = 版本
all-options = 负载的全部选项（{ $count }）
command = 重复运行的命令
specification = 测量规格
warnings = 测量期间的警告
raw = 原始数据
download = 下载 JSON

## 服务器与主机随时间的变化

overview = 同一时间轴上的负载、服务器与主机
overview-note = 速率为自上一点以来的平均值，未做平滑。
zoom-note = 在图上拖动或输入秒数，可同步缩放本单元所有随时间变化的图表；双击还原。
repeat-shown = 显示的重复
zoom-seconds = 时间（秒）
zoom-from = 起始秒
zoom-to = 结束秒
zoom-reset = 取消缩放
percent-of-cpus = 占全部 CPU 的 %
panel-cpu = CPU 使用率
panel-disk = 磁盘、重做日志与网络
panel-server = 服务器事件
panel-rarer = 较少发生的服务器事件
panel-state = 并发
panel-pages = 脏页与检查点年龄
panel-history = 历史列表长度
panel-lag = 复制延迟
panel-queues = 复制队列
panel-relay-log = 磁盘上的中继日志
panel-certification = 冲突检测数据库中的行数
panel-applied = 接收与回放的事务
panel-acknowledgement = 提交等待确认的平均时间
panel-flow-control = 流控限制提交
percent-of-time = 占时间的 %
panel-round-trip = 空请求往返时间

## 服务器的活动

server-did = 服务器在做什么
machine-elsewhere = 以下为发压端主机的数据，服务器在另一台主机上。
cpu-shares = 主机 CPU 时间：{ $shares }。
cpu-user = 用户态 { $share }
cpu-system = 内核态 { $share }
cpu-iowait = I/O 等待 { $share }
cpu-steal = 被虚拟化层占用 { $share }
cpu-idle = 空闲 { $share }
server-used = 服务器使用了 { $cpus } 个 CPU。
run-queue-mean = 平均有 { $threads } 个线程在运行或等待 CPU。
throttled = 服务器因 CPU 配额被限流的时间占 { $share }。
disk-wrote = 磁盘写入 { $rate } MiB/s，{ $count } 次/秒。
disk-wrote-each = 磁盘写入 { $rate } MiB/s，{ $count } 次/秒，每次 { $ms } 毫秒。
disk-did-read = 磁盘读取 { $rate } MiB/s，{ $count } 次/秒。
disk-did-read-each = 磁盘读取 { $rate } MiB/s，{ $count } 次/秒，每次 { $ms } 毫秒。
disk-busy = 磁盘繁忙时间占 { $share }。
network-rate = 网络流量 { $rate }/s。
memory-left = 可用内存始终不少于 { $memory }。
round-trip-median = 空请求往返时间的中位数为 { $ms } 毫秒。
pressure = 有线程在等待的时间占比：{ $shares }。
pressure-cpu = 等待 CPU { $share }
pressure-io = 等待 I/O { $share }
pressure-memory = 等待内存 { $share }
watching = 共读数 { $count } 次，每次耗时 { $each } 毫秒，最多延迟 { $late } 毫秒。
unseen = 未能观测
top-statements = 服务器中耗时最多的语句
as-clients-timed = 客户端计时的语句
top-waits = 耗时最多的等待
top-stages = 耗时最多的语句执行阶段
top-threads = 服务器线程（按 CPU 时间）
rows-examined = 扫描行数
rows-returned = 返回行数
full-scans = 全表扫描
event = 事件
threads-in-it = 平均线程数
of-which-server = 服务器
thread-name = 名称
cpus-used = 使用的 CPU
busiest-thread = 其中最忙的线程
plans = 执行计划
plans-count = 各语句的执行计划（{ $count }）
plans-changed = 各语句的执行计划（{ $count }），其中 { $changed } 个发生变化
plan-steps = 表（按连接顺序）
plan-after = 负载之后
plan-is =
    { $state ->
        [same] 未变
        [changed] 已变化
       *[missing] 无执行计划
    }
plan-then = 负载之后：
costs = 每个事务的服务器开销
costs-note = 由客户端所连接的各服务器及其进程在测量窗口内统计。
costs-over-cells = 每事务开销
cost = 开销

## 历史

recordings = 记录
recordings-count = { $count } 次记录
history-series = 各单元
history-in-order = 按先后排列的记录（UTC）
history-day = { $day } 的时刻（UTC），按先后排列
history-empty = 没有任何记录有数值。
history-note = 每个点为一次记录及其多次重复的 95 % 置信区间，横线为各水平的平均值。变点由 E-divisive 检出，至少需要 { $least } 次记录；没有变化的序列中有 { $alarms } % 会误报。最新记录与之前水平的波动相比；变化在 ±{ $margin } % 以内视为等效。
history-axis-break = { $label }（纵轴起点为 { $from }）
history-shift = { $at }：{ $change }（p = { $p }），自 { $run } 起。
history-with = 同时变化：{ $changes }。
history-with-nothing = 未发现同时变化的记录项。
history-near = 附近的变化：{ $changes }。
history-latest = 最新记录与之前 { $recordings } 次记录的水平相比：{ $change }，{ $verdict }。
history-untold = 无法判断
history-low = 下限
history-high = 上限
history-changed = 与前一次相比的变化
history-left-out = 未计入的原因
change = { $name }：{ $from } → { $to }
change-of = { $target } { $name }：{ $from } → { $to }
change-at = { $change }（{ $at }）

## 容量

capacity = 已试的速率
capacity-note = 每行为一个到达速率。若全部试验合起来判断它低于或高于容量时疑问不超过 2.5 %，则记为满足或不满足；容量是半数试验满足全部条件的速率。
offered-axis = 到达速率，事务/秒
log-axis = { $unit }（对数）
offered-column = 到达速率，事务/秒
done-column = 完成，事务/秒
held-column = 全部满足
held-of = { $trials } 次中 { $held } 次
missed-column = 未满足的条件
rate-standing = { $standing ->
    [met] 满足
    [missed] 不满足
   *[undecided] 未定
  }

## 时间用在何处

where = 时间用在何处
where-note = 两个目标上事务平均响应时间的分解。粗体部分至少占差异的十分之一，且其 95{ "\u00A0" }% 区间不含零。“无法归因”是客户端、服务器和内核都没有说明的时间。每个条形从上一个的末端开始。
where-by = { $by ->
    [cause] 原因
   *[statement] 语句
  }
where-change = 变化（毫秒）
where-from-to = 从 { $from } 到 { $to }{ "\u00A0" }毫秒
where-of = { $workload }，{ $clients }：按{ $by }分解的平均响应时间（毫秒）
where-others = 其他
where-whole = 平均响应时间

## 崩溃

failover = 故障切换
failover-note = 在负载的指定时刻使主库失效；一旦有了新主库，客户端立即转向它。除负载外，另有四个客户端记录它们得到确认的提交。“无提交”指其间没有任何提交得到确认的最长时段；“丢失”指已确认而新主库没有的提交。原主库冻结或被隔离时，其中一个客户端留在原主库上：“脑裂”指新主库接受写入后它仍得到确认的提交，不计入丢失。
failover-primary = 主库
failover-kind =
  { $loss ->
    [kill] 被杀死
    [stop] 关闭
    [freeze] 冻结
   *[cut] 被隔离
  }
failover-without = 无提交（秒，最长）
failover-median = 中位数（秒）
failover-promoted = 新主库（秒后）
failover-back = 恢复到 90 %（秒后）
failover-promised = 拓扑的承诺
failover-lost = 有丢失的切换
failover-lost-in = { $failovers } 次中 { $lost } 次
failover-age = 最早的丢失（毫秒）
failover-split = 脑裂提交数
failover-unknown = 结果未知
failover-errors = 客户端错误（错误码 × 次数）
failover-promise-async = 无（已退化为异步）
failover-old = 原主库
failover-diverged = 必须重建：含 { $count } 个自己的事务
failover-away = 未能重新加入
failover-rejoined = { $s } 秒内重新加入
events = 负载期间的事件
events-note = 在指定时刻触发的事件及其对负载的影响。“之前”为事件前五秒，“最后”为下一事件或负载结束前的最后五秒。多次试验取中位数；无事务时长和恢复到 90 % 所需时间取最差的一次。
events-event = 事件
events-before = 之前，/秒
events-lowest = 最差的一秒，/秒
events-silent = 无事务，秒
events-after = 最后，/秒
events-errors = 错误
events-lasted = 持续，秒
crash = 崩溃后丢失的提交
crash-note = 每次试验在负载下的随机时刻使服务器崩溃并重新启动，然后查找每个已确认的提交。丢失时长为表中缺失的提交中最早的一个从得到确认到崩溃所经过的时间，没有丢失则计为 0。“至多”指发生丢失的崩溃所占比例的单侧 95 % 置信区间上限。
crash-chart = 从表中丢失的提交与吞吐量
crash-axis = 丢失时长，毫秒（对数轴）
crash-nothing-lost = 表中没有丢失
crash-key-worst = 最严重的一次
crash-key-median = 中位数
crash-broken = 未兑现承诺
crash-column = 崩溃方式
crash-kind =
    { $kind ->
        [kill] kill -9
        [os] 操作系统崩溃
        [power] 断电
       *[lying] 断电，忽略刷盘
    }
crash-promised = 设置的承诺
crash-promise =
    { $standing ->
        [kept] 已兑现
        [broken] 未兑现
       *[none] 无
    }
crash-lost = 有丢失的崩溃
crash-lost-in = { $crashes } 次中 { $lost } 次
crash-lost-in-bound = { $crashes } 次中 { $lost } 次（至多 { $bound }）
crash-not-recovered = { $count } 次未能恢复
crash-damaged = { $count } 次有损坏
crash-most = 最多丢失的提交数
crash-worst = 最大丢失时长
crash-median = 丢失时长中位数
crash-recovery = 恢复时间（秒）
crash-log = 二进制日志
crash-log-note = 在二进制日志中查找同样的提交。日志缺少的提交，从库和按时间点恢复无法从中得到；仅在日志中的事务，从库会应用。所查找的提交在崩溃时最多只有几秒，因此若日志缺少全部提交，实际缺少的可能更多。
crash-log-lost = 缺少提交的崩溃
crash-log-most = 最多缺少的提交数
crash-log-worst = 最大缺失时长
crash-log-differs = 与表不一致的崩溃
crash-log-only-tables = 仅在表中，最多
crash-log-only-log = 仅在日志中，最多
crash-log-unreadable = { $count } 次未能读取
crash-torn = 撕裂单位
crash-torn-at = { $bytes }：{ $crashes } 次
crash-replicas = 从库
crash-replicas-note = 主库崩溃后，每个从库先应用已收到的内容，然后主库重新启动，复制继续。若从库拥有主库已丢失的事务，它就领先于主库：复制会中断，或者两者从此不一致。“切换丢失”指最好的从库也缺少的已确认提交。
crash-replicas-ahead = 领先的崩溃
crash-replicas-most = 最多领先事务数
crash-replicas-saved = 最多保住的提交数
crash-replicas-stopped = 复制中断的崩溃
crash-replicas-diverged = 复制继续但不一致的崩溃
crash-replicas-lacking = 最多未收到的事务数
crash-replicas-lost = 切换最多丢失的提交数

colocation = 实例并列运行
colocation-note = S 是全部实例同时运行的吞吐量，除以每个实例以同样多的客户端单独运行时的吞吐量之和。去掉某个原因后 S 显著更接近 1（Holm 校正），则支持该假设；若 95 % 置信区间排除了该原因占 S 与 1 之差一半或以上的可能，则排除该假设。
serial = 提交受什么限制
serial-note = 只要每次提交都等待一次服务器之间的往返，N 个客户端每秒最多提交 N / 往返时间 个事务。每一行取吞吐量不再增长的客户端数：更多的客户端使吞吐量提高不到 10 %，且整个 95 % 置信区间都在此以下。若此时 CPU 有空闲，则可能受事务须逐个通过的阶段限制，每个事务在该阶段的时间为 1 / 吞吐量。线程、锁和需要同步的磁盘都可能是这样的阶段。
profile = 服务器的 CPU 用在哪里
profile-note = 由 perf 在单独的试验中采样，该试验的数值不计入别处。火焰图中，函数的宽度是它正在运行或等待其被调用者返回的样本比例；最下一行是线程名。点击函数可放大。内核函数为橙色，在表中以 _[k] 结尾；没有符号的代码以其文件名表示，例如 [mysqld]。
profile-search = 搜索函数（正则表达式）
profile-file = 折叠后的调用栈，可供火焰图工具读取：{ $file }
profile-change-note = { $other } 的调用栈：红色函数所占 CPU 时间的比例高于 { $base }，蓝色函数低于 { $base }。
profile-function = 函数
profile-self = 自身，%
profile-total = 含被调用者，%
profile-thread = 线程
profile-share = 占比，%
profile-share-of = { $target } 自身，%
profile-functions = 最热的函数 · { $title }
profile-threads = 最忙的线程 · { $title }
round-trip-ms = 往返，毫秒
serial-bound = 客户端数 / 往返
cpu-used = CPU 使用率
serial-service = 1 / 吞吐量，微秒
serial-limit = 限制
serial-is =
    { $standing ->
        [serial] 可能是串行阶段
        [cpus] CPU 已满
        [cpus_unknown] 未知：未读取 CPU 使用率
        [grows] 无：吞吐量仍在或可能增长
       *[single_trials] 未判定：单次测量
    }
clients-each = 每实例客户端
clients-in-all = 客户端总数
alone-tps = 1 个实例，事务/秒
together-tps = { $instances } 个实例，事务/秒
s-is =
    { $standing ->
        [super_linear] 超线性
        [linear] 线性
        [contention] 争用
        [inconclusive] 无法定论
       *[single_trial] 单次试验
    }
hypothesis = 假设
hypotheses = 各项假设
hypothesis-is =
    { $standing ->
        [supported] 支持
        [excluded] 排除
       *[not_decided] 未能判定
    }
evidence-column = 依据

bisect = 起作用的差异
bisect-note = 测量了两个目标的各种组合。某项差异的解释比例取两者的平均：它单独作用于第一个目标的效果，以及第二个目标去掉它之后的损失；按对数刻度占总差异的比例计算，方括号内为 95 % 置信区间。
bisect-difference = 差异
bisect-share = 解释比例
bisect-alone = { $base } 采用后
bisect-last = { $other } 与去掉后的 { $other } 相比
bisect-confirmed = 已证实
bisect-not-confirmed = 未证实
bisect-not-started = 服务器无法启动的组合
bisect-combination = 取自 { $other } 的部分

proof = 试验过的建议
proof-note = 凡属服务器设置的建议，都在沙箱上与当前设置作了对比；试验部分的最后一行是全部同时采用。方括号内为 95 % 置信区间。
proof-recommendation = 建议
proof-settings = 设置
proof-throughput = 吞吐量
proof-result = 结果
proof-all = 全部同时采用
proof-helps = 有效
proof-none = 没有影响
proof-harms = 降低吞吐量
proof-undecided = 尚无定论
proof-not-valid = 测量无效
proof-cannot-be-tried = 在此无法试验
proof-not-measured = 尚未试验
proof-not-tried-no-setting = 不只是改一项设置：未试验
proof-not-tried-weakens-durability = 会削弱持久性：未试验

builds = 引起变化的构建
builds-note = 先测量首尾两个构建直到能区分，再测量其间的构建，直到能确定每个构建与哪一端相同。方括号内为 95 % 置信区间。
builds-build = 构建
builds-trials = 试验
builds-ratio = 与 { $first } 相比
builds-place = 位置
builds-before = 最后一个与首个相同
builds-after = 第一个与末个相同
builds-caption-throughput = 各构建的吞吐量
builds-caption-p99 = 各构建的 p99 响应时间
