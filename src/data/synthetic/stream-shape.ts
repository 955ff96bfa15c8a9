import { check } from "../../core/errors.ts";
import { rowGenerator, type ShapeRows } from "../../graph/shape-rows.ts";
import { type Shape, type ShapeName, scaleShape, shapeNamed } from "../../graph/shapes.ts";

/** Options of {@link streamShape}. */
export interface StreamOptions {
  /** Multiplies the number of nodes and entries. Default 1. */
  readonly scale?: number;
  /** Rows per chunk; memory grows with this, not with the graph. Default 4096. */
  readonly rowsPerChunk?: number;
}

/**
 * The rows of a directed shape chunk by chunk, bit by bit as `generateShape` gives them: for graphs larger than the
 * memory. The next chunk overwrites the arrays: copy what you keep. Undirected shapes need all rows before the first is
 * complete, so they are refused.
 *
 * @example
 * for (const { begin, end, colIdx } of streamShape("papers100M", 0)) console.log(begin, end, colIdx.length);
 */
export function* streamShape(shape: Shape | ShapeName, seed = 0, options: StreamOptions = {}): Generator<ShapeRows> {
  const { rowsPerChunk = 4096 } = options;
  const wanted = streamedShape(shape, options);
  check(
    Number.isInteger(rowsPerChunk) && rowsPerChunk > 0,
    () => `streamShape: rowsPerChunk must be a whole number above 0, got ${rowsPerChunk}`,
  );
  const rows = rowGenerator(wanted, seed);
  for (let begin = 0; begin < wanted.numNodes; begin += rowsPerChunk) {
    yield rows(begin, Math.min(begin + rowsPerChunk, wanted.numNodes));
  }
}

/** The shape that {@link streamShape} streams. */
export function streamedShape(shape: Shape | ShapeName, { scale = 1 }: StreamOptions = {}): Shape {
  const wanted = scaleShape(typeof shape === "string" ? shapeNamed(shape) : shape, scale);
  check(wanted.directed, () => `streamShape: ${wanted.name} is undirected and cannot be streamed; use generateShape`);
  return wanted;
}
