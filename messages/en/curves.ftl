### Throughput over the number of clients, and whether an effect depends on something else.

# Variables:
#   $target (Text)
#   $rms (Percent) - error of the fit
#   $lambda (Figure) - transactions/s of one client
#   $serialised (Percent) - of the work
scalability-law = { $target } follows the Universal Scalability Law within { $rms }: { $lambda }/s with one client, { $serialised } of the work is serialised

# Variables:
#   $knee (Count) - clients
queue-beyond = beyond about { $knee } clients, extra clients mostly queue

# Variables:
#   $target (Text)
#   $below (Count) - clients
#   $above (Count) - clients
#   $drop (Percent)
#   $next (Text?) - numbers of clients that would show more
collapse = { $target } collapses between { $below } and { $above } clients (-{ $drop }), more than the scalability model allows{ $next ->
    [not-given] {""}
   *[other] ; to refine, add { $next } clients
  }

# Variables:
#   $below (Count) - clients
#   $above (Count) - clients
#   $at (Count?) - clients
#   $low (Count?) - of its interval
#   $high (Count?) - of its interval
#   $after (Text) - the target that is ahead above it
#   $before (Text) - the other one
#   $sure (Word: single, scattered, sure)
crossover = crossover between { $below } and { $above } clients{ $at ->
    [not-given] {""}
   *[other] , at about { $at } [{ $low }, { $high }]
  }: { $after } is ahead of { $before } above it{ $sure ->
    [single] {" "}(single trials: significance unknown)
    [scattered] {" "}(not significant: the trials vary too much)
   *[sure] {""}
  }

# Variables:
#   $workload (Text?) - to which it is limited
#   $arm (Text)
#   $base (Text) - arm
#   $factor (Text?) - that it depends on; none: the workload
#   $clients (Count)
#   $effect (Message)
#   $first (Text) - level or workload
#   $other (Message) - effect
#   $second (Text) - level or workload
#   $ratio (Message)
#   $found (Count) - numbers of clients at which the effects differ
#   $of (Count) - numbers of clients
interaction = { $workload ->
    [not-given] The effect
   *[other] { $workload }: the effect
  } of { $arm } relative to { $base } depends on { $factor ->
    [not-given] the workload
   *[other] { $factor }
  }: at { n-clients } { $effect } with { $first } and { $other } with { $second }, a ratio of { $ratio }{ $of ->
    [one] {""}
   *[other] ; the effects differ at { $found } of { $of } numbers of clients
  }

# Variables:
#   $ratio (Ratio)
#   $interval (RatioInterval?)
effect = { $ratio }x{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

# Variables:
#   $workload (Text)
serial-title = What limits commits over the simulated link, { $workload }

# Variables:
#   $column (Word: target, trip, clients, tps, bound, cpu, service, limit)
serial-column = { $column ->
    [target] target
    [trip] round trip,{ "\u00A0" }ms
    [clients] clients
    [tps] tps
    [bound] clients / round trip
    [cpu] CPU
    [service] 1 / tps,{ "\u00A0" }us
   *[limit] limit
  }

# Variables:
#   $standing (Word: serial, cpus, cpus-unknown, grows, single)
serial-limit = { $standing ->
    [serial] no growth with more clients, CPUs idle: if transactions pass one stage one at a time, each takes 1 / tps there
    [cpus] no growth with more clients, CPUs busy: no serial stage can be told from them
    [cpus-unknown] no growth with more clients; CPU use is unknown
    [grows] none: throughput grows, or may grow, with more clients
   *[single] not judged: single trials
  }
