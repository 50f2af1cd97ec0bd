### 负载期间的事件及其影响。

event-says = { $target }，{ $event }：{ $fell ->
    [yes] 吞吐量从每秒 { $before } 个事务降到 { $lowest } 个{ $silent ->
        [not-given] {""}
       *[other] ，有 { $silent } 秒没有事务完成
      }{ $back ->
        [not-given] ，{ $trials ->
            [1] 之后未恢复到 90 %
           *[other] { $trials } 次试验中有 { $returned } 次恢复到 90 %
          }
       *[other] ，{ $back } 秒后恢复到 90 %
      }
   *[no] 吞吐量未低于事件前（每秒 { $before } 个事务）的 90 %
  }；最后为每秒 { $after } 个事务

event-title = 负载期间的事件

event-column = { $column ->
    [target] 目标
    [clients] 客户端
    [event] 事件
    [before] 之前，/秒
    [lowest] 最低，/秒
    [silent] 无事务，秒
    [back] 恢复到 90 %，秒后
    [after] 最后，/秒
    [lasted] 持续，秒
   *[errors] 错误
  }

event-mark = { $end ->
    [yes] { $event } 结束
   *[no] { $event }
  }
