import type { Description, OptionsOf } from "../../core/options/index.ts";
import type { Model } from "../../nn/model.ts";
import { checkDifferentiable } from "../victim.ts";
import { exhaustive, exhaustiveOptions } from "./exhaustive.ts";
import { fga, fgaOptions } from "./fga.ts";
import { linearWeights } from "./linear-two-step.ts";
import { localDice, localDiceOptions } from "./local-dice.ts";
import { localPrbcd } from "./local-prbcd.ts";
import { localPrbcdOptions } from "./local-prbcd-options.ts";
import type { Influence, LocalAttack } from "./local-task.ts";
import { nettack, nettackOptions } from "./nettack.ts";
import { checkRelaxable } from "./prbcd/relaxed-victim.ts";
import { sga } from "./sga.ts";
import { sgaOptions } from "./sga-options.ts";

/** An attack on single nodes that can be asked for by name. */
export interface LocalAttackKind {
  readonly summary: string;
  readonly options: Description;
  /** The model that it finds flips on, whatever the victim is; null if that is the victim itself. */
  readonly surrogate: string | null;
  /** Whether it looks at a model at all. */
  readonly looksAtModel: boolean;
  /** Throws if it cannot find flips with this influence on the model, which need not be trained. */
  checkModel(model: Model, influence: Influence): void;
  /** Whether it attacks undirected graphs only. */
  readonly undirected: boolean;
  readonly run: LocalAttack<Record<string, unknown>>;
}

/** The attacks on one node at a time, by name. */
export const localAttacks: Readonly<Record<string, LocalAttackKind>> = {
  "local-prbcd": {
    ...kind(
      "projected block coordinate descent on the edges of the node, also of PPRGo; then the best flips are tried",
      localPrbcdOptions,
      localPrbcd,
    ),
    checkModel: checkRelaxable,
  },
  "local-dice": {
    ...kind("random: inserts edges to nodes of other classes, removes those to the same", localDiceOptions, localDice),
    looksAtModel: false,
  },
  nettack: {
    ...kind("greedy on a linear GCN with exact scores, keeping the degrees plausible", nettackOptions, nettack),
    surrogate: "linear-gcn",
    undirected: true,
    checkModel: (model) => linearWeights("nettack", model),
  },
  sga: {
    ...kind("greedy by gradients of SGC, near the node and towards the strongest wrong class", sgaOptions, sga),
    surrogate: "sgc",
    undirected: true,
    checkModel: (model) => linearWeights("sga", model),
  },
  fga: {
    ...kind("greedy by gradients of the model, one flip per step", fgaOptions, fga),
    checkModel: (model) => checkDifferentiable("fga", model),
  },
  exhaustive: kind("brute force over all flips, with a budget of one or two", exhaustiveOptions, exhaustive),
};

/** Erases the types of the options: code that looks an attack up by name does not know them. */
function kind<D extends Description>(summary: string, options: D, run: LocalAttack<OptionsOf<D>>): LocalAttackKind {
  return {
    summary,
    options,
    surrogate: null,
    looksAtModel: true,
    checkModel() {},
    undirected: false,
    run: run as LocalAttackKind["run"],
  };
}
