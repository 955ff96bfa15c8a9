import type { AttackReport } from "../experiment/attack-victim.ts";
import type { AttackMean, Several } from "../experiment/run-several.ts";
import { left, right } from "../experiment/table-column.ts";
import { fillIn } from "./name-template.ts";
import { formatFacts, formatMean, formatMemory, formatTable } from "./table.ts";

/** The result of one attack, a fact per line. */
export function describeAttack(report: AttackReport, out: string | undefined): string {
  const { flips, budget } = report;
  const found = report.setting === "direct" ? "" : `, flips found on ${report.surrogate}`;
  return formatFacts({
    attack: `${report.attack} on ${report.model}, ${report.dataset}, seed ${report.seed}${found}, ${report.time}`,
    accuracy: `${accuracyText(report)} (${report.numTargets} nodes)`,
    flips: `${flips.added + flips.removed} of ${budget} allowed: ${flips.added} added, ${flips.removed} removed`,
    time: `${report.seconds.toFixed(1)} s, ${(1000 * report.secondsPerEpoch).toFixed(1)} ms per epoch, ${report.epochs} epochs`,
    memory: formatMemory(report),
    ...(report.interrupted && { note: "interrupted: this is the best perturbation so far" }),
    ...(out && { written: fillIn(out, report) }),
  });
}

/** The accuracy of a result is that on a graph whose edges are there or not; progress shows the relaxed one. */
export function accuracyText({ accuracy }: AttackReport): string {
  return `${accuracy.clean.toFixed(4)} clean, ${accuracy.adversarial.toFixed(4)} on the perturbed, discrete graph`;
}

/** The results of attacks with several seeds and budgets, a row each, and their means. */
export function describeAttacks(all: Several<AttackReport, AttackMean[]>, out: string | undefined): string {
  const { runs, mean, standardError, interrupted } = all;
  const columns = [
    left("seed"),
    right("epsilon"),
    right("budget"),
    right("flips"),
    right("clean"),
    right("adversarial"),
  ];
  const rows = runs.map(({ seed, epsilon, budget, flips, accuracy, ...run }) => [
    `${seed}${run.interrupted ? " (interrupted)" : ""}`,
    shortShare(epsilon),
    String(budget),
    String(flips.added + flips.removed),
    accuracy.clean.toFixed(4),
    accuracy.adversarial.toFixed(4),
  ]);
  const means = mean.map(({ epsilon, budget, accuracy }, k) => {
    const errors = standardError[k].accuracy;
    const clean = formatMean(accuracy.clean, errors.clean);
    return [
      "mean",
      shortShare(epsilon),
      String(budget),
      "",
      clean,
      formatMean(accuracy.adversarial, errors.adversarial),
    ];
  });
  const { attack, model, dataset, time } = runs[0];
  return [
    `${attack} on ${model}, ${dataset}, ${time}: accuracy on the discrete graph; mean ± standard error over the seeds`,
    formatTable(columns, [...rows, ...means]),
    ...(interrupted ? ["Interrupted: runs are missing, and the last one is the best perturbation so far."] : []),
    ...(out ? [`written  ${runs.map((report) => fillIn(out, report)).join(", ")}`] : []),
  ].join("\n");
}

function shortShare(epsilon: number): string {
  return String(Number(epsilon.toPrecision(4)));
}
