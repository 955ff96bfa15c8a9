import values from "./published.json" with { type: "json" };

/** What a published number measures. `clean` and `losses` are settings of their own, as in the paper's tables. */
export interface PublishedKey {
  readonly setting: "clean" | "direct" | "transfer" | "losses";
  readonly dataset: string;
  readonly attack: string;
  readonly loss: string | null;
  readonly epsilon: number;
  readonly model: string;
}

export interface Published {
  readonly mean: number;
  /** As printed: the standard deviation over three seeds divided by 3. */
  readonly err: number | null;
}

const byKey = new Map(values.map(({ mean, err, ...key }) => [text(key as PublishedKey), { mean, err }]));

/**
 * The accuracy that *Robustness of Graph Neural Networks at Scale* reports, if it does. The row that it prints for GAT agrees
 * with `gdc-gat` and is stored under that name. Under `gat` is the row of GAT in the authors' notebook, whose other rows are
 * those of the paper (docs/results/gat.md).
 */
export function published(key: PublishedKey): Published | undefined {
  return byKey.get(text(key));
}

function text({ setting, dataset, attack, loss, epsilon, model }: PublishedKey): string {
  return [setting, dataset, attack, loss ?? "", epsilon, model].join(" ");
}
