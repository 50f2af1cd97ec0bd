### The answer to the question of a run, a sweep or an experiment, and its clauses.

# Variables:
#   $clauses (Sentences) - one for each workload
answer = { $clauses }.

# Variables:
#   $clause (Opening) - the only one, which begins with no name
answer-opening = { $clause }.

# Variables:
#   $lead (Opening)
#   $clauses (Sentences) - one for each workload
answer-with-lead = { $lead }; { $clauses }.

# Variables:
#   $workload (Text)
#   $clause (Message)
answer-of-workload = { $workload }: { $clause }

# Variables:
#   $other (Text) - target
#   $base (Text) - target
#   $clause (Message)
answer-against = { $other } against { $base }: { $clause }

# Variables:
#   $clause (Message)
answer-of-single-trials = single trials, so no interval is possible: { $clause }

# Variables:
#   $share (Percent) - of its machine
#   $used (Percent?) - of its ceiling
#   $ceiling (Figure?) - queries/s per CPU
generator-share = The generator used at most { $share } of its machine{ $used ->
    [not-given] .
   *[other] , and ran at up to { $used } of its ceiling ({ $ceiling } queries/s per CPU, calibrated).
  }

nothing-completed = nothing completed

nothing-measured = nothing was measured

no-common-clients = no number of clients completed on two targets

# Variables:
#   $target (Text)
#   $place (Message)
#   $why (Text)
target-failed = { $target } failed { $place } ({ $why })

## One target

# Variables:
#   $target (Text)
no-transaction-of-target = { $target } completed no transaction

# Variables:
#   $interval (Interval)
spread = { $interval }

# Variables:
#   $trials (Word: few, single) - why there is no interval
no-spread = { $trials ->
    [few] (too few trials for an interval)
   *[single] (a single trial, no interval)
  }

# Variables:
#   $target (Text)
#   $value (Figure) - transactions/s
#   $spread (Message)
#   $p95 (Figure?) - response time, milliseconds
#   $clients (Count)
single-cell = { $target }: { $value } transactions/s { $spread }{ $p95 ->
    [not-given] {""}
   *[other] , p95 { $p95 } ms
  }, at { n-clients }

# Variables:
#   $target (Text)
#   $tpmc (Figure?)
#   $spread (Message?)
#   $p90 (Figure?) - response time of New-Order, milliseconds
#   $terminals (Count)
single-tpcc = { $target }: { $tpmc ->
    [not-given] 0 tpmC
   *[other] { $tpmc } tpmC { $spread }
  }, { $p90 ->
    [not-given] no New-Order completed
   *[other] New-Order p90 { $p90 } ms
  }, at { $terminals } { $terminals ->
    [one] terminal
   *[other] terminals
  }

# Variables:
#   $target (Text)
#   $value (Figure) - transactions/s
#   $spread (Message)
#   $clients (Count)
peak = { $target } peaks at { $value } transactions/s { $spread } with { n-clients }

# Variables:
#   $clients (Count)
#   $share (Percent) - of the peak
knee = { n-clients } { $clients ->
    [one] reaches
   *[other] reach
  } { $share } of it

# Variables:
#   $clients (Count)
#   $value (Figure) - transactions/s
down-to = at { n-clients } it is down to { $value }

## Two targets or more

# Variables:
#   $winner (Text) - target
#   $again (Word: same, again, first) - whether a clause before said it of other numbers of clients, of the same target or another one
#   $comparison (Word: faster, fastest, sooner, soonest, measured-faster, measured-fastest, measured-sooner, measured-soonest)
#   $place (Message)
#   $by (Message)
faster = { $again ->
    [same] { $place } ({ $by })
    [again] { $winner } { $place } ({ $by })
   *[first] { $winner } { $comparison ->
        [faster] is faster
        [fastest] is fastest
        [sooner] answers sooner
        [soonest] answers soonest
        [measured-faster] measured faster
        [measured-fastest] measured fastest
        [measured-sooner] was measured to answer sooner
       *[measured-soonest] was measured to answer soonest
      } { $place } ({ $by })
  }

# Variables:
#   $metric (Word: throughput, p95)
#   $margin (Percent)
#   $place (Message)
measured-equal = { $metric ->
    [p95] p95 within
   *[throughput] within
  } { $margin } of each other { $place }

# Variables:
#   $metric (Word: throughput, p95)
#   $margin (Percent)
#   $place (Message)
equivalent = equivalent within { $margin } { $metric ->
    [p95] by p95{" "}
   *[throughput] {""}
  }{ $place }

# Variables:
#   $place (Message)
#   $by (Message?)
inconclusive = inconclusive { $place }{ $by ->
    [not-given] {""}
   *[other] {" "}({ $by })
  }

# Variables:
#   $place (Message)
#   $targets (List)
#   $count (Count) - of those targets
no-verdict = no verdict { $place } ({ $targets } { $count ->
    [one] is
   *[other] are
  } not valid)

# Variables:
#   $metric (Word: throughput, p95)
#   $other (Text) - target
#   $base (Text) - target
#   $form (Word: slash, over) - a label may have a slash itself
pair = { $metric ->
    [p95] p95{" "}
   *[throughput] {""}
  }{ $other }{ $form ->
    [over] {" "}over{" "}
   *[slash] /
  }{ $base }

# Variables:
#   $pair (Message)
#   $least (Ratio)
#   $most (Ratio)
undecided-range = { $pair } from { $least }x to { $most }x

# Variables:
#   $pair (Message)
#   $ratio (Ratio)
#   $interval (RatioInterval?)
#   $repeats (Count?) - that might settle it
#   $else (Word: corrected, hopeless) - without a number of repeats
#   $comparisons (Count) - corrected for
undecided = { $pair } { $ratio }x{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }{ $repeats ->
    [not-given] { $else ->
        [corrected] , not significant after correction for { $comparisons } comparisons
       *[hopeless] , 100 repeats would not settle it
      }
   *[other] , about { $repeats } { $repeats ->
        [one] repeat
       *[other] repeats
      } might settle it
  }

# Variables:
#   $form (Word: one, level, range) - of one number of clients, the same at several, or different
#   $low (Ratio)
#   $high (Ratio)
#   $interval (RatioInterval?) - of the higher one
#   $at (Count) - clients of the higher one
factor = { $form ->
    [range] { $low }x to { $high }x
   *[one] { $high }x
  }{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }{ $form ->
    [one] {""}
   *[level] {" "}at { $at }
  }

# Variables:
#   $base (Text?) - target; none: the next one
#   $factor (Message)
response-factor = p95 of { $base ->
    [not-given] the next
   *[other] { $base }
  } { $factor }

# Variables:
#   $factor (Message)
#   $next (Text?) - target
factor-over-next = { $next ->
    [not-given] { $factor } over the next
   *[other] { $factor } the next, { $next }
  }

## Open loops

# Variables:
#   $target (Text)
#   $value (Figure) - transactions/s
#   $spread (Message)
#   $rate (Figure) - transactions/s
#   $p95 (Figure?) - milliseconds
open-cell = { $target }: { $value } transactions/s { $spread } of { $rate } offered{ $p95 ->
    [not-given] {""}
   *[other] , p95 { $p95 } ms from when they were due
  }

# Variables:
#   $target (Text)
#   $rate (Figure) - transactions/s
#   $place (Message)
#   $p95 (Figure) - milliseconds
#   $best (Message?) - where p95 is least, if there are several places
open-kept = { $target } keeps up with { $rate }/s { $place }, { $best ->
    [not-given] p95 { $p95 } ms
   *[other] p95 at its least { $p95 } ms { $best }
  }

# Variables:
#   $target (Text?) - none where it was named before
#   $rate (Figure) - transactions/s
#   $place (Message)
#   $most (Figure) - transactions/s
open-behind = { $target ->
    [not-given] it does not
   *[other] { $target } does not keep up with { $rate }/s
  } { $place }, where it completes { $most }/s at most

# Variables:
#   $kept (List) - targets
#   $keepers (Count) - of them
#   $behind (List) - targets
#   $laggards (Count) - of them
#   $rate (Figure) - transactions/s
#   $place (Message)
keeps-up = { $kept } { $keepers ->
    [one] keeps
   *[other] keep
  } up with { $rate }/s { $place }, { $behind } { $laggards ->
    [one] does
   *[other] do
  } not

# Variables:
#   $rate (Figure) - transactions/s
#   $place (Message)
none-keeps-up = no target keeps up with { $rate }/s { $place }, so throughput is compared there

## What an experiment is remembered by

# Variables:
#   $other (Text) - arm
#   $ratio (Ratio)
#   $interval (RatioInterval?)
#   $base (Text) - arm
#   $workload (Text?)
#   $clients (Count)
largest-difference = largest difference: { $other } is { $ratio }x{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  } as fast as { $base } ({ $workload ->
    [not-given] {""}
   *[other] { $workload },{" "}
  }{ n-clients })

# Variables:
#   $difference (Message)
#   $comparisons (Count)
largest-not-significant = { $difference }; not significant after correction for { $comparisons } comparisons, more repeats would settle it

# Variables:
#   $base (Text) - arm
#   $margin (Percent)
every-arm-equivalent = every arm is equivalent to { $base } within { $margin }

# Variables:
#   $base (Text) - arm
#   $interval (RatioInterval) - of all arms together
no-arm-differs = inconclusive whether any arm differs from { $base }: the intervals span { $interval }
