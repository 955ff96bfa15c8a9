import { check, DataError } from "../../core/errors.ts";
import type { PygLayers, PygModule } from "./pyg-layers.ts";
import type { StoredTensor } from "./safetensors.ts";

/** Layers whose shapes fit each other, under our names and in our layout. */
export interface PygStack {
  /** Of the input, of each hidden layer, of the output. */
  readonly widths: readonly number[];
  /** False if no layer has a bias; where only some have one, the others get zeros. */
  readonly bias: boolean;
  readonly batchNorm: boolean;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** Checks the shapes of a stack of layers against each other and transposes the weights to `[in, out]`. */
export function convertStack({ convs, norms }: PygLayers, file: string): PygStack {
  const widths = chainWidths(convs, file);
  check(
    norms.length === 0 || norms.length === convs.length - 1,
    () => `${file}: ${norms.length} batch norms for ${convs.length - 1} hidden layers`,
    DataError,
  );
  const bias = convs.some((conv) => biasOf(conv) !== undefined);
  const tensors = new Map<string, StoredTensor>();
  const put = (name: string, tensor: StoredTensor) => tensors.set(name, { ...tensor, dtype: "F32" });
  for (const [l, conv] of convs.entries()) {
    const width = widths[l + 1];
    put(`convs.${l}.weight`, transpose(weightOf(conv)));
    if (conv.kind === "gat") {
      for (const leaf of ["att_src", "att_dst"]) put(`convs.${l}.${leaf}`, attention(conv, leaf, width, file));
    }
    if (bias) put(`convs.${l}.bias`, biasOf(conv) ? vector(conv, biasLeaf(conv), width, file) : zeros(width));
  }
  for (const [l, norm] of norms.entries()) {
    for (const leaf of ["weight", "bias", "running_mean", "running_var"]) {
      put(`norms.${l}.${leaf}`, vector(norm, leaf, widths[l + 1], file));
    }
  }
  return { widths, bias, batchNorm: norms.length > 0, tensors };
}

function chainWidths(convs: readonly PygModule[], file: string): number[] {
  const widths: number[] = [];
  for (const conv of convs) {
    const { shape } = weightOf(conv);
    check(
      shape.length === 2 && !shape.includes(0),
      () => wrongShape(file, conv, weightLeaf(conv), shape, "[out, in]"),
      DataError,
    );
    const [out, inputs] = shape as [number, number];
    check(
      widths.length === 0 || widths.at(-1) === inputs,
      () =>
        `${file}: "${conv.prefix}" takes ${inputs} inputs, but the layer before gives ${widths.at(-1)} (${order(convs)})`,
      DataError,
    );
    checkShared(conv, file);
    widths.push(...(widths.length === 0 ? [inputs, out] : [out]));
  }
  return widths;
}

/** A `GATConv` between two kinds of nodes has different weights for each: not a model of ours. */
function checkShared(conv: PygModule, file: string): void {
  const source = conv.leaves.get("lin_src.weight");
  const target = conv.leaves.get("lin_dst.weight");
  if (!source || !target) return;
  const same = source.data.length === target.data.length && source.data.every((value, i) => value === target.data[i]);
  check(same, () => `${file}: "${conv.prefix}" has lin_dst.weight unlike lin_src.weight; it must be shared`, DataError);
}

/** `[1, 1, C]` becomes `[C, 1]`; the numbers stay where they are. */
function attention(conv: PygModule, leaf: string, width: number, file: string): StoredTensor {
  const tensor = conv.leaves.get(leaf)!;
  const [one, heads, channels] = tensor.shape;
  check(
    tensor.shape.length !== 3 || one !== 1 || heads === 1,
    () => `${file}: "${conv.prefix}" has ${heads} heads; only GATConv with one head can be imported`,
    DataError,
  );
  check(
    tensor.shape.length === 3 && one === 1 && channels === width,
    () => wrongShape(file, conv, leaf, tensor.shape, `[1, 1, ${width}]`),
    DataError,
  );
  return { ...tensor, shape: [width, 1] };
}

function vector(module: PygModule, leaf: string, width: number, file: string): StoredTensor {
  const tensor = module.leaves.get(leaf)!;
  const { shape } = tensor;
  check(shape.length === 1 && shape[0] === width, () => wrongShape(file, module, leaf, shape, `[${width}]`), DataError);
  return tensor;
}

function weightOf(conv: PygModule): StoredTensor {
  return conv.leaves.get(weightLeaf(conv))!;
}

function weightLeaf({ leaves }: PygModule): string {
  return leaves.has("lin.weight") ? "lin.weight" : "lin_src.weight";
}

function biasOf(conv: PygModule): StoredTensor | undefined {
  return conv.leaves.get(biasLeaf(conv));
}

/** `SGConv` keeps its bias in the linear layer, the others add it after the aggregation. */
function biasLeaf({ kind }: PygModule): string {
  return kind === "sgc" ? "lin.bias" : "bias";
}

/** The transposed matrix: PyTorch stores `[out, in]`, we `[in, out]`. */
export function transpose({ dtype, shape, data }: StoredTensor): StoredTensor {
  const [rows, cols] = shape as [number, number];
  const transposed = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) transposed[j * rows + i] = data[i * cols + j];
  }
  return { dtype, shape: [cols, rows], data: transposed };
}

function zeros(width: number): StoredTensor {
  return { dtype: "F32", shape: [width], data: new Float32Array(width) };
}

function wrongShape(
  file: string,
  { prefix }: PygModule,
  leaf: string,
  shape: readonly number[],
  expected: string,
): string {
  return `${file}: "${prefix}": ${leaf} must have shape ${expected}, got [${shape.join(", ")}]`;
}

function order(convs: readonly PygModule[]): string {
  return `taken in the order ${convs.map(({ prefix }) => prefix).join(", ")}`;
}
