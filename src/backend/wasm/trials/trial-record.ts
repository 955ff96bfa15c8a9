import type { TrialLayer, TrialStack } from "../../contract/flip-trials.ts";

// The record by which `assembly/trials/record.ts` describes a stack to the kernels, in words.

const HEADER = 10;
const LAYER = 8;

/** Addresses of what all layers share. */
export interface StackAddresses {
  /** Of {@link RowLists}: bounds, then columns. */
  readonly readers: readonly [number, number];
  readonly rows: readonly [number, number];
  readonly degrees: number;
  readonly classes: number;
  readonly margins: number;
}

/** Addresses of one layer; 0 for what it does not have. */
export interface LayerAddresses {
  readonly sums: number;
  readonly inputs: number;
  readonly scale: number;
  readonly shift: number;
  readonly weight: number;
}

/** Floats per row: whole vectors. */
export function strideOf({ width }: Pick<TrialLayer, "width">): number {
  return (width + 3) & ~3;
}

/** The record of a stack. */
export function trialRecord(stack: TrialStack, shared: StackAddresses, layers: readonly LayerAddresses[]): Int32Array {
  const { directed, normalisation, towards, adjacency } = stack;
  const flags = (directed ? 1 : 0) | (normalisation === "row" ? 2 : 0) | (towards ? 4 : 0);
  const { readers, rows, degrees, classes, margins } = shared;
  const words = new Int32Array(HEADER + LAYER * layers.length);
  words.set([adjacency.numRows, layers.length, flags, ...readers, ...rows, degrees, classes, margins]);
  for (const [l, { sums, inputs, scale, shift, weight }] of layers.entries()) {
    const layer = stack.layers[l];
    const relu = layer.relu ? 1 : 0;
    words.set([strideOf(layer), sums, inputs, scale, shift, relu, weight, layer.width], HEADER + l * LAYER);
  }
  return words;
}
