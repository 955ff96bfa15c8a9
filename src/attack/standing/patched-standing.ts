import type { EdgeChanges, FlipTrials } from "../../backend/backend.ts";
import type { Flips } from "../../graph/flips.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import type { PerNodeScore } from "../objective.ts";
import type { HostStack } from "./host-stack.ts";
import type { Gains, Standing } from "./standing.ts";

/** The nodes that a search attacks, and how its success is measured. */
export interface PatchedTask {
  readonly nodes: ArrayLike<number>;
  readonly perNode: PerNodeScore;
}

/** Stands at the clean graph of a model that is a stack of convolutions; a change costs the rows that it reaches. */
export async function openPatched(
  { edges, ...stack }: HostStack,
  view: GraphView,
  { nodes, perNode }: PatchedTask,
): Promise<Standing> {
  const { towards, measure } = perNode;
  const graph = hostGraph(view, "polish");
  const { adjacency, keeps } = edges(graph);
  const classes = new Int32Array(view.numNodes).fill(-1);
  for (let k = 0; k < nodes.length; k++) classes[nodes[k]] = towards ?? view.labels[nodes[k]];
  const { directed } = view;
  const trials = await view.backend.openTrials({
    ...stack,
    adjacency,
    directed,
    classes,
    towards: towards !== null,
  });
  return new PatchedStanding(trials, { nodes, measure, keeps });
}

interface Rules {
  readonly nodes: ArrayLike<number>;
  readonly measure: PerNodeScore["measure"];
  /** Whether the model sees an edge between two nodes. */
  readonly keeps: (i: number, j: number) => boolean;
}

class PatchedStanding implements Standing {
  readonly isPatched = true;
  private readonly trials: FlipTrials;
  private readonly rules: Rules;

  constructor(trials: FlipTrials, rules: Rules) {
    this.trials = trials;
    this.rules = rules;
  }

  get score(): number {
    const { nodes, measure } = this.rules;
    return measure === "count" ? this.sum((margin) => Number(margin > 0)) : this.sum((margin) => margin) / nodes.length;
  }

  get potential(): number {
    return this.sum((margin) => margin / (1 + Math.abs(margin)));
  }

  async gains(changes: EdgeChanges): Promise<Gains> {
    const { positive, margin, bounded } = this.trials.outcomes(this.seen(changes));
    const { measure, nodes } = this.rules;
    if (measure === "count") return { score: positive, potential: bounded };
    return { score: margin.map((sum) => sum / nodes.length), potential: bounded };
  }

  async toggle(flips: Flips): Promise<void> {
    const offsets = Int32Array.of(0, flips.sources.length);
    this.trials.keep(this.seen({ offsets, ...flips }));
  }

  /** Trials keep their margins up to date. */
  async refresh(): Promise<void> {}

  margins(): Float32Array {
    return this.trials.margins();
  }

  close(): void {
    this.trials.close();
  }

  private sum(of: (margin: number) => number): number {
    const margins = this.trials.margins();
    const { nodes } = this.rules;
    let total = 0;
    for (let k = 0; k < nodes.length; k++) total += of(margins[nodes[k]]);
    return total;
  }

  /** The changes without pairs that the model does not see. */
  private seen({ offsets, sources, targets }: EdgeChanges): EdgeChanges {
    const { keeps } = this.rules;
    const places: number[] = [];
    const ends = [0];
    for (let t = 0; t + 1 < offsets.length; t++) {
      for (let e = offsets[t]; e < offsets[t + 1]; e++) if (keeps(sources[e], targets[e])) places.push(e);
      ends.push(places.length);
    }
    if (places.length === sources.length) return { offsets, sources, targets };
    return {
      offsets: Int32Array.from(ends),
      sources: Int32Array.from(places, (e) => sources[e]),
      targets: Int32Array.from(places, (e) => targets[e]),
    };
  }
}
