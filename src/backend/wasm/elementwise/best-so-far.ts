import type { Backend, Buffer } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";

// Keeping the best of many results. On this backend the host can read a score at once, so these kernels branch on it.

export function copyIf(engine: Engine): Backend["copyIf"] {
  return (copies, chosen) => {
    const isChosen = firstValue(engine, "copyIf", "chosen", chosen) > 0;
    for (const [to, from] of copies) {
      const target = engine.heap.address("copyIf", "to", to, to.dtype);
      const source = engine.heap.address("copyIf", "from", from, to.dtype, to.length);
      if (isChosen) engine.run("copy", to.length, GRAIN, target, source);
    }
  };
}

export function moveIf(engine: Engine): Backend["moveIf"] {
  return (moves, chosen) => {
    if (firstValue(engine, "moveIf", "chosen", chosen) <= 0) return;
    for (const [to, from] of moves) engine.heap.exchange("moveIf", to, from);
  };
}

export function improve(engine: Engine): Backend["improve"] {
  return (chosen, best, score) => {
    engine.floats("improve", "chosen", chosen, 1);
    const lowest = firstValue(engine, "improve", "best", best);
    const value = firstValue(engine, "improve", "score", score);
    const isBetter = value < lowest;
    engine.heap.write(chosen, Float32Array.of(Number(isBetter)));
    if (isBetter) engine.heap.write(best, Float32Array.of(value));
  };
}

function firstValue(engine: Engine, kernel: string, argument: string, buffer: Buffer): number {
  engine.floats(kernel, argument, buffer, 1);
  return engine.heap.values(buffer as WasmBuffer)[0];
}
