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
#   $conditions (Count) - conditions of the standard
#   $checked (Count?) - crashes after which they were checked; none: after all of them
crash-conditions-held = TPC-C's { $conditions } consistency conditions held after { $checked ->
    [not-given] each of them
   *[other] { $checked } of them
  }

# Variables:
#   $violated (List) - `condition 3`
#   $harmed (Count) - crashes after which one of them did not hold
#   $checked (Count)
crash-conditions-violated = TPC-C's consistency was violated after { $harmed } of { $checked } of them ({ $violated })

# Variables:
#   $count (Count) - crashes after which they could not be checked
#   $trouble (Text) - why not
crash-conditions-unchecked = TPC-C's consistency conditions could not be checked after { $count } of them ({ $trouble })

# Variables:
#   $compared (Count) - crashes after which a replica was compared with its primary
#   $bound (Percent?) - upper 95 % bound of the share of crashes after which a replica is ahead
crash-replicas-equal = no replica was ahead of it after { $compared } of them{ $bound ->
    [not-given] {""}
   *[other] {" "}(95 % upper bound { $bound } per crash)
  }

# Variables:
#   $most (Count) - the most transactions after a crash that a replica had and the primary had lost
#   $ahead (Count) - crashes after which a replica had some
#   $compared (Count)
#   $saved (Count) - acknowledged commits of the journal among them
crash-replicas-ahead = a replica had up to { $most } { $most ->
    [one] transaction
   *[other] transactions
  } that it had lost, in { $ahead } of { $compared }{ $saved ->
    [0] {""}
    [one] {" "}(with up to { $saved } acknowledged commit of the journal)
   *[other] {" "}(with up to { $saved } acknowledged commits of the journal)
  }

# Variables:
#   $stopped (Count) - crashes after which replication did not go on
#   $compared (Count)
#   $trouble (Text) - what the replica said
crash-replicas-stopped = replication did not resume after { $stopped } of { $compared } ({ $trouble })

# Variables:
#   $diverged (Count) - crashes after which replication went on although a replica and the primary differed
#   $compared (Count)
crash-replicas-diverged = replication resumed after { $diverged } of { $compared } although a replica and it held different transactions

# Variables:
#   $most (Count) - transactions of the journal
#   $lacking (Count) - crashes after which a replica lacked some
#   $compared (Count)
crash-replicas-lacking = a replica never received up to { $most } { $most ->
    [one] transaction
   *[other] transactions
  } that its tables had, in { $lacking } of { $compared }

crash-replicas-broken = its settings promise that replicas have neither more nor less than it

# Variables:
#   $most (Count) - acknowledged commits that the best replica lacked
#   $lost (Count) - crashes after which every replica lacked some
#   $told (Count) - crashes after which a replica told what it had
crash-replicas-promoted = a failover to a replica would have lost { $most ->
    [0] no acknowledged commit
    [one] up to { $most } acknowledged commit, in { $lost } of { $told }
   *[other] up to { $most } acknowledged commits, in { $lost } of { $told }
  }

# Variables:
#   $count (Count) - crashes after which a replica could not be read
#   $trouble (Text) - why not
crash-replicas-unread = a replica could not be compared after { $count } of them ({ $trouble })

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
#   $column (Word: target, crash, promise, throughput, lost, most, worst, median, recovery, torn)
crash-column = { $column ->
    [target] target
    [crash] crash
    [promise] promise
    [throughput] transactions/s
    [lost] lost in
    [most] commits, most
    [worst] worst, ms
    [median] median, ms
    [torn] torn at
   *[recovery] recovery, s
  }

# Variables:
#   $bytes (Bytes) - what the disk wrote whole or not at all
#   $crashes (Count) - crashes in which it kept a part of what was not flushed
crash-torn = { $bytes } in { $crashes }

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

crash-replicas-title = Replicas after a crash of their primary

# Variables:
#   $column (Word: ahead, most, saved, stopped, diverged, lacking, lost)
crash-replicas-column = { $column ->
    [ahead] ahead in
    [most] ahead by, most
    [saved] saved commits, most
    [stopped] replication stopped in
    [diverged] diverged in
    [lacking] never received, most
   *[lost] lost by a failover, most
  }
