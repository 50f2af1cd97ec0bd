### 查找指标在哪个构建发生了变化。

versions-found = { at-clients }，{ $metric ->
    [throughput] 吞吐量
   *[response_p99] p99 响应时间
  }在 { $before } 与 { $after } 之间发生了变化

versions-ratio = { $metric ->
    [throughput] { $to } 的吞吐量是 { $from } 的 { $ratio } 倍 { $interval }
   *[response_p99] { $to } 的 p99 响应时间是 { $from } 的 { $ratio } 倍 { $interval }
  }

versions-not-found = { $standing ->
    [equivalent] { at-clients }，{ $first } 与 { $last } 等效，没有需要查找的变化
    [undecided] { at-clients }，试验不足以判断 { $first } 与 { $last } 是否有差异，因此没有查找两者之间的构建
    [failed] { $first } 或 { $last } 无法测量，因此没有查找两者之间的构建
   *[unfinished] 查找尚未完成
  }

versions-skipped = 两者之间无法测量的构建：{ $builds }

versions-error = 如果变化由一个构建造成，指错构建的概率不超过 { $error }

versions-estimated = 至少有一个构建的试验不足以定论，只能按估计值归类：请对变化附近的构建做更多试验

versions-title = 各构建的{ $metric ->
    [throughput] 吞吐量
   *[response_p99] p99 响应时间
  }：{ $workload }，{ n-clients }

versions-column = { $column ->
    [build] 构建
    [trials] 试验
    [ratio] 与 { $first } 相比
   *[note] {""}
  }

versions-mark = { $place ->
    [before] 最后一个与首个相同
   *[after] 第一个与末个相同
  }
