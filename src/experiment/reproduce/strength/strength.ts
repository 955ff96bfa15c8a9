import { type Choice, PUBLISHED_SEEDS, type Report, type Reproduction } from "../report.ts";
import { runMeasurements } from "../run-measurements.ts";
import type { ResultStore } from "../store.ts";
import { gcnTable } from "./gcn-table.ts";
import { PeerValues } from "./peer.ts";
import { DATASETS, measurementOf, missingAttacks, strengthCells, strengthParts } from "./plan.ts";
import type { StrengthResult } from "./results.ts";
import { robustRows, robustSection } from "./robust-table.ts";
import { timesSection } from "./times-section.ts";
import { gcnVerdicts, robustVerdicts } from "./verdicts.ts";

/** How strong our attacks are beside those of PyTorch Geometric, and what they leave of robust models. */
export const strength: Reproduction = {
  title: "How strong the attacks are",
  datasets: DATASETS,
  seeds: PUBLISHED_SEEDS,
  parts: strengthParts,
  stores: true,
  async run(choice, store, options) {
    const measurements = strengthCells(choice).map(measurementOf);
    if (!options.stored) await runMeasurements(measurements, store, { ...options, trainOnCpu: true });
    return strengthReport(choice, store, PeerValues.load());
  },
};

/** Tables and verdicts about what the store holds. */
export function strengthReport(choice: Choice, store: ResultStore, peers: PeerValues): Report {
  const results = strengthCells(choice).flatMap((cell): StrengthResult[] => {
    const value = store.get(measurementOf(cell));
    return value ? [{ ...cell, ...value }] : [];
  });
  const robust = robustRows(results);
  return {
    rows: results,
    ...gcnTable(results, peers),
    note: noteOf(choice),
    verdicts: [...gcnVerdicts(results, peers), ...robustVerdicts(robust)],
    sections: [
      ...(robust.length > 0 ? [robustSection(robust)] : []),
      ...(results.length > 0 ? [timesSection(results)] : []),
    ],
  };
}

function noteOf(choice: Choice): string {
  const missing = missingAttacks(choice);
  return `Accuracy of a GCN on the test nodes after attacks with blocks of 250,000 pairs and 500 epochs; seeds ${choice.seeds.join(", ")}.
"PyG" is PR-BCD of PyTorch Geometric 2.8 on the same weights, test nodes and budgets
([how it was made](../../bench/peers/README.md)); a negative difference means that the attack is stronger here.${missing.map((name) => `\nThis version has no attack \`${name}\`: its column is missing.`).join("")}`;
}
