// An engine that computes nothing, for tests of what is around it.
import { setTimeout } from "node:timers/promises";
import { Interrupted, UserError } from "../../src/core/errors.ts";
import type { Json } from "../../src/core/options/index.ts";
import type { LabEngine, LabRequest } from "../../src/serve/lab/engine.ts";

export function openLab(): LabEngine {
  let calls = 0;
  return {
    async call(name, request: LabRequest, { progress, signal }): Promise<Json> {
      calls++;
      if (name === "count") return { calls, request: request as Json };
      if (name === "mistake") throw new UserError("no such node: 17");
      if (name === "crash") throw new Error("secret of the engine");
      if (name === "exit") process.exit(7); // of a thread, ends it
      if (name === "hang") for (;;); // never looks at its signal
      if (name === "graph") {
        const { files, ...rest } = request as { files: { name: string; bytes: Uint8Array }[] };
        return { ...rest, files: files.map(({ name: file, bytes }) => [file, bytes.length, bytes[0] ?? null]) } as Json;
      }
      if (name === "slow") {
        for (let step = 1; step <= 1000; step++) {
          progress.update(step, 1000, `step ${step}`);
          await setTimeout(20);
          if (signal.aborted) throw new Interrupted("stopped");
        }
      }
      if (name === "steps") {
        for (let step = 1; step <= 3; step++) {
          progress.update(step, 3, `step ${step}`);
          await setTimeout(70);
        }
        return "done";
      }
      throw new UserError(`unknown call "${name}"`);
    },
  };
}
