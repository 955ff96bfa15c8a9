import { type Choice, PUBLISHED_SEEDS, type Report, type Reproduction } from "../report.ts";
import type { Results } from "../results.ts";
import { gcnTable } from "./gcn-table.ts";
import { PeerValues } from "./peer.ts";
import { DATASETS, missingAttacks, strengthCells, strengthExperiment, strengthParts } from "./plan.ts";
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
  experiments: (choice) => strengthCells({ ...choice, seeds: [0] }).map(strengthExperiment),
  report: (choice, results) => strengthReport(choice, results, PeerValues.load()),
};

/** Tables and verdicts about what was measured. */
export function strengthReport(choice: Choice, measured: Results, peers: PeerValues): Report {
  const results = strengthCells(choice).flatMap((cell): StrengthResult[] => {
    const run = measured.get(strengthExperiment(cell), cell.seed);
    if (!run) return [];
    const { value, clean, seconds, device } = run;
    return [{ ...cell, value, clean, seconds, device }];
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
