import type { NodeAnswer, OpenedGraph } from "rgnn/lab";
import { classColour, paletteFor } from "../graph/palette.ts";
import { isDark } from "../theme.ts";
import { percent } from "../words.ts";
import { ClassChip } from "./class-chip.tsx";

/** Most classes that are listed; of more, only the most probable are. */
const MOST = 8;

interface ClassBarsProps {
  readonly graph: OpenedGraph;
  readonly before: NodeAnswer;
  readonly after: NodeAnswer;
  readonly label: number;
}

/** How probable the model finds each class, before and after. */
export function ClassBars({ graph, before, after, label }: ClassBarsProps) {
  const palette = paletteFor(isDark.value);
  const most = (c: number) => Math.max(before.probabilities[c], after.probabilities[c]);
  const classes = Array.from(before.probabilities.keys());
  const shown = classes.length <= MOST ? classes : classes.sort((a, b) => most(b) - most(a)).slice(0, MOST);
  return (
    <table class="bars">
      <caption class="hidden">Probability of each class, before and after the changes</caption>
      <thead class="hidden">
        <tr>
          <th scope="col">Class</th>
          <th scope="col">Probability</th>
          <th scope="col">Before and after</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((c) => (
          <tr key={c} class={c === after.prediction ? "predicted" : ""}>
            <th scope="row">
              <ClassChip graph={graph} label={c} />
              {c === label && <span class="true-class"> true</span>}
            </th>
            <td>
              <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
                <rect class="rail" width={100} height={12} />
                <rect width={100 * after.probabilities[c]} height={12} fill={classColour(palette, c)} />
                <rect class="before" x={Math.min(99, 100 * before.probabilities[c])} width={1} height={12} />
              </svg>
            </td>
            <td class="number">
              {percent(before.probabilities[c], 0)} → {percent(after.probabilities[c], 0)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
