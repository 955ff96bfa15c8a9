// A reporter of vitest. If nothing failed except that signals ended the processes of some test files, it writes their
// names to the file that `RGNN_ENDED_FILES` names. `run-tests.mjs` reads it.
import { writeFileSync } from "node:fs";

const ENDED = /^Worker exited unexpectedly with signal (SIG\w+) .* while running test file (.+)$/;

export default class EndedFiles {
  onTestRunEnd(modules, errors) {
    const ended = errors.map(({ cause }) => ENDED.exec(cause?.message ?? ""));
    if (ended.length === 0 || ended.includes(null)) return;
    const files = ended.map(([, signal, file]) => ({ file, signal }));
    const isEnded = ({ moduleId }) => files.some(({ file }) => file === moduleId);
    if (modules.some((module) => module.state() === "failed" && !isEnded(module))) return;
    writeFileSync(process.env.RGNN_ENDED_FILES, JSON.stringify(files));
  }
}
