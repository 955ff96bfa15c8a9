/** A command as a page shows it. */
export interface ShellLine {
  readonly text: string;
  /** Without quotes, comments and what becomes of the output. */
  readonly words: readonly string[];
  /** The file that its output goes to (`> file`). */
  readonly to: string | null;
}

/** The commands of a shell block: a line each, unless it ends in a backslash. Lines that are comments are left out. */
export function shellLines(block: string): ShellLine[] {
  const lines = block.replaceAll(/\s*\\\n\s*/g, " ").split("\n");
  return lines.map((line) => shellLine(line.trim())).filter(({ words }) => words.length > 0);
}

function shellLine(text: string): ShellLine {
  const words = Array.from(
    text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, single, double, plain]) => single ?? double ?? plain!,
  );
  const comment = words.findIndex((word) => word.startsWith("#"));
  const kept = comment < 0 ? words : words.slice(0, comment);
  const arrow = kept.indexOf(">");
  return { text, words: arrow < 0 ? kept : kept.slice(0, arrow), to: arrow < 0 ? null : kept[arrow + 1]! };
}
