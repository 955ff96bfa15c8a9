import { join } from "node:path";
import { expect, test } from "vitest";
import type { EvaluateReport } from "../../src/experiment/run-evaluate.ts";
import { readSafetensors, readWeightsConfig } from "../../src/files/weights-files.ts";
import { rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const golden = (name: string) => join(import.meta.dirname, "../golden/pyg", `${name}.safetensors`);

test("weights go to PyTorch Geometric and back with the same accuracy", { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const ours = join(folder, "ours.safetensors");
  const theirs = join(folder, "pyg.safetensors");
  const back = join(folder, "back.safetensors");
  await rgnnJson("train", "--set", "maxEpochs=20", "--set", "hidden=8", "--out", ours);
  const exported = await rgnnHere(["weights", "export", ours, "--out", theirs]);
  expect([exported.status, exported.stdout.split("\n").slice(-4, -1)]).toEqual([
    0,
    [
      "  from safetensors.torch import load_file",
      "  from torch_geometric.nn.models import GCN; model = GCN(2879, 8, num_layers=2, out_channels=7)",
      `  model.load_state_dict(load_file("${theirs}"))`,
    ],
  ]);
  const direct = await rgnnHere(["evaluate", "--weights", theirs]);
  expect([direct.status, direct.lines]).toEqual([
    2,
    [
      `rgnn: ${theirs}: was exported for PyTorch Geometric; import it with: rgnn weights import ${theirs} --out imported.safetensors`,
    ],
  ]);
  expect([...readSafetensors(theirs).tensors.keys()]).toContain("convs.0.lin.weight");
  const imported = await rgnnJson("weights", "import", theirs, "--out", back, "--dataset", "synthetic-citation");
  expect(imported).toMatchObject({ model: "gcn", sizes: { features: 2879, classes: 7 }, out: back });
  const before = await rgnnJson<EvaluateReport>("evaluate", "--weights", ours);
  const after = await rgnnHere(["evaluate", "--weights", back, "--json"]);
  expect(JSON.parse(after.stdout).accuracy).toEqual(before.accuracy);
  expect(after.lines[0]).toContain("does not name its split"); // nobody knows what it learned from
});

test("a model of PyTorch Geometric is imported, with what its file does not say", async () => {
  const out = join(temporaryFolder(), "sgc.safetensors");
  const { status, stdout } = await rgnnHere(["weights", "import", golden("sgc"), "--out", out, "--steps", "3"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^model +sgc, widths 24 → 5/);
  expect(readWeightsConfig(out)).toMatchObject({
    kind: "sgc",
    config: { steps: 3 },
    sizes: { features: 24, classes: 5 },
  });
});

test("mistakes cost one line", async () => {
  const out = join(temporaryFolder(), "w.safetensors");
  for (const [args, message] of [
    [["import", golden("gcn"), "--out", out, "--steps", "3"], /holds a gcn, to which steps means nothing/],
    [["import", golden("gcn"), "--out", out, "--activation", "elu"], /activation must be relu or identity, got elu/],
    [["import", "nowhere", "--out", out], /nowhere: cannot be opened \(ENOENT\)/],
    [["import", golden("gcn")], /required option '--out <file>' not specified/],
    [["export", golden("gcn"), "--out", out], /import it with: rgnn weights import/],
  ] as const) {
    const { status, stdout, lines } = await rgnnHere(["weights", ...args]);
    expect(lines.join("\n")).toMatch(message);
    expect([status, stdout, lines.length]).toEqual([2, "", 1]);
  }
});
