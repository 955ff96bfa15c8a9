import { Command } from "commander";
import { checkStudy } from "../experiment/results/known-values.ts";
import { openFilledStore } from "../experiment/store/open-run-store.ts";
import type { Owner, RunState } from "../experiment/store/store.ts";
import { left, right } from "../experiment/table-column.ts";
import { DEFAULT_STORE } from "./store-place.ts";
import { formatFacts, formatTable } from "./table.ts";

interface StatusFlags {
  readonly store: string;
  readonly study?: string;
  readonly json?: boolean;
}

/** `rgnn status` */
export function statusCommand(): Command {
  return new Command("status")
    .description("Show how far the runs of a store are, and who is measuring")
    .option("--store <place>", "a file, or postgres://user:password@host/database", DEFAULT_STORE)
    .option("--study <name>", "only runs of this study")
    .option("--json", "print one JSON object instead of a table")
    .action(run);
}

async function run({ store: place, study, json }: StatusFlags): Promise<void> {
  const store = await openFilledStore(place);
  try {
    if (study !== undefined) await checkStudy(store, study);
    const runs = await store.count(study === undefined ? {} : { study });
    const owners = await store.owners();
    console.log(json ? JSON.stringify({ store: store.name, runs, owners }) : describe(runs, owners));
  } finally {
    await store.close();
  }
}

function describe(runs: Readonly<Record<RunState, number>>, owners: readonly Owner[]): string {
  const facts = formatFacts(Object.fromEntries(Object.entries(runs).map(([state, count]) => [state, String(count)])));
  if (owners.length === 0) return `${facts}\n\nNobody is measuring.`;
  const columns = [left("worker"), right("runs"), right("lease ends in")];
  const rows = owners.map(({ owner, runs: count, leaseLeft }) => [
    owner,
    String(count),
    `${Math.round(leaseLeft / 1000)} s`,
  ]);
  return `${facts}\n\n${formatTable(columns, rows)}`;
}
