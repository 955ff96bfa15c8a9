import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ResultGroup } from "../../serve/protocol.ts";
import { classColour, paletteFor } from "../graph/palette.ts";
import { floorBelow } from "../parts/accuracy-axis.ts";
import { AccuracyGrid } from "../parts/accuracy-grid.tsx";
import { Swatch } from "../parts/swatch.tsx";
import { isDark } from "../theme.ts";
import { percent } from "../words.ts";
import { getJson } from "./api.ts";

const WIDTH = 900;
const HEIGHT = 300;
const LEFT = 44;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 34;

/** Accuracy over the budget, one curve for each model and attack of a dataset, with bootstrap intervals. */
export function ResultCurves({ study, version }: { study: string; version: number }) {
  const groups = useSignal<readonly ResultGroup[]>([]);
  useEffect(() => {
    const by = ["dataset", "model", "attack", "epsilon"].map((column) => `by=${column}`).join("&");
    getJson<ResultGroup[]>(`/api/results?study=${encodeURIComponent(study)}&${by}`).then(
      (results) => {
        groups.value = results;
      },
      () => {}, // the list of runs beside it says what is wrong
    );
  }, [study, version]);
  const datasets = [...new Set(groups.value.map(({ group }) => group.dataset!))];
  if (datasets.length === 0) return <p class="note">Curves appear when the first runs are done.</p>;
  return (
    <>
      {datasets.map((dataset) => (
        <Curves
          key={dataset}
          dataset={dataset}
          groups={groups.value.filter(({ group }) => group.dataset === dataset)}
        />
      ))}
    </>
  );
}

interface Curve {
  readonly name: string;
  readonly points: readonly {
    readonly epsilon: number;
    readonly mean: number;
    readonly interval: readonly [number, number];
  }[];
}

function Curves({ dataset, groups }: { dataset: string; groups: readonly ResultGroup[] }) {
  const palette = paletteFor(isDark.value);
  const curves = curvesOf(groups);
  const most = Math.max(0.01, ...groups.map(({ group }) => group.epsilon!));
  const x = (epsilon: number) => LEFT + (epsilon / most) * (WIDTH - LEFT - RIGHT);
  const floor = floorBelow(Math.min(...curves.flatMap(({ points }) => points.map(({ interval }) => interval[0]))));
  const y = (share: number) => TOP + ((1 - share) / (1 - floor)) * (HEIGHT - TOP - BOTTOM);
  const epsilons = [...new Set(groups.map(({ group }) => group.epsilon!))].sort((a, b) => a - b);
  const description = `${dataset}: ${curves.map(({ name, points }) => `${name} ${points.map(({ mean }) => percent(mean)).join(", ")}`).join("; ")}`;
  return (
    <figure class="results">
      <figcaption>
        <strong>{dataset}</strong> accuracy over the share of edges flipped; bars are 95% intervals
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} class="curve" role="img" aria-label={description}>
        <AccuracyGrid floor={floor} left={LEFT} right={WIDTH - RIGHT} y={y} />
        {epsilons.map((epsilon) => (
          <text key={epsilon} class="tick" x={x(epsilon)} y={HEIGHT - 12} text-anchor="middle">
            {percent(epsilon, epsilon < 0.01 ? 1 : 0)}
          </text>
        ))}
        {curves.map(({ name, points }, k) => {
          const colour = classColour(palette, k);
          return (
            <g key={name} stroke={colour}>
              <path
                fill="none"
                stroke-width={2}
                d={`M${points.map((p) => `${x(p.epsilon)},${y(p.mean)}`).join(" L")}`}
              />
              {points.map(({ epsilon, mean, interval }) => (
                <g key={epsilon}>
                  <line x1={x(epsilon)} x2={x(epsilon)} y1={y(interval[0])} y2={y(interval[1])} stroke-width={1.5} />
                  <circle cx={x(epsilon)} cy={y(mean)} r={3.5} fill={colour} />
                </g>
              ))}
            </g>
          );
        })}
      </svg>
      <ul class="curve-names">
        {curves.map(({ name }, k) => (
          <li key={name}>
            <Swatch colour={classColour(palette, k)} />
            {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Groups of one dataset as curves. Each begins at no budget with the accuracy on the clean graph. */
function curvesOf(groups: readonly ResultGroup[]): Curve[] {
  const names = new Map<string, ResultGroup[]>();
  for (const each of groups) {
    const { model, attack } = each.group;
    const name = attack === "none" ? `${model}` : `${model}, ${attack}`;
    names.set(name, [...(names.get(name) ?? []), each]);
  }
  return [...names].map(([name, members]) => {
    const points = members.map(({ group, mean, interval }) => {
      return { epsilon: group.epsilon!, mean, interval: interval ?? ([mean, mean] as const) };
    });
    const { cleanMean } = members[0];
    const clean = { epsilon: 0, mean: cleanMean, interval: [cleanMean, cleanMean] as const };
    const hasClean = points.some(({ epsilon }) => epsilon === 0);
    const all = hasClean ? points : [clean, ...points];
    return { name, points: all.sort((a, b) => a.epsilon - b.epsilon) };
  });
}
