### Crashes: what a server had acknowledged and lost.

# Variables:
#   $target (Text)
#   $kind (Word: kill, os, power, lying)
#   $crashes (Count)
#   $lost (Count) - crashes after which the tables lacked an acknowledged commit
#   $most (Count) - the most commits that they lacked after one of them
#   $worst (Figure?) - the age of the oldest missing commit, ms; none where none was missing
#   $of (Word: server, tables) - tables: the binary log lost something, or was not read
#   $bound (Percent?) - upper 95 % bound of the share of crashes after which the tables are harmed; none where they were
#   $failed (Count) - crashes after which the server did not start
#   $damaged (Count) - crashes after which rows or tables were damaged
#   $trouble (Text?) - what the server said of it
#   $broken (Word: yes, no) - the settings promise to keep every commit
crash-says = { $target } { $worst ->
    [not-given] lost no acknowledged commit{ $of ->
        [server] {""}
       *[tables] {" "}from its tables
      } in { crash-count }
   *[other] lost up to { $worst } ms of acknowledged commits{ $of ->
        [server] {""}
       *[tables] {" "}from its tables
      }, { $most } of them, in { $lost } of { crash-count }
  }{ $bound ->
    [not-given] {""}
   *[other] {" "}(95 % upper bound { $bound } per crash)
  }{ $failed ->
    [0] {""}
   *[other] ; it did not recover from { $failed } of them
  }{ $damaged ->
    [0] {""}
   *[other] ; rows or tables were damaged after { $damaged } of them
  }{ $trouble ->
    [not-given] {""}
   *[other] {" "}({ $trouble })
  }{ $broken ->
    [yes] , although its settings promise to keep every commit
   *[no] {""}
  }

# Variables:
#   $compared (Count?) - crashes after which it was compared; none: after all of them
crash-log-agrees = its binary log agreed with its tables{ $compared ->
    [not-given] {""}
   *[other] {" "}after { $compared } of them
  }

# Variables:
#   $most (Count) - the most acknowledged commits that the binary log lacked after a crash
#   $worst (Figure) - the age of the oldest of them, ms
#   $lost (Count) - crashes after which it lacked some
#   $compared (Count) - crashes after which it was compared
#   $whole (Count) - crashes after which it lacked all that had been acknowledged to the journal
crash-log-lacks = its binary log lacked up to { $most } acknowledged { $most ->
    [one] commit
   *[other] commits
  }, the oldest { $worst } ms old, in { $lost } of { $compared }{ $whole ->
    [0] {""}
   *[other] {" "}(in { $whole } of them every commit that was looked for)
  }: replicas and point-in-time recovery can no longer get them from it

crash-log-same = its tables lacked the same ones

# Variables:
#   $most (Count)
crash-log-only-tables = its tables had up to { $most } { $most ->
    [one] transaction
   *[other] transactions
  } that its binary log lacked

# Variables:
#   $most (Count)
crash-log-only-log = its binary log had up to { $most } { $most ->
    [one] transaction
   *[other] transactions
  } that its tables lacked: replicas apply what the server has lost

crash-log-broken = its settings promise that binary log and tables agree

# Variables:
#   $count (Count) - crashes after which a file of the binary log ended in an event that cannot be read
crash-log-damaged = after { $count } of them the binary log ended in an event that cannot be read

# Variables:
#   $count (Count) - crashes after which the binary log could not be read
#   $trouble (Text) - why not
crash-log-unread = its binary log could not be read after { $count } of them ({ $trouble })

# Variables:
#   $crashes (Count)
#   $kind (Word: kill, os, power, lying)
crash-count = { $crashes } { $kind ->
    [kill] { $crashes ->
        [one] kill of its process
       *[other] kills of its process
      }
    [os] { $crashes ->
        [one] crash of the operating system
       *[other] crashes of the operating system
      }
    [power] { $crashes ->
        [one] power failure
       *[other] power failures
      }
   *[lying] { $crashes ->
        [one] power failure
       *[other] power failures
      } on a disk that ignores flushes
  }

# Variables:
#   $harmless (Count) - combinations after which the tables had lost nothing
#   $cells (Count) - combinations of target and crash
#   $agreed (Count) - combinations after which the binary log and the tables held the same transactions
#   $compared (Count?) - combinations after which it was compared; none where it never was
crash-lead = No acknowledged commit was lost{ $compared ->
    [not-given] {""}
   *[other] {" "}from the tables
  } in { $harmless } of { $cells } combinations of settings and crash{ $compared ->
    [not-given] {""}
   *[other] , and the binary log agreed with them in { $agreed } of { $compared }
  }

# Variables:
#   $says (Message)
crash-worst = The worst for the tables: { $says }

# Variables:
#   $says (Message)
crash-worst-log = The worst for the binary log: { $says }

crash-title = Acknowledged commits that the tables lacked after a crash

# Variables:
#   $column (Word: target, crash, promise, throughput, lost, most, worst, median, recovery)
crash-column = { $column ->
    [target] target
    [crash] crash
    [promise] promise
    [throughput] transactions/s
    [lost] lost in
    [most] commits, most
    [worst] worst, ms
    [median] median, ms
   *[recovery] recovery, s
  }

# Variables:
#   $kind (Word: kill, os, power, lying)
crash-kind = { $kind ->
    [kill] kill -9
    [os] OS crash
    [power] power failure
   *[lying] power failure, flushes ignored
  }

# Variables:
#   $lost (Count)
#   $crashes (Count)
#   $bound (Percent?)
#   $failed (Count)
crash-lost-in = { $lost } of { $crashes }{ $bound ->
    [not-given] {""}
   *[other] {" "}(at most { $bound })
  }{ $failed ->
    [0] {""}
   *[other] , { $failed } not recovered
  }

# Variables:
#   $standing (Word: kept, broken, none)
crash-promise = { $standing ->
    [kept] kept
    [broken] broken
   *[none] none
  }

crash-log-title = The binary log after a crash

# Variables:
#   $column (Word: lost, most, worst, differs, only-tables, only-log)
crash-log-column = { $column ->
    [lost] lacks commits in
    [most] commits, most
    [worst] worst, ms
    [differs] differs from tables in
    [only-tables] only in tables
   *[only-log] only in log
  }

# Variables:
#   $harmed (Count) - crashes after which it lacked something, or differed
#   $compared (Count)
#   $bound (Percent?)
#   $unreadable (Count)
crash-log-in = { $harmed } of { $compared }{ $bound ->
    [not-given] {""}
   *[other] {" "}(at most { $bound })
  }{ $unreadable ->
    [0] {""}
   *[other] , { $unreadable } not read
  }
