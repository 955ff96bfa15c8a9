/** Colours of a picture, on a light or a dark page. */
export interface Theme {
  readonly surface: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  /** Colours of models and other series. They also differ in lightness, for readers who see fewer colours. */
  readonly series: readonly string[];
  /** Before an attack. */
  readonly before: string;
  /** After an attack. */
  readonly after: string;
  /** Edges that an attack adds. */
  readonly added: string;
  /** Edges that an attack removes. */
  readonly removed: string;
}

/** For white pages and paper. */
export const lightTheme: Theme = {
  surface: "#ffffff",
  ink: "#1c2128",
  muted: "#57606b",
  grid: "#e4e7eb",
  series: ["#0b66b5", "#c2500c", "#0a7d60", "#943a86", "#806000", "#45515f", "#b01e52", "#4d7a08"],
  before: "#7c8794",
  after: "#b3263e",
  added: "#00768a",
  removed: "#b4273f",
};

/** For dark pages. */
export const darkTheme: Theme = {
  surface: "#15181c",
  ink: "#e8eaed",
  muted: "#a3adb9",
  grid: "#2d333b",
  series: ["#62b4f5", "#f79f62", "#45cba3", "#dc92cc", "#dcba52", "#b1bcc9", "#f67fa1", "#a2d156"],
  before: "#8f9aa8",
  after: "#ff8f9a",
  added: "#52c4d8",
  removed: "#fe8e99",
};

/** The colours of a theme by names for style sheets, such as `series-2`. */
export function colourNames(theme: Theme): Readonly<Record<string, string>> {
  const { series, ...others } = theme;
  return { ...others, ...Object.fromEntries(series.map((colour, k) => [`series-${k + 1}`, colour])) };
}
