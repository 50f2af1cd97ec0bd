### Capacity: the highest arrival rate at which every condition holds.

# Variables:
#   $target (Text)
#   $rate (Figure) - transactions/s
#   $interval (Interval)
#   $conditions (List) - as they were written
#   $count (Count) - of conditions
#   $clients (Count)
#   $first (Enumeration?) - what fails first beyond the rate
#   $confirmed (Word: yes, no)
capacity-found = { $target } sustains { $rate } transactions/s { $interval } with { $clients } { $clients ->
    [one] client
   *[other] clients
  }{ $count ->
    [0] , the highest arrival rate with which it keeps up
   *[other] {" "}while { $conditions } { $count ->
      [one] holds
     *[other] hold
    }
  }{ $first ->
    [not-given] {""}
   *[other] . Above that, { $first }
  }{ $confirmed ->
    [yes] {""}
   *[no] . The search ended before repeated trials confirmed this
  }

# Variables:
#   $target (Text)
#   $rate (Figure) - the lowest that was tried, transactions/s
#   $missed (Enumeration)
capacity-below = { $target } does not sustain even { $rate } transactions/s, the lowest arrival rate that was tried: { $missed }

# Variables:
#   $target (Text)
#   $rate (Figure) - the highest that was tried, transactions/s
capacity-above = { $target } sustains { $rate } transactions/s, the highest arrival rate that was tried: its capacity is above that

# Variables:
#   $target (Text)
capacity-unknown = The capacity of { $target } is unknown

# Variables:
#   $why (Message)
capacity-why-unknown = Its trials are not valid: { $why }

capacity-no-trial = No trial was run

# Variables:
#   $condition (Text) - as it was written
condition-missed = { $condition } does not hold

# Variables:
#   $kind (Word: queue, lag, topology, failed)
capacity-missed = { $kind ->
    [queue] the backlog grows
    [lag] replication lag grows
    [topology] the topology degrades
   *[failed] trials fail
  }

# Variables:
#   $rate (Figure) - transactions/s
#   $held (Count) - of the trials
#   $trials (Count)
capacity-side = in { $held } of { $trials } { $trials ->
    [one] trial
   *[other] trials
  } at { $rate }/s

# Variables:
#   $sides (Enumeration?) - the trials at the highest rate that held, and at the lowest that did not
#   $trials (Count)
#   $rates (Count)
#   $closed (Figure?) - transactions/s of a closed loop
#   $share (Percent?) - the capacity as a share of that
capacity-evidence = { $sides ->
    [not-given] {""}
   *[other] Everything held { $sides }.{" "}
  }The search took { $trials } { $trials ->
    [one] trial
   *[other] trials
  } at { $rates } { $rates ->
    [one] rate
   *[other] rates
  }{ $closed ->
    [not-given] {""}
   *[other] . In a closed loop the same clients reach { $closed } transactions/s{ $share ->
      [not-given] {""}
     *[other] : the capacity is { $share } of that
    }
  }

# Variables:
#   $metric (Message)
capacity-not-measured = the trial has no figure for { $metric }

# Variables:
#   $other (Text) - the target
#   $base (Text) - the target that it is compared with
#   $ratio (Ratio)
#   $interval (RatioInterval)
#   $verdict (Word: differs, unsure)
capacity-ratio = { $verdict ->
    [differs] { $other } sustains { $ratio } times the rate of { $base } { $interval }
   *[unsure] { $other } against { $base } is inconclusive ({ $ratio } { $interval })
  }

# Variables:
#   $column (Word: rate, held, standing, missed)
capacity-column = { $column ->
    [rate] offered/s
    [held] all held
    [standing] verdict
   *[missed] what failed
  }

# Variables:
#   $standing (Word: met, missed, undecided)
rate-standing = { $standing ->
    [met] met
    [missed] missed
   *[undecided] undecided
  }

# Variables:
#   $held (Count) - of the trials
#   $trials (Count)
#   $aside (Count) - trials that are not valid
rate-held = { $held } of { $trials }{ $aside ->
    [0] {""}
   *[other] , { $aside } set aside
  }

# Variables:
#   $target (Text)
#   $workload (Text)
#   $clients (Count)
capacity-of = Capacity of { $target }, { $workload }, { n-clients }
