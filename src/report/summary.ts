import { distinct } from "./charts/distinct.ts";
import type { KeyFigure } from "./document.ts";
import type { Findings, RankedAttack, RankedModel } from "./results/findings.ts";
import { mean } from "./results/mean.ts";
import type { ResultIndex } from "./results/study-results.ts";
import type { SectionContext } from "./sections/context.ts";
import { nodeCells } from "./sections/single-nodes.ts";
import { budgetText, certainty, counted, LEVEL, listed, nodeBudget, percent, points } from "./words.ts";

/** The findings in sentences; every statement is computed from the results. */
export function summarise(context: SectionContext): string[] {
  const { index, findings } = context;
  if (index.attacked.length === 0 && index.nodeAttacks.length === 0) {
    return index.datasets.map((dataset) => cleanSentence(index, dataset));
  }
  const perDataset = [...findings.values()].flatMap((found) => [
    ...robustSentences(context, found),
    ...lossSentences(context, found),
    ...attackSentences(found),
  ]);
  return [...perDataset, ...nodeSentences(index), ...transferSentence(index), ...seedSentence(index)];
}

function cleanSentence(index: ResultIndex, dataset: string): string {
  const accuracies = index.models
    .map((model) => ({ model, values: [...index.clean(dataset, model).values()] }))
    .filter(({ values }) => values.length > 0)
    .map(({ model, values }) => `${model} ${percent(values.reduce((a, b) => a + b, 0) / values.length)}`);
  return `Nothing was attacked. Test accuracy on ${dataset}: ${listed(accuracies)}.`;
}

function robustSentences({ results }: SectionContext, { dataset, budget, models, untouched }: Findings): string[] {
  const [best, ...others] = models;
  const within = `with a budget of ${budgetText(budget, results.budgetUnit)}`;
  const left = untouched.length > 0 ? [untouchedSentence(untouched)] : [];
  if (!best) return left;
  if (others.length === 0) {
    return [
      `On ${dataset}, ${best.attack} ${within} leaves ${best.model} an accuracy of ${percent(best.robust.mean)}.`,
      ...left,
    ];
  }
  const second = others[0];
  const claim = isSure(second.behind) ? "is the most robust" : "may be the most robust";
  const sure = others.filter(({ behind }) => isSure(behind));
  const ahead = second.behind
    ? `${points(second.behind.difference)} ahead of ${second.model} (${certainty(second.behind)})`
    : `ahead of ${second.model}, with which it shares no seed`;
  const isTested = others.some(({ behind }) => behind?.correctedP != null);
  const rest =
    isTested && others.length > 1
      ? ` ${leadSentence(
          sure.map(({ model }) => model),
          others.length,
        )}`
      : "";
  return [
    `On ${dataset}, ${best.model} ${claim}: under the attack that is strongest against each model, ${within}, it keeps ${percent(best.robust.mean)} of its test nodes right, ${ahead}.${rest}`,
    ...left,
  ];
}

function leadSentence(sure: readonly string[], numOthers: number): string {
  if (sure.length === 0) return "None of its leads is beyond chance.";
  return sure.length === numOthers
    ? "Its lead over every other model is beyond chance."
    : `Its lead over ${listed(sure)} is beyond chance.`;
}

function untouchedSentence(untouched: readonly string[]): string {
  const [does, it] = untouched.length === 1 ? ["does", "it is"] : ["do", "they are"];
  return `${listed(untouched)} ${does} not change under any attack: ${it} not compared with models that use the edges.`;
}

function isSure(behind: RankedModel["behind"]): boolean {
  return behind?.correctedP != null && behind.correctedP < LEVEL;
}

/** Which model loses most, and how much of that with the smallest budget. */
function lossSentences(context: SectionContext, { dataset, budget, models }: Findings): string[] {
  const { index, results } = context;
  if (models.length === 0) return [];
  const loss = ({ clean, robust }: RankedModel) => clean.mean - robust.mean;
  const most = models.reduce((a, b) => (loss(b) > loss(a) ? b : a));
  const whole = `${most.model} loses most: from ${percent(most.clean.mean)} to ${percent(most.robust.mean)} with a budget of ${budgetText(budget, results.budgetUnit)}`;
  const smallest = index.budgets(dataset).find((each) => each > 0) ?? budget;
  const first = index.attacks
    .map((attack) => ({ attack, runs: index.cell(dataset, most.model, attack, smallest) }))
    .filter(({ runs }) => runs.length > 0)
    .map(({ attack, runs }) => ({ attack, lost: mean(runs.map(({ clean, accuracy }) => clean - accuracy)) }))
    .sort((a, b) => b.lost - a.lost)[0];
  if (smallest === budget || !first) return [`${whole}.`];
  return [
    `${whole}; ${budgetText(smallest, results.budgetUnit)} already cost it ${points(first.lost)} (${first.attack}).`,
  ];
}

function attackSentences({ dataset, models, attacks }: Findings): string[] {
  const [strongest, second] = attacks;
  if (!strongest || !second) return [];
  const behind = second.behind
    ? `${points(second.behind.difference)} less than ${second.attack} (${certainty(second.behind)})`
    : `less than ${second.attack}`;
  const where = metAll(strongest, models)
    ? "averaged over models"
    : `on ${listed(strongest.models)}, where it was measured,`;
  return [
    `The strongest attack on ${dataset} is ${strongest.attack}: ${where} it leaves ${percent(strongest.mean)}, ${behind}.`,
  ];
}

/** Whether the attack was measured on all models except untouched ones. */
function metAll(attack: RankedAttack, models: readonly RankedModel[]): boolean {
  return attack.models.length === models.length;
}

/** For each dataset, the attack on single nodes that succeeds most often. */
function nodeSentences({ nodeAttacks }: ResultIndex): string[] {
  return [...Map.groupBy(nodeCells(nodeAttacks), ([run]) => run.dataset)].map(([dataset, cells]) => {
    const success = (runs: (typeof cells)[number]) => mean(runs.map(({ value }) => value));
    const most = cells.reduce((a, b) => (success(b) > success(a) ? b : a));
    return `Of single nodes on ${dataset}, ${most[0].attack} on ${most[0].model} makes most wrong: ${percent(success(most))} with a budget of ${nodeBudget(most[0])} each.`;
  });
}

/** Warns about models that were attacked only with transferred flips. */
function transferSentence(index: ResultIndex): string[] {
  const transferred = index.attacked.filter(({ description }) => description.cell.attack?.surrogate);
  const direct = new Set(
    index.attacked.filter(({ description }) => !description.cell.attack?.surrogate).map(({ model }) => model),
  );
  const only = distinct(transferred.map(({ model }) => model)).filter((model) => !direct.has(model));
  if (only.length === 0) return [];
  const from = distinct(transferred.map(({ attackedModel }) => attackedModel));
  return [
    `The flips were found on ${listed(from)} and transferred to ${listed(only)}: an attack on these models themselves may leave less accuracy.`,
  ];
}

function seedSentence({ seeds }: ResultIndex): string[] {
  return seeds.length === 1
    ? [`All of this is one seed (${seeds[0]}): how much of it is chance, only more seeds can tell.`]
    : [];
}

/** The main results, shown at the top. */
export function keyFigures(context: SectionContext): KeyFigure[] {
  const { index, findings, results } = context;
  const runs: KeyFigure = {
    label: "Evidence",
    value: counted(index.runs.length, "run"),
    note: `${counted(index.seeds.length, "seed")}, ${counted(index.models.length, "model")}, ${counted(index.attacks.length, "attack")}, ${counted(index.datasets.length, "graph")}`,
  };
  const [found] = findings.values();
  const [best] = found?.models ?? [];
  const [strongest] = found?.attacks ?? [];
  if (!found || !best) return [runs];
  const where = `${budgetText(found.budget, results.budgetUnit)}${findings.size > 1 ? `, ${found.dataset}` : ""}`;
  const loss = ({ clean, robust }: RankedModel) => clean.mean - robust.mean;
  const most = found.models.reduce((a, b) => (loss(b) > loss(a) ? b : a));
  return [
    ...(found.models.length > 1
      ? [
          {
            label: "Most robust",
            value: best.model,
            note: `keeps ${percent(best.robust.mean)}, ${where}${isSure(found.models[1].behind) ? "" : "; may be chance"}`,
          },
        ]
      : []),
    ...(found.attacks.length > 1
      ? [
          {
            label: "Strongest attack",
            value: strongest.attack,
            note: `leaves ${percent(strongest.mean)} ${metAll(strongest, found.models) ? "on average" : `of ${listed(strongest.models)}`}`,
          },
        ]
      : []),
    {
      label: "Largest loss",
      value: `−${(100 * loss(most)).toFixed(1)} points`,
      note: `${most.model} under ${most.attack}, ${where}`,
    },
    runs,
  ];
}
