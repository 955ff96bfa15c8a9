import type { SideBySideResult } from "../../bench/side-by-side.ts";
import { formatBytes } from "../../experiment/readable-numbers.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import { clockTable } from "./kernel-tables.ts";
import type { Outcome } from "./outcome.ts";
import { milliseconds } from "./units.ts";

export function sideBySideOutcome(result: SideBySideResult): Outcome {
  const { shape, models, oneByOne, sideBySide, gain, accuracy, sameBestEpoch, peakBytes, kernels } = result;
  const table = formatTable(
    [
      left(`${models} trainings on ${shape}`),
      ...["time", "trainings/s", "epochs", "per epoch", "accuracy"].map((title) => right(title)),
    ],
    [
      { what: "one after the other", times: oneByOne, share: accuracy.oneByOne },
      { what: "side by side", times: sideBySide, share: accuracy.sideBySide },
    ].map(({ what, times, share }) => [
      what,
      `${times.seconds.toFixed(2)} s`,
      times.trainingsPerSecond.toFixed(2),
      String(times.epochs),
      milliseconds(1000 * times.secondsPerEpoch),
      share.toFixed(4),
    ]),
  );
  const same = `${sameBestEpoch} of ${models} have the same best epoch, accuracies differ by at most ${accuracy.mostApart.toFixed(4)}`;
  const gained = `side by side there are ${gain.toFixed(1)} times as many trainings per second, in ${formatBytes(peakBytes)}; ${same}`;
  const clocked = kernels ? [clockTable(`${shape}, ${models} side by side`, "per epoch", kernels)] : [];
  return { text: [`${table}\n${gained}`, ...clocked].join("\n\n"), data: { sideBySide: result } };
}
