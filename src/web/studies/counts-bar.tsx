import type { RunCounts } from "../../serve/protocol.ts";
import { countsText, totalOf } from "./study-words.ts";

/** How far a study is, by the states of its runs. */
export function CountsBar({ counts }: { counts: RunCounts }) {
  const total = Math.max(1, totalOf(counts));
  let x = 0;
  const part = (state: keyof RunCounts) => {
    const width = (100 * counts[state]) / total;
    x += width;
    return <rect key={state} class={state} x={x - width} width={width} height={8} />;
  };
  return (
    <svg class="counts" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={countsText(counts)}>
      <rect class="rail" width={100} height={8} />
      {part("done")}
      {part("running")}
      {part("failed")}
    </svg>
  );
}
