import { spawn, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { withLock } from "./with-lock.ts";

/** The number of a process that is no more. */
function deadProcess(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

test("withLock waits for a process that is alive, not for one that was killed, and leaves no lock behind", async () => {
  const path = join(temporaryFolder(), "a.lock");
  writeFileSync(path, `${process.ppid}\n`);
  const order: string[] = [];
  const waiting = withLock(path, { waits: (pid) => order.push(`waits for ${pid}`) }, async () => {
    order.push("works");
    return 7;
  });
  setTimeout(() => {
    order.push("released");
    rmSync(path);
  }, 100);
  expect(await waiting).toBe(7);
  expect(order).toEqual([`waits for ${process.ppid}`, "released", "works"]);
  for (const killed of [deadProcess(), process.pid]) {
    writeFileSync(path, `${killed}\n`);
    expect(await withLock(path, {}, async () => existsSync(path))).toBe(true);
    expect(existsSync(path)).toBe(false);
  }
  await expect(withLock(path, {}, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(existsSync(path)).toBe(false);
});

test("withLock stops waiting when it is asked to", async () => {
  const path = join(temporaryFolder(), "a.lock");
  writeFileSync(path, `${process.ppid}\n`);
  await expect(withLock(path, { signal: { aborted: true } }, async () => 1)).rejects.toThrow(
    `interrupted while process ${process.ppid} was at work on ${path}`,
  );
});

test("withLock lets one process after the other in where many see a lock that was left behind", async () => {
  const path = join(temporaryFolder(), "a.lock");
  const work = join(temporaryFolder(), "at-work");
  writeFileSync(path, `${deadProcess()}\n`);
  const program = `
    const { withLock } = await import(${JSON.stringify(new URL("with-lock.ts", import.meta.url).href)});
    const { mkdirSync, rmdirSync } = await import("node:fs");
    await withLock(${JSON.stringify(path)}, {}, async () => {
      mkdirSync(${JSON.stringify(work)}); // throws if another one is at work
      await new Promise((resolve) => setTimeout(resolve, 20));
      rmdirSync(${JSON.stringify(work)});
    });`;
  const run = () =>
    new Promise((resolve) =>
      spawn(process.execPath, ["--input-type=module", "-e", program]).on("exit", (status) => resolve(status)),
    );
  expect(await Promise.all(Array.from({ length: 6 }, run))).toEqual(new Array(6).fill(0));
  expect(existsSync(path)).toBe(false);
});
