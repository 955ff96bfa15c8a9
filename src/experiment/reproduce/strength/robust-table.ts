import { left, right } from "../../table-column.ts";
import { published } from "../published.ts";
import type { ReportSection } from "../report.ts";
import { signed } from "../table-report.ts";
import { PLAIN, strengthAttacks } from "./plan.ts";
import { groupResults, meanOf, type StrengthResult, strongestPerSeed } from "./results.ts";

/** Accuracies of a model at a budget: as published, and after attacks here. */
export interface RobustRow {
  readonly dataset: string;
  readonly model: string;
  readonly epsilon: number;
  /** Means over seeds. */
  readonly clean: number | null;
  /**
   * Published accuracies after PR-BCD on the GCN (transfer) and on the model itself (adaptive); null if not published.
   */
  readonly published: { readonly transfer: number | null; readonly adaptive: number | null };
  /** Mean accuracy by the name of the attack. */
  readonly here: Readonly<Record<string, number | null>>;
  /** Mean over seeds of the accuracy after the strongest attack. */
  readonly strongest: number;
  readonly seeds: number;
}

/** The lower of the published accuracies, or null. */
export function lowestPublished({ published: { transfer, adaptive } }: RobustRow): number | null {
  const known = [transfer, adaptive].filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** All models but the GCN, at each budget. */
export function robustRows(results: readonly StrengthResult[]): RobustRow[] {
  const others = results.filter(({ model }) => model !== PLAIN);
  return groupResults(others, ({ dataset, model, epsilon }) => `${dataset} ${model} ${epsilon}`).map(rowOf);
}

function rowOf(group: readonly StrengthResult[]): RobustRow {
  const { dataset, model, epsilon } = group[0];
  const by = (setting: "transfer" | "direct") =>
    published({ setting, dataset, attack: "prbcd", loss: "tanh-margin", epsilon, model })?.mean ?? null;
  const values = (name: string) => group.filter(({ attack }) => attack === name).map(({ value }) => value);
  const strongest = strongestPerSeed(group);
  return {
    dataset,
    model,
    epsilon,
    clean: meanOf(group.map(({ clean }) => clean)),
    published: { transfer: by("transfer"), adaptive: by("direct") },
    here: Object.fromEntries(Object.keys(strengthAttacks).map((name) => [name, meanOf(values(name))])),
    strongest: meanOf(strongest) ?? Number.NaN,
    seeds: strongest.length,
  };
}

/** What is left of published robustness. */
export function robustSection(rows: readonly RobustRow[]): ReportSection {
  const attacks = Object.keys(strengthAttacks).filter((name) => rows.some(({ here }) => here[name] !== null));
  const number = (value: number | null) => value?.toFixed(3) ?? "";
  return {
    title: "What is left of published robustness",
    note: `Test accuracy, mean over seeds. "Published" are PR-BCD found on the GCN and transferred, and PR-BCD on the model itself.
Here: flips that PR-BCD finds on the GCN, as they are and polished on the model; attacks on the model itself, with its gradients where it has
them; and \`eva\`, which needs none. "Strongest" takes the strongest of these for each seed; the last difference is to the lower of the
published values. Predictions of \`rgcn\` are random: a repeated evaluation differs by some nodes.`,
    columns: [
      ...[left("dataset"), left("model"), right("epsilon"), right("clean")],
      ...[right("published transfer"), right("published adaptive")],
      ...attacks.map((name) => right(strengthAttacks[name].title)),
      ...[right("strongest"), right("− published"), right("seeds")],
    ],
    cells: rows.map((row) => {
      const reference = lowestPublished(row);
      return [
        row.dataset,
        row.model,
        String(row.epsilon),
        ...[row.clean, row.published.transfer, row.published.adaptive, ...attacks.map((name) => row.here[name])].map(
          number,
        ),
        number(row.strongest),
        reference === null ? "" : signed(row.strongest - reference),
        String(row.seeds),
      ];
    }),
  };
}
