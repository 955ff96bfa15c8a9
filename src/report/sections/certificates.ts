import { type BandRow, certifiedBand } from "../charts/certified-band.ts";
import { text } from "../document.ts";
import { mean } from "../results/mean.ts";
import { percent } from "../words.ts";
import { firstPanels, panelName, type SectionContext, type SectionResult } from "./context.ts";

/** What is promised and what is reached, where a model has both. */
export function certificatesSection(context: SectionContext): SectionResult {
  const title = "Certified and attacked accuracy";
  const { certificates, results, theme } = context;
  if (certificates.length === 0) return { title, reason: "there are no certificates for this study" };
  const all = bandRows(context);
  if (all.length === 0) return { title, reason: "no model has both a certificate and an attack at the same budget" };
  const { rows, note } = firstPanels(all);
  const isShare = results.budgetUnit === "share";
  const x = { title: isShare ? "flipped edges, share" : "flips", ...(isShare && { format: "~%" }) };
  const last = all.at(-1)!;
  return {
    id: "certificates",
    title,
    blocks: [
      text(
        "No attack within a budget leaves less than what is certified; the attacks of this study show that no more than the upper line can be promised.",
      ),
      {
        kind: "figure",
        id: "certified-band",
        caption: `Certified lower bound and attacked upper bound of the robust accuracy over the budget, means over seeds.${note}`,
        alternative: `Bands between certified and attacked accuracy. ${last.panel} at the largest budget: between ${percent(last.certified)} and ${percent(last.attacked)}.`,
        chart: { ...certifiedBand(rows, x, theme), rows: all },
      },
    ],
  };
}

/** Budgets for which a model has both; the strongest attack counts. */
function bandRows(context: SectionContext): BandRow[] {
  const { certificates, index } = context;
  return index.datasets.flatMap((dataset) =>
    index.models.flatMap((model) => {
      const ofModel = certificates.filter((each) => each.dataset === dataset && each.model === model);
      const budgets = [...new Set(ofModel.map(({ budget }) => budget))].sort((a, b) => a - b);
      return budgets.flatMap((budget): BandRow[] => {
        const attacked = index.attacks
          .map((attack) => index.cell(dataset, model, attack, budget))
          .filter((runs) => runs.length > 0)
          .map((runs) => mean(runs.map(({ accuracy }) => accuracy)));
        const clean = [...index.clean(dataset, model).values()];
        if (budget === 0 && attacked.length === 0 && clean.length > 0) attacked.push(mean(clean));
        if (attacked.length === 0) return [];
        const certified = mean(ofModel.filter((each) => each.budget === budget).map(({ accuracy }) => accuracy));
        return [{ panel: panelName(context, dataset, model), x: budget, certified, attacked: Math.min(...attacked) }];
      });
    }),
  );
}
