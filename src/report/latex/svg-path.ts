/** A step of a path with absolute points; curves are cubic. */
export type PathStep =
  | { readonly kind: "move" | "line"; readonly to: Point }
  | { readonly kind: "curve"; readonly control1: Point; readonly control2: Point; readonly to: Point }
  | { readonly kind: "close" };

/** x and y. */
export type Point = readonly [number, number];

/** How many numbers each command takes. */
const ARITY: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, A: 7, Z: 0 };

/** Parses the `d` attribute of an SVG path, with the commands that Vega uses. */
export function parsePath(d: string): PathStep[] {
  const steps: PathStep[] = [];
  let at: Point = [0, 0];
  let start: Point = at;
  for (const [, letter, text] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*(?:e-?\d+[^a-zA-Z]*)*)/g)) {
    const command = letter.toUpperCase();
    const isRelative = letter !== command;
    const arity = ARITY[command];
    if (arity === undefined) throw new Error(`svg path: command ${letter} is not known`);
    const numbers = Array.from(text.matchAll(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g), ([number]) => Number(number));
    if (command === "Z") {
      steps.push({ kind: "close" });
      at = start;
    }
    for (let k = 0; arity > 0 && k + arity <= numbers.length; k += arity) {
      const own = numbers.slice(k, k + arity);
      const point = (i: number): Point => (isRelative ? [at[0] + own[i], at[1] + own[i + 1]] : [own[i], own[i + 1]]);
      if (command === "M" || command === "L") {
        const isMove = command === "M" && k === 0;
        at = point(0);
        if (isMove) start = at;
        steps.push({ kind: isMove ? "move" : "line", to: at });
      } else if (command === "H") {
        at = [isRelative ? at[0] + own[0] : own[0], at[1]];
        steps.push({ kind: "line", to: at });
      } else if (command === "V") {
        at = [at[0], isRelative ? at[1] + own[0] : own[0]];
        steps.push({ kind: "line", to: at });
      } else if (command === "C") {
        steps.push({ kind: "curve", control1: point(0), control2: point(2), to: point(4) });
        at = point(4);
      } else {
        const to = point(5);
        steps.push(...arc(at, to, { radius: own[0], isLarge: own[3] === 1, isClockwise: own[4] === 1 }));
        at = to;
      }
    }
  }
  return steps;
}

/** An arc of a circle as cubic curves of at most a quarter circle each (Vega draws no ellipses). */
function arc(
  from: Point,
  to: Point,
  { radius: given, isLarge, isClockwise }: { radius: number; isLarge: boolean; isClockwise: boolean },
): PathStep[] {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const chord = Math.hypot(dx, dy);
  if (chord === 0 || given === 0) return [{ kind: "line", to }];
  const radius = Math.max(given, chord / 2);
  const height = Math.sqrt(Math.max(0, radius ** 2 - chord ** 2 / 4)); // from the chord to the centre
  const side = isLarge === isClockwise ? -1 : 1;
  const cx = (from[0] + to[0]) / 2 - (side * height * dy) / chord;
  const cy = (from[1] + to[1]) / 2 + (side * height * dx) / chord;
  const begin = Math.atan2(from[1] - cy, from[0] - cx);
  let sweep = Math.atan2(to[1] - cy, to[0] - cx) - begin;
  if (isClockwise && sweep < 0) sweep += 2 * Math.PI;
  if (!isClockwise && sweep > 0) sweep -= 2 * Math.PI;
  const parts = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const angle = sweep / parts;
  const reach = (4 / 3) * Math.tan(angle / 4) * radius;
  return Array.from({ length: parts }, (_, k): PathStep => {
    const a = begin + k * angle;
    const b = a + angle;
    const end: Point = [cx + radius * Math.cos(b), cy + radius * Math.sin(b)];
    return {
      kind: "curve",
      control1: [cx + radius * Math.cos(a) - reach * Math.sin(a), cy + radius * Math.sin(a) + reach * Math.cos(a)],
      control2: [end[0] + reach * Math.sin(b), end[1] - reach * Math.cos(b)],
      to: end,
    };
  });
}
