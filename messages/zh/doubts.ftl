### 未决问题：什么会改变实验的答案；以及测量的有效性。变量的说明见英文目录。

arm-against-base = { $workload ->
    [not-given] {""}
   *[other] { $workload }：
  }{ $other } 对比 { $base }

open-points = { $pair }，{ $place }无法定论：{ $repeats ->
    [not-given] { $cost ->
        [corrected] 对 { $comparisons } 项比较校正后不显著，增加重复次数可以判定
       *[hopeless] 100 次重复也无法定论：须先找出波动的来源
      }
   *[other] { $cost ->
        [some] 其中一部分约需每个单元 { $repeats } 次重复，其余即使 100 次也无法定论
       *[all] 约需每个单元 { $repeats } 次重复
      }
  }。

some-single-trials = 有些单元只有一次试验，波动未知：重复三次以上才有区间。

wider-margin = { $pair }，{ $place }：若等效界限为 { $wider } % 而不是 { $margin }，则两者等效。

small-difference = { $pair }，{ $place }：差异显著，但可能小于等效界限 { $margin }。

standing-caveats = 有 { $caveats } 项注意事项{ $remedies ->
    [not-given] {""}
   *[other] ；消除办法：{ $remedies }
  }。

remedy = { $what ->
    [repeats] 重复三次以上
    [window] 更长的测量窗口
    [warm-up] 更长的预热
    [cause] 找出试验中导致水平变化或停顿的原因
    [generator] 为发压端提供独立的 CPU
    [machine] 没有其他负载的主机
    [restore] 每次试验前恢复数据
   *[errors] 没有错误、全部完成的试验
  }

quick-run = 快速运行：客户端更少，数据更少，窗口更短。完整运行：mydyno experiment run { $experiment }。

one-machine = { $shared ->
    [shared] 所有数据来自同一台主机（{ $cpus } 个 CPU），服务器与发压端共用；换一台主机结果可能不同。
   *[alone] 所有数据来自同一发压端（{ $cpus } 个 CPU）和这些服务器；换用其他主机结果可能不同。
  }

## 有效性

no-cell-completed = 没有任何单元完成

cells-missing = { $cells } 个单元中有 { $missing } 个没有完成的试验

earned = 每个单元至少有 { $trials } 次试验，全部完成，没有需要警告的问题

in-cells = { $where ->
    [only] 仅 { $place }
    [all] 全部 { $cells } 个单元
    [some] { $cells } 个单元中的 { $having } 个
   *[worst] 最严重的是 { $place }，{ $cells } 个单元中有 { $having } 个
  }

cell = { $target }（{ $workload ->
    [not-given] {""}
   *[other] { $workload }、
  }{ n-clients }）
