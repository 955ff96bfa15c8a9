import type { GroupCounts } from "../../experiment/details/target-profile.ts";
import { accuracyByGroup, type GroupRow } from "../charts/accuracy-by-group.ts";
import type { GroupAxis } from "../charts/group-axis.ts";
import type { FigureBlock } from "../document.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import { budgetText, percent } from "../words.ts";
import {
  firstPanels,
  NO_ATTACK,
  NO_DETAILS,
  panelName,
  type SectionContext,
  type SectionResult,
  strongestRuns,
  strongestText,
} from "./context.ts";
import { DEGREE_AXIS, degreeNames } from "./degree-names.ts";

/** Which nodes attacks affect: accuracy by degree and by class. */
export function groupsSection(context: SectionContext): SectionResult {
  const title = "Accuracy by degree and by class";
  if (context.index.attacked.length === 0) return { title, reason: NO_ATTACK };
  const groups = strongestRuns(context).filter((runs) => runs.some(({ details }) => details));
  if (groups.length === 0) return { title, reason: NO_DETAILS };
  const degrees = groups.flatMap((runs) =>
    groupRows(context, runs, (run) => run.details?.targets.byDegree, degreeNames),
  );
  const classes = groups.flatMap((runs) =>
    groupRows(
      context,
      runs,
      (run) => run.details?.targets.byClass,
      (numGroups) => classNames(runs, numGroups),
    ),
  );
  const blocks = [
    figure(context, { id: "accuracy-by-degree", what: "degree on the clean graph", axis: DEGREE_AXIS, rows: degrees }),
    ...(classes.length > 0
      ? [figure(context, { id: "accuracy-by-class", what: "true class", axis: { title: "true class" }, rows: classes })]
      : []),
  ];
  return { id: "groups", title, blocks };
}

function classNames(runs: readonly AttackedRun[], numGroups: number): string[] {
  const names = runs.find(({ details }) => details?.graph.classes)?.details?.graph.classes ?? [];
  return Array.from({ length: numGroups }, (_, k) => names[k] ?? String(k));
}

/** Accuracy of each group over the nodes of all seeds together; groups without nodes are left out. */
function groupRows(
  context: SectionContext,
  runs: readonly AttackedRun[],
  countsOf: (run: AttackedRun) => GroupCounts | null | undefined,
  namesOf: (numGroups: number) => readonly string[],
): GroupRow[] {
  const counts = runs.flatMap((run) => countsOf(run) ?? []);
  const numGroups = Math.max(0, ...counts.map(({ nodes }) => nodes.length));
  const names = namesOf(numGroups);
  const panel = panelName(context, runs[0].dataset, `${runs[0].model} under ${runs[0].attack}`);
  const sum = (of: (each: GroupCounts) => readonly number[] | null, k: number) =>
    counts.reduce((total, each) => total + (of(each)?.[k] ?? 0), 0);
  return names.flatMap((group, k) => {
    const nodes = sum((each) => each.nodes, k);
    if (nodes === 0) return [];
    const row = (when: "before" | "after", right: number) => ({ panel, group, when, accuracy: right / nodes, nodes });
    return [
      row(
        "before",
        sum((each) => each.clean, k),
      ),
      row(
        "after",
        sum((each) => each.adversarial, k),
      ),
    ];
  });
}

function figure(
  context: SectionContext,
  { id, what, axis, rows: all }: { id: string; what: string; axis: GroupAxis; rows: readonly GroupRow[] },
): FigureBlock {
  const { rows, note } = firstPanels(all);
  const budget = strongestText(context, (each) => budgetText(each, context.results.budgetUnit));
  return {
    kind: "figure",
    id,
    caption: `Accuracy of the test nodes by ${what}, before and after, ${budget}; nodes of all seeds together. The csv has the number of nodes in each group.${note}`,
    alternative: `Accuracy by ${what}. ${panelsInWords(all)}`,
    chart: { ...accuracyByGroup(rows, axis, context.theme), rows: all },
  };
}

/** For each panel, a sentence about the group that loses most. */
function panelsInWords(rows: readonly GroupRow[]): string {
  const sentences = [...Map.groupBy(rows, ({ panel }) => panel)].map(([panel, ofPanel]) => {
    const groups = [...Map.groupBy(ofPanel, ({ group }) => group)].map(([group, [before, after]]) => ({
      group,
      before,
      after,
    }));
    const lossOf = ({ before, after }: { before: GroupRow; after: GroupRow }) => before.accuracy - after.accuracy;
    const { group, before, after } = groups.reduce((most, each) => (lossOf(each) > lossOf(most) ? each : most));
    return `${panel}: most is lost in group ${group}, from ${percent(before.accuracy, 0)} to ${percent(after.accuracy, 0)}.`;
  });
  return sentences.join(" ");
}
