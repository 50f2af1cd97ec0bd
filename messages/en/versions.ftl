### The search for the build at which a metric changed.

# Variables:
#   $metric (Word: throughput, response_p99)
#   $before (Text) - build
#   $after (Text) - the next one
#   $clients (Count)
versions-found = { $metric ->
    [throughput] Throughput
   *[response_p99] The p99 response time
  } changed between { $before } and { $after } { at-clients }

# Variables:
#   $metric (Word: throughput, response_p99)
#   $from (Text) - build
#   $to (Text) - build
#   $ratio (Ratio)
#   $interval (RatioInterval)
versions-ratio = { $metric ->
    [throughput] { $to } is { $ratio }x { $interval } as fast as { $from }
   *[response_p99] The p99 response time of { $to } is { $ratio }x { $interval } that of { $from }
  }

# Variables:
#   $standing (Word: unfinished, equivalent, undecided, failed)
#   $first (Text) - build
#   $last (Text) - build
#   $clients (Count)
versions-not-found = { $standing ->
    [equivalent] { $first } and { $last } are equivalent { at-clients }: there is no change to look for
    [undecided] The trials do not decide whether { $first } and { $last } differ { at-clients }, so the builds between them were not searched
    [failed] { $first } or { $last } could not be measured, so the builds between them were not searched
   *[unfinished] The search has not ended
  }

# Variables:
#   $builds (List)
versions-skipped = Builds between them that could not be measured: { $builds }

# Variables:
#   $error (Percent)
versions-error = If one build changed it, the chance that another one is named is at most { $error }

versions-estimated = At least one build was placed by its estimate, since its trials did not decide it: measure the builds around the change with more trials

# Variables:
#   $metric (Word: throughput, response_p99)
#   $workload (Text)
#   $clients (Count)
versions-title = { $metric ->
    [throughput] throughput
   *[response_p99] p99 response time
  } by build: { $workload }, { n-clients }

# Variables:
#   $column (Word: build, trials, ratio, note)
#   $first (Text) - build
versions-column = { $column ->
    [build] build
    [trials] trials
    [ratio] against { $first }
   *[note] {""}
  }

# Variables:
#   $place (Word: before, after)
versions-mark = { $place ->
    [before] last one like the first
   *[after] first one like the last
  }
