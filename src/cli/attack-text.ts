import type { PolishReport, StageReport } from "../attack/attack.ts";
import type { AttackReport } from "../experiment/attack-victim.ts";
import type { ConstraintFacts } from "../experiment/constraint-facts.ts";
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
    ...(report.objective !== "accuracy" && { objective: `${report.objective}: ${scoreText(report)}` }),
    ...(report.constraints && { constraints: constraintText(report.constraints) }),
    flips: `${flips.added + flips.removed} of ${budget} allowed: ${flips.added} added, ${flips.removed} removed`,
    ...(report.polish && { polish: polishText(report.polish) }),
    ...(report.stages && { stages: stagesText(report.stages) }),
    time: `${report.seconds.toFixed(1)} s, ${(1000 * report.secondsPerEpoch).toFixed(1)} ms per epoch, ${report.epochs} epochs`,
    memory: formatMemory(report),
    ...(report.interrupted && { note: "interrupted: this is the best perturbation so far" }),
    ...(out && { written: fillIn(out, report) }),
  });
}

function polishText({ scores, seconds }: PolishReport): string {
  const [before] = scores;
  return `score ${shortScore(before)} before, ${shortScore(scores[scores.length - 1])} after ${scores.length - 1} rounds, ${seconds.toFixed(1)} s`;
}

/** Each stage with its score; the strongest is marked. */
function stagesText(stages: readonly StageReport[]): string {
  const lowest = Math.min(...stages.map(({ score }) => score));
  const winner = stages.find(({ score }) => score === lowest);
  const lines = stages.map((stage) => {
    const { name, score, seconds } = stage;
    return `${name}: score ${shortScore(score)}, ${seconds.toFixed(1)} s${stage === winner ? " (kept)" : ""}`;
  });
  return lines.join("; ");
}

/** The accuracy of a result is measured on the discrete graph; progress shows the relaxed accuracy. */
export function accuracyText({ accuracy }: AttackReport): string {
  return `${accuracy.clean.toFixed(4)} clean, ${accuracy.adversarial.toFixed(4)} on the perturbed, discrete graph`;
}

/** The score, which the attack tried to lower. */
function scoreText({ score }: AttackReport): string {
  return `score ${shortScore(score.clean)} clean, ${shortScore(score.adversarial)} on the perturbed, discrete graph`;
}

function constraintText(facts: ConstraintFacts): string {
  const { only, perNode, protectedNodes, protectedEdges, between, allowedPairs } = facts;
  const rules = [
    only && `only ${only}`,
    perNode !== null && `at each node ${perNode === "list" ? "a number of its own" : `${perNode} of its degree`}`,
    protectedNodes > 0 && `${protectedNodes} protected nodes`,
    protectedEdges > 0 && `${protectedEdges} protected pairs`,
    between && `between ${between[0]} and ${between[1]} nodes`,
  ];
  return `${rules.filter((rule) => rule).join(", ")}: ${allowedPairs} pairs may be flipped`;
}

/** The results of attacks with several seeds and budgets, a row each, and their means. */
export function describeAttacks(all: Several<AttackReport, AttackMean[]>, out: string | undefined): string {
  const { runs, mean, standardError, interrupted } = all;
  const hasScore = runs[0].objective !== "accuracy";
  const columns = [
    left("seed"),
    right("epsilon"),
    right("budget"),
    right("flips"),
    right("clean"),
    right("adversarial"),
    ...(hasScore ? [right("score")] : []),
  ];
  const rows = runs.map(({ seed, epsilon, budget, flips, accuracy, score, ...run }) => [
    `${seed}${run.interrupted ? " (interrupted)" : ""}`,
    shortShare(epsilon),
    String(budget),
    String(flips.added + flips.removed),
    accuracy.clean.toFixed(4),
    accuracy.adversarial.toFixed(4),
    ...(hasScore ? [shortScore(score.adversarial)] : []),
  ]);
  const means = mean.map(({ epsilon, budget, accuracy, score }, k) => {
    const { accuracy: errors, score: scoreErrors } = standardError[k];
    const clean = formatMean(accuracy.clean, errors.clean);
    return [
      "mean",
      shortShare(epsilon),
      String(budget),
      "",
      clean,
      formatMean(accuracy.adversarial, errors.adversarial),
      ...(hasScore ? [formatMean(score.adversarial, scoreErrors.adversarial)] : []),
    ];
  });
  const { attack, model, dataset, time, objective } = runs[0];
  return [
    `${attack} on ${model}, ${dataset}, ${time}${hasScore ? `, to lower ${objective}` : ""}: accuracy on the discrete graph; mean ± standard error over the seeds`,
    formatTable(columns, [...rows, ...means]),
    ...(interrupted ? ["Interrupted: runs are missing, and the last one is the best perturbation so far."] : []),
    ...(out ? [`written  ${runs.map((report) => fillIn(out, report)).join(", ")}`] : []),
  ].join("\n");
}

function shortScore(score: number): string {
  return String(Number(score.toFixed(4)));
}

function shortShare(epsilon: number): string {
  return String(Number(epsilon.toPrecision(4)));
}
