### Instances side by side: S, and what may explain it.

# Variables:
#   $ratio (Ratio)
#   $interval (RatioInterval?)
colocation-figure = { $ratio }{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

# Variables:
#   $workload (Text?) - where there are several
#   $s (Message)
#   $clients (Count) - of each instance
#   $instances (Count)
#   $standing (Word: super-linear, linear, contention, inconclusive, single)
colocation-answer = { $workload ->
    [not-given] {""}
   *[other] { $workload }:{" "}
  }S = { $s } with { n-clients } per instance: { $standing ->
    [super-linear] { $instances } instances together do more than the sum of each alone (super-linear)
    [linear] { $instances } instances together do as much as the sum of each alone (linear)
    [contention] { $instances } instances together do less than the sum of each alone (contention)
    [inconclusive] inconclusive whether { $instances } instances together do more or less than the sum of each alone
   *[single] throughput of { $instances } instances together over the sum of each alone, of single trials
  }

# Variables:
#   $verdicts (Opening) - which hypotheses are supported, excluded, not decided
colocation-verdicts = { $verdicts }

# Variables:
#   $standing (Word: supported, excluded, not-decided)
#   $names (Enumeration) - of hypotheses
colocation-verdict = { $standing ->
    [supported] supported by the controls: { $names }
    [excluded] excluded: { $names }
   *[not-decided] not decided: { $names }
  }

# Variables:
#   $why (Word: single, equal) - single trials, or no significant difference from 1
colocation-nothing-to-explain = { $why ->
    [single] S has no interval, so the controls decide nothing
   *[equal] S does not differ significantly from 1, so the controls have nothing to explain
  }

# Variables:
#   $standing (Word: supported, excluded, not-decided)
colocation-standing = { $standing ->
    [supported] supported
    [excluded] excluded
   *[not-decided] not decided
  }

# Variables:
#   $cause (Word: shared-limit, cpus, memory, read-views, commit, generator, order)
colocation-cause = { $cause ->
    [shared-limit] shared limit
    [cpus] CPUs
    [memory] memory
    [read-views] read views
    [commit] commit
    [generator] generator
   *[order] order of trials
  }

# Variables:
#   $cause (Word: shared-limit, cpus, memory, read-views, commit, generator, order)
colocation-claim = { $cause ->
    [shared-limit] the limit is what the instances share; one instance with all clients would reach the same throughput
    [cpus] together, each instance has fewer CPUs and memory nodes than alone
    [memory] together, the instances have several times the buffer pool
    [read-views] a statement copies the list of active transactions, which is shorter in each of several instances
    [commit] commits wait for the disk, in one instance or in several
    [generator] the generator is the limit
   *[order] the machine changed while the trials ran
  }

# Variables:
#   $target (Text)
#   $s (Message)
#   $ratio (Message)
colocation-control = { $target }: S = { $s }, which is { $ratio } times as high

# Variables:
#   $all (Count) - clients
#   $ratio (Message) - several instances over one, with as many clients in all
#   $each (Count) - clients
#   $grows (Message) - one instance with all clients over one with those of each
colocation-shared-limit = with { $all } clients in all, several instances have { $ratio } times the throughput of one; one instance has { $grows } times its throughput with { $each } clients

# Variables:
#   $share (Percent)
colocation-generator = the same generator loads one instance and several; its busiest worker used { $share } of a CPU

colocation-generator-unknown = the load of the generator's workers is unknown

# Variables:
#   $blocks (Count) - repeats
#   $drift (Word: level, drifted, unchecked)
colocation-order = { $drift ->
    [level] { $blocks } interleaved repeats, and the drift check found no drift
    [drifted] { $blocks } interleaved repeats, but the machine drifted meanwhile
   *[unchecked] { $blocks ->
        [one] one repeat, so no drift could be seen
       *[other] { $blocks } interleaved repeats, without a drift check
      }
  }

# Variables:
#   $planned (Word: yes, no) - whether the experiment has a control
colocation-no-control = { $planned ->
    [yes] the control has no valid trials at this number of clients
   *[no] this experiment has no control for it
  }

# Variables:
#   $workload (Text)
colocation-title = Instances side by side, { $workload }

# Variables:
#   $column (Word: each, all, alone, together, s, hypothesis, verdict, evidence)
#   $instances (Count)
colocation-column = { $column ->
    [each] clients each
    [all] clients in all
    [alone] 1 instance tps
    [together] { $instances } instances tps
    [s] S
    [hypothesis] hypothesis
    [verdict] verdict
   *[evidence] evidence
  }

# Variables:
#   $standing (Word: super-linear, linear, contention, inconclusive, single)
colocation-s-is = { $standing ->
    [super-linear] super-linear
    [linear] linear
    [contention] contention
    [inconclusive] inconclusive
   *[single] single trials
  }

# Variables:
#   $verdict (Text)
#   $name (Text)
#   $claim (Text)
#   $evidence (Text)
colocation-line = { $verdict }: { $name } ({ $claim }); { $evidence }

# Variables:
#   $name (Text)
#   $claim (Text)
colocation-hypothesis = { $name }: { $claim }
