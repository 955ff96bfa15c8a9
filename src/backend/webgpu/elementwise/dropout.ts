import type { Backend } from "../../backend.ts";
import { type Dropout, dropoutThreshold } from "../../dropout.ts";
import type { Gpu } from "../device/gpu.ts";
import { elementPieces } from "../shared/element-pieces.ts";
import { pieceOf } from "./elementwise.ts";

/** Elements per Philox counter: it has 128 bits, and an element takes 16. */
const PER_COUNTER = 8;

type DropoutKernels = Pick<Backend, "dropout" | "reluDropout" | "reluDropoutGrad">;

export function dropout(gpu: Gpu): DropoutKernels {
  return {
    dropout: (out, X, rate, key) =>
      dropSome(gpu, { name: "dropout", out, X, rate, key, floor: Number.NEGATIVE_INFINITY }),
    reluDropout: (out, X, rate, key) => dropSome(gpu, { name: "reluDropout", out, X, rate, key, floor: 0 }),
    reluDropoutGrad: reluDropoutGrad(gpu),
  };
}

function dropSome(gpu: Gpu, { name, out, X, rate, key, floor }: Dropout): void {
  const y = gpu.floats(name, "out", out);
  const x = gpu.floats(name, "X", X, out.length);
  const draw = { threshold: dropoutThreshold(rate), scale: 1 / (1 - rate), floor, keyLow: key.lo, keyHigh: key.hi };
  elementPieces(gpu, out.length, (begin, length) =>
    gpu.launch({
      shader: "dropout",
      bind: { out: y.window(begin, length), X: x.window(begin, length) },
      params: { ...draw, length, firstCounter: begin / PER_COUNTER },
      threads: Math.ceil(length / PER_COUNTER),
    }),
  );
}

function reluDropoutGrad(gpu: Gpu): Backend["reluDropoutGrad"] {
  return (dX, dY, Y, rate) => {
    const name = "reluDropoutGrad";
    const size = dX.length;
    const bind = {
      dX: gpu.floats(name, "dX", dX),
      dY: gpu.floats(name, "dY", dY, size),
      Y: gpu.floats(name, "Y", Y, size),
    };
    elementPieces(gpu, size, (begin, length) =>
      gpu.launch({
        shader: "relu-dropout-grad",
        bind: pieceOf(gpu, bind, begin, length),
        params: { length, scale: 1 / (1 - rate) },
        threads: length,
      }),
    );
  };
}
