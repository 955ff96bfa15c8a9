import { Document, isScalar, visit } from "yaml";
import type { Json } from "../../core/options/index.ts";
import { parseStudy } from "../study/study-file.ts";
import { YamlValue } from "../study/yaml-value.ts";
import type { TunedGrid } from "./choose-models.ts";

type Keys = Readonly<Record<string, Json>>;

/**
 * The text of a study in which each grid is replaced by its best model. The best model may differ between graphs and
 * splits, so where one is chosen, each graph and split gets a part of its own; everything else is as in the file.
 */
export function tunedStudy(text: string, file: string, grids: readonly TunedGrid[]): string {
  const { name, parts = [{}], ...common } = YamlValue.parse(text, file).json as Keys & { parts?: readonly Keys[] };
  const { datasets: _, splits: __, models: ___, ...shared } = common;
  const tuned = parts.flatMap((own, k) =>
    tunedPart(
      { ...common, ...own },
      own,
      grids.filter(({ part }) => part === k),
    ),
  );
  const about = `# ${file} with the hyperparameters that do best on validation nodes, chosen by rgnn tune.\n`;
  const result = `${about}${yamlOf({ name: `${name}-tuned`, ...shared, parts: tuned })}`;
  parseStudy(result, `${file}, tuned`); // a study that cannot be read is not written
  return result;
}

/** The parts that replace one part. `all` has all keys that apply to it, `own` only those written in it. */
function tunedPart(all: Keys, own: Keys, grids: readonly TunedGrid[]): Keys[] {
  const { datasets, splits = null, models } = all;
  const inherited = { ...own, datasets, ...(splits !== null && { splits }), models };
  if (grids.length === 0) return [inherited];
  return listOf(datasets).flatMap((dataset) =>
    listOf(splits).map((split) => {
      const here = grids.filter((grid) => grid.split === split && isChoiceOf(grid, dataset));
      const chosen = listOf(models).map((entry, k) => bestOf(here, k) ?? entry);
      return { ...inherited, datasets: dataset, ...(split !== null && { splits: split }), models: chosen };
    }),
  );
}

/** The best model of the grid at an entry, in the form of a study file. */
function bestOf(grids: readonly TunedGrid[], entry: number): Json | undefined {
  const best = grids.find((grid) => grid.entry === entry)?.ranked[0].model;
  return best && { name: best.name, ...best.options };
}

/** Whether a grid is for a graph given as in a study file: a name, or a map with one. */
function isChoiceOf({ dataset: choice }: TunedGrid, dataset: Json): boolean {
  const map = typeof dataset === "string" ? { dataset } : (dataset as Keys);
  const keys = new Set([...Object.keys(choice), ...Object.keys(map)]);
  return [...keys].every((key) => (choice as unknown as Keys)[key] === map[key]);
}

/** YAML as a person writes it: keys and parts below each other, their contents on one line. */
function yamlOf(study: Keys): string {
  const document = new Document(study, { aliasDuplicateObjects: false });
  const depthOfPart = 4; // the document, its keys, `parts`, their list
  visit(document, {
    Map(_, map, { length }) {
      map.flow = length > depthOfPart;
    },
    Seq(_, list) {
      list.flow = list.items.every(isScalar);
    },
  });
  return document.toString({ lineWidth: 0 });
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}
