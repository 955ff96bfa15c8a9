import { check, ShapeError } from "../../../core/errors.ts";
import { transpose } from "../../../graph/csr.ts";
import { columnDegrees, rowDegrees } from "../../../graph/degrees.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { Backend } from "../../backend.ts";
import type { EdgeChanges, FlipTrials, TrialLayer, TrialOutcomes, TrialStack } from "../../contract/flip-trials.ts";
import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { withUploads } from "../engine/uploads.ts";
import { openWorkspaces, type Workspaces } from "../engine/workspaces.ts";
import { RowLists } from "./row-lists.ts";
import { type LayerAddresses, strideOf, trialRecord } from "./trial-record.ts";

/** Changes per chunk: few, because those at hubs reach a thousand times as many rows as others. */
const GRAIN_CHANGES = 1;
/** Rows per chunk of a whole pass. */
const GRAIN_ROWS = 64;
/** Floats of an outcome. */
const OUTCOME = 3;

/** Trials on all threads, each with a workspace of its own. */
export function flipTrials(engine: Engine): Pick<Backend, "openTrials"> {
  return { openTrials: async (stack) => new ThreadedTrials(engine, stack) };
}

class ThreadedTrials implements FlipTrials {
  private readonly engine: Engine;
  private readonly stack: TrialStack;
  private readonly buffers: WasmBuffer[] = [];
  private readonly workspaces: Workspaces;
  private readonly floats: number;
  private readonly layers: LayerAddresses[];
  private readonly degrees: WasmBuffer;
  private readonly classes: WasmBuffer;
  private readonly marginBuffer: WasmBuffer;
  private readonly record: WasmBuffer;
  private readonly rows: RowLists;
  /** The rows that read each node: the transposed adjacency. On an undirected graph this is `rows` itself. */
  private readonly readers: RowLists;

  constructor(engine: Engine, stack: TrialStack) {
    const { adjacency, directed, normalisation, layers } = stack;
    const n = adjacency.numRows;
    check(
      stack.input.length === n * layers[0].width && stack.classes.length === n,
      () => `openTrials: ${stack.input.length} inputs and ${stack.classes.length} classes for ${n} nodes`,
      ShapeError,
    );
    this.engine = engine;
    this.stack = stack;
    this.floats = Math.max(...layers.map(strideOf));
    const degrees = normalisation === "row" ? rowDegrees(adjacency) : columnDegrees(adjacency);
    this.degrees = this.upload(Float32Array.from(degrees, (degree) => degree + 1));
    this.classes = this.upload(stack.classes);
    this.marginBuffer = this.upload(new Float32Array(n));
    this.layers = layers.map((layer, l) => this.uploadLayer(layer, layers[l + 1], l === 0 ? stack.input : null));
    this.rows = new RowLists(engine, adjacency);
    this.readers = directed ? new RowLists(engine, transpose(adjacency)) : this.rows;
    this.record = this.upload(new Int32Array(this.describe().length));
    const bytes = engine.call("patchBytes", n, this.floats);
    this.workspaces = openWorkspaces(engine, { bytes, longestRow: this.floats });
    this.computeAll();
  }

  outcomes(changes: EdgeChanges): TrialOutcomes {
    const { offsets, sources, targets } = changes;
    const count = offsets.length - 1;
    const { engine, record, workspaces } = this;
    const found = withUploads(engine, { offsets, sources, targets }, (at) =>
      engine.borrow("f32", OUTCOME * count, (outcomes, outcomesAt) => {
        const pairs = [at.offsets, at.sources, at.targets];
        engine.run("tryFlips", count, GRAIN_CHANGES, outcomesAt, record.address, ...pairs, workspaces.record);
        return engine.heap.read(outcomes);
      }),
    );
    const column = (at: number) => Float32Array.from({ length: count }, (_, t) => found[OUTCOME * t + at]);
    return { positive: column(0), margin: column(1), bounded: column(2) };
  }

  keep({ sources, targets }: Flips): void {
    const { engine, record, workspaces, floats } = this;
    withUploads(engine, { sources, targets }, (at) => {
      engine.call("keepFlips", record.address, sources.length, at.sources, at.targets, workspaces.first, floats);
    });
    for (const [k, source] of sources.entries()) {
      this.rows.toggle(source, targets[k]);
      this.readers.toggle(targets[k], source); // the same lists on an undirected graph: the other direction
    }
    engine.heap.write(record, this.describe());
  }

  margins(): Float32Array {
    return this.engine.heap.read(this.marginBuffer) as Float32Array;
  }

  close(): void {
    this.rows.free();
    if (this.readers !== this.rows) this.readers.free();
    this.workspaces.free();
    for (const buffer of this.buffers) this.engine.heap.free(buffer);
  }

  private computeAll(): void {
    const { engine, record, workspaces, stack } = this;
    engine.heap.write(record, this.describe());
    for (const l of stack.layers.keys()) {
      engine.run("stackRows", stack.adjacency.numRows, GRAIN_ROWS, record.address, l, workspaces.record);
    }
  }

  private describe(): Int32Array {
    const readers = this.readers.addresses;
    const rows = this.rows.addresses;
    const degrees = this.degrees.address;
    const classes = this.classes.address;
    const margins = this.marginBuffer.address;
    return trialRecord(this.stack, { readers, rows, degrees, classes, margins }, this.layers);
  }

  private uploadLayer(layer: TrialLayer, next: TrialLayer | undefined, input: Float32Array | null): LayerAddresses {
    const n = this.stack.adjacency.numRows;
    const stride = strideOf(layer);
    const address = (array: Float32Array | null) => (array ? this.upload(array).address : 0);
    return {
      sums: address(new Float32Array(n * stride)),
      inputs: address(input ? padRows(input, layer.width, stride) : new Float32Array(n * stride)),
      scale: address(layer.scale && padRows(layer.scale, layer.width, stride)),
      shift: address(layer.shift && padRows(layer.shift, layer.width, stride)),
      weight: address(layer.weight && next ? padRows(layer.weight, next.width, strideOf(next)) : null),
    };
  }

  private upload(array: Int32Array | Float32Array): WasmBuffer {
    const buffer = this.engine.heap.upload(array);
    this.buffers.push(buffer);
    return buffer;
  }
}

/** Rows of `width` floats, padded with zeros to `stride`. */
function padRows(rows: Float32Array, width: number, stride: number): Float32Array {
  if (width === stride) return rows;
  const padded = new Float32Array((rows.length / width) * stride);
  for (let r = 0; r < rows.length / width; r++) padded.set(rows.subarray(r * width, (r + 1) * width), r * stride);
  return padded;
}
