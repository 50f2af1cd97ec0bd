### Recommendations that were tried on sandboxes.

# Variables:
#   $workload (Text)
#   $target (Text)
prove-question = Which recommendations of doctor help { $workload } on { $target }?

# Variables:
#   $tried (Count) - recommendations
#   $clients (Count)
#   $parts (Clauses) - what how many of them do
prove-lead = { $tried ->
    [0] No recommendation was
    [one] { $tried } recommendation was
   *[other] { $tried } recommendations were
  } tried { at-clients }: { $parts }

# Variables:
#   $effect (Word: helps, none, harms, undecided, not_valid, cannot_be_tried, not_measured)
#   $count (Count) - recommendations with that effect
#   $items (Parts) - which, with their figures
#   $margin (Percent) - equivalence margin
prove-part = { $count } { $effect ->
    [helps] { $count ->
        [one] helps
       *[other] help
      }
    [harms] { $count ->
        [one] lowers throughput
       *[other] lower throughput
      }
    [none] { $count ->
        [one] has
       *[other] have
      } no effect within { $margin }
    [undecided] { $count ->
        [one] is
       *[other] are
      } undecided
    [not_valid] { $count ->
        [one] was
       *[other] were
      } not measured validly
    [cannot_be_tried] cannot be tried here
   *[not_measured] { $count ->
        [one] has
       *[other] have
      } not been tried yet
  } ({ $items })

# Variables:
#   $name (Text) - id of a recommendation
#   $what (Message) - what it does to throughput
#   $durable (Word: yes, no) - whether lower throughput is the price of durability
prove-item = { $name } { $what }{ $durable ->
    [yes] {" "}as the price of durability
   *[no] {""}
  }

# Variables:
#   $ratio (Ratio) - throughput with the settings over throughput without
#   $interval (RatioInterval?)
prove-figures = { $ratio }x{ $interval ->
    [not-given] {""}
   *[other] {" "}{ $interval }
  }

# Variables:
#   $known (Word: yes, no_start, not_valid, not_measured)
#   $what (Message) - what they do to throughput, or why they cannot be tried
prove-together = { $known ->
    [no_start] All of them together cannot be tried: { $what }
    [not_valid] All of them together were not measured validly
    [not_measured] All of them together have not been tried yet
   *[yes] All of them together: { $what }
  }

prove-nothing = No recommendation was tried

prove-price-of-durability = the price of durability: a crash loses less

# Variables:
#   $workload (Text)
#   $clients (Count)
prove-title = recommendations tried: { $workload }, { n-clients }

# Variables:
#   $column (Word: recommendation, settings, throughput, result)
prove-column = { $column ->
    [recommendation] recommendation
    [settings] settings
    [throughput] throughput
   *[result] result
  }

prove-all = all together

# Variables:
#   $effect (Word: helps, none, harms, undecided, not_valid, cannot_be_tried, not_measured)
#   $why (Message?) - what stands behind it
prove-result = { $effect ->
    [helps] helps
    [none] no effect
    [harms] lowers throughput
    [undecided] undecided
    [not_valid] not valid
    [cannot_be_tried] cannot be tried here
   *[not_measured] not tried yet
  }{ $why ->
    [not-given] {""}
   *[other] : { $why }
  }

# Variables:
#   $why (Word: no_setting, weakens_durability)
prove-not-tried = { $why ->
    [weakens_durability] weakens durability: not tried
   *[no_setting] takes more than a setting: not tried
  }

# Variables:
#   $tried (Count) - recommendations
#   $other (Count) - recommendations that are not tried
prove-plan = Trying { $tried } { $tried ->
    [one] recommendation
   *[other] recommendations
  } on sandboxes with the settings of this server{ $other ->
    [0] {""}
   *[other] {"; "}{ $other } more { $other ->
        [one] takes more than a setting, or weakens durability
       *[other] take more than a setting, or weaken durability
      }
  }
