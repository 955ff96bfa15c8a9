// How the host describes a stack of graph convolutions to the kernels of trials: words of a record, then some for each layer.
// `wasm/trials/trial-record.ts` writes it.

/** Nodes. */
export const NODES: usize = 0;
/** Layers. */
export const LAYERS: usize = 4;
/** The flags below: DIRECTED, BY_ROW, TOWARDS. */
export const FLAGS: usize = 8;
/**
 * The rows that read each node: the transposed adjacency, which is the adjacency itself if undirected. READER_BOUNDS
 * has the begin and the end of every list side by side, READERS the nodes in the lists.
 */
export const READER_BOUNDS: usize = 12;
export const READERS: usize = 16;
/** The adjacency. */
export const ROW_BOUNDS: usize = 20;
export const COL_IDX: usize = 24;
/** Degrees with the self loop, as floats. */
export const DEGREES: usize = 28;
/** The class that a node's margin is measured against, −1 where it does not count; and that margin. */
export const CLASSES: usize = 32;
export const MARGINS: usize = 36;
/** Bytes before the first layer, and of each layer. */
export const HEADER: usize = 40;
export const LAYER: usize = 32;

// Of a layer: floats per row, of which the last may be padding; sums T = Σ a·U over the neighbours; inputs U; scale and shift of
// the output (0: none); whether relu follows; the weights that lead to the next layer (0: none); floats that count.
export const STRIDE: usize = 0;
export const SUMS: usize = 4;
export const INPUTS: usize = 8;
export const SCALE: usize = 12;
export const SHIFT: usize = 16;
export const RELU: usize = 20;
export const WEIGHT: usize = 24;
export const WIDTH: usize = 28;

export const DIRECTED: u32 = 1;
export const BY_ROW: u32 = 2;
export const TOWARDS: u32 = 4;

/** Address of layer l. */
export function layerAt(record: usize, l: i32): usize {
  return record + HEADER + <usize>l * LAYER;
}

/** Factor of a node's row in the sums of its neighbours. */
export function sourceScale(flags: u32, degree: f32): f32 {
  return flags & BY_ROW ? 1 : 1 / sqrt<f32>(degree);
}

/** Factor of a node's sum over its neighbours. */
export function sumScale(flags: u32, degree: f32): f32 {
  return flags & BY_ROW ? 1 / degree : 1 / sqrt<f32>(degree);
}
