import { escapeLatex } from "../../experiment/results/escape-latex.ts";
import { type PathStep, type Point, parsePath } from "./svg-path.ts";

/** [a, b, c, d, e, f] as in SVG: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [number, number, number, number, number, number];

/** The style that shapes inherit from the groups around them. */
interface Style {
  readonly matrix: Matrix;
  readonly attributes: Readonly<Record<string, string>>;
}

const INHERITED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "stroke-opacity"];

/**
 * Converts a drawing of Vega to PGF, whose texts LaTeX sets with its own fonts: paths, lines, rectangles and texts,
 * with transformations applied. Vega uses no other shapes of SVG in our charts.
 */
export function svgToPgf(svg: string): string {
  const lines: string[] = [];
  const stack: Style[] = [{ matrix: [1, 0, 0, 1, 0, 0], attributes: {} }];
  let height = 0;
  let skipped = 0; // how many definitions we are inside of; they draw nothing
  for (const [, end, name, list, isEmpty, content] of svg.matchAll(TOKENS)) {
    const style = stack.at(-1)!;
    if (content !== undefined) {
      if (style.attributes["tag"] === "text" && skipped === 0) lines.push(textOf(content, style, height));
    } else if (end) {
      if (name === "defs" || name === "clipPath") skipped--;
      stack.pop();
    } else {
      const own = attributesOf(list);
      const inner = inherit(style, name, own);
      if (name === "svg") {
        height = Number(own["height"]);
        const size = `\\pgfqpoint{${own["width"]}pt}{${height}pt}`;
        lines.push(`\\pgfpathrectangle{\\pgfpointorigin}{${size}}\\pgfusepath{use as bounding box}`);
      }
      if (skipped === 0) lines.push(...shapeOf(name, own, inner, height));
      if (isEmpty) continue;
      if (name === "defs" || name === "clipPath") skipped++;
      stack.push(inner);
    }
  }
  return ["\\begin{pgfpicture}", ...lines, "\\end{pgfpicture}", ""].join("\n");
}

/** Tags and the text between them. */
const TOKENS = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;

function attributesOf(list: string): Record<string, string> {
  return Object.fromEntries(Array.from(list.matchAll(/([\w:-]+)="([^"]*)"/g), ([, name, value]) => [name, value]));
}

function inherit({ matrix, attributes }: Style, tag: string, own: Readonly<Record<string, string>>): Style {
  const kept = Object.entries(attributes).filter(([name]) => INHERITED.includes(name));
  const opacity = Number(attributes["opacity"] ?? 1) * Number(own["opacity"] ?? 1);
  return {
    matrix: transformed(matrix, own["transform"] ?? ""),
    attributes: { ...Object.fromEntries(kept), ...own, opacity: String(opacity), tag },
  };
}

function transformed(matrix: Matrix, transform: string): Matrix {
  let result = matrix;
  for (const [, kind, list] of transform.matchAll(/(translate|rotate|scale)\(([^)]*)\)/g)) {
    const numbers = list.split(/[\s,]+/).map(Number);
    if (kind === "translate") result = multiply(result, [1, 0, 0, 1, numbers[0], numbers[1] ?? 0]);
    else if (kind === "scale") result = multiply(result, [numbers[0], 0, 0, numbers[1] ?? numbers[0], 0, 0]);
    else {
      const angle = (numbers[0] * Math.PI) / 180;
      result = multiply(result, [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]);
    }
  }
  return result;
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

function shapeOf(name: string, own: Readonly<Record<string, string>>, style: Style, height: number): string[] {
  const number = (attribute: string) => Number(own[attribute] ?? 0);
  if (name === "path") return draw(parsePath(own["d"] ?? ""), style, height);
  if (name === "line") {
    const from: Point = [number("x1"), number("y1")];
    const to: Point = [number("x2"), number("y2")];
    return draw(
      [
        { kind: "move", to: from },
        { kind: "line", to },
      ],
      style,
      height,
    );
  }
  if (name !== "rect") return [];
  const d = `M${number("x")} ${number("y")}h${number("width")}v${number("height")}h${-number("width")}Z`;
  return draw(parsePath(d), style, height);
}

function draw(steps: readonly PathStep[], { matrix, attributes }: Style, height: number): string[] {
  const fill = colourOf(attributes["fill"]);
  const stroke = colourOf(attributes["stroke"]);
  const opacity = Number(attributes["opacity"] ?? 1);
  if ((fill === null && stroke === null) || opacity === 0 || steps.length === 0) return [];
  const dashes = (attributes["stroke-dasharray"] ?? "").split(/[\s,]+/).filter((each) => each !== "");
  const uses = [...(fill === null ? [] : ["fill"]), ...(stroke === null ? [] : ["stroke"])];
  return [
    [
      "\\begin{pgfscope}",
      ...(fill === null ? [] : [`\\definecolor{rgnnfill}{rgb}{${fill}}\\pgfsetfillcolor{rgnnfill}`]),
      ...(stroke === null ? [] : [`\\definecolor{rgnnline}{rgb}{${stroke}}\\pgfsetstrokecolor{rgnnline}`]),
      `\\pgfsetfillopacity{${short(opacity * Number(attributes["fill-opacity"] ?? 1))}}`,
      `\\pgfsetstrokeopacity{${short(opacity * Number(attributes["stroke-opacity"] ?? 1))}}`,
      `\\pgfsetlinewidth{${short(Number(attributes["stroke-width"] ?? 1))}pt}`,
      ...(dashes.length > 0
        ? [
            `\\pgfsetdash{${evenly(dashes)
              .map((each) => `{${each}pt}`)
              .join("")}}{0pt}`,
          ]
        : []),
      ...steps.map((step) => stepOf(step, (point) => place(point, matrix, height))),
      `\\pgfusepath{${uses.join(",")}}`,
      "\\end{pgfscope}",
    ].join("%\n"),
  ];
}

/** PGF needs as many gaps as dashes; as in SVG, a list of odd length is repeated. */
function evenly(dashes: readonly string[]): readonly string[] {
  return dashes.length % 2 === 0 ? dashes : [...dashes, ...dashes];
}

function stepOf(step: PathStep, at: (point: Point) => string): string {
  if (step.kind === "close") return "\\pgfpathclose";
  if (step.kind === "curve") return `\\pgfpathcurveto{${at(step.control1)}}{${at(step.control2)}}{${at(step.to)}}`;
  return `\\pgfpath${step.kind}to{${at(step.to)}}`;
}

/** Transforms a point and flips y: SVG measures y from the top, PGF from the bottom. */
function place([x, y]: Point, m: Matrix, height: number): string {
  const right = m[0] * x + m[2] * y + m[4];
  const down = m[1] * x + m[3] * y + m[5];
  return `\\pgfqpoint{${short(right)}pt}{${short(height - down)}pt}`;
}

const ANCHORS: Readonly<Record<string, string>> = { start: "left,", end: "right,", middle: "" };

function textOf(content: string, { matrix, attributes }: Style, height: number): string {
  const colour = colourOf(attributes["fill"]);
  const shown = escapeLatex(content.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]));
  if (colour === null || shown.trim() === "" || Number(attributes["opacity"] ?? 1) === 0) return "%";
  const size = Number.parseFloat(attributes["font-size"] ?? "11");
  const angle = (-Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
  const anchor = ANCHORS[attributes["text-anchor"] ?? "start"] ?? "left,";
  const isBold = /^(bold|[6-9]00)$/.test(attributes["font-weight"] ?? "");
  const where = `x=${short(matrix[4])}pt,y=${short(height - matrix[5])}pt,${anchor}base,rotate=${short(angle)}`;
  const font = `\\fontsize{${size}}{${size}}\\selectfont${isBold ? "\\bfseries" : ""}`;
  return `\\definecolor{rgnntext}{rgb}{${colour}}\\pgftext[${where}]{\\color{rgnntext}${font} ${shown}}`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** `#0b66b5` as shares of red, green and blue; null if nothing is painted. */
function colourOf(colour: string | undefined): string | null {
  if (colour === "white") return "1,1,1";
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(colour ?? "");
  if (!digits) return null;
  const [, red, green, blue] = digits;
  return [red, green, blue].map((pair) => short(Number.parseInt(pair, 16) / 255)).join();
}

function short(value: number): string {
  return String(Number(value.toFixed(3)));
}
