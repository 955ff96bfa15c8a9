import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { elementPieces } from "../shared/element-pieces.ts";

/** Copies per launch, as in `copy-if.wgsl`. */
const TOGETHER = 3;

interface Copy {
  readonly to: GpuBuffer;
  readonly from: GpuBuffer;
}

/** Copies each `[to, from]` if the flag is above 0, three per launch: most of their time is the launch itself. */
export function copyIf(gpu: Gpu): Backend["copyIf"] {
  return (copies, chosen) => {
    const flag = gpu.floats("copyIf", "chosen", chosen, 1);
    const pieces = copies.flatMap(([to, from]) =>
      piecesOf(gpu, {
        to: gpu.heap.stored("copyIf", "to", to, to.dtype),
        from: gpu.heap.stored("copyIf", "from", from, to.dtype, to.length),
      }),
    );
    for (let first = 0; first < pieces.length; first += TOGETHER) {
      copyTogether(gpu, flag, pieces.slice(first, first + TOGETHER));
    }
  };
}

function piecesOf(gpu: Gpu, { to, from }: Copy): Copy[] {
  const pieces: Copy[] = [];
  elementPieces(gpu, to.length, (begin, length) => {
    pieces.push({ to: to.window(begin, length), from: from.window(begin, length) });
  });
  return pieces;
}

function copyTogether(gpu: Gpu, flag: GpuBuffer, copies: readonly Copy[]): void {
  const wide = copies.every(({ to }) => to.hasPadding);
  const lengthOf = (copy: Copy | undefined) => {
    const length = copy?.to.length ?? 0;
    return wide ? Math.ceil(length / 4) : length;
  };
  const first = copies.at(0);
  const second = copies.at(1);
  const third = copies.at(2);
  gpu.launch({
    shader: "copy-if",
    constants: { T: wide ? "vec4u" : "u32" },
    bind: {
      chosen: flag,
      firstTo: first?.to ?? null,
      firstFrom: first?.from ?? null,
      secondTo: second?.to ?? null,
      secondFrom: second?.from ?? null,
      thirdTo: third?.to ?? null,
      thirdFrom: third?.from ?? null,
    },
    params: { firstLength: lengthOf(first), secondLength: lengthOf(second), thirdLength: lengthOf(third) },
    threads: Math.max(...copies.map(lengthOf)),
  });
}
