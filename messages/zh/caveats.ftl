### 注意事项：单元的数值有什么问题。变量的说明见英文目录。

## 发压端

generator-bottleneck = 瓶颈在发压端：某个工作线程用了 { $share } 的 CPU；请增加工作线程或使用单独的机器

late-timers = 客户端空闲时发压端仍延迟开始事务（p99 { $late } 毫秒）：其主机繁忙

littles-law = 数据不符合利特尔法则：吞吐量乘以响应时间得 { $implied } 个客户端，实际为 { $clients } 个

cpu-contention = { $where ->
    [starved] 发压端得不到 CPU：工作线程有 { $share } 的时间在等待 CPU，无法按时发出请求，也无法按时收到应答
    [beside-server] 发压端与服务器共用本机，CPU 已饱和：工作线程有 { $share } 的时间在等待 CPU
   *[alone] 发压端机器过载：工作线程有 { $share } 的时间在等待 CPU，延迟中包含了这部分
  }

saturated-histogram = 有 { $latencies } 个延迟超过一小时，按一小时计

## 其他工具的记录

imported-figures = 数据从 { $tool } 导入：其预热、发压端和服务器情况均未知，无法检查其有效性{ $notes ->
    [not-given] {""}
   *[other] ；{ $notes }
  }

## 测量窗口中的中断

generator-paused = 发压端停顿{ $times ->
    [1] 了 { $longest }，自第 { $from }起
   *[other] 了 { $times } 次，共 { $all }；最长 { $longest }，自第 { $from }起
  }：进程被暂停，或主机被挂起

stall = 测量窗口中有 { $all }吞吐量为零，占 { $share }{ $stalls ->
    [1] {""}
   *[other] ，共 { $stalls } 次停顿，最长 { $longest }
  }

windows-differ = 逐秒数据与测量窗口对不上：测量窗口为 { $window } 秒，逐秒合计 { $counted } 秒

## 单元的试验

in-trials = { $text }（{ $scope ->
    [all] { $of } 次试验均如此
   *[some] { $of } 次试验中有 { $having } 次
  }{ $worst ->
    [not-given] {""}
   *[other] { $having ->
        [1] ：第 { $worst } 次
       *[other] ，第 { $worst } 次最严重
      }
  }{ $cells ->
    [not-given] {""}
   *[other] ；{ $cells }
  }）

caveat-in-cells = { $text }（{ $cells }）

set-aside = { $of } 次试验中有 { $aside } 次无效，未计入：{ $reasons }

in-repeats = { $text }（第 { $repeats } 次）

interrupted = { $of } 次试验中有 { $trials } 次被中断，未计入

some-trials-failed = { $of } 次试验中有 { $trials } 次失败，未计入：{ $why }

connections-lost = { $lost } 个连接中断后重新建立（{ $why }）

errors = { $share } 的事务遇到错误{ $code ->
    [not-given] {""}
   *[other] ，最多的是 { $code }（{ $why }）
  }

few-trials = { $trials ->
    [1] 单次试验：无法给出置信区间
   *[other] 只有 { $trials } 次试验：区间较宽
  }

drift-trend = 机器状态发生漂移：从第一次到最后一次试验，重复单元的吞吐量变化 { $change } [{ $low }, { $high }]；区组内的比较仍成立，不同区组的数值有差异

drift-first-cell = 机器状态发生漂移：首个单元在结束时重测，吞吐量变化 { $change }；区组内的比较仍成立，不同区组的数值有差异

data-not-restored = 试验前未恢复数据：之前的试验已写入（{ $size ->
    [changed] 表的大小已改变
   *[kept] 表的大小不变
  }）

damaged-file = 文件损坏：{ $what }

histograms-lost = 某次试验的延迟直方图缺失，无法给出所有试验合并后的百分位数

## 服务器

other-clients = 服务器执行的语句中有 { $share } 来自其他客户端：请在没有其他负载时测量

variables-changed = 测量期间服务器变量被修改：{ $name } 从 { $before } 变为 { $after }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 项
  }

## 发压端主机

other-processes = 其他进程占用了本机 { $share } 的 CPU{ $program ->
    [not-given] {""}
   *[other] ，其中最多的是 { $program }（{ $most }）
  }：请在空闲的机器上运行

steal = CPU 被占用（steal）：虚拟机监控程序占走了本机 { $share } 的 CPU 时间

swap = 本机发生了换页：换入 { $read } MB，换出 { $written } MB；内存不足

clock-back = 单调时钟倒退了 { $lost }：机器有故障

clock-set = 期间系统时钟被{ $direction ->
    [forward] 向前
   *[back] 向后
  }调整了 { $by }；不影响耗时统计，只影响时间戳

saturated-thread = { $server } 的线程 { $thread } 用掉一个 CPU 的 { $share }，而整机有 { $idle } 的 CPU 时间空闲{ $does ->
    [not-given] {""}
   *[other] ：它{ $does }
  }；单个线程用不上第二个 CPU{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个线程同样繁忙
  }

saturated-router = MySQL Router 的一个线程用掉一个 CPU 的 { $share }，而整机有 { $idle } 的 CPU 时间空闲；吞吐量可能受限于 Router

## 拓扑

router = { $parts }。

router-version = 客户端经由 MySQL Router { $version } 连接

router-adds = 加压之前，Router 使一个小请求增加 { $added } 微秒：经由 Router { $through } 微秒，直连 { $direct } 微秒（中位数；p99 分别为 { $throughtail } 和 { $directtail } 微秒）

router-uses = Router 使用了 { $cpus } 个 CPU，每个事务 { $each } 微秒 CPU，占用内存 { $memory }

together = { $lag ->
    [not-given] {""}
   *[other] 从库最多落后 { $lag } 秒。
  }负载结束 { $after } 秒后，各服务器均已回放完毕{ $compared ->
    [0] 。
   *[other] ；{ $compared } 张表在各服务器上完全一致。
  }

simulated-network = 模拟网络{ $delay ->
    [not-given] {""}
   *[other] ：服务器之间单程 { $delay } 毫秒
  }{ $clients ->
    [not-given] {""}
   *[other] ：客户端与服务器之间单程 { $clients } 毫秒
  }{ $cut ->
    [not-given] {""}
   *[other] ：{ $cut }
  }。数据包比设定多用 { $median } 毫秒（中位数）和 { $p99 } 毫秒（p99）{ $cpu ->
    [not-given] {""}
   *[other] ；其路由线程使用了 { $cpu } 秒 CPU
  }。

link-cut = { $server } 在负载开始后 { $from }起与其他服务器断开 { $length }

by-server-of = { $server } 每秒 { $per_s } 个，p50 { $p50 } 毫秒{ $p99 ->
    [not-given] {""}
   *[other] ，p99 { $p99 } 毫秒
  }

by-server = 各服务器的{ $unit ->
    [statement] 语句
   *[transaction] 事务
  }：{ $servers }。

stale-reads-of = { $server } 上 { $reads } 次中有 { $stale } 次

stale-reads = { $stale ->
    [0] 提交一经确认就发往从库的读取，每次都读到了该提交（读到旧数据：{ $servers }）。
   *[other] 提交一经确认就发往从库的读取，部分没有读到该提交（读到旧数据：{ $servers }）。在最慢的从库上，提交在 { $median } 毫秒（中位数）、{ $p99 } 毫秒（p99）、最长 { $max } 毫秒之后可见。
  }

network-late = 模拟网络送达数据包偏晚：p99 比设定的 { $delay } 毫秒多 { $p99 } 毫秒；机器太忙，路由线程得不到 CPU

queues = { $parts }。

queue-longest = { $transactions ->
    [0] 没有服务器有等待回放的事务（每秒读取一次）
   *[other] 单台服务器上最多有 { $transactions } 个事务等待回放（每秒读取一次）
  }

acknowledgement-mean = 提交平均等待确认 { $ms } 毫秒

flow-control-share = 流控在测量窗口 { $share } 的时间里限制了提交

conflicts-found = { $transactions ->
    [0] 冲突检测未发现冲突
   *[other] 冲突检测回滚了 { $transactions } 个冲突的事务
  }

flow-control = 流控从负载开始后 { $from }起，在测量窗口 { $share } 的时间里限制了提交，因为 { $server } 跟不上：测得的吞吐量受限于该服务器

topology-degraded = { $asked ->
    [yes] 按 link_cut 的要求，
   *[no] {""}
  }从负载开始后 { $from }起，{ $fault ->
    [no_source] { $server } 没有从任何服务器复制
    [not_receiving] { $server } 不再接收事务：{ $detail }
    [not_applying] { $server } 不再回放事务：{ $detail }
    [semisync_off] { $server } 不再等待确认：半同步复制已关闭
    [fell_back] { $server } 退化为异步复制（未收到确认的提交数：{ $detail }）
    [few_acknowledge] { $server } 的从库中只有 { $detail } 发送确认
    [member_state] { $server } 处于 { $detail } 状态
    [few_members] { $server } 只看到 { $detail } 个成员在线
   *[no_answer] { $server } 没有应答：{ $detail }
  }{ $more ->
    [0] {""}
   *[other] ；另有 { $more } 处异常
  }

servers-differ = 负载结束后各服务器的数据不一致：{ $server } 的表 { $table } 与主库不同{ $more ->
    [0] {""}
   *[other] ，{ $compared } 张表中另有 { $more } 处不同
  }

replicas-behind = 负载结束后从库还需 { $after }才回放完毕：从库无法持续承受这样的吞吐量

equality-unknown = 无法确定各服务器的数据是否一致：{ $why }

## TPC-C

inconsistent = 数据库不一致，{ $checked } 个条件中 { $holding } 个成立：{ $first }

condition-violated = { $condition }（{ $says }）在 { $keys } 个键上不成立{ $example ->
    [not-given] {""}
   *[other] ，例如 { $example }
  }

check-missing = 要求了一致性检查，但 { $of } 次试验中有 { $trials } 次未能完成：{ $why }

tpcc-limits = 未满足 TPC-C 的响应时间限制：{ $type } 的 p90 为 { $found }，上限为 { $limit }

tpcc-mix = 事务比例不符合 TPC-C：{ $type } 占 { $share } %，标准要求至少 { $least } %

## 测量窗口

event-failed = 事件“{ $event }”未按要求发生：{ $why ->
    [not-given] 负载在此之前结束
   *[other] { $why }
  }

no-transactions = 没有事务完成

warmup-not-over = 预热不足：测量窗口的前 { $cut }比其余部分{ $direction ->
    [slower] 低
   *[faster] 高
  } { $share }；建议预热 { $enough } 秒

change-point = 第 { $at }吞吐量{ $direction ->
    [rose] 上升
   *[dropped] 下降
  } { $share }：均值混合了两个水平

trend = 从测量窗口的前三分之一到后三分之一，吞吐量{ $direction ->
    [rose] 上升了 { $share }：服务器仍在预热，请延长预热时间
   *[fell] 下降了 { $share }：服务器在此负载下变慢，更长的测量窗口可显示其稳定水平
  }

short-window = 测量时间只有 { $window }，看不到检查点和日志轮换的影响

few-transactions = 只有 { $transactions } 个事务：样本太少，{ $percentiles ->
    [all] 所有百分位数
   *[high] p99 及以上
  }不可靠

## 单元为何不作判断

target-not-valid = { $target }：{ $rule ->
    [windows_differ] 逐秒数据与测量窗口对不上
    [generator_paused] 发压端停顿
    [no_transactions] 没有事务完成
    [event_failed] 某个事件未按要求发生
    [inconsistent] 数据库不一致
    [servers_differ] 各服务器的数据不一致
    [topology_degraded] 拓扑已降级
    [generator_bottleneck] 瓶颈在发压端
    [littles_law] 数据不符合利特尔法则
    [cpu_contention] 发压端的 CPU 不足
    [other_clients] 服务器上有其他客户端
    [variables_changed] 测量期间服务器变量被修改
    [other_processes] 其他进程占用了本机的 CPU
    [clock_steps] 单调时钟倒退
   *[stall] 测量窗口中有一段时间吞吐量为零
  }
