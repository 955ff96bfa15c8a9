import type { LocalReport } from "../../bench/local.ts";
import type { ScaleReport } from "../../bench/local-scale.ts";
import { formatBytes, formatCount } from "../../experiment/readable-numbers.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import type { Outcome } from "./outcome.ts";
import { milliseconds } from "./units.ts";

export function localOutcome(report: LocalReport): Outcome {
  const attacks = formatTable(
    [
      left("shape"),
      left("preset"),
      right("threads"),
      right("nodes/s"),
      right("all nodes"),
      right("epoch"),
      right("whole pass"),
      right("gain"),
      left("check"),
    ],
    report.local.map(({ shape, preset, threads, targetsPerSecond, hoursForAllNodes, secondsPerEpoch, check }) => [
      shape,
      preset,
      String(threads),
      targetsPerSecond.toFixed(2),
      `${hoursForAllNodes.toFixed(2)} h`,
      milliseconds(1000 * secondsPerEpoch.patched),
      milliseconds(1000 * secondsPerEpoch.whole),
      (secondsPerEpoch.whole / secondsPerEpoch.patched).toFixed(1),
      check,
    ]),
  );
  const touched = formatTable(
    [left("PageRank rows of candidates"), right("rows"), right("k"), right("columns"), right("of random rows")],
    report.touched.map(({ shape, rows, k, measured, expected }) => [
      shape,
      String(rows),
      k.toFixed(1),
      String(measured),
      expected.toFixed(0),
    ]),
  );
  return { text: `${attacks}\n\n${touched}`, data: report };
}

export function scaleOutcome(report: ScaleReport): Outcome {
  const columns = [
    ...[right("nodes"), right("edges"), left("features"), left("model"), right("block")],
    ...[right("s/epoch"), right("memory"), right("read from disk")],
  ];
  const sizeOf = (bytes: number | null) => (bytes === null ? "?" : formatBytes(bytes));
  const rows = report.scale.map(
    ({ nodes, edges, features, model, blockSize, secondsPerEpoch, residentBytes, readBytes }) => [
      ...[formatCount(nodes), formatCount(edges), features, model, formatCount(blockSize)],
      ...[secondsPerEpoch.toFixed(3), sizeOf(residentBytes), sizeOf(readBytes)],
    ],
  );
  return { text: formatTable(columns, rows), data: report };
}
