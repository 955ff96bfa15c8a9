import { expect, test } from "vitest";
import { JobLines } from "./job-lines.ts";

function linesOn(isTTY: boolean, runs: number, seconds?: Map<string, number>) {
  let text = "";
  let now = 0;
  const labels = new Map(Array.from({ length: runs }, (_, k) => [`r${k}`, `run ${k}`]));
  const stream = { isTTY, columns: 60, write: (piece: string) => (text += piece) };
  const lines = new JobLines(labels, seconds, stream, () => now);
  const at = (seconds: number) => {
    now = 1000 * seconds;
    return lines;
  };
  return { at, written: () => text };
}

test("a terminal shows one line per running job and one for all, with the time left", () => {
  const { at, written } = linesOn(true, 4);
  at(1).tell(0, { kind: "began", run: "r0" });
  at(2).tell(1, { kind: "began", run: "r1" });
  at(3).tell(0, { kind: "progress", share: 0.5, note: "loss 0.4" });
  at(10).tell(1, { kind: "finished", run: "r1", value: 0.5, seconds: 8 });
  const [, , , last] = written().split("\x1b[J");
  expect(last).toBe("  run 0  50% loss 0.4\n1 of 4 runs, 30 s left\n");
  expect(written()).toContain("\x1b[3A\r\x1b[J"); // over the three lines that were drawn before
  at(11).clear();
  expect(written().endsWith("\x1b[2A\r\x1b[J")).toBe(true);
});

test("a log has a line per run that ends, with its result or its error", () => {
  const { at, written } = linesOn(false, 2);
  at(1).tell(0, { kind: "began", run: "r0" });
  at(2).tell(0, { kind: "finished", run: "r0", value: 0.5, seconds: 1 });
  at(4).tell(0, { kind: "failed", run: "r1", error: "device lost" });
  expect(written()).toBe("1 of 2 runs, 2 s left  run 0: 0.5000\n2 of 2 runs, 1 failed  run 1: failed: device lost\n");
});

test("a log of many runs has a hundred lines", () => {
  const { at, written } = linesOn(false, 1000);
  for (let k = 0; k < 1000; k++) at(k).tell(0, { kind: "finished", run: `r${k}`, value: 0.5, seconds: 1 });
  expect(written().trim().split("\n")).toHaveLength(100);
});

test("the time left counts runs by what they are expected to take, and unknown ones as average", () => {
  const { at, written } = linesOn(
    false,
    4,
    new Map([
      ["r0", 1],
      ["r1", 1],
      ["r2", 10],
    ]),
  ); // r3 counts as 4
  at(2).tell(0, { kind: "finished", run: "r0", value: 0.5, seconds: 2 });
  expect(written()).toContain("1 of 4 runs, 30 s left"); // each second takes two
  at(4).tell(0, { kind: "finished", run: "r1", value: 0.5, seconds: 2 });
  expect(written()).toContain("2 of 4 runs, 28 s left");
});
