### One recording against another: headings, verdicts, warnings, gates.

# Variables:
#   $other (Text) - recording and target
#   $base (Text) - recording and target
compare-pair = { $other } against { $base }

# Variables:
#   $column (Word: workload, metric, clients, base, other, change-percent, change, interval, verdict)
compare-column = { $column ->
    [workload] workload
    [metric] metric
    [clients] clients
    [base] base
    [other] other
    [change-percent] change, %
    [change] change
    [interval] 95 % interval
   *[verdict] verdict
  }

# Variables:
#   $margin (Percent)
#   $primary (Count) - comparisons by the primary metric; 0: none
#   $other (Count) - comparisons by the other metrics; 0: none
#   $corrected (Word: no, one-family, two-families)
compare-rule = changes with their 95 % intervals; equivalent within { $margin }{ $corrected ->
    [no] {""}
    [one-family] ; corrected for { $primary } { $primary ->
        [one] comparison
       *[other] comparisons
      } (Holm)
   *[two-families] ; corrected (Holm) for { $primary } { $primary ->
        [one] comparison
       *[other] comparisons
      } by the primary metric and, separately, for { $other } by the other metrics
  }

# Variables:
#   $workload (Text)
#   $metric (Message)
#   $family (Word: primary, secondary)
compare-table = { $workload }, { $metric }{ $family ->
    [primary] {" "}(primary metric)
   *[secondary] {""}
  }

nothing-on-both-sides = no cell was measured on both sides

interval-of-single-trial = single trial: no interval

# Variables:
#   $verdict (Word: better, worse, equivalent, unknown, withheld, corrected, capacity, repeats, hopeless)
#   $why (Message?) - that no verdict is given
#   $p (Hundredths) - corrected
#   $repeats (Count)
compare-verdict = { $verdict ->
    [better] better
    [worse] worse
    [equivalent] equivalent
    [unknown] undetermined
    [withheld] no verdict: { $why ->
        [not-given] a cell is not valid
       *[other] { $why }
      }
    [corrected] inconclusive: corrected p { $p }
    [capacity] inconclusive: searches with a narrower interval might settle it
    [repeats] inconclusive: about { $repeats } { $repeats ->
        [one] repeat
       *[other] repeats
      } might settle it
   *[hopeless] inconclusive: 100 repeats would not settle it
  }

## What money buys

# Variables:
#   $currency (Text)
#   $base (Text) - price of an hour
#   $other (Text) - price of an hour
compare-money = transactions per { $currency }: base at { $base } { $currency }/h, other at { $other } { $currency }/h; the interval is that of the throughput, since a price has none

# Variables:
#   $name (Text)
#   $side (Word: base, other)
price-missing = transactions per unit of money are not compared: { $name } ({ $side ->
    [base] base
   *[other] other
  }) has no price

# Variables:
#   $base (Text)
#   $of_base (Text) - currencies
#   $other (Text)
#   $of_other (Text) - currencies
currencies-differ = transactions per unit of money are not compared: the price of { $base } is in { $of_base }, that of { $other } in { $of_other }

## What makes the sides hard to compare

# Variables:
#   $recording (Text)
#   $tool (Text) - with its version
#   $notes (Clauses?) - of the import
compare-imported = { $recording } was imported: measured with { $tool }{ $notes ->
    [not-given] {""}
   *[other] ; { $notes }
  }

# Variables:
#   $what (Word: hostname, kernel, mydyno_version, window)
#   $base (Message)
#   $other (Message)
side-differs = { $what ->
    [hostname] the generators' machines differ
    [kernel] the generators' kernels differ
    [mydyno_version] the versions of mydyno differ
   *[window] the measured windows differ
  }: { $base } and { $other }

unknown-value = unknown

# Variables:
#   $time (Text) - seconds
#   $warmup (Text?) - seconds; none if it is unknown
compare-window = { $time } s after { $warmup ->
    [not-given] an unknown warm-up
   *[other] { $warmup } s
  }

one-side-searched = only one side searched its capacity: only equal rates are comparable

open-against-closed = one side is an open loop, the other a closed loop: neither throughput nor response times are comparable

rates-differ = the arrival rates differ

# Variables:
#   $verb (Word: search, sweep) - that would have interleaved them
not-interleaved = the recordings were taken one after the other, not interleaved: any change of the machine in between shows up as a difference. One { $verb ->
    [search] search
   *[sweep] sweep
  } over both targets avoids this

# Variables:
#   $base (Text) - recording
#   $of_base (Text) - workloads
#   $other (Text) - recording
#   $of_other (Text) - workloads
workloads-differ = the workloads differ: { $base } ran { $of_base }, { $other } ran { $of_other }

# Variables:
#   $workload (Text)
compared-by-name = { $workload } is compared by its name: the options of one side are unknown

# Variables:
#   $workload (Text)
#   $options (Parts)
options-differ = { $workload } is not compared: its options differ ({ $options })

# Variables:
#   $option (Text)
#   $base (Text?)
#   $other (Text?)
option-differs = { $option } { $base ->
    [not-given] none
   *[other] { $base }
  } and { $other ->
    [not-given] none
   *[other] { $other }
  }

# Variables:
#   $workload (Text)
#   $clients (Count)
#   $name (Text) - of the side that completed it
#   $lacking (Text) - of the other side
#   $why (Text?)
cell-on-one-side = { $workload } { at-clients }: completed by { $name }, not by { $lacking }{ $why ->
    [not-given] {""}
   *[other] : { $why }
  }

## Searches

# Variables:
#   $base (Text)
#   $of_base (Text) - conditions
#   $other (Text)
#   $of_other (Text) - conditions
conditions-differ = the conditions differ: { $base } { $of_base }, { $other } { $of_other }

# Variables:
#   $workload (Text)
#   $clients (Count)
#   $name (Text) - of the side that searched it
#   $lacking (Text) - of the other side
searched-on-one-side = { $workload } { at-clients }: searched by { $name }, not by { $lacking }

# Variables:
#   $workload (Text)
#   $clients (Count)
search-options-differ = { $workload } { at-clients } is not compared: its options differ

# Variables:
#   $workload (Text)
#   $clients (Count)
#   $says (Message) - what a search found
#   $name (Text)
search-without-capacity = { $workload } { at-clients }, { $name }: { $says }

## Single trials

# Variables:
#   $workload (Text)
#   $metric (Message)
#   $other (Text)
#   $more (Count) - numbers of clients
#   $less (Count) - numbers of clients
#   $least (Change)
#   $greatest (Change)
#   $p (Text) - of the sign test
#   $found (Word: significant, not-significant)
signs-of-single-trials = { $workload }, { $metric }, single trials: { $other } is higher at { $more } and lower at { $less } numbers of clients, { $least } to { $greatest } % (sign test p { $p }): { $found ->
    [significant] the direction is significant, the size at each number of clients is unknown
   *[not-significant] not significant
  }

## Gates

# Variables:
#   $gate (Text)
#   $power (Message?) - what it would have detected
compare-gate-holds = gate { $gate }: holds{ $power ->
    [not-given] {""}
   *[other] { $power }
  }

# Variables:
#   $gate (Text)
#   $why (Message)
compare-gate-undetermined = gate { $gate }: undetermined: { $why }

# Variables:
#   $gate (Text)
#   $standing (Word: failed, unknown)
#   $clients (Count)
#   $workload (Text)
#   $change (Change)
#   $interval (Message?)
#   $why (Message?)
compare-gate-stops = gate { $gate }: { $standing ->
    [failed] FAILED
   *[unknown] undetermined
  } { at-clients } of { $workload }: { $change } %{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }{ $why ->
    [not-given] {""}
   *[other] {" "}({ $why })
  }

gate-without-cell = no cell has it on both sides

gate-of-single-trial = a single trial has no interval

gate-not-significant = the change exceeds the bound and is not significant
