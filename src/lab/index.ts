/**
 * An interactive session with a graph, models and attacks; callers name a call and pass JSON. The dashboard's server
 * and the playground's page use it.
 *
 * @module rgnn/lab
 */
export type * from "./calls.ts";
export type { GraphLoader } from "./graph-sources.ts";
export { Lab, type LabOptions } from "./lab.ts";
export type { LabWatch } from "./lab-watch.ts";
