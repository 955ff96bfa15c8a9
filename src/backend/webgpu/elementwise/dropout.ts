import type { Key } from "../../../core/philox.ts";
import type { Backend, Buffer } from "../../backend.ts";
import { dropoutThreshold } from "../../dropout-threshold.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import { PIECE } from "./elementwise.ts";

/** Elements that the bits of one counter decide on. */
const PER_COUNTER = 8;

type Dropout = Pick<Backend, "dropout" | "reluDropout" | "reluDropoutGrad">;

export function dropout(gpu: Gpu): Dropout {
  const keepSome = (name: string, out: Buffer, X: Buffer, rate: number, key: Key, floor: number) => {
    const y = gpu.floats(name, "out", out);
    const x = gpu.floats(name, "X", X, out.length);
    const draw = [dropoutThreshold(rate), 1 / (1 - rate), floor, key.lo, key.hi];
    const kernel = gpu.kernel("dropout", () => ({ files: ["threads", "u64", "philox", "dropout"] }));
    for (let begin = 0; begin < out.length; begin += PIECE) {
      const length = Math.min(PIECE, out.length - begin);
      const groups = Math.ceil(length / (PER_COUNTER * WORKGROUP));
      const pieces = [y, x].map((buffer) => buffer.window(begin, length));
      gpu.run(kernel, pieces, [length, begin / PER_COUNTER, ...draw], groups);
    }
  };
  return {
    dropout: (out, X, rate, key) => keepSome("dropout", out, X, rate, key, Number.NEGATIVE_INFINITY),
    reluDropout: (out, X, rate, key) => keepSome("reluDropout", out, X, rate, key, 0),
    reluDropoutGrad(dX, dY, Y, rate) {
      const name = "reluDropoutGrad";
      const { length: size } = dX;
      const args = [gpu.floats(name, "dX", dX), gpu.floats(name, "dY", dY, size), gpu.floats(name, "Y", Y, size)];
      const kernel = gpu.kernel("relu-dropout-grad", () => ({ files: ["threads", "relu-dropout-grad"] }));
      for (let begin = 0; begin < size; begin += PIECE) {
        const length = Math.min(PIECE, size - begin);
        const pieces = args.map((buffer) => buffer.window(begin, length));
        gpu.run(kernel, pieces, [length, 1 / (1 - rate)], Math.ceil(length / WORKGROUP));
      }
    },
  };
}
