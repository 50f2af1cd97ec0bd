### 两份记录的对比：标题、结论、警告、门禁。变量的说明见英文目录。

compare-pair = { $other } 对比 { $base }

compare-column = { $column ->
    [workload] 负载
    [metric] 指标
    [clients] 客户端
    [base] 基准
    [other] 对比方
    [change-percent] 变化（%）
    [change] 变化
    [interval] 95 % 区间
   *[verdict] 结论
  }

compare-rule = 变化及其 95 % 区间；{ $margin } 以内视为等效{ $corrected ->
    [no] {""}
    [one-family] ；已按 { $primary } 项比较校正（Holm）
   *[two-families] ；主要指标已按 { $primary } 项比较校正（Holm），其他指标另按 { $other } 项校正
  }

compare-table = { $workload }，{ $metric }{ $family ->
    [primary] （主要指标）
   *[secondary] {""}
  }

nothing-on-both-sides = 没有两边都测过的单元

interval-of-single-trial = 单次试验，无区间

compare-verdict = { $verdict ->
    [better] 更好
    [worse] 更差
    [equivalent] 等效
    [unknown] 无法判断
    [withheld] 不作判断：{ $why ->
        [not-given] 有单元无效
       *[other] { $why }
      }
    [corrected] 无法定论：校正后 p { $p }
    [capacity] 无法定论：缩小搜索区间后或可判定
    [repeats] 无法定论：约 { $repeats } 次重复后或可判定
   *[hopeless] 无法定论：重复 100 次也无法判定
  }

## 价格

compare-money = 每 { $currency } 的事务数：基准 { $base } { $currency }/小时，对比方 { $other } { $currency }/小时；区间来自吞吐量，价格没有区间

price-missing = 未比较单位费用的事务数：{ $name }（{ $side ->
    [base] 基准
   *[other] 对比方
  }）没有价格

currencies-differ = 未比较单位费用的事务数：{ $base } 的价格以 { $of_base } 计，{ $other } 以 { $of_other } 计

## 影响可比性的因素

compare-imported = { $recording } 是导入的数据：由 { $tool } 测得{ $notes ->
    [not-given] {""}
   *[other] ；{ $notes }
  }

side-differs = { $what ->
    [hostname] 发压机不同
    [kernel] 发压机的内核不同
    [mydyno_version] mydyno 版本不同
   *[window] 测量窗口不同
  }：{ $base } 与 { $other }

unknown-value = 未知

compare-window = 预热{ $warmup ->
    [not-given] 时间未知
   *[other] {" "}{ $warmup } 秒
  }，测量 { $time } 秒

one-side-searched = 只有一边搜索了容量：只有相同的速率可以比较

open-against-closed = 一边是开环，另一边是闭环：吞吐量和响应时间都不可比

rates-differ = 到达速率不同

not-interleaved = 两份记录先后测得，没有交错进行：期间机器的任何变化都会表现为差异。{ $verb ->
    [search] 在同一次容量搜索中测量
   *[sweep] 在同一次 sweep 中测量
  }两个目标可以避免

workloads-differ = 负载不同：{ $base } 运行了 { $of_base }，{ $other } 运行了 { $of_other }

compared-by-name = { $workload } 仅按名称对应：其中一边的选项未知

options-differ = 未比较 { $workload }：选项不同（{ $options }）

option-differs = { $option } { $base ->
    [not-given] 无
   *[other] { $base }
  } 与 { $other ->
    [not-given] 无
   *[other] { $other }
  }

cell-on-one-side = { $workload }，{ at-clients }：{ $name } 已完成，{ $lacking } 没有{ $why ->
    [not-given] {""}
   *[other] ：{ $why }
  }

## 容量搜索

conditions-differ = 条件不同：{ $base } 为 { $of_base }，{ $other } 为 { $of_other }

searched-on-one-side = { $workload }，{ at-clients }：{ $name } 搜索过，{ $lacking } 没有

search-options-differ = { $workload }，{ at-clients }未作比较：选项不同

search-without-capacity = { $workload }，{ at-clients }，{ $name }：{ $says }

## 单次试验

signs-of-single-trials = { $workload }，{ $metric }，单次试验：{ $other } 在 { $more } 种并发数下更高，在 { $less } 种下更低，{ $least } 到 { $greatest } %（符号检验 p { $p }）：{ $found ->
    [significant] 方向显著，各并发数下的幅度未知
   *[not-significant] 不显著
  }

## 门禁

compare-gate-holds = 门禁 { $gate }：满足{ $power ->
    [not-given] {""}
   *[other] { $power }
  }

compare-gate-undetermined = 门禁 { $gate }：无法判断：{ $why }

compare-gate-stops = 门禁 { $gate }：{ $standing ->
    [failed] 未通过
   *[unknown] 无法判断
  }，{ $workload }，{ at-clients }：{ $change } %{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }{ $why ->
    [not-given] {""}
   *[other] （{ $why }）
  }

gate-without-cell = 没有两边都有该指标的单元

gate-of-single-trial = 单次试验没有区间

gate-not-significant = 变化超出界限，但不显著
