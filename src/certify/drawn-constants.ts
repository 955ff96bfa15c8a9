import type { Normalisation } from "../graph/normalise.ts";
import type { GraphView, Tensor } from "../tensor/index.ts";
import { MATMUL, matmul } from "../tensor/ops/matmul.ts";
import type { Disposable } from "../tensor/scope.ts";
import {
  type DeviceDiffusion,
  type DeviceDiffusionOptions,
  deviceDiffusion,
  mostDiffused,
} from "./device-diffusion.ts";
import { NeedsHost } from "./needs-host.ts";
import type { NoisyBatch } from "./noisy-batch.ts";
import { REPEAT_ROWS } from "./repeated-rows.ts";
import { SampleConstants } from "./sample-constants.ts";

/**
 * Makes what models ask for of noisy graphs on the device, instead of from a graph in host memory, by the keys under
 * which models ask. A model that asks for anything else needs graphs that are drawn on the host: {@link NeedsHost}.
 */
export class DrawnConstants extends SampleConstants {
  /** Most graphs at once, given what models have asked for. */
  mostGraphs = Number.POSITIVE_INFINITY;
  private readonly batch: NoisyBatch;
  private readonly diffusions = new Map<string, DeviceDiffusion>();

  constructor(batch: NoisyBatch) {
    super();
    this.batch = batch;
  }

  override of<T extends Disposable>(view: GraphView, key: string, _make: () => T): T {
    return super.of(view, key, () => this.matrixOf(key) as unknown as T);
  }

  /** Features are multiplied once for all graphs, and the product is repeated: `R·X·W` is `R·(X·W)`. */
  override valueOf(Y: Tensor): Tensor {
    const product = MATMUL.of(Y);
    const repeated = product && REPEAT_ROWS.of(product.A);
    if (!repeated) return super.valueOf(Y);
    return super.valueOf(this.batch.repeat(matmul(repeated.X, product.B)));
  }

  override dispose(): void {
    for (const diffusion of this.diffusions.values()) diffusion.dispose();
    this.diffusions.clear();
    super.dispose();
  }

  private matrixOf(key: string): Disposable {
    const [name, ...options] = key.split(" ");
    if (name === "Â") return this.batch.normalised(options[0] as Normalisation);
    if (key === "A + I") return this.batch.withLoops();
    const [alpha, k, epsilon] = options.map(Number);
    if (name === "exact") return this.batch.diffused(this.diffusionBy(key, { method: name, alpha, k }));
    if (name === "push") return this.batch.diffused(this.diffusionBy(key, { method: name, alpha, k, epsilon }));
    throw new NeedsHost(`"${key}" of noisy graphs is not made on the device`);
  }

  private diffusionBy(key: string, options: DeviceDiffusionOptions): DeviceDiffusion {
    const known = this.diffusions.get(key);
    if (known) return known;
    this.mostGraphs = Math.min(this.mostGraphs, mostDiffused(this.batch, options));
    const made = deviceDiffusion(this.batch, options);
    this.diffusions.set(key, made);
    return made;
  }
}
