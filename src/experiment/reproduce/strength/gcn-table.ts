import { left, right } from "../../table-column.ts";
import type { ReportTable } from "../report.ts";
import { signed } from "../table-report.ts";
import type { PeerValues } from "./peer.ts";
import { PLAIN, strengthAttacks } from "./plan.ts";
import { groupResults, meanOf, type StrengthResult } from "./results.ts";

/** One row for every seed and one for their mean: PyTorch Geometric, and each attack with its difference to that. */
export function gcnTable(results: readonly StrengthResult[], peers: PeerValues): ReportTable {
  const ofGcn = results.filter(({ model }) => model === PLAIN);
  const attacks = Object.keys(strengthAttacks).filter((name) => ofGcn.some(({ attack }) => attack === name));
  const groups = groupResults(ofGcn, ({ dataset, epsilon }) => `${dataset} ${epsilon}`);
  return {
    columns: [
      ...[left("dataset"), right("epsilon"), right("seed"), right("PyG")],
      ...attacks.flatMap((name) => [right(strengthAttacks[name].title), right("− PyG")]),
    ],
    cells: groups.flatMap((group) => {
      const seeds = groupResults(group, ({ seed }) => String(seed)).map((ofSeed) => seedRow(ofSeed, attacks, peers));
      const { dataset, epsilon } = group[0];
      const rows = seeds.length > 1 ? [...seeds, meanRow(seeds)] : seeds;
      return rows.map(({ seed, numbers }) => [dataset, String(epsilon), seed, ...format(numbers)]);
    }),
  };
}

interface Row {
  readonly seed: string;
  /** PyTorch Geometric, then an accuracy and its difference for each attack; null where there is none. */
  readonly numbers: readonly (number | null)[];
}

function seedRow(results: readonly StrengthResult[], attacks: readonly string[], peers: PeerValues): Row {
  const peer = peers.get(results[0])?.adversarial ?? null;
  const numbers = attacks.flatMap((name) => {
    const value = results.find(({ attack }) => attack === name)?.value ?? null;
    return [value, value === null || peer === null ? null : value - peer];
  });
  return { seed: String(results[0].seed), numbers: [peer, ...numbers] };
}

/** There is no mean where a seed is missing: it would be over other seeds than the mean in the next column. */
function meanRow(rows: readonly Row[]): Row {
  const numbers = rows[0].numbers.map((_, c) => {
    const known = rows.flatMap((row) => row.numbers[c] ?? []);
    return known.length === rows.length ? meanOf(known) : null;
  });
  return { seed: "mean", numbers };
}

function format([peer, ...numbers]: Row["numbers"]): string[] {
  const plain = (value: number | null) => value?.toFixed(4) ?? "";
  return [plain(peer), ...numbers.map((value, c) => (c % 2 === 0 ? plain(value) : difference(value)))];
}

function difference(value: number | null): string {
  return value === null ? "" : signed(value, 4);
}
