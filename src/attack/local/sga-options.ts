import { boolean, choice, defaultsOf, describeOptions, type OptionsOf } from "../../core/options/index.ts";

/** Values other than the defaults are those of the published comparison with SGA. */
export const sgaOptions = describeOptions({
  rival: choice({
    of: ["prediction", "unnormalised"],
    default: "prediction",
    help: "where the strongest wrong class comes from: the logits, or those of A²XW without self loops",
  }),
  context: choice({
    of: ["graph", "subgraph"],
    default: "graph",
    help: "edges that the gradient sees: all, or those between nodes within two steps",
  }),
  repeatFlips: boolean({ default: false, help: "let a flipped edge win again, which only spends budget" }),
  evaluateOn: choice({
    of: ["graph", "subgraph"],
    default: "graph",
    help: "what the victim is evaluated on: everything, or the nodes within two steps",
  }),
});

/** Options of {@link sga}; `rgnn attack --attack sga --option list` explains each. */
export type SgaOptions = OptionsOf<typeof sgaOptions>;

/** Default options of {@link sga}. */
export const sgaDefaults: SgaOptions = defaultsOf(sgaOptions);
