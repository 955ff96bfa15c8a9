import type { MatmulSize } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { NamedBuffers } from "../device/pipelines.ts";
import type { ShaderName } from "../device/shader.ts";
import { laneSums } from "../shared/lanes.ts";
import type { RowGathering } from "../sparse/gathered-rows.ts";
import type { KeptTransposes } from "./kept-transposes.ts";

/** What multiplies matrices of 16 × 16 halves, and from how many multiplications on a product is left to it. */
export interface HalfRule {
  readonly by: "subgroup-products" | "plain-products";
  readonly leastWork: number;
}

/** The matrix units of a device that has them. Below some 2^26 multiplications a product takes no longer than a launch. */
export function usualHalfRule({ hasMatrixUnits }: Gpu): HalfRule | null {
  return hasMatrixUnits ? { by: "subgroup-products", leastWork: 2 ** 26 } : null;
}

/** Most elements of the second matrix: one of weights, packed once and then read by every workgroup. */
const MAX_WEIGHTS = 2 ** 20;
/** Columns of the widest tile. */
const WIDEST = 256;

/** A·op(B), [m, n], with A [m, k] and B [k, n], or [n, k] where it is transposed. */
export interface HalfProduct {
  readonly A: GpuBuffer;
  readonly B: GpuBuffer;
  readonly shape: Pick<MatmulSize, "m" | "n" | "k" | "transB">;
  /** Elements of A count as 0 where those of the mask are not above 0. */
  readonly mask: GpuBuffer | null;
  /** What becomes of the sums: the file that says it, its arguments and the bits of `finish`. */
  readonly finish: { readonly file: ShaderName; readonly bind: NamedBuffers; readonly bits: number };
}

/** Products of many rows with a small matrix, both rounded to halves; sums are in 32 bits. */
export class HalfProducts {
  private readonly gpu: Gpu;
  private readonly gathering: RowGathering;
  private readonly transposes: KeptTransposes;
  private readonly rule: HalfRule | null;

  constructor(gpu: Gpu, gathering: RowGathering, transposes: KeptTransposes, rule: HalfRule | null) {
    this.gpu = gpu;
    this.gathering = gathering;
    this.transposes = transposes;
    this.rule = rule;
  }

  /** Whether a product is to be computed in this way. */
  suit({ m, n, k, transA = false }: MatmulSize): boolean {
    const { rule } = this;
    if (!rule || transA || m === 0 || n % 4 !== 0 || k % 8 !== 0 || k === 0) return false;
    return n * k <= MAX_WEIGHTS && m * n * k >= rule.leastWork;
  }

  /** Whether one workgroup has all columns of its rows. */
  hasWholeRows(n: number): boolean {
    return n <= WIDEST;
  }

  launch(product: HalfProduct): void {
    const { B, shape } = product;
    const { n, k, transB } = shape;
    if (transB) this.launchTransposed(product, B);
    else this.transposes.lend(B, k, n, (Bt) => this.launchTransposed(product, Bt));
  }

  private launchTransposed({ A, shape, mask, finish }: HalfProduct, Bt: GpuBuffer): void {
    const { m, n, k } = shape;
    const packed = this.gathering.halves(Bt, { rows: n, cols: k });
    const [SY, SX] = n <= 64 ? [4, 1] : n <= 128 ? [2, 2] : [2, 4];
    const tilesM = Math.ceil(m / (32 * SY));
    const tilesN = Math.ceil(n / (64 * SX));
    this.gpu.launch({
      shader: "matmul-halves",
      with: [this.rule!.by, finish.file, laneSums(this.gpu, SX)],
      constants: { SX, SY, LANES: SX, MASKED: Number(mask !== null) },
      bind: { A, Bt: packed.buffer, unitB: packed.unit, mask, ...finish.bind },
      params: { m, k, n, tilesM, tilesN, chunk: k, finish: finish.bits },
      groups: tilesM * tilesN,
    });
  }
}
