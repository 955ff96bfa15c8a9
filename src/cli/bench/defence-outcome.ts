import type { DefenceReport } from "../../bench/defence.ts";
import { formatBytes } from "../../experiment/readable-numbers.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatFacts, formatTable } from "../table.ts";
import type { Outcome } from "./outcome.ts";
import { milliseconds } from "./units.ts";

export function defenceOutcome(report: DefenceReport): Outcome {
  const { aggregation, adaptive } = report;
  const { shape, product, softMedian, ratio, timesPlain, extraBytes, entryBytes } = aggregation;
  const table = formatTable(
    [left(shape), right("sparse product"), right("Soft Median"), right("/ one product")],
    (["forward", "backward"] as const).map((pass) => [
      pass,
      milliseconds(product[pass]),
      milliseconds(softMedian[pass]),
      ratio[pass].toFixed(1),
    ]),
  );
  const memory = `memory beyond matrix and features ${formatBytes(extraBytes)}; a float per entry takes ${formatBytes(entryBytes)}`;
  const seconds = (time: number) => `${time.toFixed(3)} s`;
  const facts = formatFacts({
    "adaptive attack": adaptive.shape,
    "our epoch": seconds(adaptive.secondsPerEpoch),
    "early epoch": seconds(adaptive.secondsPerEarlyEpoch),
    "dense inverse": seconds(adaptive.denseInverse),
    "dense gradient": seconds(adaptive.denseGradient),
    gain: `${adaptive.gain.toFixed(1)} times, early ${adaptive.earlyGain.toFixed(1)} times`,
  });
  const plain = `${timesPlain.toFixed(1)} times the plain aggregation`;
  const together = `forward and backward together ${ratio.both.toFixed(1)} products, ${plain}`;
  return { text: `${table}\n${together}\n${memory}\n\n${facts}`, data: report };
}
