### 服务器的 CPU 用在哪里：perf 采样的内容、代价，以及缺失的部分。

profile-title = { $target } 的 CPU 用在哪里：{ $workload }，{ $clients } 个客户端

profile-sampled = perf 在 { $time }内对服务器采样 { $samples } 次（{ $event }，每个 CPU 每秒 { $frequency } 次）。

profile-cost = 采样的代价：采样的试验为每秒 { $sampled } 个事务，是未采样的 { $trials } 次试验{ $trials ->
    [1] {""}
   *[other] 均值
  }的 { $ratio } 倍。采样的试验是单次试验，不计入其他任何数值。

profile-lost = 丢失 { $lost } 个样本（{ $share }）：内核未能及时交出。

profile-unknown = { $share } 的样本落在没有符号的代码中：请安装服务器的调试符号，或使用未剥离符号的构建。

profile-cut = { $share } 的调用栈在内核之外只有一个函数，无法得知调用者：这些代码（服务器或 C 库）构建时没有保留帧指针。

profile-damaged = 调用栈文件已损坏：{ $samples } 个样本中只剩 { $left } 个，因此不列出函数。

profile-without-kernel = 只采样了服务器自身的代码：内核隐藏了内核部分（kernel.perf_event_paranoid 大于 1）。

profile-not-sampled = 没有采样：{ $why ->
    [not-installed] 本机未安装 perf（Debian：linux-perf，Ubuntu：linux-tools）。
    [forbidden] 内核不允许（kernel.perf_event_paranoid{ $paranoid ->
        [not-given] {""}
       *[other] {" "}= { $paranoid }
      }）；以 root 执行：sysctl kernel.perf_event_paranoid=1。
    [unknown-process] 服务器不是 mydyno 能够识别的本机进程。
    [no-samples] 服务器在测量窗口内没有使用 CPU，或 perf 无法附加到它。
    [no-file] 记录中缺少调用栈文件。
    [trial] 试验失败：{ $message }。
   *[failed] perf 失败：{ $message }。
  }

profile-column = { $column ->
    [function] 函数
    [self] 自身 %
    [total] 含被调用者 %
   *[share] { $target } 自身 %
  }

profile-change-title = { $other } 与 { $base } 相比 CPU 用在哪里：{ $workload }
