import { escapeLatex } from "../../experiment/results/escape-latex.ts";
import type { Spec } from "../charts/chart.ts";
import { wholeSpec } from "../charts/chart.ts";
import { lightTheme } from "../charts/theme.ts";
import { chartCsv } from "../csv.ts";
import type { Block, FigureBlock, ReportDocument, TableBlock } from "../document.ts";
import { svgToPgf } from "./svg-to-pgf.ts";

const PREAMBLE = `\\documentclass[10pt,a4paper]{article}
\\usepackage[T1]{fontenc}
\\usepackage[utf8]{inputenc}
\\usepackage[margin=2.2cm]{geometry}
\\usepackage{booktabs,longtable,array,float,graphicx,pgf}
\\setlength{\\parindent}{0pt}
\\setlength{\\parskip}{.6em}
\\begin{document}`;

/**
 * The report as a LaTeX document that pdflatex compiles with standard packages. Each figure is a PGF drawing in a file
 * of its own, next to its data, so that a paper can include it with \\input.
 */
export async function reportLatex(
  report: ReportDocument,
  name: string,
  render: (spec: Spec) => Promise<string>,
): Promise<Map<string, string>> {
  const { title, subtitle, notices, summary, sections, colophon } = report;
  const figures = new Map<string, string>();
  const folder = `${name.replaceAll(/[^A-Za-z0-9.-]+/g, "-")}-figures`; // TeX dislikes spaces and underscores in paths
  const lines = [
    PREAMBLE,
    `{\\LARGE\\bfseries ${escapeLatex(title)}\\par}`,
    `{\\large ${escapeLatex(subtitle)}\\par}`,
    ...notices.map((notice) => `\\emph{${escapeLatex(notice)}}`),
    "\\section*{Summary}",
    ["\\begin{itemize}", ...summary.map((sentence) => `\\item ${escapeLatex(sentence)}`), "\\end{itemize}"].join("\n"),
  ];
  for (const { title: heading, blocks } of sections) {
    lines.push(`\\section*{${escapeLatex(heading)}}`);
    for (const block of blocks) {
      lines.push(blockLatex(block, folder));
      if (block.kind !== "figure") continue;
      figures.set(`${folder}/${block.id}.pgf`, svgToPgf(await render(wholeSpec(block.chart, lightTheme))));
      figures.set(`${folder}/${block.id}.csv`, chartCsv(block.chart.rows));
    }
  }
  lines.push(`\\vfill{\\small ${escapeLatex(colophon)}}`, "\\end{document}");
  return new Map([[`${name}.tex`, `${lines.join("\n\n")}\n`], ...figures]);
}

function blockLatex(block: Block, folder: string): string {
  if (block.kind === "text") return escapeLatex(block.text);
  return block.kind === "table" ? tableLatex(block) : figureLatex(block, folder);
}

function figureLatex({ id, caption, chart }: FigureBlock, folder: string): string {
  const width = chart.panels.length === 1 ? ".7\\textwidth" : "\\textwidth";
  return [
    "\\begin{figure}[H]\\centering",
    `\\resizebox{${width}}{!}{\\input{${folder}/${id}.pgf}}`,
    `\\caption{${escapeLatex(caption)}}\\label{fig:${id}}`,
    "\\end{figure}",
  ].join("\n");
}

/** A table that may break over pages; columns with long texts wrap their lines. */
function tableLatex({ caption, columns, cells }: TableBlock): string {
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => row[c].length), columns[c].title.length));
  const numLong = widths.filter((width) => width > LONG).length;
  const align = columns.map(({ align: side }, c) => {
    if (widths[c] > LONG) return `>{\\raggedright\\arraybackslash}p{${(0.6 / numLong).toFixed(2)}\\textwidth}`;
    return side === "right" ? "r" : "l";
  });
  const line = (all: readonly string[]) => `${all.map(escapeLatex).join(" & ")} \\\\`;
  return [
    `{\\footnotesize\\setlength{\\tabcolsep}{4pt}\\begin{longtable}{${align.join("")}}`,
    `\\caption{${escapeLatex(caption)}}\\\\`,
    "\\toprule",
    line(columns.map(({ title }) => title)),
    "\\midrule\\endhead",
    ...cells.map(line),
    "\\bottomrule",
    "\\end{longtable}}",
  ].join("\n");
}

/** Columns with more characters than this wrap their lines. */
const LONG = 36;
