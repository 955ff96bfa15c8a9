import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type CurveRow, curves, darkTheme, lightTheme, seriesStyle } from "../../report/charts/index.ts";
import type { ResultGroup } from "../../serve/protocol.ts";
import { ChartView } from "../parts/chart-view.tsx";
import { isDark } from "../theme.ts";
import { percent } from "../words.ts";
import { getJson } from "./api.ts";

const AXES = {
  x: { title: "flipped edges, share", format: "~%" },
  y: { title: "test accuracy", format: "%", domain: [0, 1] },
} as const;

/** Accuracy over the budget with bootstrap intervals: a panel per dataset and attack, a curve per model. */
export function ResultCurves({ study, version }: { study: string; version: number }) {
  const groups = useSignal<readonly ResultGroup[]>([]);
  useEffect(() => {
    const by = ["dataset", "model", "attack", "epsilon"].map((column) => `by=${column}`).join("&");
    getJson<ResultGroup[]>(`/api/results?study=${encodeURIComponent(study)}&quantity=accuracy&${by}`).then(
      (results) => {
        groups.value = results;
      },
      () => {}, // the list of runs beside it says what is wrong
    );
  }, [study, version]);
  const dark = isDark.value;
  const rows = useMemo(() => rowsOf(groups.value), [groups.value]);
  const chart = useMemo(() => {
    const models = [...new Set(rows.map(({ series }) => series))].sort();
    return curves(rows, AXES, seriesStyle(models, dark ? darkTheme : lightTheme));
  }, [rows, dark]);
  if (rows.length === 0) return <p class="note">Curves appear when the first runs with an attack are done.</p>;
  return (
    <figure class="results">
      <figcaption>Accuracy over the share of edges flipped; bars and bands are 95% intervals</figcaption>
      <ChartView chart={chart} label={inWords(rows)} />
    </figure>
  );
}

/** A point for every budget, and the accuracy on the clean graph at 0. */
function rowsOf(groups: readonly ResultGroup[]): CurveRow[] {
  const attacked = groups.filter(({ group }) => group.attack !== "none");
  const curveOf = new Map<string, ResultGroup[]>();
  for (const each of attacked) {
    const { dataset, attack, model } = each.group;
    const key = JSON.stringify([dataset, attack, model]);
    curveOf.set(key, [...(curveOf.get(key) ?? []), each]);
  }
  return [...curveOf.values()].flatMap((members) => {
    const { dataset, attack, model } = members[0].group;
    const curve = { panel: `${dataset}, ${attack}`, series: `${model}` };
    const points = members.map(({ group, mean, interval }) => {
      return { ...curve, x: group.epsilon!, mean, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
    });
    const clean = { ...curve, x: 0, mean: members[0].cleanMean, low: null, high: null };
    return [clean, ...points].sort((a, b) => a.x - b.x);
  });
}

/** The curves in words, for screen readers. */
function inWords(rows: readonly CurveRow[]): string {
  const names = new Map<string, string[]>();
  for (const { panel, series, mean } of rows) {
    const name = `${panel}, ${series}`;
    names.set(name, [...(names.get(name) ?? []), percent(mean)]);
  }
  return [...names].map(([name, means]) => `${name} ${means.join(", ")}`).join("; ");
}
