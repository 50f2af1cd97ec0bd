// What is marked in a run over time: where its level changed, and where nothing was completed.

import type { Cell, RunOverTime } from "../view";

/** Changes of less are not said, and not marked. */
const CHANGE_MIN = 0.02;

/** What was judged of a run; none of an older report, or of a run without its seconds. */
export function judged(cell: Cell, repeat: number): RunOverTime | undefined {
  return cell.over_time?.runs.find((run) => run.repeat === repeat);
}

/** The seconds at which the level changed, and the change as a reader says it. */
export function changes(run: RunOverTime | undefined): { at_s: number; label: string }[] {
  const large = (run?.changes ?? []).filter((change) => Math.abs(change.ratio - 1) >= CHANGE_MIN);
  return large.map(({ at_s, ratio }) => ({
    at_s,
    label: `${ratio >= 1 ? "+" : "−"}${Math.round(Math.abs(ratio - 1) * 100)} %`,
  }));
}

/** The stretches without a transaction, from and to. */
export function silences(run: RunOverTime | undefined): [number, number][] {
  return run?.silence?.found ? run.silence.stretches : [];
}
