import { percent } from "../words.ts";
import { ticksAbove } from "./accuracy-axis.ts";

interface AccuracyGridProps {
  readonly floor: number;
  readonly left: number;
  readonly right: number;
  readonly y: (share: number) => number;
}

/** Lines across a chart of accuracies, each with its share. */
export function AccuracyGrid({ floor, left, right, y }: AccuracyGridProps) {
  return (
    <>
      {ticksAbove(floor).map((share) => (
        <g key={share}>
          <line class="grid" x1={left} x2={right} y1={y(share)} y2={y(share)} />
          <text class="tick" x={left - 6} y={y(share) + 4} text-anchor="end">
            {percent(share, 0)}
          </text>
        </g>
      ))}
    </>
  );
}
