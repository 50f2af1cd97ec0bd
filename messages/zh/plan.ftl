### 用文字描述的计划：规模、可能追加的内容和已追加的内容。变量的说明见英文目录。

plan-in-words = 计划：{ $cells } 个单元 × { $blocks } 轮 = { $trials } 次试验{ $more ->
    [not-given] {""}
   *[other] ，外加{ $more }
  }{ $time ->
    [not-given] ；每次试验以事务数结束，所需时间取决于服务器。
   *[other] ，约 { $time }，不含加载数据。
  }可随时停止，之后用 mydyno resume 继续。

plan-drift-check = 漂移检查

plan-profiled = 每个目标与负载各一次由 perf 采样服务器的试验

plan-until-sure = 追加轮次，直到所有结论确定（最多 { $blocks } 轮）

plan-search = 继续试验其他速率，直到容量确定（每项最多 { $trials } 次试验）

plan-bisect = 两个目标的各种组合，直到确定 { $differences } 项差异中哪些起作用（每种组合最多 { $trials } 次试验）

plan-versions = 两者之间的构建，直到查明变化出自哪一个（每个构建最多 { $trials } 次试验）

plan-refine = 在曲线骤降或交叉处增加并发数

drift-check-trial = 漂移检查：重测第一个单元

profiled-trials = 由 perf 采样服务器的试验

next-block = 第 { $block } 轮（最多 { $blocks } 轮）：{ $cells } 个单元尚无定论

refined-collapse = { $target } 在 { $below } 到 { $above } 个客户端之间骤降

refined-crossover = { $after } 与 { $before } 在 { $below } 到 { $above } 个客户端之间交叉

refined = { $why }：补测 { $clients } 个客户端
