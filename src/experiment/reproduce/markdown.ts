import type { ReproducedRow } from "./reproduce.ts";

/** A table of reproduced rows as Markdown, with the command that made it. */
export function reproducedMarkdown(
  title: string,
  command: string,
  seeds: readonly number[],
  rows: readonly ReproducedRow[],
): string {
  const cells = rows.map((row) => [
    row.dataset,
    row.attack,
    row.loss ?? "",
    row.epsilon === 0 ? "" : String(row.epsilon),
    row.model,
    `${row.mean.toFixed(3)} ± ${row.deviation.toFixed(3)}`,
    String(row.values.length),
    row.published
      ? `${row.published.mean.toFixed(3)}${row.published.err === null ? "" : ` ± ${row.published.err.toFixed(3)}`}`
      : "",
    row.published ? signed(row.mean - row.published.mean) : "",
    row.verdict,
  ]);
  const head = ["dataset", "attack", "loss", "epsilon", "model", "here", "n", "published", "difference", "verdict"];
  const line = (values: readonly string[]) => `| ${values.join(" | ")} |`;
  return `# ${title}

Made by \`${command}\`. Test accuracy: mean ± standard deviation over seeds ${seeds.join(", ")}. The published ± is the standard
deviation divided by 3; two three-seed means agree if they differ by less than six times it, or by .01.

${[line(head), line(head.map(() => "---")), ...cells.map(line)].join("\n")}
`;
}

function signed(value: number): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`;
}
