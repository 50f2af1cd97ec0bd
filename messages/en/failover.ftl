### Failovers: how long nobody could commit, what was lost, and what became of the old primary.

# Variables:
#   $target (Text)
#   $loss (Word: kill, stop, freeze, cut)
#   $failovers (Count)
#   $worst (Figure) - the longest stretch without a commit, s
#   $median (Figure) - the same, median over the failovers
#   $failed (Count) - failovers without a new primary before the load ended
#   $back (Figure?) - s until the throughput was back at 90 %, worst; none where it was not back
#   $promoted (Count) - failovers with a new primary
#   $lost (Count) - failovers after which an acknowledged commit was missing
#   $most (Count) - the most commits that were missing after one of them
#   $age (Figure?) - the age of the oldest missing commit, ms; none where none was missing
#   $bound (Percent?) - upper 95 % bound of the share of failovers that lose something; none where one did
#   $damaged (Count) - failovers after which rows or tables were damaged
#   $split (Count?) - the most commits that the old primary acknowledged after the new one took writes; none where nobody looked
#   $diverged (Count) - failovers after which the old primary had transactions that the new one lacks
#   $beyond (Count) - the most of these transactions
#   $rejoined (Figure?) - s until the old primary followed the new one, worst; none where it never did
#   $trouble (Text?) - why there was no new primary, or why the old one did not come back
#   $back_to_async (Count) - failovers before which semisynchronous replication had fallen back
#   $broken (Word: yes, no) - the topology promises to keep every acknowledged commit
failover-says = { $target } committed nothing for { $failovers ->
    [1] { $worst } s
   *[other] up to { $worst } s (median of { $failovers } failovers { $median } s)
  } after { failover-loss }{ $back ->
    [not-given] , and throughput was not back at 90 % when the load ended
   *[other] , and throughput was back at 90 % after { $back } s
  }{ $failed ->
    [0] {""}
   *[other] ; { $failed } of { $failovers } had no new primary before the load ended
  }{ $promoted ->
    [0] {""}
   *[other] { $age ->
        [not-given] ; the new primary had every acknowledged commit{ $bound ->
            [not-given] {""}
           *[other] {" "}(95 % upper bound { $bound } per failover)
          }
       *[other] ; the new primary lacked { $failovers ->
            [1] {""}
           *[other] {"up to "}
          }{ $most } acknowledged { $most ->
            [one] commit
           *[other] commits
          }, from the last { $age } ms before clients followed it{ $failovers ->
            [1] {""}
           *[other] , in { $lost } of { $failovers }
          }
      }
  }{ $split ->
    [not-given] {""}
    [0] ; the old primary acknowledged no commit after the new one took writes
   *[other] ; the old primary acknowledged { $failovers ->
        [1] {""}
       *[other] {"up to "}
      }{ $split } { $split ->
        [one] commit
       *[other] commits
      } after the new one took writes (split brain)
  }{ $damaged ->
    [0] {""}
   *[other] ; rows or tables were damaged after { $damaged } of them
  }{ $diverged ->
    [0] {""}
   *[other] ; the old primary had { $failovers ->
        [1] {""}
       *[other] {"up to "}
      }{ $beyond } { $beyond ->
        [one] transaction
       *[other] transactions
      } that the new one lacks, so it must be rebuilt{ $failovers ->
        [1] {""}
       *[other] {" "}({ $diverged } of { $failovers })
      }
  }{ $rejoined ->
    [not-given] {""}
   *[other] ; the old primary rejoined within { $rejoined } s
  }{ $trouble ->
    [not-given] {""}
   *[other] {" "}({ $trouble })
  }{ $back_to_async ->
    [0] {""}
   *[other] ; { $failovers ->
        [1] {""}
       *[other] in { $back_to_async } of { $failovers }{" "}
      }semisynchronous replication had fallen back to asynchronous before clients followed, so nothing was promised
  }{ $broken ->
    [yes] , although this topology promises to keep every acknowledged commit
   *[no] {""}
  }

# Variables:
#   $target (Text)
#   $most (Count) - the most acknowledged commits that were missing after one failover
failover-lead-lost = { $target } lost up to { $most } acknowledged { $most ->
    [one] commit
   *[other] commits
  }

# Variables:
#   $target (Text)
#   $worst (Figure) - the longest stretch without a commit, s
failover-lead-gap = { $target } { $worst } s

# Variables:
#   $lost (Parts) - who lost how many
#   $losers (Count) - how many those are
#   $keepers (Count) - how many lost none
#   $kept (Parts) - who lost none
#   $gaps (Parts) - of each, how long there was no commit
failover-lead = { $losers ->
    [0] No acknowledged commit was lost
   *[other] { $lost }{ $keepers ->
        [0] {""}
       *[other] , none on { $kept }
      }
  }. Longest time without a commit: { $gaps }

# Variables:
#   $loss (Word: kill, stop, freeze, cut)
failover-loss = { $loss ->
    [kill] its primary was killed
    [stop] its primary was shut down
    [freeze] its primary froze
   *[cut] its primary was cut off
  }

failover-title = Failovers

# Variables:
#   $column (Word: target, loss, promise, without, median, promoted, back, lost, most, age, split, unknown, errors, old)
failover-column = { $column ->
    [target] target
    [loss] primary
    [promise] promise
    [without] no commit, s (worst)
    [median] median
    [promoted] new primary after, s
    [back] 90 % back after, s
    [lost] commits lost in
    [most] commits, most
    [age] oldest, ms
    [split] split brain, commits
    [unknown] outcome unknown
    [errors] client errors
   *[old] old primary
  }

# Variables:
#   $loss (Word: kill, stop, freeze, cut)
failover-kind = { $loss ->
    [kill] killed
    [stop] shut down
    [freeze] frozen
   *[cut] cut off
  }

# Variables:
#   $lost (Count)
#   $failovers (Count)
#   $bound (Percent?)
failover-lost-in = { $lost } of { $failovers }{ $bound ->
    [not-given] {""}
   *[other] {" "}(at most { $bound })
  }

# Variables:
#   $code (Text)
#   $count (Count)
failover-errors = { $code } x { $count }

# Variables:
#   $rejoined (Figure?) - s, worst; none where it never rejoined
#   $diverged (Count) - failovers after which it had transactions that the new one lacks
#   $beyond (Count) - the most of these transactions
failover-old = { $diverged ->
    [0] { $rejoined ->
        [not-given] did not rejoin
       *[other] rejoined within { $rejoined } s
      }
   *[other] must be rebuilt: { $beyond } { $beyond ->
        [one] transaction
       *[other] transactions
      } of its own
  }

# Variables:
#   $standing (Word: kept, broken, async, none)
failover-promise = { $standing ->
    [kept] kept
    [broken] broken
    [async] none (fell back)
   *[none] none
  }

failover-mark-lost = primary lost

failover-mark-new = new primary
