### 实验如何进行、观察到的服务器与主机情况，以及被测对象。变量的说明见英文目录。

## 如何进行

method-order = 共 { $trials } 次试验，{ $blocks } 个区组。每个区组包含每个单元一次：负载与并发数的次序在每个区组中重新随机排列，各方案相邻且次序随机。随机种子 { $seed } 决定次序、键和到达时刻。

method-window = 每次试验预热 { $warmup } 秒后测量 { $time } 秒。

method-loads-differ = 施压方式随负载不同：见命令与计划。

method-correction = 对每一对目标，在所有负载和并发数上按吞吐量做 Holm 校正（5 %）；其他指标另成一组。

method-drift-check = 首个单元在结束时重测一次，仅用于检查漂移，不计入任何数值。

method-profiled = 全部试验之后，每个目标与负载各再运行一次，期间由 perf 采样服务器；这些试验不计入任何数值。

method-until-sure = 区组不断增加，直到每个方案与首个方案有显著差异或等效（最多 { $most } 个区组），共增加 { $added } 次试验。区间为置信序列，随时查看均有效，因此更宽。

method-refined = 在曲线骤降或交叉的并发数之间增加的试验：{ $added } 次。

method-data = { $data ->
    [restored] 每次试验前都恢复了数据。
   *[kept] 并非每次试验前都恢复了数据：后面的试验会看到前面写入的内容。
  }

## 随时间变化的曲线

observed-line = { $line ->
    [server_cpu] 服务器进程
    [cpu_user] 用户态
    [cpu_system] 内核态
    [cpu_iowait] I/O 等待
    [cpu_steal] 被虚拟化层占用
    [throttled] 配额限流
    [disk_written] 写入
    [disk_read] 读取
    [redo] 重做日志
    [network] 网络
    [fsyncs] InnoDB fsync
    [pool_misses] 缓冲池未命中
    [row_lock_waits] 行锁等待
    [opened_tables] 打开表
    [tmp_disk_tables] 磁盘临时表
    [threads_running] 运行线程
    [run_queue] 主机运行队列
    [dirty_pages] 脏页
    [checkpoint_age] 检查点年龄
    [history_list] 历史列表长度
    [lag] 复制延迟
    [conflicts] 冲突检测失败
    [appliers_busy] 忙碌的回放工作线程
    [to_apply] 等待回放
    [to_certify] 等待冲突检测
    [to_send] 等待发送
    [to_acknowledge] 等待确认的提交
    [relay_log] 中继日志
    [certification_rows] 冲突检测数据库中的行
    [received] 已接收
    [applied] 已回放
    [acknowledgement] 等待确认的时间
    [flow_control] 被流控暂停
   *[round_trip] 往返时间
  }

## 被测对象

target-imported = 导入的数据：由 { $source } 测得；服务器情况未知

target-unknown = 服务器情况未知

target-summary = { $version }，{ $kind ->
    [sandbox] 沙箱
   *[server] 服务器
  }，缓冲池 { $pool }，{ $durability }，二进制日志{ $binlog ->
    [on] 开
   *[off] 关
  }，TLS { $tls ->
    [on] 开
   *[off] 关
  }，{ $transport ->
    [socket] Unix 套接字
    [tcp] TCP
   *[unknown] 传输方式未知
  }{ $place ->
    [not-given] {""}
   *[other] ，限定于 { $place }
  }{ $ms ->
    [not-given] {""}
   *[other] ，往返 { $ms } 毫秒
  }

same-durability = 所有目标的持久性相同：{ $durability }。

## 记录的问题

failed-before-first-trial = 在第一次试验之前失败：{ $why }。

recording-damaged = { $recording } 中的文件损坏：{ $what }

validity-line = { $level ->
    [green] 有效
    [amber] 有效，但有保留
   *[red] 无效
  }：{ $reasons }{ $more ->
    [0] {""}
   *[other] ；另有 { $more } 项
  }。

## 负载卡片上的说明

tables-of-rows = { $tables } × { $rows } 行

statements-sent = { $protocol ->
    [prepared] 服务器端预处理
   *[text] 文本协议
  }，{ $commits ->
    [transaction] 在事务中
   *[each] 逐条自动提交
  }

tables-of-user = 服务器上已有的表，内容不详

tables-of-file = { $tables } 张表，共 { $rows } 行

transaction-weight = { $name }（权重 { $weight }）

statements-of-file = { $protocol ->
    [prepared] 来自文件，服务器端预处理
   *[text] 来自文件，文本协议
  }

script-of-user = { $path }，使用 sysbench { $version } 的 Lua 接口

statements-of-script = { $protocol ->
    [prepared] 由脚本发送
   *[text] 由脚本发送，一律不预处理
  }

n-warehouses = { $warehouses } 个仓库

with-foreign-keys = 外键

without-order-index = 无 Order-Status 索引

n-partitions = { $partitions } 个分区

aged-data = 历史订单为初始的 { $times } 倍

isolation-of-server = 服务器默认

# A server of a topology.
# Variables:
#   $role (Word: primary, replica)
#   $topology (Word: async, semisync, group, galera, independent)
#   $summary (Message) - version, memory, durability
#   $differs (Parts) - what is not as on the entry point
#   $count (Count) - how many of them
member-line = { $topology ->
    [async] 异步复制
    [semisync] 半同步
    [group] 组复制
    [independent] 与其他服务器并列
   *[galera] Galera
  }，{ $role ->
    [primary] 主库
   *[replica] 从库
  }：{ $summary }{ $count ->
    [0] {""}
   *[other] ；与主库不同：{ $differs }
  }

# Variables:
#   $name (Text) - a server variable
#   $value (Text)
#   $of_entry (Text) - that of the server that clients connect to
member-difference = { $name } 为 { $value }（主库为 { $of_entry }）

method-search = 共 { $trials } 次试验。先以闭环测得各目标的最大吞吐量；此后每次试验以开环施加一个速率，选取预计最能缩小容量区间的速率。区间宽度不超过速率的 { $precision } 后，对满足条件的最高速率和不满足的最低速率重复试验，直到各有 { $repeats } 次。各目标轮流搜索，次序随机。随机种子 { $seed } 决定次序、键和到达时刻。
