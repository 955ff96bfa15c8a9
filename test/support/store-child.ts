// Makes or converts a store in a process of its own, which kills itself the hard way after some steps.
import { convertToStore } from "../../src/files/store/convert-to-store.ts";
import { makeStore } from "../../src/files/store/make-store.ts";
import { type Shape, type ShapeName, scaleShape, shapeNamed } from "../../src/graph/shapes.ts";

/** What the process does. */
export type StoreJob = { readonly to: string; readonly memory: number } & (
  | { readonly shape: ShapeName; readonly scale: number }
  | { readonly from: string }
);

/** When it dies: at a step, or some milliseconds after it, wherever it is then. */
export interface Death {
  readonly steps: number;
  readonly milliseconds: number;
}

const job = JSON.parse(process.argv[2]) as StoreJob;
const death = JSON.parse(process.argv[3]) as Death | null;
let steps = 0;
let dying: NodeJS.Timeout | undefined;

function update(): void {
  if (!death || ++steps !== death.steps) return;
  const die = () => process.kill(process.pid, "SIGKILL");
  if (death.milliseconds === 0) die();
  else dying = setTimeout(die, death.milliseconds);
}

const options = { memory: job.memory, progress: { update }, journalBytes: 1 };

if ("shape" in job) await makeStore(scaleShape(shapeNamed(job.shape) as Shape, job.scale), job.to, options);
else await convertToStore(job.from, job.to, { ...options, directed: false });
clearTimeout(dying); // it has lived to the end
