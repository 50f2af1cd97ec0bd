### 找出使两个目标快慢不同的差异

bisect-ratio = { at-clients }，{ $other } 的吞吐量是 { $base } 的 { $ratio } 倍 { $interval }

bisect-equivalent = { at-clients }，{ $base } 与 { $other } 等效（{ $ratio } 倍 { $interval }），没有需要解释的差异

bisect-undecided = { $trials } 次试验不足以判断 { $base } 与 { $other } 是否有差异，因此没有逐项查找

bisect-failed = { $base } 或 { $other } 无法测量，因此没有逐项查找：{ $why }

bisect-explains = { $name }（{ $base } 与 { $other }）解释了差异的 { $share } { $interval }

bisect-changes = { $name }（{ $base } 与 { $other }）使吞吐量变为 { $ratio } 倍{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

bisect-oppose = 它们的作用相反，因此占总差异的比例没有多少意义

candidates = { $count ->
    [one] 两个目标只在 { $names } 上不同，是否就是原因尚未验证
   *[other] 最可能的原因（未经验证）：{ $names }{ $more ->
        [0] {""}
       *[other] ，另有 { $more } 项
      }
  }；验证命令：{ $command }

bisect-default = 默认值

bisect-rest = 尚有 { $share } { $interval } 未得到解释

bisect-others = 其余 { $others } 项差异各自的影响不到 { $most }

bisect-unfinished = 查找尚未完成，目前的结论仍可能改变

bisect-unexplained = { $differences } 项差异中没有一项能解释

bisect-only-with = { $name } 只有与 { $others } 同时改变才起作用

bisect-interacts = { $name } 与 { $other } 同时改变的效果{ $direction ->
    [more] 大于
   *[less] 小于
  }两者单独效果之积（{ $ratio } 倍）

bisect-proof = { $way ->
    [with] 采用这些差异后，{ $base } { $holds ->
        [yes] 与 { $other } 一样快
        [no] 仍与 { $other } 不同
       *[unknown] 未与 { $other } 比较
      }
   *[without] 去掉这些差异后，{ $other } { $holds ->
        [yes] 回到 { $base } 的水平
        [no] 仍与 { $base } 不同
       *[unknown] 未与 { $base } 比较
      }
  }

bisect-dropped = 查找时看似显著、但未得到证实：{ $names }

bisect-not-started = 仅采用第二个目标的 { $names } 时服务器无法启动：{ $why }

bisect-effort = 共 { $trials } 次试验，{ $combinations } 种组合，{ $differences } 项差异

bisect-not-valid = 另有 { $trials } 次试验无效，未计入

bisect-title = { $base } 与 { $other } 的哪项差异起作用：{ $workload }，{ n-clients }

bisect-column = { $column ->
    [difference] 差异
    [share] 解释比例 [95 %]
    [alone] { $base } 采用后
   *[last] { $other } 与去掉后的 { $other } 相比
  }
