### Open questions: what would change the answer of an experiment. And the validity of a measurement.

# Variables:
#   $workload (Text?)
#   $other (Text) - arm
#   $base (Text) - arm
arm-against-base = { $workload ->
    [not-given] {""}
   *[other] With { $workload },{" "}
  }{ $other } against { $base }

# Variables:
#   $pair (Message)
#   $place (Message)
#   $cost (Word: corrected, all, some, hopeless) - what would settle it, or how many of the points the repeats would
#   $comparisons (Count) - corrected for
#   $repeats (Count?)
open-points = { $pair } is inconclusive { $place }: { $repeats ->
    [not-given] { $cost ->
        [corrected] not significant after correction for { $comparisons } comparisons; more repeats would settle it
       *[hopeless] 100 repeats would not settle it: find the source of the variation first
      }
   *[other] about { $repeats } { $repeats ->
        [one] repeat
       *[other] repeats
      } of each cell might settle { $cost ->
        [some] some of it, 100 would not settle the rest
       *[all] it
      }
  }.

some-single-trials = Some cells have a single trial, so their variation is unknown: three repeats or more would give intervals.

# Variables:
#   $pair (Message)
#   $place (Message)
#   $wider (Tenths) - percent
#   $margin (Percent)
wider-margin = { $pair } { $place }: with an equivalence margin of { $wider } % instead of { $margin } it would be equivalent.

# Variables:
#   $pair (Message)
#   $place (Message)
#   $margin (Percent)
small-difference = { $pair } { $place }: the difference is significant, but may be smaller than the equivalence margin of { $margin }.

# Variables:
#   $caveats (Count)
#   $remedies (Clauses?)
standing-caveats = { $caveats } { $caveats ->
    [one] caveat applies
   *[other] caveats apply
  }{ $remedies ->
    [not-given] {""}
   *[other] ; to remove { $caveats ->
        [one] it
       *[other] them
      }: { $remedies }
  }.

# Variables:
#   $what (Word: repeats, window, warm-up, cause, generator, machine, restore, errors)
remedy = { $what ->
    [repeats] three repeats or more
    [window] longer windows
    [warm-up] a longer warm-up
    [cause] finding what changed or stalled the server within a trial
    [generator] a generator with CPUs of its own
    [machine] a machine on which nothing else runs
    [restore] restoring the data before each trial
   *[errors] trials that complete without errors
  }

# Variables:
#   $experiment (Text)
quick-run = Quick run: fewer clients, less data, shorter windows. Full run: mydyno experiment run { $experiment }.

# Variables:
#   $cpus (Count)
#   $shared (Word: shared, alone) - whether the servers ran on it, too
one-machine = { $shared ->
    [shared] All figures come from one machine ({ $cpus } { $cpus ->
        [one] CPU
       *[other] CPUs
      }), shared by servers and generator; results may differ elsewhere.
   *[alone] All figures come from one generator ({ $cpus } { $cpus ->
        [one] CPU
       *[other] CPUs
      }) and these servers; results may differ elsewhere.
  }

## Validity

no-cell-completed = no cell completed

# Variables:
#   $missing (Count) - cells
#   $cells (Count)
cells-missing = { $missing } of { $cells } cells { $missing ->
    [one] has
   *[other] have
  } no completed trial

# Variables:
#   $trials (Count)
earned = { $trials ->
    [one] every trial
   *[other] every cell has { $trials } trials or more, all
  } completed, and there is nothing to warn of

# Variables:
#   $where (Word: only, all, some, worst)
#   $place (Message) - the cell, or the worst one
#   $having (Count) - cells
#   $cells (Count)
in-cells = { $where ->
    [only] only { $place }
    [all] all { $cells } cells
    [some] { $having } of { $cells } cells
   *[worst] worst { $place }, { $having } of { $cells } cells
  }

# Variables:
#   $target (Text)
#   $workload (Text?)
#   $clients (Count)
cell = { $target }{ $workload ->
    [not-given] {""}
   *[other] {" "}with { $workload }
  } at { n-clients }
