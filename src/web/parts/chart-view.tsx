import { useEffect, useRef } from "preact/hooks";
import type { TopLevelSpec } from "vega-lite";
import { type Chart, darkTheme, lightTheme, type Panel, panelSpec } from "../../report/charts/index.ts";
import { isDark } from "../theme.ts";
import { Swatch } from "./swatch.tsx";

/** A chart of the reports, drawn in the page. */
export function ChartView({ chart, label }: { chart: Chart; label: string }) {
  return (
    <>
      <div class="panels" role="img" aria-label={label}>
        {chart.panels.map((panel) => (
          <PanelView key={panel.title} panel={panel} />
        ))}
      </div>
      <ul class="curve-names">
        {chart.legend.map(({ name, colour }) => (
          <li key={name}>
            <Swatch colour={colour} />
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

function PanelView({ panel }: { panel: Panel }) {
  const place = useRef<HTMLDivElement>(null);
  const theme = isDark.value ? darkTheme : lightTheme;
  useEffect(() => {
    let clear = () => {};
    let isGone = false;
    drawInto(place.current!, panelSpec(panel, theme)).then((remove) => {
      clear = remove;
      if (isGone) remove();
    });
    return () => {
      isGone = true;
      clear();
    };
  }, [panel, theme]);
  return (
    <figure>
      {panel.title && <figcaption>{panel.title}</figcaption>}
      <div ref={place} aria-hidden="true" />
    </figure>
  );
}

/** Draws a specification; returns a function to remove it. Expressions are interpreted: eval is forbidden. */
async function drawInto(place: HTMLElement, spec: object): Promise<() => void> {
  const [{ parse, View }, { compile }, { expressionInterpreter }] = await Promise.all([
    import("vega"),
    import("vega-lite"),
    import("vega-interpreter"),
  ]);
  const own = structuredClone(spec) as unknown as TopLevelSpec; // Vega numbers the rows of data in place
  const runtime = parse(compile(own).spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: "svg", container: place });
  await view.runAsync();
  return () => view.finalize();
}
