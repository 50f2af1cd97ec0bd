### A plan in words: its size, what may be added to it, and what was.

# Variables:
#   $cells (Count)
#   $blocks (Count)
#   $trials (Count)
#   $more (Parts?) - what comes on top
#   $time (Text?) - that it takes; none if a number of transactions ends a trial
plan-in-words = Plan: { $cells } { $cells ->
    [one] cell
   *[other] cells
  } x { $blocks } { $blocks ->
    [one] block
   *[other] blocks
  } = { $trials } { $trials ->
    [one] trial
   *[other] trials
  }{ $more ->
    [not-given] {""}
   *[other] {" "}and { $more }
  }{ $time ->
    [not-given] ; the time depends on the server, since a number of transactions ends each trial.
   *[other] , about { $time }, without loading data.
  } Stop at any time: mydyno resume continues.

plan-drift-check = a drift check

plan-profiled = a trial of each target and workload in which perf samples the server

# Variables:
#   $blocks (Count) - at most
plan-until-sure = further blocks until every verdict is decided (at most { $blocks })

# Variables:
#   $trials (Count) - at most
plan-search = further rates until the capacity is known (at most { $trials } trials each)

# Variables:
#   $differences (Count)
#   $trials (Count) - at most, of a combination
plan-bisect = combinations of both targets until it is known which of { $differences } { $differences ->
    [one] difference matters
   *[other] differences matter
  } (at most { $trials } trials each)

# Variables:
#   $trials (Count) - at most, of a build
plan-versions = builds between them until it is known which one changed it (at most { $trials } trials each)

plan-refine = further numbers of clients where a curve collapses or two cross

drift-check-trial = drift check: repeating the first cell

profiled-trials = trials in which perf samples the servers

# Variables:
#   $block (Count)
#   $blocks (Count) - at most
#   $cells (Count)
next-block = block { $block } of at most { $blocks }: { $cells } { $cells ->
    [one] cell
   *[other] cells
  } inconclusive so far

# Variables:
#   $target (Text)
#   $below (Count) - clients
#   $above (Count) - clients
refined-collapse = { $target } collapses between { $below } and { $above }

# Variables:
#   $after (Text) - target
#   $before (Text) - target
#   $below (Count) - clients
#   $above (Count) - clients
refined-crossover = crossover of { $after } and { $before } between { $below } and { $above }

# Variables:
#   $why (Clauses)
#   $clients (List)
refined = { $why }: also measuring { $clients } clients
