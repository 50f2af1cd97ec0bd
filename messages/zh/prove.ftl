### 在沙箱上试验过的建议。

prove-question = doctor 的哪些建议能让 { $target } 上的 { $workload } 更快？

prove-lead = { at-clients }，{ $tried ->
    [0] 还没有试验任何建议
   *[other] 共试验 { $tried } 项建议
  }：{ $parts }

prove-part = { $effect ->
    [helps] { $count } 项有效
    [harms] { $count } 项降低吞吐量
    [none] { $count } 项的影响不超过 { $margin }
    [undecided] { $count } 项尚无定论
    [not_valid] { $count } 项的测量无效
    [cannot_be_tried] { $count } 项在此无法试验
   *[not_measured] { $count } 项尚未试验
  }（{ $items }）

prove-item = { $name } { $what }{ $durable ->
    [yes] ，是持久性的代价
   *[no] {""}
  }

prove-figures = { $ratio } 倍{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

prove-together = { $known ->
    [no_start] 全部同时采用时无法试验：{ $what }
    [not_valid] 全部同时采用时的测量无效
    [not_measured] 全部同时采用尚未试验
   *[yes] 全部同时采用：{ $what }
  }

prove-nothing = 没有试验任何建议

prove-price-of-durability = 持久性的代价：崩溃时丢失更少

prove-title = 试验过的建议：{ $workload }，{ n-clients }

prove-column = { $column ->
    [recommendation] 建议
    [settings] 设置
    [throughput] 吞吐量
   *[result] 结果
  }

prove-all = 全部同时采用

prove-result = { $effect ->
    [helps] 有效
    [none] 没有影响
    [harms] 降低吞吐量
    [undecided] 尚无定论
    [not_valid] 测量无效
    [cannot_be_tried] 在此无法试验
   *[not_measured] 尚未试验
  }{ $why ->
    [not-given] {""}
   *[other] ：{ $why }
  }

prove-not-tried = { $why ->
    [weakens_durability] 会削弱持久性：未试验
   *[no_setting] 不只是改一项设置：未试验
  }

prove-plan = 将在与此服务器设置相同的沙箱上试验 { $tried } 项建议{ $other ->
    [0] {""}
   *[other] ；另有 { $other } 项不只是改设置，或会削弱持久性
  }
