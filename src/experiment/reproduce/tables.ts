import type { Json } from "../../core/options/index.ts";
import { type Experiment, experimentOf, plain } from "./experiment.ts";
import type { PublishedKey } from "./published.ts";

/** A table of the paper that can be measured again. */
export interface Table {
  readonly title: string;
  readonly datasets: readonly string[];
  /** What a reader must know besides the numbers. */
  readonly remark?: string;
  rows(dataset: string): readonly TableRow[];
}

/** One row: what is measured for each seed, and the published number it is compared with. */
export interface TableRow {
  readonly published: PublishedKey;
  /** A model with options differs from the published one, and is not compared with it. */
  readonly measure: Experiment;
}

const SMALL = ["cora_ml", "citeseer"];
const MODELS = [
  "gcn",
  "gdc",
  "pprgo",
  "gat",
  "gdc-gat",
  "soft-median-gdc",
  "soft-median-pprgo",
  "soft-medoid-gdc",
  "svd-gcn",
  "jaccard-gcn",
  "rgcn",
];
const PUBMED_MODELS = ["gcn", "gdc", "pprgo", "soft-median-gdc", "soft-median-pprgo"];
const LOSSES = ["ce", "margin", "cw", "nce", "elu-margin", "mce", "tanh-margin"];

type Settings = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Attack settings of the published experiments, per attack. */
const direct: Settings = {
  prbcd: { preset: "paper", blockSize: 100_000, epochs: 500, fineTuneEpochs: 100 },
  grbcd: { blockSize: 100_000, epochs: 500 },
};
const transfer: Settings = {
  prbcd: { preset: "paper", blockSize: 1_000_000, epochs: 500, fineTuneEpochs: 100 },
  grbcd: { blockSize: 1_000_000, epochs: 500 },
  pgd: { epochs: 200 },
  fgsm: {},
  dice: {},
};
/** Not from the paper, which has no attack through push. Few epochs, because each takes seconds. */
const THROUGH_PUSH = { preset: "paper", blockSize: 500_000, epochs: 100, fineTuneEpochs: 20 };
const PUBMED: Settings = {
  prbcd: { preset: "paper", blockSize: 2_500_000, epochs: 500, fineTuneEpochs: 100 },
  grbcd: { blockSize: 2_500_000 },
};
const defaultLoss: Readonly<Record<string, string | null>> = {
  prbcd: "tanh-margin",
  grbcd: "mce",
  pgd: "tanh-margin",
  fgsm: "mce",
  dice: null,
};

const GAT_REMARK = `For gdc-gat, "published" is the row that the paper prints for GAT; for gat it is the row of GAT in the results
notebook of the authors (docs/results/gat.md).`;

export const tables: Readonly<Record<string, Table>> = {
  clean: {
    title: "Clean test accuracy",
    datasets: [...SMALL, "pubmed"],
    remark: GAT_REMARK,
    rows: (dataset) =>
      ["gcn", "gdc", "pprgo", "gat", "sgc"]
        .filter((model) => dataset !== "pubmed" || model !== "gat")
        .map((model) => cleanRow(dataset, model)),
  },
  direct: {
    title: "Direct attacks on the GCN",
    datasets: SMALL,
    rows: (dataset) => directRows(dataset, ["gcn"]),
  },
  adaptive: {
    title: "Adaptive attacks on GDC and Soft Median GDC, through PageRank",
    datasets: SMALL,
    rows: (dataset) => directRows(dataset, ["gdc", "soft-median-gdc"]),
  },
  transfer: {
    title: "Transfer of DICE, FGSM and PGD to the GCN",
    datasets: SMALL,
    rows: (dataset) =>
      product(["dice", "fgsm", "pgd"], [0.05, 0.1]).map(([attack, epsilon]) =>
        transferRow(dataset, attack, epsilon, "gcn"),
      ),
  },
  robust: {
    title: "Transfer of all attacks to all models",
    datasets: SMALL,
    remark: GAT_REMARK,
    rows: (dataset) => [
      ...MODELS.map((model) => cleanRow(dataset, model)),
      ...product(["dice", "fgsm", "grbcd", "pgd", "prbcd"], [0.05, 0.1]).flatMap(([attack, epsilon]) =>
        MODELS.map((model) => transferRow(dataset, attack, epsilon, model)),
      ),
    ],
  },
  losses: {
    title: "Surrogate losses of FGSM and PGD, transferred to the GCN",
    datasets: SMALL,
    rows: (dataset) =>
      product(["fgsm", "pgd"], LOSSES).flatMap(([attack, loss]) =>
        [0.01, 0.05, 0.1, 0.25].map((epsilon) => ({
          published: { setting: "losses" as const, dataset, attack, loss, epsilon, model: "gcn" },
          measure: experimentOf({
            dataset,
            model: plain("gcn"),
            surrogate: plain("dense-gcn"),
            attack: { name: attack, options: { ...transfer[attack], loss } },
            epsilon,
          }),
        })),
      ),
  },
  pubmed: {
    title: "Surrogate losses of PR-BCD and GR-BCD on PubMed",
    datasets: ["pubmed"],
    rows: (dataset) =>
      product(["prbcd", "grbcd"], LOSSES).flatMap(([attack, loss]) =>
        [0.01, 0.05].map((epsilon) => pubmedRow(dataset, attack, loss, epsilon, "gcn")),
      ),
  },
  "robust-pubmed": {
    title: "Transfer of PR-BCD and GR-BCD to robust models on PubMed",
    datasets: ["pubmed"],
    rows: (dataset) => [
      ...PUBMED_MODELS.map((model) => cleanRow(dataset, model)),
      ...product(["grbcd", "prbcd"], [0.05, 0.1]).flatMap(([attack, epsilon]) =>
        PUBMED_MODELS.map((model) => pubmedRow(dataset, attack, defaultLoss[attack]!, epsilon, model)),
      ),
    ],
  },
  "adaptive-pubmed": {
    title: "Adaptive PR-BCD on PubMed, through PageRank by push",
    datasets: ["pubmed"],
    rows: (dataset) =>
      product([0.05, 0.1], ["gdc", "soft-median-gdc"]).map(([epsilon, model]) => ({
        published: { setting: "direct", dataset, attack: "prbcd", loss: defaultLoss["prbcd"], epsilon, model },
        measure: experimentOf({
          dataset,
          model: plain(model),
          attack: { name: "prbcd", options: THROUGH_PUSH },
          epsilon,
        }),
      })),
  },
};

/**
 * Attacks computed on the evaluated model itself. The greedy one (GR-BCD) continues from budget to budget, as
 * published.
 */
function directRows(dataset: string, models: readonly string[]): TableRow[] {
  const budgets = [0.01, 0.05, 0.1, 0.25, 0.5, 1];
  return product(["prbcd", "grbcd"], budgets).flatMap(([attack, epsilon]) => {
    const goesThrough = { chain: true, passes: budgets.map((each) => ({ epsilon: each })) };
    return models.map((model) => ({
      published: { setting: "direct", dataset, attack, loss: defaultLoss[attack]!, epsilon, model },
      measure: experimentOf({
        dataset,
        model: plain(model),
        attack: { name: attack, options: direct[attack] },
        epsilon,
        ...(attack === "grbcd" && goesThrough),
      }),
    }));
  });
}

export function cleanRow(dataset: string, model: string): TableRow {
  return {
    published: { setting: "clean", dataset, attack: "none", loss: null, epsilon: 0, model },
    measure: experimentOf({ dataset, model: plain(model) }),
  };
}

/** FGSM and PGD are computed on the dense surrogate, the others on the GCN itself. */
export function transferRow(dataset: string, attack: string, epsilon: number, model: string): TableRow {
  const surrogate = attack === "fgsm" || attack === "pgd" ? "dense-gcn" : "gcn";
  return {
    published: { setting: "transfer", dataset, attack, loss: defaultLoss[attack]!, epsilon, model },
    measure: experimentOf({
      dataset,
      model: plain(model),
      surrogate: plain(surrogate),
      attack: { name: attack, options: transfer[attack] },
      epsilon,
    }),
  };
}

/** The loss is named even where it is the attack's own, so that both tables of PubMed share their runs. */
function pubmedRow(dataset: string, attack: string, loss: string, epsilon: number, model: string): TableRow {
  return {
    published: { setting: "transfer", dataset, attack, loss, epsilon, model },
    measure: experimentOf({
      dataset,
      model: plain(model),
      surrogate: plain("gcn"),
      attack: { name: attack, options: { ...PUBMED[attack], loss } },
      epsilon,
    }),
  };
}

export function product<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  return first.flatMap((a) => second.map((b): [A, B] => [a, b]));
}
