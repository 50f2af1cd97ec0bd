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

rate-kept = 跟上了到达速率，吞吐量等于到达速率

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

circumstance = { $what ->
    [server_version] 版本
    [server_build] 构建
    [origin] 来源
    [place] 部署位置
    [mydyno_version] mydyno 版本
    [hostname] 发压机
    [os] 操作系统
    [kernel] 内核
    [cpu_model] CPU 型号
    [cpus] CPU 数
    [cgroup_cpus] CPU 限额
    [memory] 内存
    [governor] 调频策略
   *[calibration] 校准（每 CPU 查询/秒）
  }

## 各次记录

recording-unreadable = 无法读取：{ $why }

recording-imported = 导入的数据：由 { $tool } 测得，测量时间未知

recording-status = { $status ->
    [interrupted] 被中断
    [failed] 失败
    [broken] 异常终止
    [running] 仍在运行
   *[unreadable] 无法读取
  }

benchmark-circumstance = { $what ->
    [version] 版本
    [commit] 提交
    [seconds] 每次试验秒数
   *[rounds] 轮数
  }

in-milliseconds = { $metric }（毫秒）

history-answer = 最新记录与之前水平相比：{ $latest }；{ $shift }；{ $recordings } 次记录

no-change-point = 无变点

last-change-point = { $all } 个序列中有 { $shifted } 个水平发生变化，最近一次在 { $day }（{ $change } %）

history-verdict = { $verdict ->
    [worse] 更差
    [better] 更好
    [equivalent] 等效
    [inconclusive] 无法定论
   *[unknown] 无法判断
  }

history-verdict-in-some = { history-verdict }（{ $all } 个序列中的 { $some } 个）

asked-otherwise = 测试条件不同：{ $what }
