### 故障切换：多久无法提交、丢失了什么、原主库的结局。

failover-says = { $target } 在{ failover-loss }后{ $failovers ->
    [1] {" "}{ $worst } 秒内没有任何提交
   *[other] 最长 { $worst } 秒内没有任何提交（{ $failovers } 次切换的中位数为 { $median } 秒）
  }{ $back ->
    [not-given] ，负载结束时吞吐量仍未恢复到 90%
   *[other] ，{ $back } 秒后吞吐量恢复到 90%
  }{ $failed ->
    [0] {""}
   *[other] ；{ $failovers } 次中有 { $failed } 次到负载结束时仍没有新主库
  }{ $promoted ->
    [0] {""}
   *[other] { $age ->
        [not-given] ；新主库保有每一个已确认的提交{ $bound ->
            [not-given] {""}
           *[other] （每次切换丢失概率的 95% 上界为 { $bound }）
          }
       *[other] ；{ $failovers ->
            [1] 新主库缺少 { $most } 个已确认的提交
           *[other] { $failovers } 次中有 { $lost } 次，新主库缺少已确认的提交，最多 { $most } 个
          }，均在客户端转向新主库前 { $age } 毫秒内得到确认
      }
  }{ $split ->
    [not-given] {""}
    [0] ；新主库接受写入后，原主库没有再确认任何提交
   *[other] ；新主库接受写入后，原主库{ $failovers ->
        [1] {""}
       *[other] 最多
      }仍确认了 { $split } 个提交（脑裂）
  }{ $damaged ->
    [0] {""}
   *[other] ；其中 { $damaged } 次之后行或表已损坏
  }{ $diverged ->
    [0] {""}
   *[other] ；{ $failovers ->
        [1] 原主库含有新主库没有的 { $beyond } 个事务，必须重建
       *[other] { $failovers } 次中有 { $diverged } 次，原主库含有新主库没有的事务（最多 { $beyond } 个），必须重建
      }
  }{ $rejoined ->
    [not-given] {""}
   *[other] ；原主库在 { $rejoined } 秒内重新加入
  }{ $trouble ->
    [not-given] {""}
   *[other] （{ $trouble }）
  }{ $back_to_async ->
    [0] {""}
   *[other] ；{ $failovers ->
        [1] {""}
       *[other] { $failovers } 次中有 { $back_to_async } 次，
      }客户端转向新主库之前，半同步已退化为异步复制，因此不作任何承诺
  }{ $broken ->
    [yes] ，而该拓扑承诺保留每一个已确认的提交
   *[no] {""}
  }

failover-lead-lost = { $target } 最多丢失 { $most } 个已确认的提交

failover-lead-gap = { $target } { $worst } 秒

failover-lead = { $losers ->
    [0] 没有丢失已确认的提交
   *[other] { $lost }{ $keepers ->
        [0] {""}
       *[other] （{ $kept } 没有丢失）
      }
  }。最长的无提交时间：{ $gaps }

failover-loss = { $loss ->
    [kill] 主库被杀死
    [stop] 主库关闭
    [freeze] 主库冻结
   *[cut] 主库被隔离
  }

failover-title = 故障切换

failover-column = { $column ->
    [target] 目标
    [loss] 主库
    [promise] 承诺
    [without] 无提交，秒（最长）
    [median] 中位数
    [promoted] 新主库，秒后
    [back] 恢复到 90%，秒后
    [lost] 丢失提交的次数
    [most] 最多提交数
    [age] 最早，毫秒
    [split] 脑裂提交数
    [unknown] 结果未知
    [errors] 客户端错误
   *[old] 原主库
  }

failover-kind = { $loss ->
    [kill] 被杀死
    [stop] 关闭
    [freeze] 冻结
   *[cut] 被隔离
  }

failover-lost-in = { $lost } / { $failovers }{ $bound ->
    [not-given] {""}
   *[other] （上界 { $bound }）
  }

failover-errors = { $code } × { $count }

failover-old = { $diverged ->
    [0] { $rejoined ->
        [not-given] 未能重新加入
       *[other] 在 { $rejoined } 秒内重新加入
      }
   *[other] 必须重建：含有 { $beyond } 个自己的事务
  }

failover-promise = { $standing ->
    [kept] 已兑现
    [broken] 未兑现
    [async] 无（已退化为异步）
   *[none] 无
  }

failover-mark-lost = 失去主库

failover-mark-new = 新主库
