import type { StudyReport } from "../../experiment/runner/run-study.ts";
import type { WorkEvent } from "../../experiment/runner/work-through.ts";

/** What a process is told to do with a study. */
export interface StudyTask {
  /** Where the store is. Sent as a message: it may hold a password, and other users can read a process's arguments. */
  readonly place: string;
  readonly artefacts: string;
  /** The study file. */
  readonly text: string;
  /** False: only plan it and add its runs. */
  readonly isToRun: boolean;
  /** Processes; chosen by the size of the graphs if left out. */
  readonly workers?: number;
}

/** What the process says. */
export type StudyMessage =
  | { readonly kind: "work"; readonly worker: number; readonly event: WorkEvent; readonly label: string }
  | { readonly kind: "planned"; readonly study: string }
  | { readonly kind: "ended"; readonly report: StudyReport }
  | { readonly kind: "failed"; readonly error: string; readonly isMistake: boolean };
