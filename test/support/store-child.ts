// Makes or converts a store in a process of its own, which tests kill; a dot on stderr is a step.
import { convertToStore } from "../../src/files/store/convert-to-store.ts";
import { makeStore } from "../../src/files/store/make-store.ts";
import { type Shape, type ShapeName, scaleShape, shapeNamed } from "../../src/graph/shapes.ts";

/** What the process does. */
export type StoreJob = { readonly to: string; readonly memory: number } & (
  | { readonly shape: ShapeName; readonly scale: number }
  | { readonly from: string }
);

const job = JSON.parse(process.argv[2]) as StoreJob;
const progress = { update: () => void process.stderr.write(".") };
const options = { memory: job.memory, progress, journalBytes: 1 };

if ("shape" in job) await makeStore(scaleShape(shapeNamed(job.shape) as Shape, job.scale), job.to, options);
else await convertToStore(job.from, job.to, { ...options, directed: false });
