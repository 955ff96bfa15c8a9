import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { importsOf } from "../../experiment/study/imports-of.ts";
import { chartRenderer } from "../render-chart.ts";
import { accuracyByGroup } from "./accuracy-by-group.ts";
import { certifiedBand } from "./certified-band.ts";
import { type Chart, panelSpec, wholeSpec } from "./chart.ts";
import { curves } from "./curves.ts";
import { epochCurves } from "./epoch-curves.ts";
import { flipMatrix } from "./flip-matrix.ts";
import { groupedBars } from "./grouped-bars.ts";
import { marginBoxes } from "./margin-boxes.ts";
import { marginDistribution } from "./margin-distribution.ts";
import { seriesStyle } from "./series-style.ts";
import { colourNames, darkTheme, lightTheme } from "./theme.ts";

const style = seriesStyle(["gcn", "mlp"], lightTheme);
const box = { smallest: -2, lower: -1, median: 0, upper: 1, largest: 2 };

const charts: Readonly<Record<string, Chart>> = {
  curves: curves(
    [
      { panel: "prbcd", series: "gcn", x: 0, mean: 0.8, low: 0.7, high: 0.9 },
      { panel: "prbcd", series: "gcn", x: 0.1, mean: 0.5, low: null, high: null },
      { panel: "dice", series: "mlp", x: 0.1, mean: 0.6, low: 0.5, high: 0.7 },
    ],
    { x: { title: "budget", format: "~%" }, y: { title: "accuracy", format: "%", domain: [0, 1] } },
    style,
  ),
  epochs: epochCurves(
    [
      { panel: "gcn", series: "training", seed: 0, epoch: 0, value: 2 },
      { panel: "gcn", series: "training", seed: 0, epoch: 1, value: 1 },
    ],
    { title: "loss" },
    [{ name: "training", colour: lightTheme.ink }],
  ),
  margins: marginDistribution(
    [
      { panel: "gcn", when: "before", from: -1, to: 0, share: 0.25, density: 0.3 },
      { panel: "gcn", when: "before", from: 0, to: 1, share: 0.75, density: 0.7 },
      { panel: "gcn", when: "after", from: -1, to: 0, share: 1, density: 0.9 },
    ],
    lightTheme,
  ),
  boxes: marginBoxes(
    [
      { panel: "", group: "gcn", when: "before", ...box },
      { panel: "", group: "gcn", when: "after", ...box },
    ],
    lightTheme,
  ),
  groups: accuracyByGroup(
    [
      { panel: "gcn", group: "2–3", when: "before", accuracy: 0.9, nodes: 10 },
      { panel: "gcn", group: "2–3", when: "after", accuracy: 0.4, nodes: 10 },
    ],
    { title: "degree" },
    lightTheme,
  ),
  bars: groupedBars(
    [
      { panel: "prbcd", group: "1", series: "added", value: 0.4 },
      { panel: "prbcd", group: "2", series: "added", value: 0.6 },
      { panel: "prbcd", group: "3", series: "added", value: 0 },
    ],
    { group: { title: "degree" }, value: { title: "share", format: "%" } },
    [{ name: "added", colour: lightTheme.added }],
  ),
  matrix: flipMatrix(
    [
      { panel: "prbcd: 4 added", action: "added", row: "red", column: "green", flips: 3, share: 0.75 },
      { panel: "prbcd: 4 added", action: "added", row: "green", column: "green", flips: 1, share: 0.25 },
    ],
    ["red", "green"],
    lightTheme,
  ),
  band: certifiedBand(
    [
      { panel: "gcn", x: 0, certified: 0.7, attacked: 0.8 },
      { panel: "gcn", x: 0.1, certified: 0.2, attacked: 0.5 },
    ],
    { title: "budget", format: "%" },
    lightTheme,
  ),
};

describe.each(Object.entries(charts))("the chart of %s", (_, chart) => {
  test("is drawn panel by panel and as a whole, without a warning", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const render = await chartRenderer();
    for (const panel of chart.panels) {
      const svg = await render(panelSpec(panel, lightTheme));
      expect(svg).toMatch(/^<svg[^>]* width="340"/);
      expect(svg).not.toContain("NaN");
      expect(svg).not.toContain("undefined");
    }
    const whole = await render(wholeSpec(chart, lightTheme));
    for (const { name } of chart.legend) expect(whole).toContain(`>${name}<`);
    for (const { title } of chart.panels) if (title !== "") expect(whole).toContain(`>${title}<`);
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });
  test("is JSON, so that it can be sent to a page", () => {
    expect(JSON.parse(JSON.stringify(chart))).toEqual(chart);
  });
});

test("the band lies between what is certified and what attacks leave", async () => {
  const { layer } = charts["band"].panels[0].spec as { layer: { encoding: { y: object; y2?: object } }[] };
  expect(layer[0].encoding).toMatchObject({ y: { field: "certified" }, y2: { field: "attacked" } });
});

test("bars of groups in which nothing is are left out", () => {
  const { encoding } = charts["bars"].panels[0].spec as { encoding: { x: { sort: string[] } } };
  expect(encoding.x.sort).toEqual(["1", "2"]);
});

describe("colours", () => {
  test("are the same for a model wherever it is, and not those of attacks", () => {
    const models = seriesStyle(["gcn", "mlp"], lightTheme);
    const attacks = seriesStyle(["prbcd", "dice"], lightTheme, 2);
    const used = [...models.legend, ...attacks.legend].map(({ colour }) => colour);
    expect(new Set(used).size).toBe(4);
  });
  test("have a name each, the same names in light and dark", () => {
    const light = colourNames(lightTheme);
    expect(Object.keys(colourNames(darkTheme))).toEqual(Object.keys(light));
    expect(new Set(Object.values(light)).size).toBe(Object.keys(light).length);
  });
  test.each([
    ["light", lightTheme],
    ["dark", darkTheme],
  ])("can be seen on a %s page: contrast of 3 for marks and 4.5 for text", (_, theme) => {
    for (const colour of [...theme.series, theme.before, theme.after, theme.added, theme.removed])
      expect(contrast(colour, theme.surface)).toBeGreaterThan(3);
    for (const colour of [theme.ink, theme.muted]) expect(contrast(colour, theme.surface)).toBeGreaterThan(4.5);
  });
});

/** Contrast as the Web Content Accessibility Guidelines define it. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test("charts import nothing but each other, so that pages can use them", () => {
  const folder = import.meta.dirname;
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    for (const specifier of importsOf(readFileSync(join(folder, file), "utf8")))
      expect(specifier).toMatch(/^\.\/[\w-]+\.ts$/);
  }
});
