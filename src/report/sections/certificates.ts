import { type BandRow, certifiedBand } from "../charts/certified-band.ts";
import { distinct } from "../charts/distinct.ts";
import { text } from "../document.ts";
import { mean } from "../results/mean.ts";
import { percent } from "../words.ts";
import { firstPanels, type SectionContext, type SectionResult } from "./context.ts";

/** Certified and attacked accuracy, if results of `rgnn certify` were given. */
export function certificatesSection({ bounds, theme }: SectionContext): SectionResult {
  const title = "Certified and attacked accuracy";
  if (bounds.length === 0) return { title, reason: "no certificates were handed over (--certificates)" };
  const all = bandRows(bounds);
  const { rows, note } = firstPanels(all);
  const last = all.at(-1)!;
  const seeds = distinct(bounds.map(({ seed }) => seed)).length;
  return {
    id: "certificates",
    title,
    blocks: [
      text(
        "These are models smoothed with noise on the graph, which differ from the models above. No adversary within the budget leaves less than what is certified; the attack shows, by votes, that no more than the upper line can be promised. Where noise only deletes edges, so does the adversary that is meant; where it only adds, likewise.",
      ),
      {
        kind: "figure",
        id: "certified-band",
        caption: `Certified lower bound and attacked upper bound of the accuracy of smoothed models, over the number of flips${seeds > 1 ? `; means over ${seeds} seeds` : ""}.${note}`,
        alternative: `Bands between certified and attacked accuracy. ${last.panel} with ${last.x} flips: between ${percent(last.certified)} and ${percent(last.attacked)}.`,
        chart: { ...certifiedBand(rows, { title: "flips" }, theme), rows: all },
      },
    ],
  };
}

/** Means over seeds: a panel for each model, dataset and kind of adversary, the smallest budget first. */
function bandRows(bounds: SectionContext["bounds"]): BandRow[] {
  const isOne = distinct(bounds.map(({ dataset }) => dataset)).length === 1;
  const panelOf = ({ dataset, model, allowed }: (typeof bounds)[number]) =>
    [model, ...(isOne ? [] : [dataset]), ...(allowed === "both" ? [] : [`${allowed} only`])].join(" · ");
  const panels = Map.groupBy(bounds, panelOf);
  return [...panels].flatMap(([panel, ofPanel]) => {
    const budgets = [...Map.groupBy(ofPanel, ({ budget }) => budget)].sort(([a], [b]) => a - b);
    return budgets.map(([x, points]) => ({
      panel,
      x,
      certified: mean(points.map(({ certified }) => certified)),
      attacked: mean(points.map(({ attacked }) => attacked)),
    }));
  });
}
