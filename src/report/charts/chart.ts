import type { Theme } from "./theme.ts";

/** A part of a Vega-Lite specification. */
export type Spec = Readonly<Record<string, unknown>>;

/** Data of one mark. The rows of a chart are also its csv. */
export type ChartRow = Readonly<Record<string, string | number | null>>;

/** One of the pictures of a chart. Pages put them side by side or below each other, depending on the width. */
export interface Panel {
  /** Empty if the chart has one panel only. */
  readonly title: string;
  /** Without title, legend, size and theme: see {@link panelSpec}. */
  readonly spec: Spec;
  readonly height?: number;
}

/** The name that a colour, a dash and a shape stand for. */
export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  /** Dash pattern of the line, as in Vega-Lite; none for a solid line. */
  readonly dash?: readonly number[];
  readonly shape?: string;
  /** True for bars, which have neither line nor shape. */
  readonly isBar?: boolean;
}

/** A chart as data: nothing here draws. */
export interface Chart {
  readonly panels: readonly Panel[];
  readonly legend: readonly LegendEntry[];
  readonly rows: readonly ChartRow[];
}

/** Size of a panel, including its axes. */
export const PANEL_SIZE = { width: 340, height: 250 } as const;

/** One panel as a specification of its own. */
export function panelSpec({ spec, height = PANEL_SIZE.height }: Panel, theme: Theme): Spec {
  return {
    ...spec,
    width: PANEL_SIZE.width,
    height,
    autosize: { type: "fit", contains: "padding" },
    config: configOf(theme),
  };
}

/** All panels with their titles and the legend in one picture, for files and slides. */
export function wholeSpec({ panels, legend }: Chart, theme: Theme): Spec {
  const columns = panels.length === 4 ? 2 : 3;
  const titled = panels.map(({ title, spec, height = PANEL_SIZE.height }) => ({
    ...spec,
    ...(title !== "" && { title: { text: title, anchor: "start" } }),
    width: PANEL_SIZE.width - 60,
    height: height - 60,
  }));
  const picture = { concat: titled, columns, spacing: 24, resolve: { scale: INDEPENDENT } };
  const whole =
    legend.length > 0 ? { hconcat: [picture, legendSpec(legend)], resolve: { scale: INDEPENDENT } } : picture;
  return { ...whole, config: configOf(theme), background: theme.surface, padding: 12 };
}

const CHANNELS = ["x", "y", "xOffset", "yOffset", "color", "opacity", "strokeDash", "shape"];
/** Vega-Lite must not merge the scales of panels: their specifications set those that are shared. */
const INDEPENDENT = Object.fromEntries(CHANNELS.map((channel) => [channel, "independent"]));

/** The entries below each other, each with its line, mark and name. */
function legendSpec(legend: readonly LegendEntry[]): Spec {
  const y = {
    field: "row",
    type: "quantitative",
    axis: null,
    scale: { domain: [-0.5, legend.length - 0.5], reverse: true },
  };
  const x = (field: string) => ({ field, type: "quantitative", axis: null, scale: { domain: [0, 10] } });
  const marks = legend.map(({ colour, dash = [], shape = "circle", isBar = false }, row) => {
    const line = {
      mark: { type: "rule", color: colour, strokeDash: dash, strokeWidth: 2 },
      encoding: { x: x("from"), x2: { field: "to" }, y },
    };
    const mark = isBar ? { shape: "square", size: 110 } : { shape, size: 45 };
    const point = {
      mark: { type: "point", color: colour, filled: true, opacity: 1, ...mark },
      encoding: { x: x("middle"), y },
    };
    return { data: { values: [{ row, from: 0, to: 2, middle: 1 }] }, layer: isBar ? [point] : [line, point] };
  });
  const names = {
    data: { values: legend.map(({ name }, row) => ({ row, at: 2.4, name })) },
    mark: { type: "text", align: "left", baseline: "middle" },
    encoding: { x: x("at"), y, text: { field: "name" } },
  };
  return { width: 160, height: 20 * legend.length, layer: [...marks, names], view: { stroke: null } };
}

/** The style of everything except the data. */
function configOf({ ink, muted, grid }: Theme): Spec {
  const font = "system-ui, -apple-system, 'Segoe UI', sans-serif";
  return {
    aria: false, // the page has a text for the whole picture
    background: null,
    font,
    view: { stroke: null },
    axis: {
      domainColor: grid,
      tickColor: grid,
      gridColor: grid,
      labelColor: muted,
      titleColor: muted,
      titleFontWeight: "normal",
      labelFontSize: 11,
      titleFontSize: 11,
      titlePadding: 8,
      labelPadding: 5,
      tickSize: 4,
      tickCount: 5,
      labelLimit: 140,
    },
    axisX: { grid: false },
    axisY: { domain: false, ticks: false },
    title: { color: ink, fontSize: 12, fontWeight: 600, anchor: "start", offset: 10 },
    text: { color: ink, fontSize: 11 },
  };
}
