### The search for the differences that make one of two targets faster.

# Variables:
#   $base (Text) - target
#   $other (Text) - target
#   $ratio (Ratio) - throughput of $other over that of $base
#   $interval (RatioInterval)
#   $clients (Count)
bisect-ratio = { $other } is { $ratio }x { $interval } as fast as { $base } { at-clients }

# Variables:
#   $base (Text) - target
#   $other (Text) - target
#   $ratio (Ratio) - throughput of $other over that of $base
#   $interval (RatioInterval)
#   $clients (Count)
bisect-equivalent = { $base } and { $other } are equivalent { at-clients } ({ $ratio }x { $interval }): there is no difference to explain

# Variables:
#   $base (Text) - target
#   $other (Text) - target
#   $trials (Count)
bisect-undecided = { $trials } { $trials ->
    [one] trial does
   *[other] trials do
  } not decide whether { $base } and { $other } differ, so their differences were not searched

# Variables:
#   $base (Text) - target
#   $other (Text) - target
#   $why (Clauses)
bisect-failed = { $base } or { $other } could not be measured, so their differences were not searched: { $why }

# Variables:
#   $name (Text) - of a variable, or another part of a target
#   $base (Message) - its value in the first target
#   $other (Message) - its value in the second target
#   $share (Percent) - of the whole difference
#   $interval (PercentInterval) - of it
bisect-explains = { $name } ({ $base } vs { $other }) explains { $share } { $interval }

# Variables:
#   $name (Text) - of a variable, or another part of a target
#   $base (Message) - its value in the first target
#   $other (Message) - its value in the second target
#   $ratio (Ratio) - of throughput with it to that without it
#   $interval (RatioInterval?)
bisect-changes = { $name } ({ $base } vs { $other }) multiplies throughput by { $ratio }{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

bisect-oppose = They work against each other, so a share of the whole difference says little

# Variables:
#   $count (Count) - differences between the targets
#   $names (List) - the likeliest of them
#   $more (Count) - others
#   $command (Text) - that tests them
candidates = { $count ->
    [one] The targets differ only in { $names }, which is untested as the cause
   *[other] Likeliest causes, untested: { $names }{ $more ->
        [0] {""}
       *[other] {" "}({ $more } more)
      }
  }; to test: { $command }

bisect-default = default

# Variables:
#   $share (Percent) - of the whole difference
#   $interval (PercentInterval) - of it
bisect-rest = { $share } { $interval } is unexplained

# Variables:
#   $others (Count) - differences
#   $most (Percent) - of the whole difference
bisect-others = { $others } other { $others ->
    [one] difference explains
   *[other] differences explain
  } less than { $most }{ $others ->
    [one] {""}
   *[other] {" "}each
  }

bisect-unfinished = The search has not ended, and what it has found so far may change

# Variables:
#   $differences (Count)
bisect-unexplained = None of the { $differences } { $differences ->
    [one] difference
   *[other] differences
  } explains it

# Variables:
#   $name (Text) - of a variable, or another part of a target
#   $others (List)
bisect-only-with = { $name } matters only together with { $others }

# Variables:
#   $name (Text) - of a variable, or another part of a target
#   $other (Text)
#   $ratio (Ratio) - of the effect of both to the product of both effects
#   $direction (Word: more, less)
bisect-interacts = { $name } and { $other } together have { $direction ->
    [more] a larger
   *[less] a smaller
  } effect than the product of their effects ({ $ratio }x)

# Variables:
#   $base (Text) - target
#   $other (Text) - target
#   $holds (Word: yes, no, unknown)
#   $way (Word: with, without) - with what was found, or without it
bisect-proof = { $way ->
    [with] With these differences, { $base } { $holds ->
        [yes] is as fast as { $other }
        [no] still differs from { $other }
       *[unknown] was not compared with { $other }
      }
   *[without] Without them, { $other } { $holds ->
        [yes] is as fast as { $base }
        [no] still differs from { $base }
       *[unknown] was not compared with { $base }
      }
  }

# Variables:
#   $names (List)
bisect-dropped = Looked significant in the search and was not confirmed: { $names }

# Variables:
#   $names (List)
#   $why (Message)
bisect-not-started = The server does not start with { $names } of the second target alone: { $why }

# Variables:
#   $trials (Count)
#   $combinations (Count)
#   $differences (Count)
bisect-effort = { $trials } { $trials ->
    [one] trial
   *[other] trials
  } of { $combinations } { $combinations ->
    [one] combination
   *[other] combinations
  } of { $differences } { $differences ->
    [one] difference
   *[other] differences
  }

# Variables:
#   $trials (Count)
bisect-not-valid = { $trials } further { $trials ->
    [one] trial was not valid and does not count
   *[other] trials were not valid and do not count
  }

# Variables:
#   $base (Text) - target
#   $other (Text) - target
#   $workload (Text)
#   $clients (Count)
bisect-title = which difference between { $base } and { $other } matters: { $workload }, { n-clients }

# Variables:
#   $column (Word: difference, share, alone, last)
#   $base (Text) - target
#   $other (Text) - target
bisect-column = { $column ->
    [difference] difference
    [share] explains [95 %]
    [alone] { $base } with it
   *[last] { $other } against { $other } without it
  }
