import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** Copies in one launch, as in `copy-if.wgsl`. */
const TOGETHER = 3;
/** Elements of each in one launch, as many as a binding surely holds. */
const PIECE = 2 ** 26;

/** Copies each `[to, from]` if the flag is above 0, three at a time: what they take is mostly the launch. */
export function copyIf(gpu: Gpu, copies: readonly (readonly [GpuBuffer, GpuBuffer])[], flag: GpuBuffer): void {
  const pieces = copies.flatMap(([to, from]) =>
    Array.from({ length: Math.ceil(to.length / PIECE) }, (_, p) => {
      const begin = p * PIECE;
      const length = Math.min(PIECE, to.length - p * PIECE);
      return [to.window(begin, length), from.window(begin, length)] as const;
    }),
  );
  for (let first = 0; first < pieces.length; first += TOGETHER) {
    const some = pieces.slice(first, first + TOGETHER);
    const wide = some.every(([to]) => to.hasPadding);
    const T = wide ? "vec4u" : "u32";
    const kernel = gpu.kernel(`copy-if ${T}`, () => ({ files: ["threads", "copy-if"], defines: { T } }));
    const lengths = some.map(([{ length }]) => (wide ? Math.ceil(length / 4) : length));
    const args = Array.from({ length: TOGETHER }, (_, i) => some[i] ?? [null, null]);
    const params = Array.from({ length: TOGETHER }, (_, i) => lengths[i] ?? 0);
    gpu.run(kernel, [flag, ...args.flat()], params, Math.ceil(Math.max(...lengths) / WORKGROUP));
  }
}
