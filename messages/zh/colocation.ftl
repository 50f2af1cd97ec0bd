### 多个实例并列运行：S 及其可能的解释。变量的说明见英文目录。

colocation-figure = { $ratio }{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

colocation-answer = { $workload ->
    [not-given] {""}
   *[other] { $workload }：
  }每个实例 { n-clients }时 S = { $s }：{ $standing ->
    [super-linear] { $instances } 个实例同时运行高于各自单独运行之和（超线性）
    [linear] { $instances } 个实例同时运行等于各自单独运行之和（线性）
    [contention] { $instances } 个实例同时运行低于各自单独运行之和（争用）
    [inconclusive] { $instances } 个实例同时运行高于还是低于各自单独运行之和，无法定论
   *[single] { $instances } 个实例同时运行的吞吐量与各自单独运行之和的比值，单次试验
  }

colocation-verdicts = { $verdicts }

colocation-verdict = { $standing ->
    [supported] 对照支持：{ $names }
    [excluded] 已排除：{ $names }
   *[not-decided] 未能判定：{ $names }
  }

colocation-nothing-to-explain = { $why ->
    [single] S 没有置信区间，对照无法判定
   *[equal] S 与 1 无显著差异，对照没有需要解释的内容
  }

colocation-standing = { $standing ->
    [supported] 支持
    [excluded] 排除
   *[not-decided] 未能判定
  }

colocation-cause = { $cause ->
    [shared-limit] 共享瓶颈
    [cpus] CPU
    [memory] 内存
    [read-views] 读视图
    [commit] 提交
    [generator] 发压端
   *[order] 试验顺序
  }

colocation-claim = { $cause ->
    [shared-limit] 瓶颈是各实例共享的资源，单个实例承担全部客户端也能达到同样的吞吐
    [cpus] 同时运行时，每个实例分到的 CPU 和内存节点比单独运行时少
    [memory] 同时运行时，缓冲池总量是单个实例的数倍
    [read-views] 语句要复制活跃事务列表，分到多个实例后列表更短
    [commit] 提交要等待磁盘，一个实例与多个实例的等待不同
    [generator] 瓶颈是发压端
   *[order] 试验期间机器状态发生了变化
  }

colocation-control = { $target }：S = { $s }，是无对照时的 { $ratio } 倍

colocation-shared-limit = 客户端总数同为 { $all } 时，多个实例的吞吐是单个实例的 { $ratio } 倍；单个实例的吞吐是其 { $each } 个客户端时的 { $grows } 倍

colocation-generator = 单个与多个实例由同一发压端加压；最忙的工作线程占用 { $share } 的 CPU

colocation-generator-unknown = 发压端的工作线程情况未知

colocation-order = { $drift ->
    [level] { $blocks } 轮交错重复，漂移检查未发现漂移
    [drifted] { $blocks } 轮交错重复，但期间机器发生了漂移
   *[unchecked] { $blocks ->
        [1] 只有一轮，看不出漂移
       *[other] { $blocks } 轮交错重复，没有漂移检查
      }
  }

colocation-no-control = { $planned ->
    [yes] 该客户端数下的对照没有有效试验
   *[no] 本次实验没有相应的对照
  }

colocation-title = 实例并列，{ $workload }

colocation-column = { $column ->
    [each] 每实例客户端
    [all] 客户端总数
    [alone] 1 个实例 tps
    [together] { $instances } 个实例 tps
    [s] S
    [hypothesis] 假设
    [verdict] 判定
   *[evidence] 依据
  }

colocation-s-is = { $standing ->
    [super-linear] 超线性
    [linear] 线性
    [contention] 争用
    [inconclusive] 无法定论
   *[single] 单次试验
  }

colocation-line = { $verdict }：{ $name }（{ $claim }）；{ $evidence }

colocation-hypothesis = { $name }：{ $claim }
