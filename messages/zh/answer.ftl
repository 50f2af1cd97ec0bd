### 对运行、扫描或实验所提问题的回答及其分句。变量的说明见英文目录。

answer = { $clauses }。

answer-opening = { $clause }。

answer-with-lead = { $lead }；{ $clauses }。

answer-of-workload = { $workload }：{ $clause }

answer-against = { $other } 对比 { $base }：{ $clause }

answer-of-single-trials = 单次试验，无法给出置信区间：{ $clause }

generator-share = 发压端最多占用其机器的 { $share }{ $used ->
    [not-given] 。
   *[other] ，最高达到其上限的 { $used }（每 CPU { $ceiling } 查询/秒，经校准）。
  }

nothing-completed = 没有任何单元完成

nothing-measured = 没有测得数据

no-common-clients = 两个目标没有共同完成的并发数

target-failed = { $target } 在 { $place }失败（{ $why }）

## 单个目标

no-transaction-of-target = { $target } 没有完成任何事务

spread = {" "}{ $interval }

no-spread = { $trials ->
    [few] （试验次数太少，无法给出置信区间）
   *[single] （单次试验，无置信区间）
  }

single-cell = { $target }：{ n-clients }时 { $value } 事务/秒{ $spread }{ $p95 ->
    [not-given] {""}
   *[other] ，p95 { $p95 } 毫秒
  }

single-tpcc = { $target }：{ $terminals } 个终端时 { $tpmc ->
    [not-given] 0 tpmC
   *[other] { $tpmc } tpmC{ $spread }
  }，{ $p90 ->
    [not-given] 没有 New-Order 完成
   *[other] New-Order p90 { $p90 } 毫秒
  }

peak = { $target } 在 { n-clients }时达到峰值 { $value } 事务/秒{ $spread }

knee = { n-clients }即达其 { $share }

down-to = { n-clients }时降到 { $value }

## 多个目标

faster = { $place } { $winner } { $comparison ->
    [faster] 更快
    [fastest] 最快
    [sooner] 响应更快
    [soonest] 响应最快
    [measured-faster] 测得更快
    [measured-fastest] 测得最快
    [measured-sooner] 测得响应更快
   *[measured-soonest] 测得响应最快
  }（{ $by }）

measured-equal = { $place }{ $metric ->
    [p95] {" "}p95{" "}
   *[throughput] {""}
  }相差不超过 { $margin }

equivalent = { $place }{ $metric ->
    [p95] {" "}p95{" "}
   *[throughput] {""}
  }等效（{ $margin } 以内）

inconclusive = { $place }无法定论{ $by ->
    [not-given] {""}
   *[other] （{ $by }）
  }

no-verdict = { $place }不作判断（{ $targets } 无效）

pair = { $metric ->
    [p95] p95{" "}
   *[throughput] {""}
  }{ $other }{ $form ->
    [over] {" "}对{" "}
   *[slash] /
  }{ $base }

undecided-range = { $pair } 为 { $least } 到 { $most } 倍

undecided = { $pair } 为 { $ratio } 倍{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }{ $repeats ->
    [not-given] { $else ->
        [corrected] ，对 { $comparisons } 项比较校正后不显著
       *[hopeless] ，100 次重复也无法定论
      }
   *[other] ，约需 { $repeats } 次重复
  }

factor = { $form ->
    [range] { $low } 到 { $high } 倍
   *[one] { $high } 倍
  }{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }{ $form ->
    [one] {""}
    [level] ，{ $at } 个客户端
   *[range] ，后者为 { $at } 个客户端
  }

response-factor = { $base ->
    [not-given] 第二名
   *[other] { $base }{" "}
  }的 p95 为其 { $factor }

factor-over-next = { $next ->
    [not-given] { $factor }，与第二名相比
   *[other] { $factor }，第二名为 { $next }
  }

## 开环

open-cell = { $target }：提供 { $rate } 事务/秒，完成 { $value }{ $spread }{ $p95 ->
    [not-given] {""}
   *[other] ，从应开始时计 p95 { $p95 } 毫秒
  }

open-kept = { $target } 在 { $place }能跟上 { $rate } 事务/秒，{ $best ->
    [not-given] p95 { $p95 } 毫秒
   *[other] { $best } p95 最低，为 { $p95 } 毫秒
  }

open-behind = { $target ->
    [not-given] 跟不上
   *[other] { $target } 跟不上 { $rate } 事务/秒
  }：{ $place }最多完成 { $most } 事务/秒

keeps-up = { $place } { $kept } 能跟上 { $rate } 事务/秒，{ $behind } 跟不上

none-keeps-up = { $place }没有目标能跟上 { $rate } 事务/秒，因此比较吞吐量

## 实验的主要结论

largest-difference = 最大差异：{ $workload ->
    [not-given] {""}
   *[other] { $workload }、
  }{ n-clients }时 { $other } 为 { $base } 的 { $ratio } 倍{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

largest-not-significant = { $difference }；对 { $comparisons } 项比较校正后不显著，增加重复次数可以判定

every-arm-equivalent = 各方案与 { $base } 等效（{ $margin } 以内）

no-arm-differs = 尚不能判断各方案与 { $base } 是否不同：区间范围为 { $interval }
