import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { globalAttacks } from "../../src/attack/global-attacks.ts";
import { localAttacks } from "../../src/attack/local/local-attacks.ts";
import { syntheticCitation } from "../../src/data/synthetic/synthetic-citation.ts";
import type { AttackReport } from "../../src/experiment/attack-victim.ts";
import type { TrainReport } from "../../src/experiment/run-train.ts";
import { readFlips } from "../../src/files/flips-file.ts";
import { loadGraph } from "../../src/files/load.ts";
import { applyFlips, flipActions } from "../../src/graph/flips.ts";
import { rgnn, rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder, temporaryFolder } from "../support/temporary-folder.ts";

/** A model that trains in a second and an attack that is as quick. */
const quickModel = ["--set", "maxEpochs=30", "--set", "hidden=16"];
const quickAttack = ["--budget", "60", "--block-size", "20000", "--epochs", "12"];

describe("rgnn train and rgnn attack", { timeout: 120_000 }, () => {
  let folder: string;
  let trained: TrainReport;
  let weights: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rgnn-e2e-"));
    weights = join(folder, "sub", "gcn.safetensors"); // the folder is made
    trained = await rgnnJson<TrainReport>("train", ...quickModel, "--out", weights);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test("train reports what it promises", () => {
    expect(trained).toMatchObject({ dataset: "synthetic-citation", model: "gcn", seed: 0, device: "cpu" });
    expect(Object.keys(trained.accuracy)).toEqual(["train", "val", "test"]);
    expect(trained.accuracy.test).toBeGreaterThan(0.7);
    expect(trained.epochs).toBe(30);
    expect(trained.seconds).toBeGreaterThan(0);
    expect(trained.peakBytes).toBeGreaterThan(1e6);
    expect(trained.residentBytes).toBeGreaterThan(trained.peakBytes); // of the whole process
    expect(trained.hyperparameters).toMatchObject({ maxEpochs: 30, hidden: [16] });
  });

  test("attack reports what it promises, and writes the flips it reports", async () => {
    const out = join(folder, "flips.csv");
    const report = await rgnnJson<AttackReport>("attack", "--weights", weights, ...quickAttack, "--out", out);
    expect(report).toMatchObject({
      dataset: "synthetic-citation",
      model: "gcn",
      attack: "prbcd",
      loss: "far-margin",
      budget: 60,
      seed: 0,
      device: "cpu",
      epochs: 12,
      setting: "direct",
      time: "evasion",
      numTargets: 2530,
      interrupted: false,
    });
    expect(report.epsilon).toBeCloseTo(60 / 7981, 10);
    expect(report.accuracy.clean).toBe(trained.accuracy.test); // the saved weights are the trained ones
    expect(report.accuracy.adversarial).toBeLessThan(report.accuracy.clean);
    expect(report.seconds).toBeGreaterThan(0);
    expect(report.secondsPerEpoch).toBeGreaterThan(0);
    expect(report.peakBytes).toBeGreaterThan(1e6);
    const graph = syntheticCitation();
    const actions = flipActions(graph, readFlips(out, graph));
    expect(actions.filter((action) => action === "add").length).toBe(report.flips.added);
    expect(actions.filter((action) => action === "remove").length).toBe(report.flips.removed);

    const npz = join(folder, "graph.npz"); // the same attack again, written as the graph it leads to
    const again = await rgnnJson<AttackReport>("attack", "--weights", weights, ...quickAttack, "--out", npz);
    expect(again.accuracy).toEqual(report.accuracy);
    const { graph: perturbed } = await loadGraph(npz);
    expect(perturbed.adjacency.colIdx).toEqual(applyFlips(graph, readFlips(out, graph)).adjacency.colIdx);
    expect(perturbed.labels).toEqual(graph.labels);
  });

  test("a weights file names its model, and a --model that contradicts it costs one line and exit code 2", async () => {
    const linear = join(folder, "linear.safetensors");
    const { accuracy } = await rgnnJson<TrainReport>("train", "--model", "linear-gcn", ...quickModel, "--out", linear);
    const report = await rgnnJson<AttackReport>("attack", "--weights", linear, ...quickAttack);
    expect(report).toMatchObject({ model: "linear-gcn", surrogate: "linear-gcn", setting: "direct" });
    expect(report.accuracy.clean).toBe(accuracy.test);
    const same = await rgnnJson<AttackReport>("attack", "--weights", linear, "--model", "linear-gcn", ...quickAttack);
    expect(same.accuracy).toEqual(report.accuracy);
    const { status, stdout, lines } = await rgnnHere(["attack", "--weights", linear, "--model", "gat"]);
    expect([status, stdout, lines]).toEqual([
      ...[2, "", [`rgnn: ${linear}: holds weights of linear-gcn, but the model asked for is gat; leave out --model`]],
    ]);
  });

  test("attack a few nodes only", async () => {
    const report = await rgnnJson<AttackReport>("attack", "--weights", weights, ...quickAttack, "--nodes", "3,1,4");
    expect(report.numTargets).toBe(3);
  });

  test("transfer flips from a surrogate to a model that has no gradient by edges", async () => {
    const report = await rgnnJson<AttackReport>(
      "attack",
      "--model",
      "mlp",
      "--surrogate",
      "sgc",
      ...quickAttack,
      ...quickModel,
    );
    expect(report).toMatchObject({ model: "mlp", surrogate: "sgc", setting: "transfer", time: "evasion" });
    expect(report.accuracy.adversarial).toBe(report.accuracy.clean); // it sees no edges
  });

  test("train the victim anew on the perturbed graph to poison it", async () => {
    const dice = ["--attack", "dice", "--epsilon", "0.2", "--option", "addRatio=0.5"];
    const report = await rgnnJson<AttackReport>("attack", ...dice, "--poison", ...quickModel);
    expect(report).toMatchObject({
      attack: "dice",
      loss: null,
      time: "poisoning",
      epsilon: 0.2,
      budget: 1596,
      epochs: 0,
    });
    expect(report.flips).toEqual({ added: 798, removed: 798 });
    expect(report.accuracy.adversarial).toBeLessThan(report.accuracy.clean);
  });

  test("print a table without --json, and explain every attack on request", async () => {
    const { status, stdout } = await rgnnHere(["attack", "--weights", weights, "--attack", "dice", "--budget", "10"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/flips +10 of 10 allowed: 6 added, 4 removed/);
    expect(stdout).toMatch(/accuracy +0\.\d{4} clean, 0\.\d{4} on the perturbed, discrete graph/);
    expect(stdout).toMatch(/memory +[\d.]+ MiB of the kernels at most, [\d.]+ [MG]iB of the process/);
    const list = await rgnnHere(["attack", "--attack", "list"]);
    for (const word of ["prbcd:", "grbcd:", "pgd:", "fgsm:", "dice:", "fineTuneEpochs", "far-margin"]) {
      expect(list.stdout).toContain(word);
    }
  });

  test("keep the best perturbation so far on Ctrl-C", async () => {
    let asked = false;
    const args = [
      "attack",
      "--weights",
      weights,
      "--budget",
      "60",
      "--block-size",
      "2000",
      "--epochs",
      "1000000",
      "--json",
    ];
    const { status, stdout, lines } = await rgnn(args, (text, child) => {
      if (!asked && text.includes("accuracy")) child.kill("SIGINT"); // once the attack has begun
      asked ||= text.includes("accuracy");
    });
    expect(status).toBe(130);
    const report = JSON.parse(stdout) as AttackReport;
    expect(report.interrupted).toBe(true);
    expect(report.epochs).toBeGreaterThan(0);
    expect(report.flips.added + report.flips.removed).toBeLessThanOrEqual(60);
    expect(lines.join("\n")).toContain("stopping; what is done so far is kept");
  });

  test("keep the best weights so far on Ctrl-C", async () => {
    const out = join(folder, "interrupted.safetensors");
    let asked = false;
    const args = ["train", "--set", "maxEpochs=1000000", "--set", "patience=1000000", "--out", out, "--json"];
    const { status, stdout } = await rgnn(args, (text, child) => {
      if (!asked && text.includes("loss")) child.kill("SIGINT");
      asked ||= text.includes("loss");
    });
    expect(status).toBe(130);
    expect((JSON.parse(stdout) as TrainReport).interrupted).toBe(true);
    expect(existsSync(out)).toBe(true);
  });
});

describe("a mistake", { timeout: 120_000 }, () => {
  const folder = () => {
    const path = join(temporaryFolder(), "taken.csv");
    mkdirSync(path);
    return path;
  };
  const garbage = () => {
    const path = join(temporaryFolder(), "garbage.safetensors");
    writeFileSync(path, "no weights");
    return path;
  };
  const trained = join(sharedFolder(), "trained.safetensors");
  beforeAll(() => rgnnJson("train", "--set", "maxEpochs=1", "--set", "hidden=4", "--out", trained));
  /** Hides the graphs that this machine may have, until the test ends. */
  const nowhereElse = () => {
    vi.stubEnv("RGNN_DATA", "");
    vi.stubEnv("XDG_CACHE_HOME", temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    return [];
  };
  const below = () => join(import.meta.filename, "flips.csv"); // a file is in the way of the folder

  const mistakes: [string, () => string[], RegExp][] = [
    ["an unknown dataset", () => ["train", "--dataset", "cora-ml"], /unknown dataset "cora-ml"; known are .*cora_ml/],
    [
      "a dataset that is not here",
      () => ["train", "--dataset", "cora_ml", "--data-dir", import.meta.dirname, ...nowhereElse()],
      /not here, looked in .*; get it with: rgnn data get cora_ml, or say where it is with --data-dir or \$RGNN_DATA/,
    ],
    [
      "a budget as large as the block",
      () => ["attack", "--weights", trained, "--budget", "60", "--block-size", "50"],
      /must be below the block size, 50; raise --block-size/,
    ],
    ["an unknown model", () => ["train", "--model", "gnc"], /unknown model "gnc"; known are gcn/],
    ["an unknown surrogate", () => ["attack", "--surrogate", "gnc"], /unknown model "gnc"; known are gcn/],
    ["an unknown attack", () => ["attack", "--attack", "pr-bcd"], /unknown attack "pr-bcd"; known are prbcd/],
    ["an unknown loss", () => ["attack", "--loss", "tanh"], /unknown loss "tanh"; known are ce, /],
    [
      "a loss for an attack without one",
      () => ["attack", "--attack", "dice", "--loss", "ce"],
      /dice has no --loss; its options are addRatio/,
    ],
    [
      "a block size for an attack without blocks",
      () => ["attack", "--attack", "pgd", "--block-size", "9"],
      /pgd has no --block-size; its options are epochs, /,
    ],
    [
      "epochs for an attack without any",
      () => ["attack", "--attack", "fgsm", "--epochs", "9"],
      /fgsm has no --epochs; its options are tileSize, loss/,
    ],
    [
      "an option said twice",
      () => ["attack", "--epochs", "9", "--option", "epochs=8"],
      /--epochs and --option epochs say the same; give one of them/,
    ],
    [
      "options that do not go together",
      () => ["attack", "--epochs", "9", "--option", "fineTuneEpochs=10"],
      /fineTuneEpochs, 10, must be at most epochs, 9/,
    ],
    ["a name twice in one flag", () => ["train", "--set", "k=1", "--set", "k=2"], /names k twice/],
    [
      "a surrogate for an attack that looks at none",
      () => ["attack", "--attack", "dice", "--surrogate", "sgc"],
      /dice does not look at a model; leave out --surrogate/,
    ],
    [
      "training options of trained weights",
      () => ["attack", "--weights", trained, "--set", "maxEpochs=3"],
      /trained\.safetensors: is trained already; leave out --set maxEpochs/,
    ],
    [
      "threads on a GPU",
      () => ["train", "--device", "webgpu", "--threads", "2"],
      /threads are of the CPU; leave out --threads with --device webgpu/,
    ],
    [
      "threads of a benchmark on a GPU",
      () => ["bench", "--device", "webgpu", "--threads", "2"],
      /leave out --threads with --device webgpu/,
    ],
    ["no threads of a benchmark", () => ["bench", "--threads", "0"], /threads must be 1 or more, got 0/],
    ["a folder for a graph that is built in", () => ["train", "--data-dir", "x"], /is built in; leave out --data-dir/],
    [
      "a flag that a list does not use",
      () => ["attack", "--attack", "list", "--epochs", "3"],
      /--attack list does not use --epochs; leave it out/,
    ],
    [
      "hyperparameters of no model",
      () => ["train", "--model", "gnc", "--set", "list"],
      /unknown model "gnc"; known are gcn/,
    ],
    [
      "two seeds where there is one",
      () => ["reproduce", "point-mass", "--seeds", "1,2"],
      /point-mass takes one seed, got 1,2/,
    ],
    [
      "a device where nothing runs on one",
      () => ["reproduce", "point-mass", "--device", "cpu"],
      /reproduce point-mass does not use --device; leave it out/,
    ],
    [
      "a store where nothing is stored",
      () => ["reproduce", "point-mass", "--stored"],
      /reproduce point-mass does not use --stored; leave it out/,
    ],
    [
      "a table that is unknown",
      () => ["reproduce", "tabel"],
      /unknown table or figure "tabel"; known are clean, .*, certificates$/,
    ],
    ["nothing to reproduce", () => ["reproduce"], /rgnn reproduce needs a table or figure: clean, direct, /],
    [
      "a check that measures",
      () => ["reproduce", "--check", "--device", "cpu"],
      /reproduce --check does not use --device; leave it out/,
    ],
    [
      "threads where nothing is measured",
      () => ["reproduce", "clean", "--stored", "--threads", "2"],
      /reproduce clean --stored does not use --threads; leave it out/,
    ],
    ["an unknown flag", () => ["attack", "--bugdet", "3"], /unknown option '--bugdet' \(Did you mean --budget\?\)/],
    ["an unknown command", () => ["atack"], /unknown command 'atack'/],
    [
      "an unknown option of the attack",
      () => ["attack", "--option", "size=3"],
      /unknown option "size"; known are preset, blockSize/,
    ],
    [
      "a value that an option cannot have",
      () => ["attack", "--option", "draw=random"],
      /draw must be stratified or uniform/,
    ],
    [
      "an unknown hyperparameter",
      () => ["train", "--set", "width=3"],
      /gcn: unknown hyperparameter "width"; known are hidden/,
    ],
    ["a hyperparameter that means nothing", () => ["train", "--set", "normalisation=rows"], /must be symmetric or row/],
    [
      "an impossible budget",
      () => ["attack", "--budget", "99999999"],
      /budget must be a whole number of flips in 0 … 3946645/,
    ],
    [
      "a budget and an epsilon",
      () => ["attack", "--budget", "3", "--epsilon", "0.1"],
      /--budget and --epsilon say the same; give one of them/,
    ],
    [
      "an epsilon in percent",
      () => ["attack", "--epsilon", "5"],
      /epsilon must be in \[0, 1\], got 5; 5% of the edges is 0.05/,
    ],
    ["a budget that is no number", () => ["attack", "--budget", "1e3x"], /must be a whole number, got "1e3x"/],
    [
      "nodes that are no list",
      () => ["attack", "--nodes", "all"],
      /--nodes must be test or a list such as 0,5,9, got "all"/,
    ],
    [
      "a node that is not there",
      () => ["attack", "--nodes", "5,2810"],
      /synthetic-citation has no node 2810; ids are 0 … 2809/,
    ],
    ["a node that is named twice", () => ["attack", "--nodes", "5,2,5"], /--nodes names node 5 twice/],
    ["a model without gradients", () => ["attack", "--model", "mlp"], /attack a surrogate such as gcn and transfer/],
    [
      "weights of a poisoned model",
      () => ["attack", "--poison", "--weights", "w"],
      /a poisoned model is trained anew; leave out --weights/,
    ],
    [
      "weights of another program",
      () => ["attack", "--weights", join(import.meta.dirname, "../golden/pyg/gcn.safetensors")],
      /import it with: rgnn weights import/,
    ],
    ["--force without weights", () => ["evaluate", "--force"], /--force is about weights; leave it out/],
    [
      "one file for the weights of several seeds",
      () => ["train", "--seed", "0,1", "--out", "gcn.safetensors"],
      /must name a file per seed; put \{seed\} into it, as in gcn-\{seed\}\.safetensors/,
    ],
    [
      "one file for the flips of several budgets",
      () => ["attack", "--epsilon", "0.1,0.2", "--out", "flips.csv"],
      /must name a file per epsilon; put \{epsilon\} into it, as in flips-\{epsilon\}\.csv/,
    ],
    [
      "several seeds where there is one run",
      () => ["predict", "--seed", "0,1"],
      /rgnn predict takes one seed, got --seed 0,1/,
    ],
    ["a seed twice", () => ["train", "--seed", "1,1"], /names 1 twice/],
    ["a range without a count", () => ["attack", "--epsilon", "0.1:0.2"], /must look like 0\.01:0\.1:4/],
    ["an unknown model of the demo", () => ["demo", "--models", "gnc"], /unknown model "gnc"; known are gcn/],
    ["an unknown attack of the demo", () => ["demo", "--attacks", "prbcd,x"], /unknown attack "x"; known are prbcd/],
    [
      "a demo that attacks a model without gradients",
      () => ["demo", "--models", "mlp,gcn", "--out", temporaryFolder()],
      /mlp cannot be differentiated by edges/,
    ],
    [
      "a file of nodes in no known format",
      () => ["predict", "--out", "n.txt"],
      /--out must end in \.csv, \.json or \.parquet/,
    ],
    [
      "flips that are not there",
      () => ["evaluate", "--flips", "nowhere.csv"],
      /nowhere\.csv: cannot be read \(ENOENT\)/,
    ],
    ["missing weights", () => ["attack", "--weights", "nowhere"], /nowhere: cannot be opened \(ENOENT\)/],
    ["damaged weights", () => ["attack", "--weights", garbage()], /garbage\.safetensors: /],
    ["a place that is a folder", () => ["attack", "--out", folder()], /taken\.csv: is a folder; name a file in it/],
    ["a place that cannot be", () => ["attack", "--out", below()], /cannot be written \(\w+\); choose another place/],
    [
      "a format that is not written",
      () => ["attack", "--out", "flips.txt"],
      /--out must end in \.csv \(flips\) or \.npz/,
    ],
    ["an unknown device", () => ["train", "--device", "tpu"], /unknown device "tpu"; known are cpu/],
    ["no threads", () => ["train", "--threads", "0"], /threads must be 1 or more, got 0/],
  ];
  test.each(mistakes)("such as %s costs one line, exit code 2 and no training", async (_, args, message) => {
    const { status, stdout, lines } = await rgnnHere(args());
    expect(lines.join("\n")).toMatch(message);
    expect([status, stdout, lines.length]).toEqual([2, "", 1]);
    expect(lines[0]).toMatch(/^rgnn: /);
  });
});

describe("lists", () => {
  test("of attacks are JSON on request, each option as a schema", async () => {
    const { attacks } = JSON.parse((await rgnnHere(["attack", "--attack", "list", "--json"])).stdout);
    const names = [...Object.keys(globalAttacks), ...Object.keys(localAttacks)];
    expect(attacks.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(attacks[0].options.properties.blockSize).toMatchObject({ type: "integer", minimum: 1, default: 1_000_000 });
    expect(attacks[0].options.properties.loss).toMatchObject({ type: "string", default: "far-margin" });
    const one = await rgnnHere(["attack", "--attack", "dice", "--option", "list"]);
    expect(one.stdout).toMatch(/addRatio +0\.6 +share of the budget/);
    expect(one.stdout).not.toContain("prbcd");
  });

  test("of models name each, and the hyperparameters of one with their values on a dataset", async () => {
    const models = await rgnnHere(["train", "--model", "list"]);
    for (const word of ["gcn ", "soft-median-gdc ", "rgcn "]) expect(models.stdout).toContain(word);
    const gcn = await rgnnHere(["train", "--model", "gcn", "--dataset", "ogbn-arxiv", "--set", "list"]);
    expect(gcn.stdout).toMatch(/hidden +256,256 +width of each hidden layer/);
    expect(gcn.stdout).toMatch(/weightDecay +0 +/);
    expect(gcn.stdout).toContain("Defaults on ogbn-arxiv (preset ogbn-arxiv)");
    const { training } = JSON.parse((await rgnnHere(["train", "--set", "list", "--json"])).stdout);
    expect(training.properties.maxEpochs).toMatchObject({ type: "integer", minimum: 0, default: 3000 });
  });
});

test("the help of train and attack shows an example", async () => {
  for (const command of ["train", "attack"]) {
    const { status, stdout } = await rgnnHere([command, "--help"]);
    expect(status).toBe(0);
    expect(stdout).toContain(`Example:\n  rgnn ${command} --dataset cora_ml`);
  }
});

test("a mistake ends the process with code 2 and one line", async () => {
  const { status, stdout, lines } = await rgnn(["attack", "--attack", "none"]);
  const known = [...Object.keys(globalAttacks), ...Object.keys(localAttacks)].join(", ");
  expect([status, stdout, lines]).toEqual([2, "", [`rgnn: unknown attack "none"; known are ${known}`]]);
});
