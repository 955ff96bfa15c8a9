import type { MatmulSize } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { type Finish, finishBits } from "../shared/finish-bits.ts";
import { laneSums } from "../shared/lanes.ts";
import type { RowGathering } from "../sparse/gathered-rows.ts";
import type { KeptTransposes } from "./kept-transposes.ts";

/** Which file multiplies matrices of 16 × 16 halves, and for which products. */
export interface HalfRule {
  readonly by: "subgroup-products" | "plain-products";
  /** Fewest multiplications. */
  readonly leastWork: number;
  /** Fewest columns of either factor. */
  readonly leastCols: number;
}

/**
 * Use matrix units if the device has them. On an H200 a product of 169,343 rows takes .33 instead of .49 ms with
 * 256 × 256 weights and .21 instead of .26 ms with 128 × 256, but .17 instead of .13 ms with 256 × 40: bias and relu
 * are applied by way of workgroup memory.
 */
export function usualHalfRule({ hasMatrixUnits }: Gpu): HalfRule | null {
  return hasMatrixUnits ? { by: "subgroup-products", leastWork: 2 ** 30, leastCols: 128 } : null;
}

/** Most elements of the second matrix, usually weights: it is packed once, then read by every workgroup. */
const MAX_WEIGHTS = 2 ** 20;

/** finish(A·op(B)), [m, n], with A [m, k] and B [k, n], or [n, k] where it is transposed. */
interface HalfProduct {
  readonly out: GpuBuffer;
  readonly A: GpuBuffer;
  readonly B: GpuBuffer;
  readonly shape: Pick<MatmulSize, "m" | "n" | "k" | "transB">;
  readonly finish: Finish;
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

  /** Whether to compute a product in halves. */
  suit({ m, n, k, transA = false }: MatmulSize): boolean {
    const { rule } = this;
    if (!rule || transA || n % 4 !== 0 || k % 8 !== 0 || m * n * k === 0) return false;
    return n * k <= MAX_WEIGHTS && m * n * k >= rule.leastWork && Math.min(n, k) >= rule.leastCols;
  }

  launch(product: HalfProduct): void {
    const { B, shape } = product;
    const { n, k, transB } = shape;
    if (transB) this.launchTransposed(product, B);
    else this.transposes.lend(B, k, n, (Bt) => this.launchTransposed(product, Bt));
  }

  private launchTransposed({ out, A, shape, finish }: HalfProduct, Bt: GpuBuffer): void {
    const { m, n, k } = shape;
    const packed = this.gathering.halves(Bt, { rows: n, cols: k });
    const [SY, SX] = n <= 64 ? [4, 1] : n <= 128 ? [2, 2] : [2, 4];
    const tilesM = Math.ceil(m / (32 * SY));
    const tilesN = Math.ceil(n / (64 * SX));
    this.gpu.launch({
      shader: "matmul-halves",
      with: [this.rule!.by, laneSums(this.gpu, SX)],
      constants: { SX, SY, LANES: SX },
      bind: { out, A, Bt: packed.buffer, unitB: packed.unit, bias: finish.bias },
      params: { m, k, n, strideB: packed.stride, tilesM, tilesN, chunk: k, finish: finishBits(finish) },
      groups: tilesM * tilesN,
    });
  }
}
