import type { OpenedGraph, TrainedModel } from "rgnn/lab";
import { classColour, type Palette } from "./palette.ts";

/** How nodes are coloured. */
export type Colouring = "class" | "outcome";

/** What became of a node in an attack: right, wrong from the start, lost to the attack, or aside (not measured). */
export type Outcome = "right" | "wrong" | "lost" | "aside";

/** What a node looks like. */
export interface Look {
  readonly colour: string;
  readonly size: number;
  /** Nodes with a larger level are drawn above others. */
  readonly level: number;
}

/** What the picture shows. */
export interface Scene {
  readonly graph: OpenedGraph;
  readonly model: TrainedModel | null;
  /** Predictions of the model with the flips made so far; null without a model. */
  readonly predictions: Int32Array | null;
  readonly colouring: Colouring;
}

/** What became of a node. All but test nodes are aside, as nothing is measured on them. */
export function outcomeOf({ graph, model, predictions }: Scene, node: number): Outcome {
  if (!model || !predictions || model.roles[node] !== "test") return "aside";
  const label = graph.labels[node];
  if (predictions[node] === label) return "right";
  return model.predictions[node] === label ? "lost" : "wrong";
}

/** The looks of all nodes; equal looks are the same object. `width` is that of the picture, in pixels. */
export function looksOf(scene: Scene, palette: Palette, width: number): readonly Look[] {
  const { graph, predictions, colouring } = scene;
  const scale = sizeFor(graph.numNodes) * Math.max(0.6, Math.min(1, width / 800));
  const known = new Map<string, Look>();
  const look = (name: string, make: () => Look): Look => {
    const before = known.get(name) ?? make();
    known.set(name, before);
    return before;
  };
  return Array.from(graph.labels, (label, node) => {
    const outcome = outcomeOf(scene, node);
    if (colouring === "outcome") return look(outcome, () => outcomeLook(outcome, palette, scale));
    const shown = predictions ? predictions[node] : label;
    const isLost = outcome === "lost";
    return look(`${shown},${isLost}`, () => ({
      colour: classColour(palette, shown),
      size: isLost ? 1.6 * scale : scale,
      level: isLost ? 2 : 1,
    }));
  });
}

function outcomeLook(outcome: Outcome, palette: Palette, scale: number): Look {
  if (outcome === "lost") return { colour: palette.lost, size: 1.5 * scale, level: 3 };
  if (outcome === "right") return { colour: palette.right, size: scale, level: 1 };
  if (outcome === "wrong") return { colour: palette.wrong, size: scale, level: 1 };
  return { colour: palette.aside, size: 0.8 * scale, level: 0 };
}

/** Many nodes are drawn smaller, so that they do not cover each other. */
export function sizeFor(numNodes: number): number {
  return Math.max(1.4, Math.min(7, 26 / Math.log2(numNodes + 2) + 60 / Math.sqrt(numNodes) - 1));
}
