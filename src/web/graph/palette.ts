/** Colours of a picture, for one theme. */
export interface Palette {
  /** Of the classes, in order; they can be told apart with any kind of colour vision (after Okabe and Ito). */
  readonly classes: readonly string[];
  readonly unknown: string;
  /** Nodes that the model has right, that it had wrong from the start, and that it lost to the attack. */
  readonly right: string;
  readonly wrong: string;
  readonly lost: string;
  /** Nodes on which nothing is measured: all but test nodes. */
  readonly aside: string;
  readonly edge: string;
  /** For large graphs, whose edges would otherwise cover everything. */
  readonly faintEdge: string;
  readonly edgeNear: string;
  /** Edges that were added and removed, just now and earlier. */
  readonly added: string;
  readonly removed: string;
  readonly addedBefore: string;
  readonly removedBefore: string;
  readonly ink: string;
  readonly paper: string;
}

const light: Palette = {
  classes: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c7bd0", "#a08a00", "#6b7280"],
  unknown: "#c9c7c1",
  right: "#7fa8cf",
  wrong: "#cbb894",
  lost: "#d1440c",
  aside: "#d9d7d1",
  edge: translucent("#55606e", 0.09),
  faintEdge: translucent("#55606e", 0.04),
  edgeNear: translucent("#2c3542", 0.7),
  added: "#d1440c",
  removed: "#00826a",
  addedBefore: translucent("#d1440c", 0.3),
  removedBefore: translucent("#00826a", 0.45),
  ink: "#1c2026",
  paper: "#ffffff",
};

const dark: Palette = {
  classes: ["#4aa3e0", "#f0b429", "#2fc79a", "#e09bc4", "#8fd0f5", "#ff7f3f", "#b3a5f0", "#d3c04a", "#9aa3b0"],
  unknown: "#4b525d",
  right: "#5d88b3",
  wrong: "#8b7b5c",
  lost: "#ff8345",
  aside: "#3a414b",
  edge: translucent("#b4c0d0", 0.07),
  faintEdge: translucent("#b4c0d0", 0.035),
  edgeNear: translucent("#dfe6ef", 0.7),
  added: "#ff8345",
  removed: "#2fc79a",
  addedBefore: translucent("#ff8345", 0.32),
  removedBefore: translucent("#2fc79a", 0.45),
  ink: "#eceef2",
  paper: "#14171c",
};

export function paletteFor(isDark: boolean): Palette {
  return isDark ? dark : light;
}

/** The colour of a class, −1 being none. Colours repeat where there are more classes than colours. */
export function classColour({ classes, unknown }: Palette, label: number): string {
  return label < 0 ? unknown : classes[label % classes.length];
}

/** A translucent colour, its channels multiplied by its opacity, as the renderer expects for blending. */
function translucent(colour: string, opacity: number): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) * opacity);
  return `#${[...channels, 255 * opacity].map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}
