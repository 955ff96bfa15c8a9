import type { Backend, SddmmArguments } from "../../backend.ts";
import { type Gpu, type Launch, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { Precision } from "../precision.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowVectors } from "../shared/row-vectors.ts";
import { gatherWindows } from "./gather-windows.ts";
import { canPack, withPackedRows } from "./packed-rows.ts";
import { sideFlags } from "./sparse-rows.ts";

/** Pairs per group of lanes, as in `sddmm.wgsl`. */
const PAIRS_PER_GROUP = 4;
/** Pairs per node from which on it pays to pack all rows first: three times their bytes are moved for it. */
const PACKING_PAYS_FROM = 4;

export function sddmm(gpu: Gpu, precision: Precision): Backend["sddmm"] {
  return (args) => {
    const { pairs, cols } = args;
    const pays = pairs.length >= PACKING_PAYS_FROM * pairs.numNodes;
    if (precision === "half" && pays && canPack(gpu, pairs.numNodes, cols)) ofHalves(gpu, args);
    else ofWhole(gpu, args);
  };
}

function ofWhole(gpu: Gpu, args: SddmmArguments): void {
  const { pairs, cols, scale } = args;
  const [p, q] = factorsOf(gpu, args);
  const { T, width, total } = rowVectors(cols);
  const { lanes, file } = lanesFor(gpu, width);
  const left = gatherWindows(gpu, p, Math.floor(p.length / Math.max(cols, 1)), cols);
  const right = gatherWindows(gpu, q, Math.floor(q.length / Math.max(cols, 1)), cols);
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

/** The same of rows packed as halves: half the bytes are gathered. */
function ofHalves(gpu: Gpu, args: SddmmArguments): void {
  const { pairs, cols, scale } = args;
  const { numNodes } = pairs;
  const [p, q] = factorsOf(gpu, args);
  const by = gpu.floatsOrNone("sddmm", "scale.by", scale?.by, numNodes);
  const { LEFT, RIGHT } = sideFlags(scale);
  const width = cols / 8;
  const { lanes, file } = lanesFor(gpu, width);
  const shape = { rows: numNodes, cols };
  withPackedRows(gpu, p, { ...shape, scale: LEFT ? by : null }, (P) =>
    withPackedRows(gpu, q, { ...shape, scale: RIGHT ? by : null }, (Q) =>
      launch(gpu, args, lanes, {
        with: [file, "sddmm-half"],
        constants: {},
        bind: { P: P.packed, Q: Q.packed, unitP: P.unit, unitQ: Q.unit },
        params: { cols: width },
      }),
    ),
  );
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
