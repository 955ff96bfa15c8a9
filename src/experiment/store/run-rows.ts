import type { Json } from "../../core/options/index.ts";
import { canonicalJson } from "../study/canonical-json.ts";
import { graphName } from "../study/graph-name.ts";
import type { AttackDescription, CellDescription } from "../study/run-description.ts";
import type { Row, Sql } from "./database.ts";
import {
  CELL_COLUMNS,
  type CellValues,
  type FinishedRun,
  type PlannedRun,
  type RunInFull,
  type RunRow,
  type SortedPage,
} from "./store.ts";

/**
 * Runs joined with their cells. `CROSS JOIN` makes SQLite read the tables in the order written: runs first, cells
 * first, or the runs of a study first (its name is the first parameter).
 */
export const RUNS_AND_CELLS = "FROM runs r CROSS JOIN cells c WHERE c.number = r.cell";
export const CELLS_AND_RUNS = "FROM cells c CROSS JOIN runs r WHERE r.cell = c.number";
export const STUDY_RUNS_AND_CELLS = `FROM study_runs s CROSS JOIN runs r CROSS JOIN cells c
  WHERE s.study = (SELECT number FROM studies WHERE name = $1) AND r.number = s.run AND c.number = r.cell`;

/** Columns that {@link listedRun} reads. */
export const LISTED_COLUMNS = `r.number, r.id, r.cell, r.seed, r.state, r.attempts, r.value, r.clean, r.seconds, r.peak_bytes, r.error,
  ${CELL_COLUMNS.map((column) => `c.${column}`).join()}`;

export function listedRun({ peak_bytes, ...row }: Row): RunRow {
  return { ...row, peakBytes: peak_bytes } as unknown as RunRow;
}

/** SQL of a column that lists are sorted by. */
export function sortExpression(column: SortedPage["by"]): string {
  if (column === "peakBytes") return "r.peak_bytes";
  if (column === "finishedAt") return "r.finished_at";
  return (CELL_COLUMNS as readonly string[]).includes(column) ? `c.${column}` : `r.${column}`;
}

/** Columns that {@link plannedRun} reads. */
export const PLANNED_COLUMNS = `r.id, r.seed, r.work, r.batch,
  (SELECT split_hash FROM details WHERE run = r.number) AS split_hash,
  (SELECT description FROM cell_details d WHERE d.cell = r.cell) AS description`;

export function plannedRun(row: Row): PlannedRun {
  const cell = JSON.parse(String(row["description"])) as CellDescription;
  return {
    id: String(row["id"]),
    work: String(row["work"]),
    batch: String(row["batch"]),
    description: { cell, seed: Number(row["seed"]), splitHash: String(row["split_hash"]) },
  };
}

/** Columns that {@link finishedRun} reads. */
export const FINISHED_COLUMNS = `r.number, ${PLANNED_COLUMNS}, r.value, r.clean, r.seconds, r.peak_bytes, r.finished_at,
  (SELECT result FROM details WHERE run = r.number) AS result`;

export function finishedRun(row: Row): FinishedRun & { readonly number: number } {
  return {
    ...plannedRun(row),
    number: Number(row["number"]),
    finishedAt: Number(row["finished_at"]),
    outcome: {
      value: Number(row["value"]),
      clean: Number(row["clean"]),
      seconds: Number(row["seconds"]),
      peakBytes: Number(row["peak_bytes"]),
      result: JSON.parse(String(row["result"])) as Json,
    },
  };
}

/** One run in full; null if there is none with this id. */
export async function runInFull(sql: Sql, id: string): Promise<RunInFull | null> {
  const [listed] = await sql.rows(`SELECT ${LISTED_COLUMNS} ${RUNS_AND_CELLS} AND r.id = $1`, [id]);
  if (!listed) return null;
  const [more] = await sql.rows(`SELECT ${FINISHED_COLUMNS}, r.owner FROM runs r WHERE r.id = $1`, [id]);
  const studies = await sql.rows(
    "SELECT s.name FROM studies s WHERE EXISTS (SELECT 1 FROM study_runs l WHERE l.study = s.number AND l.run = $1) ORDER BY s.name",
    [listed["number"]],
  );
  const result = more["result"];
  return {
    row: listedRun(listed),
    description: plannedRun(more).description,
    studies: studies.map(({ name }) => String(name)),
    owner: more["owner"] as string | null,
    finishedAt: more["finished_at"] as number | null,
    result: result === null ? null : (JSON.parse(String(result)) as Json),
  };
}

/** The columns of a cell, from its description. */
export function cellValues(cell: CellDescription): CellValues {
  const { graph, split, model, attack, time, quantity, device, code, certificate } = cell;
  const { name, hyperparameters, trainedWith } = model;
  return {
    dataset: graphName(graph),
    split: split ?? "",
    model: name,
    hyperparameters: canonicalJson(trainedWith ? { ...hyperparameters, trainedWith } : hyperparameters),
    attack: attack?.name ?? (certificate ? "certificate" : "none"),
    options: canonicalJson(attack ? settingsOf(attack) : ({ ...certificate } as unknown as Json)),
    loss: attack?.loss ?? "",
    objective: attack?.objective ?? "",
    epsilon: attack?.epsilon ?? 0,
    budget: attack?.budget ?? 0,
    surrogate: attack?.surrogate?.name ?? attack?.helper?.name ?? "",
    time,
    quantity,
    device,
    code: code.attack,
  };
}

/** The options of an attack, and everything else that distinguishes it and has no column of its own. */
function settingsOf({ options, after, polish, constraints, influence }: AttackDescription): Json {
  return {
    ...options,
    ...(after && { after: after.map(({ epsilon, budget }) => epsilon ?? budget) }),
    ...(polish !== undefined && { polishOnVictim: polish }),
    ...(constraints && { constraints: { ...constraints } as Json }),
    ...(influence !== undefined && { influence }),
  };
}
