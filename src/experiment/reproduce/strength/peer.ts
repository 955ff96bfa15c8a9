import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check, DataError } from "../../../core/errors.ts";

/** Accuracy of one of our GCNs after PR-BCD of PyTorch Geometric. */
export interface PeerValue {
  /** Accuracy of the same weights without an attack. */
  readonly clean: number;
  readonly adversarial: number;
}

/** The values of PyTorch Geometric. The README beside the file says how they were made. */
export class PeerValues {
  private readonly values = new Map<string, PeerValue>();

  /** Reads lines of dataset, seed, epsilon, clean, adversarial and more, below a line of titles. */
  constructor(csv: string) {
    for (const line of csv.trim().split("\n").slice(1)) {
      const [dataset, seed, epsilon, clean, adversarial] = line.split(",");
      const value = { clean: Number(clean), adversarial: Number(adversarial) };
      check(value.clean > 0 && value.adversarial >= 0, () => `"${line}" is no line of accuracies`, DataError);
      this.values.set(keyOf({ dataset, seed: Number(seed), epsilon: Number(epsilon) }), value);
    }
  }

  /** Loads the values of the repository, which the package contains. */
  static load(): PeerValues {
    const file = new URL("../../../../bench/peers/pyg-prbcd-strength.csv", import.meta.url);
    return new PeerValues(readFileSync(fileURLToPath(file), "utf8"));
  }

  get(cell: PeerCell): PeerValue | undefined {
    return this.values.get(keyOf(cell));
  }
}

interface PeerCell {
  readonly dataset: string;
  readonly seed: number;
  readonly epsilon: number;
}

function keyOf({ dataset, seed, epsilon }: PeerCell): string {
  return `${dataset} ${seed} ${epsilon}`;
}
