import type { OpenedGraph } from "rgnn/lab";
import { classColour, paletteFor } from "../graph/palette.ts";
import { isDark } from "../theme.ts";
import { className } from "../words.ts";
import { Swatch } from "./swatch.tsx";

/** A class with its colour. */
export function ClassChip({ graph, label }: { graph: OpenedGraph; label: number }) {
  return (
    <span class="chip">
      <Swatch colour={classColour(paletteFor(isDark.value), label)} />
      {className(graph, label)}
    </span>
  );
}
