import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { runTrain } from "../run-train.ts";
import { RunMeasurer } from "../runner/run-measurer.ts";
import { openSession } from "../session.ts";
import { planStudy } from "../study/plan-study.ts";
import { parseStudy } from "../study/study-file.ts";
import { chooseModels } from "./choose-models.ts";
import { drawModels } from "./draw-models.ts";
import { readTunable, tuningStudy } from "./model-grids.ts";
import { tunedStudy } from "./tuned-study.ts";

const STUDY = `
name: example
datasets: [cora_ml, { dataset: citeseer, directed: true }]
seeds: [0, 1]
models: [{ name: gcn, dropout: [0.2, 0.8], hidden: [[8], [16, 8]] }, sgc]
parts:
  - {}
  - { attacks: dice, epsilons: 0.1, splits: ["per-class:5", "per-class:9"] }
  - { models: [mlp], datasets: pubmed }
`;

describe("models to choose from", () => {
  test("are those of entries with lists, once for each graph and split of each part", () => {
    const { grids } = readTunable(STUDY, "study.yaml");
    expect(
      grids.map(({ part, entry, dataset, split, models }) => [part, entry, dataset.dataset, split, models.length]),
    ).toEqual([
      [0, 0, "cora_ml", null, 4],
      [0, 0, "citeseer", null, 4],
      [1, 0, "cora_ml", "per-class:5", 4],
      [1, 0, "cora_ml", "per-class:9", 4],
      [1, 0, "citeseer", "per-class:5", 4],
      [1, 0, "citeseer", "per-class:9", 4],
    ]);
    expect(grids[0].models[1]).toEqual({ name: "gcn", options: { dropout: 0.2, hidden: [16, 8] } });
  });

  test("are needed", () => {
    const fixed = "name: x\ndatasets: cora_ml\nmodels: gcn\nseeds: 0";
    expect(() => readTunable(fixed, "x.yaml")).toThrow("x.yaml: no model has a list of values to choose from");
  });

  test("are drawn at random where there are too many: as many as were asked for, in their order, the same ones each time", () => {
    const { grids } = readTunable(STUDY.replace("[0.2, 0.8]", "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]"), "study.yaml");
    const places = ({ models }: (typeof grids)[number]) => models.map((model) => grids[0].models.indexOf(model));
    const [some] = drawModels([grids[0]], 5);
    expect(some.models).toHaveLength(5);
    expect(places(some)).toEqual(places(some).toSorted((a, b) => a - b));
    expect(drawModels([grids[0]], 5)[0]).toEqual(some);
    expect(drawModels([grids[0]], 99)[0].models).toEqual(grids[0].models);
    expect(
      tuningStudy({ ...readTunable(STUDY, "s.yaml"), grids: [some] }, [7]).parts.map(({ seeds }) => seeds),
    ).toEqual(Array.from({ length: 5 }, () => [7]));
  });

  test("are ranked by their mean, and the first of equally good ones is chosen", () => {
    const [grid] = readTunable(STUDY, "study.yaml").grids;
    const [{ ranked }] = chooseModels(
      [grid],
      [
        [0.7, 0.7],
        [0.8, 0.6],
        [0.6, 0.9],
        [0.75, 0.75],
      ],
    );
    expect(ranked.map(({ model }) => grid.models.indexOf(model))).toEqual([2, 3, 0, 1]);
    expect(ranked[0].validation.mean).toBeCloseTo(0.75);
    expect(ranked[0].validation.standardError).toBeCloseTo(0.15);
  });
});

describe("a tuned study", () => {
  /** Chooses model `best(g)` of grid g. */
  function tuneBy(best: (grid: number) => number) {
    const { grids } = readTunable(STUDY, "study.yaml");
    const accuracies = grids.flatMap(({ models }, g) => models.map((_, m) => [m === best(g) ? 0.9 : 0.5]));
    return parseStudy(tunedStudy(STUDY, "study.yaml", chooseModels(grids, accuracies)), "tuned.yaml");
  }

  test("has the best model of each graph and split, and everything else as it was", () => {
    const { name, parts } = tuneBy((g) => g % 4);
    expect(name).toBe("example-tuned");
    expect(parts.map(({ datasets, splits, models }) => [datasets[0].dataset, splits![0], models[0].options])).toEqual([
      ["cora_ml", null, { dropout: 0.2, hidden: [8] }],
      ["citeseer", null, { dropout: 0.2, hidden: [16, 8] }],
      ["cora_ml", "per-class:5", { dropout: 0.8, hidden: [8] }],
      ["cora_ml", "per-class:9", { dropout: 0.8, hidden: [16, 8] }],
      ["citeseer", "per-class:5", { dropout: 0.2, hidden: [8] }],
      ["citeseer", "per-class:9", { dropout: 0.2, hidden: [16, 8] }],
      ["pubmed", null, {}],
    ]);
    expect(parts.map(({ models }) => models.length)).toEqual([2, 2, 2, 2, 2, 2, 1]);
    expect(parts[1].datasets).toEqual([{ dataset: "citeseer", directed: true }]);
    expect(parts.map(({ attacks }) => attacks!.length)).toEqual([0, 0, 1, 1, 1, 1, 0]);
    expect(parts.every(({ seeds }) => seeds.length === 2)).toBe(true);
  });
});

describe("measuring on validation nodes", () => {
  test("gives the validation accuracy that training reports", async () => {
    const set = { maxEpochs: 20, hidden: [8] };
    const text = `name: x\ndatasets: synthetic-citation\nseeds: 3\nmodels: { name: gcn, maxEpochs: 20, hidden: [[8], [4]] }`;
    const { runs, ofParts } = await planStudy(tuningStudy(readTunable(text, "x.yaml")));
    expect(ofParts.map((ids) => ids.length)).toEqual([1, 1]);
    const first = runs.find(({ id }) => id === ofParts[0][0])!;
    const measurer = new RunMeasurer({ artefacts: temporaryFolder(), facts: {}, threads: 1 });
    const session = await openSession({ dataset: "synthetic-citation", device: "cpu", threads: 1 });
    try {
      const { value, clean } = await measurer.measure(first.description);
      const { report, built } = await runTrain(session, { model: "gcn", seed: 3, set });
      built.model.dispose();
      expect([value, clean]).toEqual([report.accuracy.val, report.accuracy.test]);
      expect(value).not.toBe(clean);
    } finally {
      await session.close();
      await measurer.close();
    }
  });

  test("is for models alone: an attack beside it is an error that names the line", () => {
    const text =
      "name: x\ndatasets: cora_ml\nmodels: gcn\nseeds: 0\nattacks: dice\nepsilons: 0.1\nquantity: validation-accuracy";
    expect(() => parseStudy(text, "x.yaml")).toThrow(
      "x.yaml:7: quantity validation-accuracy is measured without attacks",
    );
  });
});
