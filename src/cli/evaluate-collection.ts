import { check } from "../core/errors.ts";
import { type CollectionReport, runCollection } from "../experiment/run-collection.ts";
import type { EvaluateChoice } from "../experiment/run-evaluate.ts";
import type { Session } from "../experiment/session.ts";
import { left, right } from "../experiment/table-column.ts";
import type { RunWatch } from "../experiment/trained-model.ts";
import { readCollection } from "../files/collection/collection-files.ts";
import { formatTable } from "./table.ts";

/** The flags of `rgnn evaluate` that a collection uses or excludes. */
export interface CollectionFlags {
  readonly collection?: string;
  readonly flips?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Throws if flags ask for a collection and for one perturbed graph at once. */
export function checkCollectionFlags({ collection, flips, out }: CollectionFlags): void {
  if (collection === undefined) return;
  check(flips === undefined, () => "--collection and --flips are two ways to name flips; give one of them");
  check(out === undefined, () => "--out writes the predictions on one graph, and a collection has many; leave it out");
}

/** `rgnn evaluate --collection`: returns the text to print. */
export async function evaluateCollection(
  session: Session,
  choice: EvaluateChoice,
  { collection: name, json }: CollectionFlags & { readonly collection: string },
  watch: RunWatch,
): Promise<string> {
  const report = await runCollection(session, choice, { ...readCollection(name), name }, watch);
  return json ? JSON.stringify(report) : describe(report);
}

/** A line per entry, and one with the lowest accuracy for each budget. */
function describe({ model, dataset, seed, device, numNodes, accuracy, entries }: CollectionReport): string {
  const columns = [right("budget"), right("flips"), left("attack"), left("found on"), right("there"), right("here")];
  const rows = entries.map((entry) => [
    String(entry.budget),
    String(entry.numFlips),
    entry.attack,
    entry.foundOn,
    entry.accuracyThere.toFixed(4),
    entry.accuracy.toFixed(4),
  ]);
  const worst = accuracy.worst.map(({ budget, accuracy: lowest }) => `${lowest.toFixed(4)} after ${budget} flips`);
  return [
    `${model} on ${dataset}, seed ${seed}, ${device}: accuracy ${accuracy.clean.toFixed(4)} on the clean graph (${numNodes} nodes)`,
    formatTable(columns, rows),
    `worst case accuracy  ${worst.join(", ")}`,
  ].join("\n");
}
