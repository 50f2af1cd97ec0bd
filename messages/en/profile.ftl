### Where servers spend CPU: what perf sampled, what that cost, and what is missing.

# Variables:
#   $target (Text)
#   $workload (Text)
#   $clients (Count)
profile-title = Where { $target } spends CPU: { $workload }, { $clients } { $clients ->
    [one] client
   *[other] clients
  }

# Variables:
#   $samples (Count)
#   $event (Text) - what the kernel samples by
#   $time (Seconds)
#   $frequency (Count) - per second and CPU
profile-sampled = perf took { $samples } samples of the server in { $time } ({ $event }, { $frequency } per second and CPU).

# Variables:
#   $sampled (Figure) - transactions per second in the sampled trial
#   $ratio (Ratio) - over the mean of the others
#   $trials (Count) - the others
profile-cost = Cost of sampling: { $sampled } transactions/s in the sampled trial, { $ratio }x the { $trials ->
    [one] one trial
   *[other] mean of { $trials } trials
  } without sampling. The sampled trial is a single trial and counts in no other figure.

# Variables:
#   $lost (Count)
#   $share (Percent) - of all samples
profile-lost = { $lost } { $lost ->
    [one] sample was
   *[other] samples were
  } lost ({ $share }): the kernel could not hand them over in time.

# Variables:
#   $share (Percent) - of all samples
profile-unknown = { $share } of the samples end in code without symbols: install the debug symbols of the server, or a build that is not stripped.

# Variables:
#   $share (Percent) - of all samples
profile-cut = { $share } of the stacks have a single function outside the kernel, whose callers are unknown: that code, of the server or the C library, was built without frame pointers.

# Variables:
#   $left (Count) - samples in the file
#   $samples (Count) - samples that were taken
profile-damaged = The file of stacks is damaged: it holds { $left } of { $samples } samples. No function is named from a part of them.

profile-without-kernel = Only the server's own code was sampled: the kernel hides its part (kernel.perf_event_paranoid above 1).

# Variables:
#   $why (Word: not-installed, forbidden, unknown-process, no-samples, failed, trial, no-file)
#   $paranoid (Text?) - kernel.perf_event_paranoid
#   $message (Text?) - what perf said, or why the trial failed
profile-not-sampled = Nothing was sampled: { $why ->
    [not-installed] perf is not installed on this machine (Debian: linux-perf, Ubuntu: linux-tools).
    [forbidden] the kernel forbids it (kernel.perf_event_paranoid{ $paranoid ->
        [not-given] {""}
       *[other] {" "}= { $paranoid }
      }); as root: sysctl kernel.perf_event_paranoid=1.
    [unknown-process] the server is not a process of this machine that mydyno can identify.
    [no-samples] the server used no CPU in the measured window, or perf could not attach to it.
    [no-file] the file of stacks is missing from the recording.
    [trial] the trial failed: { $message }.
   *[failed] perf failed: { $message }.
  }

# Variables:
#   $column (Word: function, self, total, share)
#   $target (Text?) - of share
profile-column = { $column ->
    [function] function
    [self] self %
    [total] with callees %
   *[share] { $target } self %
  }

# Variables:
#   $base (Text)
#   $other (Text)
#   $workload (Text)
profile-change-title = What { $other } spends CPU on against { $base }: { $workload }
