/**
 * An interactive session with a graph, models and attacks, asked by name in JSON: behind the dashboard's server, and in the playground's
 * page.
 *
 * @module rgnn/lab
 */
export type * from "./calls.ts";
export type { GraphLoader } from "./graph-sources.ts";
export { Lab, type LabOptions } from "./lab.ts";
export type { LabWatch } from "./lab-watch.ts";
