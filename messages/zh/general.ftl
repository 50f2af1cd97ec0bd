### 各主题共用的部分。变量的说明见英文目录。

clauses = { $clauses }

parts = { $parts }

n-clients = { $clients } 个客户端

at-clients = { n-clients }时

at-several = { $all } 个客户端时

from-to-clients = { $low } 到 { $high } 个客户端时

up-to-clients = 不超过 { $high } 个客户端时

from-clients-on = { $low } 个客户端及以上时

in-all-trials = { $trials ->
    [1] {""}
   *[other] ，{ $trials } 次试验均如此
  }
