import { openStanding } from "../attack/standing/open-standing.ts";
import type { Standing } from "../attack/standing/standing.ts";
import { Victim } from "../attack/victim.ts";
import { breathe } from "../core/breathe.ts";
import { Rng } from "../core/rng.ts";
import type { StopSignal } from "../core/stop-signal.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { GraphView } from "../tensor/index.ts";

/** Rounds of comparing the remaining flips while they are put in order. */
const ROUNDS = 24;

/** The model, graph and nodes for which flips are ordered. */
export interface Ordering {
  readonly model: Model;
  readonly view: GraphView;
  /** The attacked nodes. */
  readonly nodes: ArrayLike<number>;
  /** Margin of every node on the clean graph. */
  readonly margins: ArrayLike<number>;
  readonly signal?: StopSignal;
}

/**
 * The flips of an attack in the order to play them: next comes the flip that does most harm on top of those before it.
 * Where trials are cheap on this model, flips are compared in rounds. Otherwise flips at correct attacked nodes with
 * the smallest clean margin come first.
 */
export async function orderFlips(flips: Flips, { model, view, nodes, margins, signal }: Ordering): Promise<Flips> {
  if (flips.sources.length === 0) return flips;
  const victim = new Victim(model, view, nodes);
  try {
    const standing = await openStanding(victim, nodes, new Rng(0));
    try {
      const order = standing.isPatched ? await byHarm(flips, standing, signal) : byMargin(flips, nodes, margins);
      return pick(flips, order);
    } finally {
      standing.close();
    }
  } finally {
    victim.dispose();
  }
}

async function byHarm(flips: Flips, standing: Standing, signal: StopSignal | undefined): Promise<number[]> {
  const order: number[] = [];
  let left = Array.from(flips.sources.keys());
  const perRound = Math.max(1, Math.ceil(left.length / ROUNDS));
  while (left.length > 0 && !signal?.aborted) {
    const offsets = Int32Array.from({ length: left.length + 1 }, (_, k) => k);
    const { score, potential } = await standing.gains({ offsets, ...pick(flips, left) });
    const places = Array.from(left.keys()).sort((a, b) => score[a] - score[b] || potential[a] - potential[b] || a - b);
    const taken = places.slice(0, perRound).map((place) => left[place]);
    await standing.toggle(pick(flips, taken));
    await standing.refresh();
    order.push(...taken);
    const done = new Set(taken);
    left = left.filter((flip) => !done.has(flip));
    await breathe();
  }
  return [...order, ...left];
}

function byMargin({ sources, targets }: Flips, nodes: ArrayLike<number>, margins: ArrayLike<number>): number[] {
  const attacked = new Set(Array.from(nodes));
  const distance = (node: number) => (attacked.has(node) && margins[node] > 0 ? margins[node] : Number.MAX_VALUE);
  const nearest = Array.from(sources, (source, k) => Math.min(distance(source), distance(targets[k])));
  return Array.from(sources.keys()).sort((a, b) => nearest[a] - nearest[b] || a - b);
}

function pick({ sources, targets }: Flips, places: readonly number[]): Flips {
  return {
    sources: Int32Array.from(places, (place) => sources[place]),
    targets: Int32Array.from(places, (place) => targets[place]),
  };
}
