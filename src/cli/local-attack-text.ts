import type { LocalAttackReport, TargetReport } from "../experiment/local-report.ts";
import type { LocalAttackMean } from "../experiment/run-node-attacks.ts";
import type { Several } from "../experiment/run-several.ts";
import { left, right } from "../experiment/table-column.ts";
import { fillIn } from "./name-template.ts";
import { formatFacts, formatMean, formatMemory, formatTable } from "./table.ts";

/** Results with more nodes than this are printed without a row per node. */
const MOST_ROWS = 100;

/** The result of an attack on single nodes: a row per node, then a fact per line. */
export function describeLocal(report: LocalAttackReport, out: string | undefined): string {
  const { targets } = report;
  const notes = notesOn(report);
  const found = report.setting === "direct" ? "" : `, flips found on ${report.surrogate}`;
  const facts = formatFacts({
    attack: `${report.attack} on ${report.model}, ${report.dataset}, seed ${report.seed}${found}, ${report.time}`,
    success: successText(report),
    ...(report.minimal && { needed: neededText(report) }),
    flips: `${report.flips.added} added, ${report.flips.removed} removed, each node on the clean graph`,
    time: timeText(report),
    memory: formatMemory(report),
    ...(notes.length > 0 && { note: notes.join("; ") }),
    ...(out && { written: fillIn(out, templateValues(report)) }),
  });
  if (targets.length === 0) return facts;
  const rows = targets.length > MOST_ROWS ? [] : [formatTable(columns, targets.map(cells)), ""];
  return [...rows, facts].join("\n");
}

function notesOn({ targets, interrupted }: LocalAttackReport): string[] {
  const spared = targets.filter(({ budget }) => budget === 0).length;
  return [
    ...(interrupted ? ["interrupted: these are the nodes that were finished"] : []),
    ...(spared > 0 ? [`${spared} of ${targets.length} nodes have a budget of 0 and were not attacked`] : []),
  ];
}

function timeText({ wallSeconds, seconds, threads, numTargets }: LocalAttackReport): string {
  const where = threads > 1 ? ` on ${threads} threads` : "";
  return `${wallSeconds.toFixed(1)} s${where}; a search takes ${(seconds / Math.max(1, numTargets)).toFixed(2)} s per node`;
}

/** Values of the placeholders in the name of a file. */
export function templateValues({ seed, epsilon }: Pick<LocalAttackReport, "seed" | "epsilon">) {
  return { seed, ...(epsilon !== null && { epsilon }) };
}

export function successText({ successRate, targets, towards, numTargets }: LocalAttackReport): string {
  if (successRate === null) return "no node was finished";
  const succeeded = targets.filter(({ success }) => success).length;
  const goal = towards === null ? "changed" : `became ${towards}`;
  const early = targets.filter((target) => isReachedBefore(target, towards)).length;
  const before = early > 0 ? ` (${early} were ${towards === null ? "wrong" : "so"} before)` : "";
  return `${(100 * successRate).toFixed(1)} %: the prediction of ${succeeded} of ${numTargets} nodes ${goal}${before}`;
}

/** Whether the goal of the attack was reached before it. */
function isReachedBefore({ clean, label }: TargetReport, towards: LocalAttackReport["towards"]): boolean {
  return towards === null ? clean.prediction !== label : clean.prediction === towards;
}

/** How many nodes need how many flips. */
function neededText({ targets, towards }: LocalAttackReport): string {
  const counts = new Map<number, number>();
  for (const { success, flips } of targets) {
    if (success) counts.set(flips.length, (counts.get(flips.length) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([flips, nodes]) => `${flips} ${flips === 1 ? "flip" : "flips"} for ${nodes}`);
  const lost = targets.filter((target) => !target.success && !isReachedBefore(target, towards)).length;
  return [...parts, ...(lost > 0 ? [`not found for ${lost}`] : [])].join(", ");
}

const columns = [
  left("node"),
  right("class"),
  right("degree"),
  right("budget"),
  right("added"),
  right("removed"),
  right("margin"),
  right("after"),
  right("prediction"),
  left("success"),
];

function cells(target: TargetReport): string[] {
  const added = target.flips.filter(({ action }) => action === "add").length;
  return [
    String(target.node),
    String(target.label),
    String(target.degree),
    String(target.budget),
    String(added),
    String(target.flips.length - added),
    target.marginClean.toFixed(4),
    target.marginAdversarial.toFixed(4),
    String(target.adversarial.prediction),
    target.success ? "yes" : "no",
  ];
}

/** The results of attacks with several seeds and budgets, a row each, and their means. */
export function describeLocals(all: Several<LocalAttackReport, LocalAttackMean[]>, out: string | undefined): string {
  const { runs, mean, standardError, interrupted } = all;
  const titles = [left("seed"), right("epsilon"), right("budget"), right("nodes"), right("success rate")];
  const rows = runs.map((run) => [
    `${run.seed}${run.interrupted ? " (interrupted)" : ""}`,
    String(run.epsilon ?? ""),
    String(run.budget ?? ""),
    String(run.numTargets),
    run.successRate?.toFixed(4) ?? "",
  ]);
  const means = mean.map(({ epsilon, budget, successRate }, k) => [
    "mean",
    String(epsilon ?? ""),
    String(budget ?? ""),
    "",
    formatMean(successRate, standardError[k].successRate),
  ]);
  const { attack, model, dataset, time } = runs[0];
  return [
    `${attack} on ${model}, ${dataset}, ${time}: share of nodes whose prediction changes; mean ± standard error over the seeds`,
    formatTable(titles, [...rows, ...means]),
    ...(interrupted ? ["Interrupted: runs or nodes are missing."] : []),
    ...(out ? [`written  ${runs.map((report) => fillIn(out, templateValues(report))).join(", ")}`] : []),
  ].join("\n");
}
