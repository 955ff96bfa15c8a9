import { type Experiment, experimentOf } from "./experiment.ts";
import { ratesReport, summariseRates } from "./local-report.ts";
import type { LocalRow, LocalTable } from "./local-tables.ts";
import { type Choice, type Parts, PUBLISHED_SEEDS, type Reproduction } from "./report.ts";

/** A table of success rates beside the published ones. */
export function localReproduction(table: LocalTable): Reproduction {
  const all = partsOf(table);
  const rowsOf = ({ datasets, parts = all }: Choice) =>
    datasets.flatMap((dataset) => table.rows(dataset)).filter((row) => isAsked(row, parts));
  return {
    title: table.title,
    datasets: table.datasets,
    seeds: table.seeds ?? PUBLISHED_SEEDS,
    parts: all,
    experiments: (choice) => rowsOf(choice).map((row) => rateExperiment(table, row)),
    report(choice, results) {
      const measured = rowsOf(choice).flatMap((row) => {
        const experiment = rateExperiment(table, row);
        const values = choice.seeds.flatMap((seed) => results.get(experiment, seed)?.value ?? []);
        return values.length > 0 ? [{ row, values }] : [];
      });
      return ratesReport(summariseRates(measured), choice.seeds, table.remark);
    },
  };
}

/** All models, attacks and budgets in the rows of a table. */
function partsOf(table: LocalTable): Parts {
  const rows = table.datasets.flatMap((dataset) => table.rows(dataset).map(({ published }) => published));
  return {
    models: [...new Set(rows.map(({ model }) => model))],
    attacks: [...new Set(rows.map(({ attack }) => attack))],
    epsilons: [...new Set(rows.map(({ epsilon }) => epsilon))],
  };
}

function isAsked({ published: { model, attack, epsilon } }: LocalRow, { models, attacks, epsilons }: Parts): boolean {
  return models.includes(model) && attacks.includes(attack) && epsilons.includes(epsilon);
}

/**
 * What is measured for a row. The published experiments draw nodes for all budgets of a table, so `passes` has them
 * all, even if only some are asked for.
 */
export function rateExperiment(table: LocalTable, { published, options, influence, set }: LocalRow): Experiment {
  const { dataset, attack, epsilon, model, time } = published;
  const budgets = new Set(table.rows(dataset).map((row) => row.published.epsilon));
  return experimentOf({
    dataset,
    model: { name: model, options: set },
    attack: { name: attack, options },
    epsilon,
    passes: [...budgets].map((each) => ({ epsilon: each })),
    times: [time],
    influences: [influence],
  });
}
