### 终端与 Markdown 中数值周围的文字：行、标题、列名。变量的说明见英文目录。

## 列名与标题

column = { $column ->
    [clients] 客户端
    [target] 目标
    [terminals] 终端数
    [type] 类型
    [count] 数量
    [per-minute] 每分钟
    [mix] 比例 %
    [ms] 毫秒
    [limit] 限制
    [retries] 重试
    [rollbacks] 回滚
    [errors] 错误
    [new-order-p90] New-Order p90 毫秒
    [consistency] 一致性
    [transactions] 事务
    [queries] 查询
    [time] 时间（秒）
    [avg-ms] 平均（毫秒）
    [p95-ms] p95（毫秒）
    [tps] 事务/秒
    [code] 代码
    [per-thousand] 每千次尝试
    [latency] 延迟（毫秒）
    [response-time] 响应时间（毫秒）
    [reported] 工具报告的值（毫秒）
    [repeat] 轮次
    [level-since] 水平起始
    [recordings] 记录数
    [mean] 几何均值
    [change] 变化
    [variable] 变量
    [default] 默认值
    [meaning] 含义
   *[effect] 影响
  }

heading = { $heading ->
    [others] 已发表的结果
    [doubts] 什么会改变这一结论
    [method] 方法
    [differences] 差异
    [failures] 失败情况
    [set-aside] 未计入的试验
   *[origin] 数据来源
  }

## TPC-C

tpcc-limit = { $limit } { $kept ->
    [kept] 满足
   *[exceeded] 超出
  }

latency-kind = { $kind ->
    [response] 响应
   *[service] 服务
  }

tpcc-consistency = { $verdict ->
    [unchecked] 未检查一致性
    [holds] 一致性 { $holding }/{ $checked } 满足
   *[violated] 一致性 { $holding }/{ $checked }
  }

home-warehouses-used = 使用的仓库 { $used }/{ $all }

not-checked = 未检查

## 服务器与主机

cpu-mode = { $mode ->
    [programs] 程序
    [kernel] 内核
    [disk] 等待磁盘
   *[stolen] 被占用
  } { $percent } %

cpu-modes = CPU { $modes }

server-cpus = 服务器 { $cpus } 个 CPU

disk-writes = 磁盘写入 { $rate } MiB/s{ $each ->
    [not-given] {""}
   *[other] ，{ $each } 毫秒
  }

round-trip = 往返 { $ms } 毫秒

machine-line = { $whose ->
    [servers] 主机
   *[generators] 本机（非服务器主机）
  }  { $parts }

server-line = { $line ->
    [statements] 语句
    [by-client] 客户端
    [waits] 等待
   *[unseen] 不可见
  }

ms-per-transaction = 毫秒/事务

more-advice = 另有 { $more } 条

advice-for-servers = 对服务器的建议（全部见网页或 mydyno doctor）

## 历史

no-figures = 没有任何记录有数值

history-rule = 变点：E-divisive，无变化的序列误报率 { $alarms }；至少需要 { $least } 次记录。最新记录与之前水平的比较：单次新记录的 95 % 区间，{ $margin } % 以内视为等效，已按 { $series } 个序列校正（Holm）

latest-at = 最新 { $at }

level-verdict = { $verdict ->
    [better] 更好
    [worse] 更差
    [equivalent] 等效
    [unknown] 无法判断
   *[inconclusive] 无法定论，校正后 p { $p }
  }

changed-near = { $change }（{ $at }）

change-point-at = 变点 { $at }：{ $change }（p { $p }），自 { $recording } 起；{ $there ->
    [not-given] 未发现同时变化的记录项
   *[other] 同时变化：{ $there }
  }{ $near ->
    [not-given] {""}
   *[other] ；附近的变化：{ $near }
  }

without-recording = 未计入 { $recording }：{ $why }

recording-left-out = 不在其中：{ $recording }：{ $why }

gate-holds = 门禁 { $gate }：满足

gate-in-cell = 门禁 { $gate }：{ $standing ->
    [failed] 未通过
   *[unknown] 无法判断
  }，{ $cell }：{ $detail }

## 报告的各部分

arm-differs = { $arm }：{ $what }

repeat-it = 重复运行：{ $command }

cell-with-clients = { $target }，{ n-clients }

cell-over-time = { $cell }：{ $findings }

cell-router = { $cell }：{ $says }

more-cells-over-time = 另有 { $cells } 个单元随时间有变化，见报告页面

trial-set-aside = { $target } { n-clients }第 { $repeat } 次未计入：{ $why }

variable-differs = 差异：{ $variable }：{ $values }

more-variables-differ = 差异：另有 { $variables } 个变量，见报告页面

cell-failure = { $target } { n-clients }：{ $why }

run-failure = 运行无法继续：{ $why }

interval-unknown = {"["}试验次数太少]

## 终端

question = 问题：{ $question }

withdrawn = 撤回：{ $answer }

sweep-heading = { $workload }，事务/秒（p95 毫秒），{ $trials ->
    [1] 单次试验
   *[other] 每单元 { $trials } 次试验，[各次试验的 95 % 区间]
  }

entry-failed-silently = 失败

entry-failed = 失败{ $error ->
    [not-given] { $what ->
        [connect] ：无法连接
        [server-gone] ：服务器中断
        [data] ：数据
        [machine] ：本机的限制
        [sandbox] ：沙箱未启动
        [protocol] ：违反协议
       *[other] {""}
      }
   *[other] ：错误 { $error }
  }

entry-not-run = 未运行

cell-heading = { $target } 上的 { $workload }，{ n-clients }

per-transaction = 每事务{ $servers ->
    [0] {""}
   *[other] （{ $servers } 台服务器合计）
  }

network-line = 网络  每事务发送 { $sent } B，接收 { $received } B{ $tls ->
    [not-given] {""}
   *[other] ；{ $tls }
  }

tls-used = { $version } { $cipher }，握手 { $handshakes } 次，其中恢复会话 { $resumed } 次

of-repeat = 第 { $repeat } 次重复：{ $text }

more-errors = 另有 { $kinds } 种错误，见报告页面

error-in-row = { $end ->
    [retried] 已重试
   *[fatal] 致命
  }：{ $message }

error-line = 错误 { $code } x { $count }（{ $end ->
    [retried] 已重试
   *[fatal] 致命
  }）：{ $message }

recording-named = 记录 { $recording }

run-origin = { $recording }，{ $started }，随机种子 { $seed }，计划 { $plan }

## 并列比较服务器

server-fact = { $fact ->
    [what] 对象
    [seen] 时间
    [version] 版本
    [build] 构建
    [host] 主机
    [cpus] CPU
    [memory] 内存
    [system] 系统
    [place] 资源限定
    [instance] 实例
    [plugins] 插件
    [threads] 线程
    [role] 角色
    [up] 运行时间
    [connections] 连接
    [judged-for] 针对
    [durability] 持久性
   *[because] 原因
  }

not-known = 未知

whole-machine = 整台机器

what-was-seen = { $kind ->
    [sandbox] 沙箱
   *[server] 服务器
  }，{ $run ->
    [not-given] 当前
   *[other] 来自记录 { $run }
  }

judged-for-load = { $work ->
    [reads] 针对只读负载 { $workloads } 判断。
   *[writes] 针对 { $workloads } 判断。
  }

default-value = { $value }（默认）

sized-by-server = 由服务器确定

no-effect-on-reads = 对该只读负载无影响

other-names = 又名 { $names }

how-to-make-equal = 统一方法：

has-default = 默认 { $value }

## 服务器的检查结果

nothing-to-recommend = 没有建议。

not-visible = 不可见

full-advice = 全部原因、代价与手册链接：{ $option }

plugins = { $known ->
    [hidden] 不可见
    [built-in] 仅内置
   *[listed] { $listed }
  }

server-of-target = { $target }：{ $server }，{ $series }

connections = 目前 { $now }，最多 { $most }，上限 { $allowed }

uptime = { $time }{ $counters ->
    [young] ；运行时间太短，计数器参考意义不大
   *[old] {""}
  }

durability-because = { $class }（{ $because }）

advice-of-severity = { $severity ->
    [high] 高：可能丢失数据，或使测量失去意义
    [medium] 中：影响吞吐、延迟或安全
   *[low] 低：值得了解
  }

advice-line = { $line ->
    [cost] 代价：
   *[see] 参见：
  }
