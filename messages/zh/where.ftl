### Where the mean response time of a transaction goes, and which parts carry a difference.

part-of-response = { $part ->
    [queue] 开始前排队
    [client] 发压端
    [network] 网络往返
    [cpu] 服务器 CPU
    [cpu_wait] 等待 CPU
    [row_locks] 行锁
    [data_io] 数据文件
    [replication] 等待从库确认
    [commit_wait] COMMIT 中的等待
   *[unattributed] 无法归因
  }

part-changes = { $part }（{ $direction ->
    [less] 少
   *[more] 多
  } { $ms } 毫秒）

explanation = { $direction ->
    [less] { $workload ->
        [not-given] {""}
       *[other] { $workload }，
      }{ at-clients }，{ $other } 上每个事务比 { $base } 少用 { $ms } 毫秒 { $interval }（{ $is } 对 { $was } 毫秒）。
   *[more] { $workload ->
        [not-given] {""}
       *[other] { $workload }，
      }{ at-clients }，{ $other } 上每个事务比 { $base } 多用 { $ms } 毫秒 { $interval }（{ $is } 对 { $was } 毫秒）。
  }{ $statements ->
    [not-given] {""}
   *[other] 按语句：{ $statements }。
  }{ $resources ->
    [not-given] {""}
   *[other] 按原因：{ $resources }。
  }

where-title = 事务的时间用在何处，按{ $by ->
    [cause] 原因
   *[statement] 语句
  }：{ $workload }，{ n-clients }，毫秒 [95 % 区间]

breakdown = 平均响应时间 { $ms } 毫秒：{ $parts }

breakdown-part = { $part } { $ms }

where-column = { $column ->
    [statement] 语句
    [cause] 原因
   *[change] 变化
  }

where-others = 其他

where-whole = 平均响应时间
