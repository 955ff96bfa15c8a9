import type { PlayedAttack } from "rgnn/lab";
import { count, percent } from "../words.ts";
import { floorBelow } from "./accuracy-axis.ts";
import { AccuracyGrid } from "./accuracy-grid.tsx";

const WIDTH = 340;
const HEIGHT = 150;
const LEFT = 36;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 22;

/** Accuracy over the number of flips, with a mark at the number that the picture shows. */
export function AccuracyCurve({ attack, made, point }: { attack: PlayedAttack; made: number; point: number }) {
  const { points, accuracy } = attack;
  const most = Math.max(1, points[points.length - 1].flips);
  const floor = floorBelow(Math.min(...points.map((each) => each.accuracy)));
  const x = (flips: number) => LEFT + (flips / most) * (WIDTH - LEFT - RIGHT);
  const y = (share: number) => TOP + ((1 - share) / (1 - floor)) * (HEIGHT - TOP - BOTTOM);
  const line = points.map((each) => `${x(each.flips).toFixed(1)},${y(each.accuracy).toFixed(1)}`).join(" L");
  const now = points[Math.max(0, point)];
  const description = `Accuracy falls from ${percent(accuracy.clean)} to ${percent(accuracy.adversarial)} over ${count(most)} flips`;
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={description}>
      <AccuracyGrid floor={floor} left={LEFT} right={WIDTH - RIGHT} y={y} />
      <text class="tick" x={LEFT} y={HEIGHT - 6}>
        0 flips
      </text>
      <text class="tick" x={WIDTH - RIGHT} y={HEIGHT - 6} text-anchor="end">
        {count(most)}
      </text>
      <path class="area" d={`M${x(0)},${y(floor)} L${line} L${x(most)},${y(floor)} Z`} />
      <path class="line" d={`M${line}`} />
      <line class="cursor" x1={x(made)} x2={x(made)} y1={TOP} y2={HEIGHT - BOTTOM} />
      <circle class="now" cx={x(made)} cy={y(now.accuracy)} r={5} />
    </svg>
  );
}
