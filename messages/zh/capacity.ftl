### 容量：满足全部条件的最高到达速率。变量的说明见英文目录。

capacity-found = { $target } 在 { $clients } 个客户端下可持续承载 { $rate } 事务/秒 { $interval }{ $count ->
    [0] ，这是它能跟上的最高到达速率
   *[other] ，同时满足 { $conditions }
  }{ $first ->
    [not-given] {""}
   *[other] 。超过此速率后，{ $first }
  }{ $confirmed ->
    [yes] {""}
   *[no] 。搜索在重复试验确认之前已结束
  }

capacity-below = { $target } 连试过的最低到达速率 { $rate } 事务/秒也无法承载：{ $missed }

capacity-above = { $target } 可承载试过的最高到达速率 { $rate } 事务/秒，其容量高于此值

capacity-unknown = { $target } 的容量未知

capacity-why-unknown = 各次试验均无效：{ $why }

capacity-no-trial = 没有进行试验

condition-missed = { $condition } 不再满足

capacity-missed = { $kind ->
    [queue] 积压不断增长
    [lag] 复制延迟不断增长
    [topology] 拓扑发生异常
   *[failed] 试验失败
  }

capacity-side = { $rate }/秒的 { $trials } 次试验中有 { $held } 次

capacity-evidence = { $sides ->
    [not-given] {""}
   *[other] 全部条件均满足的试验：{ $sides }。
  }搜索共进行 { $trials } 次试验，涉及 { $rates } 个速率{ $closed ->
    [not-given] {""}
   *[other] 。相同客户端在闭环下达到 { $closed } 事务/秒{ $share ->
      [not-given] {""}
     *[other] ，容量为其 { $share }
    }
  }

capacity-not-measured = 该试验没有{ $metric }的数值

capacity-ratio = { $verdict ->
    [differs] { $other } 可承载的速率是 { $base } 的 { $ratio } 倍 { $interval }
   *[unsure] { $other } 与 { $base } 的差异不显著（{ $ratio } { $interval }）
  }

capacity-column = { $column ->
    [rate] 到达速率/秒
    [held] 全部满足
    [standing] 结论
   *[missed] 未满足的条件
  }

rate-standing = { $standing ->
    [met] 满足
    [missed] 不满足
   *[undecided] 未定
  }

rate-held = { $trials } 次中 { $held } 次{ $aside ->
    [0] {""}
   *[other] ，另有 { $aside } 次不计
  }

capacity-of = { $target } 的容量，{ $workload }，{ n-clients }
