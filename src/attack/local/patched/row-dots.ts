import type { Tensor, Values } from "../../../tensor/index.ts";
import { allocLike, dotRows } from "./row-arithmetic.ts";
import { WORTH_IT } from "./row-products.ts";

/** Which rows of two matrices are multiplied: row first[e] of one with row second[e] of the other. */
export interface RowPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
}

/** A matrix on the host, and on the device if products of many of its rows are wanted. */
export class RowDots {
  readonly width: number;
  private readonly onHost: Values;
  private readonly onDevice: Tensor | null;
  private readonly worthIt: number;

  /** Takes `onDevice` over. */
  constructor(onHost: Values, width: number, onDevice: Tensor | null, worthIt = WORTH_IT) {
    this.onHost = onHost;
    this.width = width;
    this.onDevice = onDevice;
    this.worthIt = worthIt;
  }

  /** ⟨G_first, V_second⟩ for each pair of rows. */
  async with(G: Values, { first, second }: RowPairs): Promise<Values> {
    const { width, onHost, onDevice } = this;
    if (onDevice && first.length * width >= this.worthIt) return this.onDeviceWith(onDevice, G, { first, second });
    const dots = allocLike(G, first.length);
    for (let e = 0; e < first.length; e++) dots[e] = dotRows(G, first[e] * width, onHost, second[e] * width, width);
    return dots;
  }

  private async onDeviceWith(V: Tensor, G: Values, { first, second }: RowPairs): Promise<Values> {
    const { backend } = V;
    const numNodes = G.length / this.width; // for kernels, a lower bound of the rows of both
    const [sources, targets] = [backend.upload(first), backend.upload(second)];
    const pairs = { numNodes, directed: true, length: first.length, sources, targets };
    const P = backend.upload(G);
    const out = backend.alloc("f32", first.length);
    backend.sddmm({ out, pairs, P, Q: V.buffer, cols: this.width });
    const reading = backend.read(out);
    for (const buffer of [sources, targets, P, out]) backend.free(buffer); // the read is launched already
    return (await reading) as Values;
  }

  dispose(): void {
    this.onDevice?.dispose();
  }
}
