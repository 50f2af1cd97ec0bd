### 单元的各次试验中发生了什么：停顿、稳态、趋势、变点、周期、抖动、增长。变量的说明见英文目录。

stalled = { $repeat ->
    [not-given] {""}
   *[other] 第 { $repeat } 次重复：
  }{ $all }没有事务完成，{ $stretches ->
    [1] 自第 { $from }起
   *[other] 共 { $stretches } 段，最长 { $longest }，自第 { $from }起
  }{ $after ->
    [not-given] { $recovery ->
        [never] ；吞吐量此后未恢复到 90 %
       *[unknown] {""}
      }
   *[other] ；{ $after }内吞吐量恢复到 90 %
  }{ $trials ->
    [1] {""}
   *[other] { $having ->
        [1] （{ $trials } 次试验中的 1 次）
       *[other] （{ $trials } 次试验中有 { $having } 次，此为最严重的一次）
      }
  }

not-settled = 测量窗口开头 { $cut }的吞吐量比其余部分{ $direction ->
    [higher] 高
   *[lower] 低
  } { $share }：尚未稳定{ in-all-trials }

steady-trend = 吞吐量持续{ $direction ->
    [rises] 上升
   *[falls] 下降
  }，窗口内{ $trials ->
    [1] {""}
   *[other] 最大
  } { $change } % [{ $low }, { $high }]{ in-all-trials }

level-changes = { $repeat ->
    [not-given] {""}
   *[other] 第 { $repeat } 次重复：
  }{ $changes }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 处较小变化
  }

level-change = 第 { $at } 秒吞吐量从 { $before }/秒{ $direction ->
    [rose] 升
   *[fell] 降
  }到 { $after }/秒（{ $ratio }）

level-change-together = 第 { $span ->
    [one] { $least }
   *[range] { $least } 到 { $most }
  } 秒吞吐量从 { $before }/秒{ $direction ->
    [rose] 升
   *[fell] 降
  }到 { $after }/秒（{ $ratio }）{ in-all-trials }

periodic = 吞吐量每 { $every }{ $direction ->
    [dips] 下降
   *[rises] 上升
  }一次，幅度 { $share }{ in-all-trials }

jitter = 吞吐量在 { $window }内波动最大 { $share }，显著{ in-all-trials }

growth = 完成 { $transactions } 个事务后单个事务耗时{ $trials ->
    [1] {""}
   *[other] 最多
  }增长 { $share }，与已完成事务数成正比：工作量随数据增长{ in-all-trials }

too-short = { $length }的试验太短，无法判断：{ $questions }

needs-seconds = { $question }（{ $needs } 秒）

question-over-time = { $question ->
    [stalls] 停顿
    [steady-state] 稳态
    [trend] 趋势
    [change-points] 变点
    [periods] 周期
    [jitter] 抖动
   *[growth] 随数据增长
  }
