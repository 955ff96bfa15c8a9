import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { vi } from "vitest";
import { runCli } from "../../src/cli/run.ts";

const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

/** How a run of the command line ended. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  /** Of stderr. */
  readonly lines: string[];
}

/** Runs `rgnn` as a process of its own; `watch` sees each piece of stderr as it comes. */
export function rgnn(args: readonly string[], watch?: (text: string, child: ChildProcess) => void): Promise<Run> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    watch?.(text, child);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, lines: stderr.trim().split("\n") }));
  });
}

/** The one JSON object that a run in this process must have printed, with exit code 0. */
export async function rgnnJson<T = Record<string, unknown>>(...args: readonly string[]): Promise<T> {
  const { status, stdout, lines } = await rgnnHere([...args, "--json"]);
  if (status !== 0) throw new Error(`rgnn ${args.join(" ")} exited with ${status}: ${lines.at(-1)}`);
  return JSON.parse(stdout) as T;
}

/** The same in this process: quicker, for what ends before any signal could come. Not to be run twice at once. */
export async function rgnnHere(args: readonly string[]): Promise<Run> {
  const written = { stdout: "", stderr: "" };
  const capture = (name: "stdout" | "stderr") =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += text;
      return true;
    });
  const log = (name: "stdout" | "stderr") => (text: unknown) => {
    written[name] += `${String(text)}\n`;
  };
  const spies = [capture("stdout"), capture("stderr")];
  const logs = [
    vi.spyOn(console, "log").mockImplementation(log("stdout")),
    vi.spyOn(console, "error").mockImplementation(log("stderr")),
  ];
  try {
    const status = await runCli(args);
    return { status, stdout: written.stdout, lines: written.stderr.trim().split("\n") };
  } finally {
    for (const spy of [...spies, ...logs]) spy.mockRestore();
  }
}
