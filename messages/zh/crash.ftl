### 崩溃：服务器已确认却丢失的提交。

crash-says = { $target } { $worst ->
    [not-given] 在{ crash-count }中没有{ $of ->
        [server] 丢失任何已确认的提交
       *[tables] 从表中丢失任何已确认的提交
      }
   *[other] 在{ crash-count }中有 { $lost } 次{ $of ->
        [server] 丢失了已确认的提交
       *[tables] 从表中丢失了已确认的提交
      }：最多 { $most } 个，最早的在崩溃前 { $worst } 毫秒得到确认
  }{ $bound ->
    [not-given] {""}
   *[other] （每次崩溃丢失概率的 95% 上界为 { $bound }）
  }{ $failed ->
    [0] {""}
   *[other] ；其中 { $failed } 次未能恢复
  }{ $damaged ->
    [0] {""}
   *[other] ；其中 { $damaged } 次之后行或表已损坏
  }{ $trouble ->
    [not-given] {""}
   *[other] （{ $trouble }）
  }{ $broken ->
    [yes] ，而其设置承诺保留每一个提交
   *[no] {""}
  }

crash-log-agrees = { $compared ->
    [not-given] 二进制日志与表一致
   *[other] 其中 { $compared } 次之后二进制日志与表一致
  }

crash-log-lacks = 在 { $compared } 次中有 { $lost } 次二进制日志缺少已确认的提交：最多 { $most } 个，最早的在崩溃前 { $worst } 毫秒得到确认{ $whole ->
    [0] {""}
   *[other] （其中 { $whole } 次缺少所查找的全部提交）
  }，从库和按时间点恢复再也无法从中得到它们

crash-log-same = 表中缺少的是同样的提交

crash-log-only-tables = 表中最多有 { $most } 个事务不在二进制日志中

crash-log-only-log = 二进制日志中最多有 { $most } 个事务不在表中，从库会应用该服务器已丢失的事务

crash-log-broken = 而其设置承诺二进制日志与表一致

crash-log-damaged = 其中 { $count } 次之后，二进制日志末尾的事件无法读取

crash-log-unread = 其中 { $count } 次之后无法读取二进制日志（{ $trouble }）

crash-conditions-held = TPC-C 的 { $conditions } 项一致性条件{ $checked ->
    [not-given] 在每次崩溃后都成立
   *[other] 在其中 { $checked } 次之后成立
  }

crash-conditions-violated = 在 { $checked } 次中有 { $harmed } 次之后 TPC-C 的一致性遭到破坏（{ $violated }）

crash-conditions-unchecked = 其中 { $count } 次之后无法检查 TPC-C 的一致性条件（{ $trouble }）

crash-replicas-equal = 比较过的 { $compared } 次之后，没有从库领先于它{ $bound ->
    [not-given] {""}
   *[other] （每次崩溃领先概率的 95% 上界为 { $bound }）
  }

crash-replicas-ahead = 在 { $compared } 次中有 { $ahead } 次，从库拥有它已丢失的事务：最多 { $most } 个{ $saved ->
    [0] {""}
   *[other] （其中最多有 { $saved } 个是日志中已确认的提交）
  }

crash-replicas-stopped = 在 { $compared } 次中有 { $stopped } 次之后复制未能恢复（{ $trouble }）

crash-replicas-diverged = 在 { $compared } 次中有 { $diverged } 次之后，复制继续进行，而从库与它的事务并不一致

crash-replicas-lacking = 在 { $compared } 次中有 { $lacking } 次，从库始终没有收到其表中已有的事务：最多 { $most } 个

crash-replicas-broken = 而其设置承诺从库的内容与它一致

crash-replicas-promoted = { $most ->
    [0] 若切换到从库，不会丢失任何已确认的提交
   *[other] 若切换到从库，在 { $told } 次中有 { $lost } 次会丢失已确认的提交：最多 { $most } 个
  }

crash-replicas-unread = 其中 { $count } 次之后无法比较从库（{ $trouble }）

crash-count = { " " }{ $crashes } 次{ $kind ->
    [kill] 杀死进程
    [os] 操作系统崩溃
    [power] 断电
   *[lying] 断电（磁盘忽略刷盘请求）
  }

crash-lead = 在 { $cells } 种设置与崩溃的组合中，有 { $harmless } 种{ $compared ->
    [not-given] 没有丢失任何已确认的提交
   *[other] 没有从表中丢失任何已确认的提交；在比较过的 { $compared } 种中，有 { $agreed } 种二进制日志与表一致
  }

crash-worst = 表中损失最严重的：{ $says }

crash-worst-log = 二进制日志损失最严重的：{ $says }

crash-title = 崩溃后表中缺失的已确认提交

crash-column = { $column ->
    [target] 目标
    [crash] 崩溃
    [promise] 承诺
    [throughput] 事务/秒
    [lost] 丢失次数
    [most] 最多提交数
    [worst] 最长，毫秒
    [median] 中位数，毫秒
    [torn] 撕裂单位
   *[recovery] 恢复，秒
  }

crash-torn = { $bytes }：{ $crashes } 次

crash-kind = { $kind ->
    [kill] kill -9
    [os] 操作系统崩溃
    [power] 断电
   *[lying] 断电，忽略刷盘
  }

crash-lost-in = { $lost } / { $crashes }{ $bound ->
    [not-given] {""}
   *[other] （上界 { $bound }）
  }{ $failed ->
    [0] {""}
   *[other] ，{ $failed } 次未恢复
  }

crash-promise = { $standing ->
    [kept] 已兑现
    [broken] 未兑现
   *[none] 无
  }

crash-log-title = 崩溃后的二进制日志

crash-log-column = { $column ->
    [lost] 缺少提交的次数
    [most] 最多提交数
    [worst] 最长，毫秒
    [differs] 与表不一致的次数
    [only-tables] 仅在表中
   *[only-log] 仅在日志中
  }

crash-log-in = { $harmed } / { $compared }{ $bound ->
    [not-given] {""}
   *[other] （上界 { $bound }）
  }{ $unreadable ->
    [0] {""}
   *[other] ，{ $unreadable } 次未能读取
  }

crash-replicas-title = 主库崩溃后的从库

crash-replicas-column = { $column ->
    [ahead] 领先的次数
    [most] 最多领先事务数
    [saved] 最多保住的提交数
    [stopped] 复制中断的次数
    [diverged] 复制继续但不一致的次数
    [lacking] 最多未收到的事务数
   *[lost] 切换最多丢失的提交数
  }
