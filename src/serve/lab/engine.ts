import type { Json } from "../../core/options/index.ts";
import type { Progress } from "../../core/progress.ts";

/** A file that was dropped on a page. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What an engine is asked: JSON and, for `graph`, `files`. */
export type LabRequest = Json | { readonly files: readonly UploadedFile[]; readonly [field: string]: unknown };

/** Computes for one tab of a browser; remembers its graph and its model between calls. */
export interface LabEngine {
  /** Throws when the signal is aborted, and a `UserError` for a mistake of the user. */
  call(name: string, request: LabRequest, watch: LabWatch): Promise<Json>;
}

export interface LabWatch {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What the module of an engine exports. */
export interface LabModule {
  openLab(options: LabModuleOptions): Promise<LabEngine> | LabEngine;
}

export interface LabModuleOptions {
  /** Folder of graphs, used instead of `$RGNN_DATA`. */
  readonly dataDir?: string;
}
