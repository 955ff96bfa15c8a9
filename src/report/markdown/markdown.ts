import { type Spec, wholeSpec } from "../charts/chart.ts";
import { lightTheme } from "../charts/theme.ts";
import { chartCsv } from "../csv.ts";
import type { Block, FigureBlock, ReportDocument, TableBlock } from "../document.ts";

/** The report as Markdown, with figures and their data as files in a folder next to it. */
export async function reportMarkdown(
  report: ReportDocument,
  name: string,
  render: (spec: Spec) => Promise<string>,
): Promise<Map<string, string>> {
  const { title, subtitle, notices, keyFigures, summary, sections, colophon } = report;
  const figures = new Map<string, string>();
  const folder = `${name}-figures`;
  const lines = [
    `# ${escaped(title)}`,
    escaped(subtitle),
    ...notices.map((notice) => `> ${escaped(notice)}`),
    keyFigures
      .map(({ label, value, note }) => `- ${escaped(label)}: **${escaped(value)}** (${escaped(note)})`)
      .join("\n"),
    "## Summary",
    summary.map((sentence) => `- ${escaped(sentence)}`).join("\n"),
  ];
  for (const { title: heading, blocks } of sections) {
    lines.push(`## ${escaped(heading)}`);
    for (const block of blocks) {
      lines.push(...blockLines(block, folder));
      if (block.kind !== "figure") continue;
      figures.set(`${folder}/${block.id}.svg`, await render(wholeSpec(block.chart, lightTheme)));
      figures.set(`${folder}/${block.id}.csv`, chartCsv(block.chart.rows));
    }
  }
  lines.push("---", escaped(colophon));
  return new Map([[`${name}.md`, `${lines.join("\n\n")}\n`], ...figures]);
}

function blockLines(block: Block, folder: string): string[] {
  if (block.kind === "text") return [escaped(block.text)];
  return block.kind === "table" ? tableLines(block) : figureLines(block, folder);
}

function figureLines({ id, caption, alternative }: FigureBlock, folder: string): string[] {
  const place = encodeURI(folder);
  return [`![${escaped(alternative)}](${place}/${id}.svg)`, `${escaped(caption)} [csv](${place}/${id}.csv)`];
}

function tableLines({ caption, columns, cells }: TableBlock): string[] {
  const line = (all: readonly string[]) => `| ${all.map(escaped).join(" | ")} |`;
  const rule = `| ${columns.map(({ align }) => (align === "right" ? "---:" : "---")).join(" | ")} |`;
  return [escaped(caption), [line(columns.map(({ title }) => title)), rule, ...cells.map(line)].join("\n")];
}

/** Escapes text so that Markdown, and HTML in it, show it unchanged. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&").replaceAll(/\s+/g, " ");
}
