import type { PeerValues } from "./peer.ts";
import { PLAIN, strengthAttacks } from "./plan.ts";
import { meanOf, type StrengthResult } from "./results.ts";
import { lowestPublished, type RobustRow } from "./robust-table.ts";

/** Budgets at which differences are averaged: the usual ones. */
const USUAL = [0.05, 0.1];

/** A GCN's accuracy after an attack here, beside what PyTorch Geometric leaves of the same weights. */
interface Compared {
  readonly result: StrengthResult;
  readonly peer: number;
  /** Here minus there: negative if the attack is stronger here. */
  readonly difference: number;
}

/** What the GCN's results say, a sentence each. */
export function gcnVerdicts(results: readonly StrengthResult[], peers: PeerValues): string[] {
  const ofGcn = results.filter(({ model }) => model === PLAIN);
  if (ofGcn.length === 0) return [];
  const compared = (attack: string) =>
    ofGcn.filter((result) => result.attack === attack).flatMap((result) => compare(result, peers));
  return [
    sameWeights(ofGcn, peers),
    ...atLeastAsStrong("prbcd", compared("prbcd")),
    ...["prbcd-polish", "auto"].flatMap((attack) => [
      ...atLeastAsStrong(attack, compared(attack)),
      ...lowerBy(attack, compared(attack)),
    ]),
  ];
}

/** Accuracies are compared to the four digits that the other library's were printed with. */
function compare(result: StrengthResult, peers: PeerValues): Compared[] {
  const peer = peers.get(result)?.adversarial;
  if (peer === undefined) return [];
  return [{ result, peer, difference: Number((Number(result.value.toFixed(4)) - peer).toFixed(4)) }];
}

function sameWeights(results: readonly StrengthResult[], peers: PeerValues): string {
  const others = results.flatMap((result) => {
    const clean = peers.get(result)?.clean;
    const differs = clean !== undefined && result.clean.toFixed(4) !== clean.toFixed(4);
    return differs
      ? [`${result.dataset} seed ${result.seed} (${result.clean.toFixed(4)} here, ${clean.toFixed(4)} there)`]
      : [];
  });
  const distinct = [...new Set(others)];
  return distinct.length === 0
    ? "The GCNs are those that PyTorch Geometric attacked: their clean accuracies agree."
    : `Not the weights that PyTorch Geometric attacked, by their clean accuracy: ${distinct.join("; ")}.`;
}

function atLeastAsStrong(attack: string, compared: readonly Compared[]): string[] {
  if (compared.length === 0) return [];
  const { title } = strengthAttacks[attack];
  const weaker = compared.filter(({ difference }) => difference > 0);
  const question = `${title} is at every measured budget and seed at least as strong as PyTorch Geometric's PR-BCD`;
  if (weaker.length === 0) return [`${question}: yes (${compared.length} of ${compared.length}).`];
  const list = weaker.map((one) => `${where(one)} by ${one.difference.toFixed(4)}`);
  return [
    `${question}: no, in ${compared.length - weaker.length} of ${compared.length}; weaker at ${list.join("; ")}.`,
  ];
}

function lowerBy(attack: string, all: readonly Compared[]): string[] {
  const compared = all.filter(({ result }) => USUAL.includes(result.epsilon));
  if (compared.length === 0) return [];
  const gains = USUAL.flatMap((budget) => {
    const mean = meanOf(compared.flatMap(({ result, difference }) => (result.epsilon === budget ? [-difference] : [])));
    return mean === null ? [] : [`${mean.toFixed(4)} at ε ${budget}`];
  });
  const least = compared.reduce((a, b) => (b.difference > a.difference ? b : a));
  const { title } = strengthAttacks[attack];
  const smallest = `smallest difference there ${(-least.difference).toFixed(4)} (${where(least)})`;
  return [
    `${title} leaves less accuracy than PyTorch Geometric's PR-BCD by ${gains.join(" and ")} on average; ${smallest}.`,
  ];
}

function where({ result: { dataset, seed, epsilon } }: Compared): string {
  return `${dataset} seed ${seed} ε ${epsilon}`;
}

/** How far published accuracies fall, a sentence for each model. */
export function robustVerdicts(rows: readonly RobustRow[]): string[] {
  const models = [...new Set(rows.map(({ model }) => model))];
  return models.flatMap((model) => {
    const known = rows.flatMap((row) => {
      const reference = lowestPublished(row);
      return row.model === model && reference !== null ? [{ row, reference }] : [];
    });
    const before = meanOf(known.map(({ reference }) => reference));
    const after = meanOf(known.map(({ row }) => row.strongest));
    if (before === null || after === null) return [];
    const cells = known.length === 1 ? "one published cell" : `${known.length} published cells`;
    return [
      `${model}: of published ${before.toFixed(3)} the strongest attack here leaves ${after.toFixed(3)} (mean of ${cells}).`,
    ];
  });
}
