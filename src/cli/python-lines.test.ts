import { expect, test } from "vitest";
import { pythonToLoad } from "./python-lines.ts";

const sizes = { features: 2879, classes: 7 };
const gcn = {
  name: "gcn",
  kind: "gcn",
  sizes,
  config: { hidden: [64], bias: true, batchNorm: false, activation: "relu" },
};

test("the model is built as it was trained", () => {
  const model = (name: string, config: object) =>
    pythonToLoad("w", { ...gcn, name, config: { ...gcn.config, ...config } })[1];
  expect(model("gcn", { hidden: [8, 8], batchNorm: true, bias: false, activation: "identity" })).toContain(
    'GCN(2879, 8, num_layers=3, out_channels=7, norm="batch_norm", bias=False, act=None)',
  );
  expect(model("gat", {})).toContain("GAT(2879, 64, num_layers=2, out_channels=7)");
  expect(model("sgc", { steps: 3 })).toContain("SGConv(2879, 7, K=3)");
  expect(model("gcn", { hidden: [8, 4] })).toContain("[GCNConv(2879, 8), GCNConv(8, 4), GCNConv(4, 7)]");
});
