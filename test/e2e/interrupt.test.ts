import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRunStore } from "../../src/experiment/store/open-run-store.ts";
import { rgnn } from "../support/rgnn.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const longTraining = ["--set", "maxEpochs=1000000", "--set", "patience=1000000"];

/** Runs a command and sends Ctrl-C once stderr has said `after`. */
function interrupt(after: string, args: readonly string[]) {
  let seen = "";
  let sent = false;
  return rgnn(args, (text, child) => {
    seen += text;
    if (!sent && seen.includes(after)) child.kill("SIGINT");
    sent ||= seen.includes(after);
  });
}

describe("Ctrl-C", { timeout: 120_000 }, () => {
  test("during the training inside an attack does not go on to attack", async () => {
    const { status, stdout, lines } = await interrupt("loss", ["attack", ...longTraining, "--json"]);
    expect([status, stdout]).toEqual([130, ""]);
    expect(lines.at(-1)).toBe("rgnn: interrupted while gcn was trained; there is no result");
    expect(lines.join("\n")).not.toContain("accuracy");
  });

  test("during the training inside an evaluation has no result either", async () => {
    const { status, stdout } = await interrupt("loss", ["evaluate", ...longTraining]);
    expect([status, stdout]).toEqual([130, ""]);
  });

  test("keeps the runs that are done, and marks the result as partial", async () => {
    const quick = ["--set", "maxEpochs=5", "--set", "hidden=4"];
    const attack = ["--attack", "dice", "--epsilon", "0.01", "--seed", "0,1,2,3,4,5,6,7,8,9"];
    const { status, stdout } = await interrupt("seed 0, epsilon 0.01", ["attack", ...quick, ...attack, "--json"]);
    const { runs, interrupted } = JSON.parse(stdout);
    expect([status, interrupted]).toEqual([130, true]);
    expect(runs.length).toBeGreaterThanOrEqual(1);
    expect(runs.length).toBeLessThan(10);
    expect(runs[0]).toMatchObject({ seed: 0, interrupted: false });
  });

  test("writes the word into the table, too", async () => {
    const { status, stdout } = await interrupt("loss", ["train", ...longTraining]);
    expect(status).toBe(130);
    expect(stdout).toContain("interrupted: best weights so far");
  });

  test("ends the demo with what it has", async () => {
    const { status, stdout, lines } = await interrupt("seed 0: sgc", [
      "demo",
      "--models",
      "sgc,gcn",
      "--out",
      temporaryFolder(),
    ]);
    expect(status).toBe(130);
    expect(stdout).toContain("Interrupted: rows or seeds are missing");
    expect(lines.at(-1)).toBe("rgnn: interrupted: the result is partial");
  });
});

test("a store that cannot be used costs one line", async () => {
  const folder = temporaryFolder();
  const empty = join(folder, "empty.sqlite");
  await (await openRunStore(empty)).close();
  for (const [store, message] of [
    [folder, /is no store \(.*\); name another with --store/],
    [
      join(folder, "none.sqlite"),
      /none\.sqlite: there is no store; measure a study with rgnn run, or name one with --store/,
    ],
    [empty, /empty\.sqlite: holds nothing of direct; leave out --stored/],
  ] as const) {
    const { status, stdout, lines } = await rgnn(["reproduce", "direct", "--stored", "--store", store]);
    expect([status, stdout, lines.length]).toEqual([2, "", 1]);
    expect(lines[0]).toMatch(message);
  }
  expect(existsSync(join(folder, "none.sqlite"))).toBe(false);
});
