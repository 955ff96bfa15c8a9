import { accuracyCell, type RobustnessErrors } from "./average-robustness.ts";
import { type CurvePoint, curvesChart } from "./curves-chart.ts";
import { percent, type RobustnessResult } from "./robustness.ts";

/** The curves of a comparison as SVG, each attack a panel, the clean accuracy at budget 0. */
export function robustnessChart(result: RobustnessResult, title: string): Promise<string> {
  const panels = [...new Set(result.rows.map(({ attack }) => attack))];
  const clean = panels.flatMap((panel) =>
    Object.entries(result.clean).map(([series, y]): CurvePoint => ({ panel, series, x: 0, y })),
  );
  const attacked = result.rows.flatMap(({ attack, epsilon, accuracy }) =>
    Object.entries(accuracy).map(([series, y]): CurvePoint => ({ panel: attack, series, x: epsilon, y })),
  );
  return curvesChart({
    title,
    points: [...clean, ...attacked],
    series: "model",
    x: { title: "flipped edges, share", format: "%" },
    y: { title: "test accuracy", domain: [0, 1] },
  });
}

/** What a page shows; of several seeds the means, with their errors. */
export interface RobustnessPage {
  readonly title: string;
  readonly seeds: readonly number[];
  readonly result: RobustnessResult;
  readonly errors?: RobustnessErrors;
  /** As {@link robustnessChart} draws it. */
  readonly chart: string;
}

/** A page of its own with the table and the curves; it loads nothing from elsewhere. */
export function robustnessPage({ title, seeds, result, errors, chart }: RobustnessPage): string {
  const row = (cells: readonly string[], tag = "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const models = Object.keys(result.clean);
  const body = [
    row(["none", "0%", "0", ...models.map((model) => accuracyCell(result.clean[model], errors?.clean[model])), ""]),
    ...result.rows.map(({ attack, epsilon, numFlips, accuracy, seconds }, r) =>
      row([
        attack,
        percent(epsilon),
        numFlips.toFixed(0),
        ...models.map((model) => accuracyCell(accuracy[model], errors?.rows[r].accuracy[model])),
        seconds.toFixed(1),
      ]),
    ),
  ];
  const which = seeds.length === 1 ? `Seed ${seeds[0]}` : `Mean ± standard error over seeds ${seeds.join(", ")}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
  table { border-collapse: collapse; margin: 1.5rem 0; }
  th, td { padding: .25rem .9rem; text-align: right; border-bottom: 1px solid #ddd; }
  th:first-child, td:first-child { text-align: left; }
</style>
<h1>${title}</h1>
<p>Test accuracy after edge flips. The flips are found on <b>${models[0]}</b> (a direct attack) and applied to the other models
as they are (transfer). ${which}.${result.interrupted ? " <b>The run was interrupted; rows are missing.</b>" : ""}</p>
${chart}
<table>
${row(["attack", "budget", "flips", ...models, "seconds"], "th")}
${body.join("\n")}
</table>
</html>
`;
}
