import type { Backend, SddmmArguments } from "../../backend.ts";
import { type Gpu, type Launch, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { columnPanels, copyColumns } from "../shared/column-panels.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowVectors, wideVectors } from "../shared/row-vectors.ts";
import { gatherWindows } from "./gather-windows.ts";
import type { RowGathering } from "./gathered-rows.ts";
import type { PackedRows } from "./packed-rows.ts";
import { sideFlags } from "./sparse-rows.ts";

/** Pairs per group of lanes, as in `sddmm.wgsl`. */
const PAIRS_PER_GROUP = 4;

export function sddmm(gpu: Gpu, gathering: RowGathering, binary: Backend["binary"]): Backend["sddmm"] {
  const sddmm: Backend["sddmm"] = (args) => {
    const { numNodes, length } = args.pairs;
    const gathers = { rows: numNodes, cols: args.cols, entries: length };
    const factors = factorsOf(gpu, args);
    if (gathering.windows(factors, gathers) > 2) ofPanels(gpu, args, factors, sddmm);
    else if (gathering.asHalves(factors, gathers)) {
      const [P, Q] = factors.map((X) => gathering.halves(X, gathers));
      ofHalves(gpu, { ...args, binary, packed: [P, Q] });
    } else ofWhole(gpu, args, factors);
  };
  return sddmm;
}

/** Adds up the products of one panel of columns after the other. */
function ofPanels(
  gpu: Gpu,
  args: SddmmArguments,
  factors: readonly [GpuBuffer, GpuBuffer],
  sddmm: Backend["sddmm"],
): void {
  const { pairs, cols, accumulate = false } = args;
  const rows = pairs.numNodes;
  columnPanels(gpu, rows, cols, (begin, width) => {
    gpu.borrow({ P: { f32: rows * width }, Q: { f32: rows * width } }, (panel) => {
      const [p, q] = factors;
      copyColumns(gpu, { buffer: panel.P, cols: width, begin: 0 }, { buffer: p, cols, begin }, rows, width);
      copyColumns(gpu, { buffer: panel.Q, cols: width, begin: 0 }, { buffer: q, cols, begin }, rows, width);
      sddmm({ ...args, ...panel, cols: width, accumulate: accumulate || begin > 0 });
    });
  });
}

function ofWhole(gpu: Gpu, args: SddmmArguments, [p, q]: readonly [GpuBuffer, GpuBuffer]): void {
  const { pairs, cols, scale } = args;
  const { T, width, total } = rowVectors(cols);
  const { lanes, file } = lanesFor(gpu, width);
  const left = gatherWindows(gpu, p, pairs.numNodes, cols);
  const right = gatherWindows(gpu, q, pairs.numNodes, cols);
  launch(gpu, args, lanes, {
    with: [file, total, "sddmm-whole"],
    constants: { ...sideFlags(scale), T, WINDOWS: left.rest || right.rest ? 2 : 1 },
    bind: {
      P: left.X,
      Q: right.X,
      restP: left.rest,
      restQ: right.rest,
      scale: gpu.floatsOrNone("sddmm", "scale.by", scale?.by, pairs.numNodes),
    },
    params: { cols: width, split: left.split },
  });
}

interface HalvesArguments extends SddmmArguments {
  readonly binary: Backend["binary"];
  /** The rows of P and of Q. */
  readonly packed: readonly [PackedRows, PackedRows];
}

/** The products from rows packed as halves: half the bytes are gathered. */
function ofHalves(gpu: Gpu, args: HalvesArguments): void {
  const { pairs, cols, scale, binary, packed } = args;
  const [P, Q] = packed;
  const { numNodes } = pairs;
  const { LEFT, RIGHT } = sideFlags(scale);
  const { width } = wideVectors(cols);
  const { lanes, file } = lanesFor(gpu, width);
  const scratch = { scaledP: { f32: LEFT * numNodes }, scaledQ: { f32: RIGHT * numNodes } };
  gpu.borrow(scratch, ({ scaledP, scaledQ }) => {
    // scale units once per node rather than products per pair
    if (scale && LEFT) binary("mul", scaledP, P.unit, scale.by);
    if (scale && RIGHT) binary("mul", scaledQ, Q.unit, scale.by);
    launch(gpu, args, lanes, {
      with: [file, "sddmm-half"],
      constants: {},
      bind: { P: P.buffer, Q: Q.buffer, unitP: LEFT ? scaledP : P.unit, unitQ: RIGHT ? scaledQ : Q.unit },
      params: { cols: width, stride: P.stride },
    });
  });
}

function factorsOf(gpu: Gpu, { pairs, P, Q, cols }: SddmmArguments): [GpuBuffer, GpuBuffer] {
  const length = pairs.numNodes * cols;
  return [gpu.floats("sddmm", "P", P, length), gpu.floats("sddmm", "Q", Q, length)];
}

function launch(
  gpu: Gpu,
  { out, pairs, symmetric = false, accumulate = false }: SddmmArguments,
  lanes: number,
  products: Required<Pick<Launch, "with" | "constants" | "bind" | "params">>,
): void {
  const { sources, targets } = gpu.pairs("sddmm", pairs);
  const { length } = pairs;
  gpu.launch({
    shader: "sddmm",
    with: products.with,
    constants: {
      ...products.constants,
      LANES: lanes,
      SYMMETRIC: Number(symmetric),
      ACCUMULATE: Number(accumulate),
    },
    bind: { out: gpu.floats("sddmm", "out", out, length), sources, targets, ...products.bind },
    params: { length, ...products.params },
    groups: Math.ceil((length * lanes) / (WORKGROUP * PAIRS_PER_GROUP)),
  });
}
