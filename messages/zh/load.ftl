### 施加的负载与持续的能力：开环，以及长时间运行的各个四分之一。变量的说明见英文目录。

offered-load = 应执行 { $offered } 个事务（{ $rate }/秒），其中 { $unstarted } 个未开始，积压最多 { $backlog }；开始延迟 p50/p99/最长 { $p50 }/{ $p99 }/{ $max } 毫秒（定时器延迟 p99 { $timer } 毫秒）

overload = 施加的速率超过了容量：{ $share } 的事务未能开始，{ $stayed ->
    [stayed] 响应时间随运行时长增长
   *[shrank] 响应时间包含积压中的等待，积压最多 { $backlog }，结束时尚未处理完
  }；请降低速率，若服务器仍有余力可增加客户端

backlog-worked-off = 施加的速率一度超过容量：积压最多 { $backlog } 个事务，随后处理完；响应时间包含其中的等待

sustained = 前四分之一吞吐量 { $first }/秒，后四分之一 { $last }/秒（{ $change } %）；{ $window }内最大波动 { $variation } %（小于 2 %：{ $steady ->
    [kept] 满足
    [missed] 未满足
   *[unknown] 事务太少，无法判断
  }）；{ $idle ->
    [not-given] 没有出现零吞吐
   *[other] { $idle }没有事务完成，最长 { $longest }
  }；{ $law }

growth-law = { $kind ->
    [grows] 每个事务的耗时随累计事务数增长，{ $transactions } 个事务中 { $change } % [{ $low } %, { $high } %]（1/吞吐量的直线，误差 { $misfit }）：工作量随数据增长
    [declines] 吞吐量下降，但与累计事务数不成比例（{ $transactions } 个事务中 { $change } % [{ $low } %, { $high } %]，误差 { $misfit }）
   *[level] 每个事务的耗时未随累计事务数增长（{ $transactions } 个事务中 { $change } % [{ $low } %, { $high } %]）
  }

growth-unknown = 1/吞吐量无法确定

slower-types = 从前四分之一到后四分之一，p95 增长明显多于其他类型的有：{ $types }

no-digest = { $share } 的语句时间没有摘要：该版本不为通过预处理语句协议执行的语句保留摘要；完整数据请看客户端自己的计时
