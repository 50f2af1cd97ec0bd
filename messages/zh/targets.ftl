### 目标之间的差异，以及统一方法。变量的说明见英文目录。

durability-class = { $class ->
    [durable] 持久
    [tears_pages] 提交持久，但断电或操作系统崩溃后可能出现残缺页
    [loses_on_os_crash] 断电或操作系统崩溃时丢失提交
    [loses_on_os_crash_and_tears_pages] 断电或操作系统崩溃时丢失提交，并可能出现残缺页
    [loses_on_process_crash] 进程崩溃时丢失提交
   *[loses_on_process_crash_and_tears_pages] 进程崩溃时丢失提交，断电或操作系统崩溃后还可能出现残缺页
  }

durability-of = { $target } { $class }{ $because ->
    [not-given] {""}
   *[other] （{ $because }）
  }

durability-differs = 持久性不同：{ $each }{ unequal-work }

binary-log-differs = 只有 { $targets } 开启了二进制日志{ unequal-work }

unequal-work = { $work ->
    [reads] ，但该只读负载不提交任何修改，曲线仍可比较
   *[writes] ，因此各目标每次提交做的工作不同，曲线不能直接比较
  }

as-sentence = { $clause }。

tls-differs = 到 { $on } 的连接已加密，到 { $off } 的未加密

tls-differs-use-one = { tls-differs }：请对所有目标统一使用或不使用 TLS

transport-differs = 连接方式不同：{ $socket } 通过 Unix 套接字，{ $tcp } 通过 TCP，后者每次查询开销更大

buffer-pools-differ = 缓冲池大小不同（{ $each }）

placement-differs = 各服务器可用的机器资源不同（{ $each }）

uses-whole-machine = { $target } 全部

placement-differs-make-equal = { placement-differs }。统一方法：为每个目标指定相同的 cpus、nodes、quota 与 memory-max

machines-differ = 与发压端同在本机：{ $here }；在别处：{ $elsewhere }

## 统一方法

make-equal = { $fact }。统一方法：{ $steps }

set-for = 为 { $target } 设置 { $settings }

set-in-my-cnf = 在 { $target } 的 my.cnf 中设置 { $settings }

set-in-my-cnf-and-restart = 在 { $target } 的 my.cnf 中设置 { $setting } 并重启

run-on = 在 { $target } 上：{ $statement }

either-or = { $one } 或{ $other }

## 与 TPC-C 标准的偏差

tpcc-unaudited = 未经审计

tpcc-think-time = 键入和思考时间 x { $times }

tpcc-no-think-time = 无键入和思考时间

tpcc-deck = 牌组 { $cards }

tpcc-home = { $home ->
    [random] 每个事务随机选择仓库
   *[skewed] 仓库选择有倾斜
  }

tpcc-share = { $percent } % { $of ->
    [remote_lines] 远程订单行
    [remote_payments] 远程付款
   *[rollback] 回滚的 New-Order
  }

tpcc-stock-level-join = Stock-Level 为单条连接语句

tpcc-dates = 初始行的日期为 2020-01-01

tpcc-statements = 语句方式 { $style }

## 每个事务的开销

cost = { $cost ->
    [server_cpu] 服务器 CPU
    [context_switches] 上下文切换
    [disk_read] 磁盘读取
    [disk_written] 磁盘写入
    [fsyncs] InnoDB fsync
    [redo] 重做日志
    [binlog] 二进制日志
    [binlog_rotations] 二进制日志轮换
    [row_lock_waits] 行锁等待
    [row_lock_time] 行锁等待时间
    [buffer_pool_misses] 缓冲池未命中
    [rows_examined] 扫描行数
    [rows_read] 读取行数
    [tmp_tables] 临时表
    [tmp_disk_tables] 磁盘临时表
    [error_log] 错误日志
   *[opened_tables] 打开表
  }

cost-in-some-trials = { $cost }（{ $all } 次试验中的 { $known } 次）

## 服务器比较中未显示的内容

nothing-differs = 没有值得注意的变量不同：共比较 { $compared } 个。

decide-little = { $variables } 个影响很小

only-some-have = { $variables } 个仅部分服务器具有且为默认值

differ-too = 另有不同：{ $what }。显示：{ $option }

settings-taken-over = 采用了 { $server } 的 { $count } 项设置{ $pool ->
    [not-given] {""}
   *[other] ，缓冲池由 { $pool } 减为 { $now }（本机内存的一半）
  }{ $others ->
    [not-given] {""}
   *[other] ；未采用：{ $others }
  }
