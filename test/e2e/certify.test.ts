import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CertifyReport } from "../../src/experiment/certify/run-certify.ts";
import { samplesIn } from "../../src/files/votes-file.ts";
import { rgnn, rgnnHere, rgnnJson } from "../support/rgnn.ts";

const folder = mkdtempSync(join(tmpdir(), "rgnn-certify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const weights = join(folder, "gcn.safetensors");
const certify = ["certify", "--device", "cpu"];

/** What does not depend on how fast the machine is. */
function withoutTimes({ seconds: _, samplesPerSecond: __, residentBytes: ___, ...report }: CertifyReport) {
  return report;
}

describe("rgnn certify", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await rgnnJson("train", "--set", "hidden=8", "--set", "maxEpochs=40", "--out", weights);
  });

  test("reports certified shares at every radius, and certificates of all nodes in a file", async () => {
    const out = join(folder, "nodes.csv");
    const quick = ["--samples", "200", "--pre-samples", "20", "--weights", weights, "--out", out];
    const report = await rgnnJson<CertifyReport>(...certify, ...quick);
    expect(report).toMatchObject({
      dataset: "synthetic-citation",
      model: "gcn",
      seed: 0,
      device: "cpu",
      noise: { edges: { add: 0.001, delete: 0.4 }, features: { add: 0, delete: 0 } },
      noiseSeed: 0,
      samples: 200,
      preSamples: 20,
      alpha: 0.05,
      interrupted: false,
    });
    const { certified, collective, accuracy, accumulated } = report;
    expect(certified.edges[0]).toEqual({ additions: 0, deletions: 0, share: accuracy.smoothed });
    expect(accuracy.smoothed).toBeGreaterThan(0.7);
    const sum = certified.edges.slice(1).reduce((total, { share }) => total + share, 0);
    expect(accumulated.edges).toBeCloseTo(sum, 12);
    expect(sum).toBeGreaterThan(0.5);
    for (const { additions, deletions, share } of collective.edges) {
      const alone = certified.edges.find((one) => one.additions === additions && one.deletions === deletions);
      expect(share).toBeLessThanOrEqual(alone!.share);
    }
    const lines = readFileSync(out, "utf8").trim().split("\n");
    expect(lines[0]).toBe(
      "node,label,prediction,certain,edgeDeletions,edgeAdditions,featureDeletions,featureAdditions",
    );
    expect(lines.length).toBe(1 + report.numNodes);
    const { stdout } = await rgnnHere([...certify, ...quick, "--threads", "1"]);
    expect(stdout).toContain(
      `${accuracy.smoothed.toFixed(4)} smoothed, ${accuracy.clean.toFixed(4)} of the model itself`,
    );
    expect(stdout).toMatch(/edges added +deleted +certified +all at once/);
  });

  test("gives a seed the same result alone and beside others, and the mean of all", async () => {
    const quick = ["--samples", "60", "--pre-samples", "20", "--set", "hidden=4", "--set", "maxEpochs=15"];
    const both = await rgnnJson<{ runs: CertifyReport[]; mean: CertifyReport }>(...certify, ...quick, "--seed", "0,3");
    const alone = await rgnnJson<CertifyReport>(...certify, ...quick, "--seed", "3", "--threads", "1");
    expect(withoutTimes(both.runs[1])).toEqual(withoutTimes(alone));
    const smoothed = both.runs.map(({ accuracy }) => accuracy.smoothed);
    expect(both.mean.accuracy.smoothed).toBeCloseTo((smoothed[0] + smoothed[1]) / 2, 12);
  });

  test("shows beside certificates what an attack leaves, and the certificates are below it", async () => {
    const quick = ["--samples", "400", "--pre-samples", "60", "--weights", weights, "--noise", "delete=0.3"];
    const { band, accuracy } = await rgnnJson<CertifyReport>(
      ...certify,
      ...quick,
      "--attack",
      "dice",
      "--budget",
      "1,30",
    );
    expect(band!.map(({ budget }) => budget)).toEqual([1, 30]);
    for (const { budget, certified, attacked, flips } of band!) {
      expect(flips).toEqual({ added: 0, removed: budget }); // this noise certifies against nothing else
      expect(certified).toBeLessThanOrEqual(attacked);
      expect(attacked).toBeLessThan(accuracy.smoothed + 0.02);
    }
    expect(band![0].certified).toBeGreaterThan(0.3);
  });

  test("goes on after a kill, to the result of a run that was left alone", async () => {
    const votes = join(folder, "votes.safetensors");
    const args = [...certify, "--weights", weights, "--samples", "4000", "--pre-samples", "20", "--threads", "2"];
    const killed = await rgnn([...args, "--votes", votes], (_, child) => {
      if (existsSync(votes)) child.kill("SIGKILL");
    });
    expect(killed.status).toBeNull();
    const before = samplesIn(votes).bounding;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(4000);
    const resumed = await rgnnJson<CertifyReport>(...args, "--votes", votes);
    const undisturbed = await rgnnJson<CertifyReport>(...args);
    expect(withoutTimes(resumed)).toEqual(withoutTimes(undisturbed));
    expect(samplesIn(votes)).toEqual({ choosing: 20, bounding: 4000 });
    const again = await rgnnJson<CertifyReport>(...args, "--votes", votes);
    expect(withoutTimes(again)).toEqual(withoutTimes(undisturbed));
  });

  test("ended early, reports what the votes so far say, and exits with 130", async () => {
    const args = [...certify, "--weights", weights, "--samples", "1000000", "--pre-samples", "20", "--json"];
    let asked = false;
    const { status, stdout } = await rgnn(args, (text, child) => {
      if (asked || !/noisy graphs/.test(text)) return;
      asked = true;
      setTimeout(() => child.kill("SIGINT"), 1500);
    });
    expect(status).toBe(130);
    const report = JSON.parse(stdout) as CertifyReport;
    expect(report.interrupted).toBe(true);
    expect(report.samples).toBeGreaterThan(0);
    expect(report.samples % 20).toBe(0);
  });

  test.each([
    [["--noise", "add=2"], "takes probabilities below 1, got add=2"],
    [["--noise", "swap=0.1"], "must look like add=0.001,delete=0.4"],
    [["--noise", "add=0.1,add=0.2"], "names add twice"],
    [["--noise", "add=0"], "without noise nothing is certified"],
    [["--samples", "0"], "--samples must be 1 or more"],
    [["--pre-samples", "0"], "--pre-samples must be 1 or more"],
    [["--alpha", "1"], "--alpha must be between 0 and 1"],
    [["--feature-noise", "add=0.1"], "--binary-features makes them so"],
    [["--out", "nodes.txt"], "--out must end in .csv or .json"],
    [["--seed", "0,1", "--out", "nodes.csv"], "put {seed} into it"],
    [["--budget", "1"], "--budget is that of --attack"],
    [["--attack", "nettack"], 'unknown attack "nettack"'],
    [["--attack", "dice", "--budget", "0"], "--budget takes flips from 1 on"],
    [["--attack", "dice", "--binary-features", "--feature-noise", "add=0.1"], "only features are noisy"],
    [["--model", "gnc"], 'unknown model "gnc"'],
    [["--weights", weights, "--noisy-training"], "is trained already; leave out --set edgeNoiseAdd"],
  ])("refuses %j with exit code 2 and one line", async (args, message) => {
    const { status, lines, stdout } = await rgnnHere([...certify, ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(lines.at(-1)).toMatch(/^rgnn: /);
    expect(lines.at(-1)).toContain(message);
  });

  test("refuses votes of another noise, and more votes than were asked for", async () => {
    const votes = join(folder, "few.safetensors");
    const few = [...certify, "--weights", weights, "--samples", "40", "--pre-samples", "20", "--votes", votes];
    await rgnnJson(...few);
    const other = await rgnnHere([...few, "--noise", "delete=0.2"]);
    expect(other.status).toBe(2);
    expect(other.lines.at(-1)).toContain("holds votes of another model, graph or noise");
    const fewer = await rgnnHere([...few, "--samples", "20"]);
    expect(fewer.status).toBe(2);
    expect(fewer.lines.at(-1)).toContain("holds 40 samples and 20 before them, more than asked for");
    const wrong = await rgnnHere([...certify, "--votes", weights]);
    expect(wrong.lines).toEqual([expect.stringContaining("holds no votes")]); // before a model is trained
  });
});
