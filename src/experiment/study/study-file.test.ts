import { describe, expect, test } from "vitest";
import { parseStudy } from "./study-file.ts";
import { studySchema } from "./study-schema.ts";

const STUDY = `
name: quick
datasets: [synthetic-citation, { dataset: ./mine.npz, directed: true }]
models:
  - gcn
  - name: soft-median-gdc
    temperature: [0.2, 0.5]
    hidden: [[64], [32, 32]]
surrogate: gcn
attacks:
  - dice
  - { name: prbcd, epochs: 20, loss: [ce, tanh-margin] }
epsilons: [0.05, 0.1]
budgets: 30
seeds: [0, 1, 5]
`;

const parse = (text: string) => () => parseStudy(text, "s.yaml");
/** The study with one line replaced, and the message that it gives. */
const replaced = (line: string, by: string) => parse(STUDY.replace(line, by));

describe("a study file", () => {
  test("lists what is combined; a list where one value is wanted means one of each", () => {
    const { name, parts } = parseStudy(STUDY, "s.yaml");
    expect([name, parts.length]).toEqual(["quick", 1]);
    const [study] = parts;
    expect(study.models).toEqual([
      { name: "gcn", options: {} },
      { name: "soft-median-gdc", options: { temperature: 0.2, hidden: [64] } },
      { name: "soft-median-gdc", options: { temperature: 0.2, hidden: [32, 32] } },
      { name: "soft-median-gdc", options: { temperature: 0.5, hidden: [64] } },
      { name: "soft-median-gdc", options: { temperature: 0.5, hidden: [32, 32] } },
    ]);
    expect(study.attacks).toEqual([
      { name: "dice", options: {} },
      { name: "prbcd", options: { epochs: 20, loss: "ce" } },
      { name: "prbcd", options: { epochs: 20, loss: "tanh-margin" } },
    ]);
    expect(study).toMatchObject({
      datasets: [{ dataset: "synthetic-citation" }, { dataset: "./mine.npz", directed: true }],
      splits: [null],
      surrogate: { name: "gcn", options: {} },
      budgets: [{ epsilon: 0.05 }, { epsilon: 0.1 }, { budget: 30 }],
      objectives: ["accuracy"],
      times: ["evasion"],
      seeds: [0, 1, 5],
      devices: ["cpu"],
    });
  });

  test.each([
    ["seeds: [0, 1, 5]", "seeds: [0, 1.5]", "s.yaml:15: seeds[1] must be a whole number from 0, got 1.5"],
    ["seeds: [0, 1, 5]", "seeds: [0, 0]", "s.yaml:15: seeds[1] is there twice: 0"],
    [
      "seeds: [0, 1, 5]",
      "seds: [0]",
      /^s\.yaml:15: seds is no key; known are name, datasets, .*seeds, devices, trainedOn, parts$/,
    ],
    ["seeds: [0, 1, 5]", "", "s.yaml:2: seeds is missing: seeds of splits, training and attacks: each is a repetition"],
    ["seeds: [0, 1, 5]", "seeds:", "s.yaml:15: seeds has no value"],
    ["  - gcn", "  - gnc", /^s\.yaml:5: models\[0\] is no known model: "gnc"; known are gcn, /],
    [
      "    temperature: [0.2, 0.5]",
      "    temperature: [0.2, -1]",
      /^s\.yaml:7: models\[1\]\.temperature\[1\] must be a number above 0, got -1$/,
    ],
    [
      "    temperature: [0.2, 0.5]",
      "    temprature: 1",
      /^s\.yaml:7: models\[1\]\.temprature is no option of soft-median-gdc; known are .*temperature/,
    ],
    [
      "epochs: 20, loss",
      "epochs: x, loss",
      /^s\.yaml:12: attacks\[1\]\.epochs must be a whole number from \d, got "x"$/,
    ],
    [
      "[ce, tanh-margin]",
      "[ce, tan]",
      /^s\.yaml:12: attacks\[1\]\.loss\[1\] is wrong: unknown loss "tan"; known are ce, /,
    ],
    ["epsilons: [0.05, 0.1]", "epsilons: [5]", "s.yaml:13: epsilons[0] must be a share of the edges in [0, 1], got 5"],
    ["surrogate: gcn", "surrogate: [gcn, mlp]", "s.yaml:9: surrogate must be one model"],
    ["surrogate: gcn", "splits: halves", /^s\.yaml:9: splits is wrong: unknown split "halves"; it can be per-class:20/],
    ["surrogate: gcn", "times: later", 's.yaml:9: times is no known one: "later"; known are evasion, poisoning'],
    ["name: quick", "name: [", /^s\.yaml:\d+: /],
  ])("says where a mistake is and what would be right: %s to %s", (line, by, message) => {
    expect(replaced(line, by)).toThrow(message);
  });

  test("needs a budget for attacks, and attacks for a budget", () => {
    const start = "name: x\ndatasets: cora_ml\nmodels: gcn\nseeds: 0\n";
    expect(parse(`${start}attacks: dice\n`)).toThrow("s.yaml:1: epsilons is missing");
    expect(parse(`${start}epsilons: 0.1\n`)).toThrow("s.yaml:5: epsilons is about attacks, and there are none");
    expect(parse(`${start}quantity: success-rate\n`)).toThrow(
      "s.yaml:5: quantity success-rate is about attacks, and there are none",
    );
    expect(parseStudy(start, "s.yaml").parts[0].attacks).toEqual([]);
  });

  test("may have parts, which take over what stands outside and say what is their own", () => {
    const common = "name: x\ndatasets: cora_ml\nmodels: [gcn, gdc]\nepsilons: 0.1\nseeds: 0\n";
    const text = `${common}parts:\n  - { attacks: fgsm, surrogate: dense-gcn }\n  - { attacks: dice, seeds: [1, 2] }\n`;
    const { parts } = parseStudy(text, "s.yaml");
    expect(parts.map(({ surrogate, seeds, models }) => [surrogate?.name, seeds, models.length])).toEqual([
      ["dense-gcn", [0], 2],
      [undefined, [1, 2], 2],
    ]);
    expect(parse(text.replace("seeds: [1, 2]", "name: y"))).toThrow(/^s\.yaml:8: parts\[1\]\.name is no key of a part/);
    expect(parse(text.replace("models: [gcn, gdc]\n", ""))).toThrow("s.yaml:6: parts[0] models is missing");
  });

  test("says how budgets, single nodes and constraints are attacked, and what is measured", () => {
    const start = "name: x\ndatasets: cora_ml\nmodels: gcn\nseeds: 0\nepsilons: [0.1, 0.5]\n";
    const [part] = parseStudy(
      `${start}attacks: [auto, { name: local-prbcd, epochs: 3 }]\nhelper: sgc\nchain: true\npolish: 2\ninfluences: [direct, both]\n` +
        "constraints: [none, { only: additions, perNode: 0.5, protectNodes: train, between: [test, train] }]\n" +
        "quantity: accuracy\ntrainedOn: cpu\n",
      "s.yaml",
    ).parts;
    expect(part).toMatchObject({
      attacks: [
        { name: "auto", options: {} },
        { name: "local-prbcd", options: { epochs: 3 } },
      ],
      helper: { name: "sgc", options: {} },
      chain: true,
      polish: 2,
      influences: ["direct", "both"],
      constraints: [null, { only: "additions", perNode: 0.5, protectNodes: "train", between: ["test", "train"] }],
      quantity: "accuracy",
      trainedOn: "cpu",
    });
    for (const [line, message] of [
      ["chain: 1", "s.yaml:7: chain must be true or false, got 1"],
      ["constraints: { only: edges }", /^s\.yaml:7: constraints\.only is no known one: "edges"; known are additions, /],
      [
        "constraints: { protect: train }",
        /^s\.yaml:7: constraints\.protect is no constraint; known are only, perNode, /,
      ],
      ["constraints: { perNode: -1 }", "s.yaml:7: constraints.perNode must be a share of the degree from 0, got -1"],
      ["constraints: { between: [train] }", /^s\.yaml:7: constraints\.between must be two sets of nodes/],
      ["constraints: { protectNodes: all }", /is no known set of nodes: "all"; known are train, val, test$/],
      ["influences: near", 's.yaml:7: influences is no known one: "near"; known are direct, influencer, both'],
      [
        "quantity: time",
        /^s\.yaml:7: quantity is no known one: "time"; known are accuracy, validation-accuracy, success-rate, /,
      ],
      ["influences: both", "s.yaml:7: influences is about attacks on single nodes, and there are none; leave it out"],
      ["helper: sgc", "s.yaml:7: helper is for attacks that take such help, and there are none"],
      ["trainedOn: auto", 's.yaml:7: trainedOn is no known one: "auto"; known are cpu, webgpu'],
    ] as const)
      expect(parse(`${start}attacks: dice\n${line}\n`)).toThrow(message);
  });

  test("may have a part without attacks beside others whose budgets stand outside", () => {
    const text =
      "name: x\ndatasets: cora_ml\nmodels: gcn\nepsilons: 0.1\nseeds: 0\nparts:\n  - {}\n  - { attacks: dice }\n";
    expect(parseStudy(text, "s.yaml").parts.map(({ attacks }) => attacks?.length)).toEqual([0, 1]);
    expect(parse(text.replace("{}", "{ epsilons: 0.5 }"))).toThrow("epsilons is about attacks, and there are none");
  });

  test("may use anchors", () => {
    const study = parseStudy(
      "name: x\ndatasets: cora_ml\nmodels: [&a gcn]\nsurrogate: *a\nattacks: dice\nepsilons: 0.1\nseeds: 0",
      "s.yaml",
    );
    expect(study.parts[0].surrogate?.name).toBe("gcn");
  });
});

describe("the schema of study files", () => {
  test("knows every key, every model and attack, and their options with one value or several", () => {
    const { properties, $defs } = studySchema() as { properties: object; $defs: { model: { anyOf: object[] } } };
    expect(Object.keys(properties)).toContain("seeds");
    const models = $defs.model.anyOf as { enum?: string[]; properties?: Record<string, object> }[];
    expect(models[0].enum).toContain("soft-median-gdc");
    const soft = models.find(({ properties: of }) => JSON.stringify(of?.["name"]) === '{"const":"soft-median-gdc"}');
    expect(soft?.properties?.["temperature"]).toMatchObject({ anyOf: [{ type: "number" }, { type: "array" }] });
  });
});
