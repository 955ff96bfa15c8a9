import { UserError } from "../../core/errors.ts";
import type { Json } from "../../core/options/index.ts";
import type { Split } from "../../data/splits.ts";
import type { SplitFacts } from "../opened-split.ts";
import { openSession, type Session } from "../session.ts";
import { canonicalJson } from "../study/canonical-json.ts";
import { graphContentHash } from "../study/graph-content.ts";
import type { RunDescription } from "../study/run-description.ts";
import type { Artefacts } from "./artefacts.ts";

/** Where runs are measured. */
export interface MeasureOptions {
  readonly artefacts: Artefacts;
  readonly dataDir?: string;
  readonly threads?: number;
  /** Facts stored with every result: versions, machine. */
  readonly facts: Readonly<Record<string, Json>>;
}

/** The graph of some runs on its device, with their split. */
export interface OpenedRun {
  readonly session: Session;
  readonly split: Split;
  readonly splitFacts: SplitFacts;
}

/** Equal for runs on the same graph, split, seed and devices (for measuring and for training). */
export function placeKey({ cell, seed, splitHash }: RunDescription): string {
  const { graph, split, device, trainedOn = device } = cell;
  return canonicalJson([graph as unknown as Json, split, device, trainedOn, seed, splitHash]);
}

/** Opens the graph of a run; throws if its content is not what was planned. */
export async function openRun(run: RunDescription, options: MeasureOptions): Promise<OpenedRun> {
  const { cell, seed, splitHash } = run;
  const session = await openOn(run, cell.device, options);
  const splitFacts = session.splitFacts(seed);
  if (graphContentHash(session.graph) !== cell.graph.sha256 || splitFacts.sha256 !== splitHash) {
    await session.close();
    const problem = "the graph or its split here is not the one that was planned; plan the study again";
    throw new UserError(`${cell.graph.dataset}: ${problem}`);
  }
  return { session, split: session.split(seed), splitFacts };
}

/** The graph of a run on any device. */
export function openOn({ cell }: RunDescription, device: string, options: MeasureOptions): Promise<Session> {
  const { sha256: _, ...graph } = cell.graph;
  const { dataDir, threads } = options;
  return openSession({
    ...graph,
    device,
    ...(cell.split !== null && { split: cell.split }),
    ...(dataDir !== undefined && { dataDir }),
    ...(threads !== undefined && device === "cpu" && { threads }),
  });
}
