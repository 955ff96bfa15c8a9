import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { moduleBeside } from "../threads/module-beside.ts";
import type { StudyMessage, StudyTask } from "./study-messages.ts";

/** A process that plans or runs one study. */
export interface StudyProcess {
  /** How it ended: its last message, progress aside; null if it ended without one. */
  readonly ended: Promise<LastWord | null>;
  /** Asks it to stop and keep its results; kills it if it still runs after {@link PATIENCE_MS}. */
  stop(): void;
}

export type LastWord = Exclude<StudyMessage, { kind: "work" }>;

/** How long a process may take to stop. */
const PATIENCE_MS = 20_000;

/** Starts a process for a study; `dataDir` is looked in instead of `$RGNN_DATA`. */
export function startStudy(
  task: StudyTask,
  dataDir: string | undefined,
  tell: (message: StudyMessage) => void,
): StudyProcess {
  const env = dataDir === undefined ? process.env : { ...process.env, RGNN_DATA: dataDir };
  const file = fileURLToPath(moduleBeside(import.meta.url, "study-process"));
  const child = fork(file, { stdio: ["ignore", "ignore", "inherit", "ipc"], env });
  let last: LastWord | null = null;
  let killer: NodeJS.Timeout | undefined;
  child.on("message", (message: StudyMessage) => {
    if (message.kind !== "work") last = message;
    tell(message);
  });
  child.on("error", () => {}); // a message could not be sent: the process has ended, and "exit" follows
  child.send(task);
  return {
    ended: new Promise((resolve) => {
      child.on("exit", () => {
        clearTimeout(killer);
        resolve(last);
      });
    }),
    stop() {
      if (child.connected) child.send("stop");
      killer ??= setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    },
  };
}
