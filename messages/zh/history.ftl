### 同一基准随时间的变化：变点、最新记录、门禁。变量的说明见英文目录。

detectable = ；可发现 { $size } 及以上的{ $way ->
    [fall] 下降
   *[rise] 上升
  }

nothing-detectable = ；试验次数太少，任何变化都无法发现

not-measured = 未测量

cell-failed = 失败：{ $why }

no-trial-completed = 没有完成的试验

cell-not-valid = 无效：{ $why }

rate-kept = 跟上了给定速率：其吞吐量即为给定速率

has-no-metric = 没有{ $metric }

too-few-recordings = 变点检测至少需要 { $least } 次记录，目前有 { $recordings } 次

latest-not-in-series = 最新的记录不在序列中

no-baseline = 至少需要两次更早的记录作为基线，目前有 { $recordings } 次

value-not-positive = 不大于 0，无法求比值

series-of-benchmark = { $workload }，{ $target }

series-of-cell = { $target }，{ $workload }，{ n-clients }

circumstance-changed = { $target ->
    [not-given] {""}
   *[other] { $target }{" "}
  }{ $name }：{ $from } → { $to }

asks-another = { $what ->
    [targets] 目标
    [workloads] 负载
    [options] 负载选项或加载方式
    [clients] 客户端数
   *[cells] 所运行的单元
  }
