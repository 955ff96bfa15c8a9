import { globalAttacks } from "../../../attack/global-attacks.ts";
import { POLISH_ROUNDS } from "../../../attack/polish/polished.ts";
import type { NamedOptions } from "../../study/study.ts";
import { type Experiment, experimentOf, plain } from "../experiment.ts";
import type { Choice, Parts } from "../report.ts";

/** The model whose weights PyTorch Geometric attacked too. */
export const PLAIN = "gcn";

/** Options of every attack with gradients: the size at which PyTorch Geometric was run. */
const SIZE = { blockSize: 250_000, epochs: 500 };

/** PR-BCD as it is by default. */
const STRONG = { preset: "strong", ...SIZE };

/** Generations of eva: fewer where a trial is a whole forward pass. */
const GENERATIONS: Readonly<Record<string, number>> = { gat: 200, rgcn: 200, "jaccard-gcn": 2000 };

/** An attack of the tables. */
interface StrengthAttack {
  readonly title: string;
  /** Its name among all attacks. */
  readonly attack: string;
  options(model: string): NamedOptions["options"];
  /** The largest budget measured on a graph, if larger ones take too long for what they show. Default: 1. */
  largest?(dataset: string): number;
  /** True if the flips are found on the GCN instead. */
  readonly transferred?: boolean;
  /** Rounds of polish on the model itself after the transfer. */
  readonly polish?: number;
}

/** Finds flips on the GCN, without polish, which would fit them to the GCN. */
const fromGcn = { attack: "prbcd", options: () => ({ ...STRONG, polish: 0 }), transferred: true };

/** The attacks by the names under which a run can be limited to them, in the order of the columns. */
export const strengthAttacks: Readonly<Record<string, StrengthAttack>> = {
  prbcd: { title: "PR-BCD", attack: "prbcd", options: () => ({ ...STRONG, polish: 0 }) },
  "prbcd-polish": {
    title: "PR-BCD + polish",
    attack: "prbcd",
    options: () => ({ ...STRONG, polish: POLISH_ROUNDS }),
    largest: (dataset) => (dataset === "pubmed" ? 0.1 : 1),
  },
  auto: { title: "auto", attack: "auto", options: () => SIZE, largest: () => 0.1 },
  grbcd: { title: "GR-BCD", attack: "grbcd", options: () => ({ ...SIZE, polish: 0 }) },
  transfer: { title: "transfer", ...fromGcn },
  "transfer-polish": { title: "transfer + polish", ...fromGcn, polish: POLISH_ROUNDS },
  eva: { title: "eva", attack: "eva", options: (model) => ({ epochs: GENERATIONS[model] }) },
};

/**
 * The attacks on each model. Models without gradients by edges are attacked by transfer and by trying flips (`eva`),
 * except where a trial takes an SVD: there, ten generations of `eva` take longer than eight minutes and are too few to
 * find anything. Where gradients go through PageRank, `auto` is left out: it would be mostly PR-BCD with polish, and
 * take several times as long.
 */
const ATTACKS_ON: Readonly<Record<string, readonly string[]>> = {
  [PLAIN]: ["prbcd", "prbcd-polish", "auto", "grbcd"],
  gdc: ["transfer", "prbcd-polish"],
  "soft-median-gdc": ["transfer", "prbcd-polish"],
  gat: ["transfer", "transfer-polish", "eva"],
  rgcn: ["transfer", "transfer-polish", "eva"],
  "jaccard-gcn": ["transfer", "transfer-polish", "eva"],
  "svd-gcn": ["transfer", "transfer-polish"],
};

const EPSILONS = [0.05, 0.1, 0.25, 0.5, 1];
/** Graphs and budgets of all models but the GCN. */
const ROBUST = { datasets: ["cora_ml", "citeseer"], epsilons: [0.05, 0.1, 0.25] };

export const DATASETS: readonly string[] = ["cora_ml", "citeseer", "pubmed"];

/** All that a run can be limited to. */
export const strengthParts: Parts = {
  models: Object.keys(ATTACKS_ON),
  attacks: Object.keys(strengthAttacks),
  epsilons: EPSILONS,
};

/** One attack on one model at one budget, for one seed. */
export interface StrengthCell {
  readonly dataset: string;
  readonly seed: number;
  readonly model: string;
  /** Its name among {@link strengthAttacks}. */
  readonly attack: string;
  readonly epsilon: number;
}

/** Everything that is measured, dataset by dataset, model by model; what this version cannot run is left out. */
export function strengthCells({ datasets, seeds, parts = strengthParts }: Choice): StrengthCell[] {
  const cells = datasets.flatMap((dataset) =>
    seeds.flatMap((seed) =>
      Object.entries(ATTACKS_ON).flatMap(([model, attacks]) =>
        attacks.flatMap((attack) => parts.epsilons.map((epsilon) => ({ dataset, seed, model, attack, epsilon }))),
      ),
    ),
  );
  const isChosen = ({ model, attack }: StrengthCell) => parts.models.includes(model) && parts.attacks.includes(attack);
  return cells.filter((cell) => isChosen(cell) && isCovered(cell) && exists(cell.attack));
}

/** Attacks of the plan that this version does not have. */
export function missingAttacks({ parts = strengthParts }: Choice): string[] {
  return parts.attacks.filter((name) => !exists(name));
}

/**
 * What is measured for a cell with its seed. Models learn on the CPU, so that several devices measure the same weights.
 */
export function strengthExperiment({ dataset, model, attack: name, epsilon }: Omit<StrengthCell, "seed">): Experiment {
  const { attack, options, transferred = false, polish } = strengthAttacks[name];
  return experimentOf({
    dataset,
    model: plain(model),
    attack: { name: attack, options: options(model) },
    epsilon,
    chain: false,
    trainedOn: "cpu",
    ...(transferred && { surrogate: plain(PLAIN) }),
    ...(polish !== undefined && { polish }),
  });
}

function isCovered({ dataset, model, attack, epsilon }: StrengthCell): boolean {
  const largest = strengthAttacks[attack].largest?.(dataset) ?? 1;
  if (epsilon > largest) return false;
  return model === PLAIN || (ROBUST.datasets.includes(dataset) && ROBUST.epsilons.includes(epsilon));
}

function exists(name: string): boolean {
  return Object.hasOwn(globalAttacks, strengthAttacks[name].attack);
}
