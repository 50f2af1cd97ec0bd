### 名称：指标、负载的事实、服务器变量的分组、列与行。变量的说明见英文目录。

metric-label = { $metric ->
    [throughput] 事务/秒
    [queries] 查询/秒
    [tpmc] tpmC
    [response_mean] 平均响应时间
    [response_p50] 响应时间中位数
    [response_p95] p95 响应时间
    [response_p99] p99 响应时间
    [response_p999] p99.9 响应时间
    [response_p9999] p99.99 响应时间
    [response_max] 最长响应时间
    [lag] 最大复制延迟
    [errors] 错误/秒
    [generator_cpu] 每次查询的发压端 CPU
    [capacity] 容量
   *[benchmark] 值
  }

workload-fact = { $fact ->
    [tables] 表
    [row-ids] 行 ID 分布
    [script] 脚本
    [options] 选项
    [mix] 事务
    [statements] 语句方式
    [data] 数据
    [deviations] 与标准的差异
   *[isolation] 隔离级别
  }

variable-group = { $group ->
    [durability] 持久性
    [memory] 内存
    [io] 输入输出
    [concurrency] 并发
    [replication] 复制
    [instrumentation] 监测
    [optimizer] 优化器
    [version] 版本
   *[other] 其他
  }

part-of-load = { $part ->
    [reads] 读取
    [writes] 写入
    [clients] 大量客户端
    [all] 所有负载
    [replicas] 从库
    [restart] 启动和关闭
   *[nothing] 不影响负载
  }

effect-on-load = { $part }：{ $effect }
