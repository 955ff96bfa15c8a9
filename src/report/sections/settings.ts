import type { Json } from "../../core/options/index.ts";
import { formatCount } from "../../experiment/readable-numbers.ts";
import type { RunDescription } from "../../experiment/study/run-description.ts";
import { left, right } from "../../experiment/table-column.ts";
import { distinct } from "../charts/distinct.ts";
import type { TableBlock } from "../document.ts";
import { optionText } from "../results/labels.ts";
import { isAttacked, type MeasuredRun } from "../results/measured-run.ts";
import { listed, percent } from "../words.ts";
import type { SectionContext, SectionResult } from "./context.ts";

/** When and how the report was made. */
export interface Provenance {
  /** The command line that made the report, as a user would type it. */
  readonly command: string;
  readonly version: string;
  readonly date: Date;
}

/** Everything that is needed to repeat the measurements. */
export function settingsSection(context: SectionContext, provenance: Provenance): SectionResult {
  const { index } = context;
  return {
    id: "settings",
    title: "Settings",
    blocks: [
      datasetTable(context),
      modelTable(index.runs, index.models),
      ...(index.runs.some(isAttacked) ? [attackTable(context)] : []),
      provenanceTable(context, provenance),
    ],
  };
}

function datasetTable({ index }: SectionContext): TableBlock {
  const cells = index.datasets.map((dataset) => {
    const runs = index.runs.filter((run) => run.dataset === dataset);
    const graph = runs.find(({ details }) => details)?.details?.graph;
    const split = runs.find((run) => run.split)?.split;
    const number = (value: number | undefined) => (value === undefined ? "" : formatCount(value));
    return [
      dataset,
      number(graph?.numNodes),
      number(graph?.numEdges),
      number(graph?.numFeatures),
      number(graph?.numClasses),
      graph?.homophily == null ? "" : percent(graph.homophily),
      split ? `${split.name}: ${split.train} / ${split.val} / ${split.test}` : "",
      runs[0].description.cell.device,
      runs[0].description.cell.graph.sha256.slice(0, 12),
    ];
  });
  const columns = [
    left("dataset"),
    ...["nodes", "edges", "features", "classes", "homophily"].map(right),
    left("split: train / val / test"),
    left("device"),
    left("sha256"),
  ];
  return {
    kind: "table",
    id: "datasets-table",
    caption: "Graphs and their splits. The hash names the content of the graph.",
    columns,
    cells,
  };
}

function modelTable(runs: readonly MeasuredRun[], models: readonly string[]): TableBlock {
  const cells = models.map((model) => {
    const own = runs.filter((run) => run.model === model);
    return [model, optionsByGraph(own, ({ cell }) => cell.model.hyperparameters)];
  });
  const columns = [left("model"), left("hyperparameters of the model and its training")];
  return { kind: "table", id: "models-table", caption: "Models with all hyperparameters.", columns, cells };
}

function attackTable({ index }: SectionContext): TableBlock {
  const attacked = index.runs.filter(isAttacked);
  const cells = distinct(attacked.map(({ attack }) => attack)).map((attack) => {
    const runs = attacked.filter((run) => run.attack === attack);
    const { attack: description, time } = runs[0].description.cell;
    const transferred = runs.filter((run) => run.description.cell.attack?.surrogate);
    const from = distinct(transferred.map((run) => run.attackedModel));
    const direct = distinct(runs.filter((run) => !run.description.cell.attack?.surrogate).map(({ model }) => model));
    const to = distinct(transferred.map(({ model }) => model));
    const found = [
      ...(direct.length > 0 ? [`on ${listed(direct)}`] : []),
      ...(from.length > 0 ? [`transferred from ${listed(from)} to ${listed(to)}`] : []),
    ];
    return [
      attack,
      description?.loss ?? "",
      description?.objective ?? "",
      time,
      found.join("; "),
      optionsByGraph(runs, ({ cell }) => cell.attack?.options ?? {}) || "as the version has them",
    ];
  });
  const columns = ["attack", "loss", "objective", "time", "flips are found", "options that were given"].map(left);
  return {
    kind: "table",
    id: "attacks-table",
    caption: "Attacks. Options that are not listed have the defaults of the version below.",
    columns,
    cells,
  };
}

/** Options with their values; if an option differs between graphs, its value on each graph. */
function optionsByGraph(
  runs: readonly MeasuredRun[],
  optionsOf: (run: RunDescription) => Readonly<Record<string, Json>>,
): string {
  const graphs = distinct(runs.map(({ dataset }) => dataset));
  const all = graphs.map((graph) => optionsOf(runs.find(({ dataset }) => dataset === graph)!.description));
  const names = distinct(all.flatMap((options) => Object.keys(options)));
  const texts = names.map((name) => {
    const values = all.map((options) => (options[name] === undefined ? "not given" : optionText(options[name])));
    if (new Set(values).size === 1) return `${name} ${values[0]}`;
    return `${name} ${graphs.map((graph, k) => `${values[k]} (${graph})`).join(" or ")}`;
  });
  return texts.join(", ");
}

function provenanceTable({ results, index }: SectionContext, { command, version, date }: Provenance): TableBlock {
  const { runs } = index;
  const fact = (name: string) => distinct(runs.map(({ facts }) => facts[name] ?? "").filter((value) => value !== ""));
  const times = runs.map(({ finishedAt }) => finishedAt);
  const cells = [
    ["study", results.study ?? "all runs of the store"],
    ["store", results.store],
    ["runs", `${formatCount(runs.length)}, seeds ${listed(index.seeds.map(String))}`],
    ["measured", `${dayOf(Math.min(...times))} to ${dayOf(Math.max(...times))}`],
    ["version", listed(fact("version"))],
    ["commit", listed(fact("commit"))],
    ["code", listed(distinct(runs.map(({ description }) => description.cell.code.attack)))],
    ["Node", listed(fact("node"))],
    ["system", listed(fact("system"))],
    [
      "processor",
      listed(
        distinct(runs.map(({ facts }) => (facts["cpu"] ? `${facts["cpu"]}, ${facts["cores"]} cores` : ""))).filter(
          (each) => each !== "",
        ),
      ),
    ],
    ["report made by", command],
    ["report version", version],
    ["report date", date.toISOString().slice(0, 16).replace("T", " ")],
  ].filter(([, value]) => value !== "");
  return {
    kind: "table",
    id: "provenance-table",
    caption: "Where the numbers come from.",
    columns: [left("what"), left("value")],
    cells,
  };
}

/** `2026-11-16 16:55`, in coordinated universal time. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
