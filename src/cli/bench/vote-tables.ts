import type { VoteRate } from "../../bench/certify.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import { clockTable } from "./kernel-tables.ts";
import { milliseconds, percent } from "./units.ts";

export const VOTE_LEGEND =
  "MiB and floor: what the products of one noisy graph read, its edges and the random words for them; PageRank is not in it";

/** The rates of one case, and the time of each kernel where it was measured. */
export function voteTables(rates: readonly VoteRate[]): string {
  const columns = ["threads", "samples/s", "per sample", "MiB", "floor", "reached"];
  const table = formatTable(
    [left("shape"), left("model"), ...columns.map(right), left("check")],
    rates.map((rate) => [
      rate.shape,
      rate.model,
      String(rate.threads),
      rate.samplesPerSecond.toFixed(1),
      milliseconds(1000 / rate.samplesPerSecond),
      (rate.bytesPerSample / 2 ** 20).toFixed(1),
      milliseconds(1000 * rate.floor),
      percent(rate.ratio),
      rate.check,
    ]),
  );
  const clocked = rates.flatMap(({ shape, model, kernels }) => (kernels ? [{ shape, model, kernels }] : []));
  const tables = clocked.map(({ shape, model, kernels }) => clockTable(`${shape}, ${model}`, "per 1000", kernels));
  return [table, ...tables].join("\n\n");
}
