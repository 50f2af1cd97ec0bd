### 崩溃：服务器已确认却丢失的提交。

crash-says = { $target } { $worst ->
    [not-given] 在{ crash-count }中没有丢失任何已确认的提交
   *[other] 在{ crash-count }中有 { $lost } 次丢失了已确认的提交：最多 { $most } 个，最早的在崩溃前 { $worst } 毫秒得到确认
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

crash-count = { " " }{ $crashes } 次{ $kind ->
    [kill] 杀死进程
    [os] 操作系统崩溃
    [power] 断电
   *[lying] 断电（磁盘忽略刷盘请求）
  }

crash-lead = 在 { $cells } 种设置与崩溃的组合中，有 { $harmless } 种没有丢失任何已确认的提交

crash-worst = 最严重的：{ $says }

crash-title = 崩溃后缺失的已确认提交

crash-column = { $column ->
    [target] 目标
    [crash] 崩溃
    [promise] 承诺
    [throughput] 事务/秒
    [lost] 丢失次数
    [most] 最多提交数
    [worst] 最长，毫秒
    [median] 中位数，毫秒
   *[recovery] 恢复，秒
  }

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
