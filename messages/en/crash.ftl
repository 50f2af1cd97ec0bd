### Crashes: what a server had acknowledged and lost.

# Variables:
#   $target (Text)
#   $kind (Word: kill, os, power, lying)
#   $crashes (Count)
#   $lost (Count) - crashes after which an acknowledged commit was missing
#   $most (Count) - the most commits that were missing after one of them
#   $worst (Figure?) - the age of the oldest missing commit, ms; none where none was missing
#   $bound (Percent?) - upper 95 % bound of the share of crashes that lose something; none where one did
#   $failed (Count) - crashes after which the server did not start
#   $damaged (Count) - crashes after which rows or tables were damaged
#   $trouble (Text?) - what the server said of it
#   $broken (Word: yes, no) - the settings promise to keep every commit
crash-says = { $target } { $worst ->
    [not-given] lost no acknowledged commit in { crash-count }
   *[other] lost up to { $worst } ms of acknowledged commits, { $most } of them, in { $lost } of { crash-count }
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
#   $harmless (Count) - combinations after which nothing was lost
#   $cells (Count) - combinations of target and crash
crash-lead = No acknowledged commit was lost in { $harmless } of { $cells } combinations of settings and crash

# Variables:
#   $says (Message)
crash-worst = The worst: { $says }

crash-title = Acknowledged commits that were missing after a crash

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
