import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readResults } from "../../report/results/read-study.ts";
import { runStudy } from "../runner/run-study.ts";
import { openSession } from "../session.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { planStudy } from "../study/plan-study.ts";
import { parseStudy } from "../study/study-file.ts";
import { runCertify } from "./run-certify.ts";

const noise = { edges: { add: 0, delete: 0.4 }, features: { add: 0, delete: 0 } };
const textOf = (share: number) => `
name: certified
datasets: synthetic-citation
models: { name: gcn, maxEpochs: 20 }
certificates: { edges: { delete: ${share} }, samples: 40, preSamples: 20 }
seeds: 0
`;

describe("certificates in a study", () => {
  test("are those of rgnn certify, are measured once, and are read by reports", async () => {
    const folder = temporaryFolder();
    const place = join(folder, "store.sqlite");
    const store = await openRunStore(place);
    const plan = await planStudy(parseStudy(textOf(0.4), "study.yaml"));
    const options = { place, artefacts: join(folder, "artefacts"), workers: 1, threads: 1 };
    expect(await runStudy(store, plan, options)).toMatchObject({ done: 1, failed: [] });
    const [{ value, clean, quantity, attack }] = await store.list({ study: "certified" });
    expect([quantity, attack]).toEqual(["certificate", "certificate"]);
    const session = await openSession({ dataset: "synthetic-citation", device: "cpu", threads: 1 });
    const nodes = session.split(0).test;
    const choice = { model: "gcn", seed: 0, set: { maxEpochs: 20 }, nodes };
    const smoothing = { noise, noiseSeed: 0, samples: 40, preSamples: 20, alpha: 0.05 };
    const [{ report }] = await runCertify(session, [choice], smoothing);
    await session.close();
    expect(value).toBe(report.accumulated.edges);
    expect(value).toBeGreaterThan(0);
    expect(clean).toBeCloseTo(report.accuracy.clean, 6);
    const other = await planStudy(parseStudy(textOf(0.3), "other.yaml"));
    expect(other.runs[0].id).not.toBe(plan.runs[0].id); // another noise is another run
    const { runs } = await readResults(store, "certified");
    expect(runs.map((run) => run.quantity)).toEqual(["certificate"]);
    expect(runs[0].details?.graph.numNodes).toBe(2810);
    await store.close();
  });

  test("are a part of their own, with noise that can certify something", () => {
    const withAttack = "name: x\ndatasets: a\nmodels: gcn\nseeds: 0\nattacks: dice\nepsilons: 0.1\n";
    const parse = (text: string) => () => parseStudy(text, "study.yaml");
    expect(parse(`${withAttack}certificates: { edges: { add: 0.1 } }`)).toThrow("a part of its own");
    const alone = "name: x\ndatasets: a\nmodels: gcn\nseeds: 0\n";
    expect(parse(`${alone}certificates: { edges: { add: 1 } }`)).toThrow("must be a probability below 1, got 1");
    expect(parse(`${alone}quantity: accuracy\ncertificates: { edges: { add: 0.1 } }`)).toThrow("leave it out beside");
    expect(parse(`${alone}certificates: { samples: 100 }`)).toThrow("all probabilities are 0");
    expect(parse(`${alone}certificates: { edge: { add: 0.1 } }`)).toThrow("is no key of certificates; known are edges");
    expect(parse(`${alone}certificates: { edges: { add: 0.1 }, samples: 0 }`)).toThrow("a whole number from 1");
  });
});
