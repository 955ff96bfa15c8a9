import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildModel } from "../../defense/build-model.ts";
import { saveWeights } from "../../files/weights-files.ts";
import { openSession } from "../session.ts";
import { certificateReport } from "./certificates.ts";
import { type CertificateCell, countVotes, readCells } from "./measure.ts";
import { published } from "./published.ts";

const folder = mkdtempSync(join(tmpdir(), "rgnn-certificates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = {
  datasets: ["synthetic-citation"],
  seeds: [0],
  folder,
  samples: 40,
  groups: [{ name: "gcn", models: ["gcn"], round: 30 }],
  where: { device: "cpu", threads: 1 },
};

describe("the certificate table", { timeout: 120_000 }, () => {
  /** Weights that nobody trained: they are found in the folder. */
  beforeAll(async () => {
    const session = await openSession({
      dataset: "synthetic-citation",
      device: "cpu",
      threads: 1,
      binaryFeatures: true,
    });
    const { model } = buildModel(session, { model: "gcn", seed: 0 });
    const { numFeatures: features, numClasses: classes } = session.graph;
    await saveWeights(model, join(folder, "synthetic-citation-gcn-0.safetensors"), {
      sizes: { features, classes },
      kind: "gcn",
    });
    model.dispose();
    await session.close();
  });

  test("measures a cell for each setting of the noise, and reads it again without measuring", async () => {
    expect(await readCells(plan)).toEqual([]);
    await countVotes(plan);
    const cells = await readCells(plan);
    expect(cells.map(({ noise, samples, seed }) => [noise, samples, seed])).toEqual([
      ["add", 40, 0],
      ["delete", 40, 0],
      ["both", 40, 0],
    ]);
    expect(readdirSync(folder).filter((file) => file.startsWith("votes-"))).toHaveLength(3);
    await countVotes(plan); // nothing is left to do
    expect(await readCells(plan)).toEqual(cells);
  });

  test("goes on to more samples from the votes that are there, and tells how many there are in all", async () => {
    const told: string[] = [];
    await countVotes(
      { ...plan, samples: 60 },
      {
        progress: { update: (done, total) => told.push(`${done} of ${total}`) },
        goOn: (done, total) => told.push(`before: ${done} of ${total}`),
      },
    );
    expect([told[0], told.at(-1)]).toEqual(["before: 420 of 480", "480 of 480"]);
    const more = await readCells(plan);
    expect(more.map(({ samples }) => samples)).toEqual([60, 60, 60]);
  });

  test("ended early, keeps what is counted", async () => {
    await countVotes({ ...plan, samples: 5000 }, { signal: AbortSignal.abort() });
    expect((await readCells(plan)).map(({ samples }) => samples)).toEqual([60, 60, 60]);
  });

  test("has the means over seeds beside the published values", () => {
    const cell = (seed: number, accumulated: number): CertificateCell => ({
      dataset: "cora_ml",
      model: "gcn",
      seed,
      noise: "both",
      samples: 10_000,
      seconds: 90,
      accuracy: 0.82,
      smoothedAccuracy: 0.81,
      accumulated,
      projected: null,
    });
    const { cells, columns } = certificateReport([cell(0, 1.8), cell(1, 1.9), cell(5, 2)]);
    expect(cells).toEqual([
      [
        ...["cora_ml", "gcn", "add .001, delete .4", "10000", "0, 1, 5", "1.900 ± 0.058", "1.84", "+0.06"],
        ...["0.810 ± 0.000", "0.820 ± 0.000", "0.823", "1.5"],
      ],
    ]);
    const partial = certificateReport([{ ...cell(0, 1), samples: 500, projected: 1.8 }]);
    expect(partial.columns).toHaveLength(columns.length + 1);
    expect(partial.cells[0].slice(5, 7)).toEqual(["1.000", "1.80"]);
    expect(published["citeseer"]["soft-median-gdc"]).toEqual({ both: 4.43, add: 0.57, delete: 4.31, accuracy: 0.728 });
  });
});
