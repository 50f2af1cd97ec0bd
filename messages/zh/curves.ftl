### 吞吐量随客户端数的变化，以及某个效果是否取决于其他因素。变量的说明见英文目录。

scalability-law = { $target } 符合通用可扩展性定律（误差 { $rms }）：单客户端 { $lambda }/秒，{ $serialised } 的工作是串行的

queue-beyond = 超过约 { $knee } 个客户端后，新增客户端基本都在排队

collapse = { $target } 在 { $below } 与 { $above } 个客户端之间骤降 { $drop }，超出可扩展性模型的范围{ $next ->
    [not-given] {""}
   *[other] ；细化测试：{ $next } 个客户端
  }

crossover = 两条曲线在 { $below } 与 { $above } 个客户端之间交叉{ $at ->
    [not-given] {""}
   *[other] ，约 { $at } [{ $low }, { $high }]
  }：此后 { $after } 领先于 { $before }{ $sure ->
    [single] （单次试验：显著性未知）
    [scattered] （不显著：各次试验波动太大）
   *[sure] {""}
  }

interaction = { $workload ->
    [not-given] {""}
   *[other] { $workload }：
  }{ $arm } 相对 { $base } 的效果取决于{ $factor ->
    [not-given] 负载
   *[other] {" "}{ $factor }
  }：{ n-clients }时 { $first } 为 { $effect }，{ $second } 为 { $other }，两者之比 { $ratio }{ $of ->
    [1] {""}
   *[other] ；{ $of } 个并发数中有 { $found } 个效果不同
  }

effect = { $ratio }x{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

serial-title = 模拟链路上提交受什么限制，{ $workload }

serial-column = { $column ->
    [target] 目标
    [trip] 往返，毫秒
    [clients] 客户端
    [tps] tps
    [bound] 客户端数 / 往返
    [cpu] CPU
    [service] 1 / tps，微秒
   *[limit] 限制
  }

serial-limit = { $standing ->
    [serial] 增加客户端不再提高吞吐量，CPU 有空闲：若事务须逐个通过某个阶段，则每个事务在该阶段用时 1 / tps
    [cpus] 增加客户端不再提高吞吐量，CPU 已满：无法与串行阶段区分
    [cpus-unknown] 增加客户端不再提高吞吐量，CPU 使用率未知
    [grows] 无：增加客户端时吞吐量仍在增长，或可能增长
   *[single] 未判定：单次测量
  }
