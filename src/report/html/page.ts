import { type Chart, type LegendEntry, panelSpec, type Spec, wholeSpec } from "../charts/chart.ts";
import { lightTheme } from "../charts/theme.ts";
import { chartCsv, tableCsv } from "../csv.ts";
import type { Block, FigureBlock, KeyFigure, ReportDocument, Section, TableBlock } from "../document.ts";
import { type Html, html } from "./html.ts";
import { style } from "./style.ts";
import { themedSvg } from "./themed-svg.ts";

type Render = (spec: Spec) => Promise<string>;

/** The page loads nothing and runs no script: even if a text of a user were not escaped, it could not run anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The report as one self-contained page, in the light or dark theme of its reader, for screens, phones and print. */
export async function reportPage(report: ReportDocument, render: Render): Promise<string> {
  const { title, subtitle, notices, keyFigures, summary, sections, colophon } = report;
  const body: Html[] = [];
  for (const section of sections) body.push(await sectionHtml(section, render));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="generator" content="rgnn">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div class="page">
<header>
<h1>${title}</h1>
<p class="subtitle">${subtitle}</p>
${notices.map((notice) => html`<p class="notice" role="note">${notice}</p>`)}
</header>
<main>
<section aria-labelledby="summary" style="margin-top:0">
${keyFigureList(keyFigures)}
<h2 id="summary">Summary</h2>
<ul class="summary">
${summary.map((sentence) => html`<li>${sentence}</li>\n`)}
</ul>
</section>
<nav aria-label="Sections"><ul>
${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>\n`)}
</ul></nav>
${body}
</main>
<footer>${colophon}</footer>
</div>
</body>
</html>
`.text;
}

function keyFigureList(figures: readonly KeyFigure[]): Html {
  const items = figures.map(
    ({ label, value, note }) =>
      html`<div><dt>${label}</dt><dd class="value">${value}</dd><dd class="note">${note}</dd></div>\n`,
  );
  return html`<dl class="key">\n${items}</dl>`;
}

async function sectionHtml({ id, title, blocks }: Section, render: Render): Promise<Html> {
  const content: Html[] = [];
  for (const block of blocks) content.push(await blockHtml(block, render));
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>
`;
}

async function blockHtml(block: Block, render: Render): Promise<Html> {
  if (block.kind === "text") return html`<p class="text">${block.text}</p>\n`;
  return block.kind === "table" ? tableHtml(block) : figureHtml(block, render);
}

async function figureHtml({ id, caption, alternative, chart }: FigureBlock, render: Render): Promise<Html> {
  const panels: Html[] = [];
  for (const panel of chart.panels) {
    const svg = themedSvg(await render(panelSpec(panel, lightTheme)), lightTheme);
    const title = panel.title === "" ? html`` : html`<p class="panel-title">${panel.title}</p>`;
    panels.push(html`<div class="panel">${title}${svg}</div>\n`);
  }
  const whole = await render(wholeSpec(chart, lightTheme));
  const links = html`<span class="links">${link(`${id}.csv`, csvAddress(chartCsv(chart.rows)), "csv", id)}${link(`${id}.svg`, svgAddress(whole), "SVG", id)}</span>`;
  return html`<figure id="${id}">
${legendHtml(chart)}
<div class="panels ${widthClass(chart.panels.length)}" role="img" aria-label="${alternative}">
${panels}</div>
<figcaption>${caption} ${links}</figcaption>
</figure>
`;
}

/** Class for the width of panels: a single panel does not fill the page; two or four are shown in pairs. */
function widthClass(numPanels: number): string {
  if (numPanels === 1) return "one";
  return numPanels === 2 || numPanels === 4 ? "two" : "";
}

function legendHtml({ legend }: Chart): Html {
  if (legend.length === 0) return html``;
  return html`<ul class="legend">${legend.map((entry) => html`<li>${swatch(entry)}${entry.name}</li>`)}</ul>`;
}

/** A small drawing of the line and the mark of a series, or of its bar. */
function swatch({ colour, dash = [], shape, isBar = false }: LegendEntry): Html {
  if (isBar)
    return themedSvg(
      html`<svg viewBox="0 0 12 12" class="bar"><path d="M0 1h12v11h-12z" fill="${colour}"/></svg>`.text,
      lightTheme,
    );
  const marks: Readonly<Record<string, string>> = {
    circle: "M14 3a3 3 0 1 0 .01 0z",
    square: "M11 3h6v6h-6z",
    "triangle-up": "M14 2l4 7h-8z",
    diamond: "M14 1.5l4 4.5l-4 4.5l-4-4.5z",
    cross: "M12.5 2h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5v-3h2.5z",
    "triangle-down": "M14 10l4-7h-8z",
    "triangle-right": "M18 6l-7 4v-8z",
    "triangle-left": "M10 6l7 4v-8z",
  };
  const line = html`<path d="M1 6h26" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash.join(" ")}" fill="none"/>`;
  const mark = shape === undefined ? html`` : html`<path d="${marks[shape] ?? marks["circle"]}" fill="${colour}"/>`;
  return themedSvg(html`<svg viewBox="0 0 28 12">${line}${mark}</svg>`.text, lightTheme);
}

function tableHtml(block: TableBlock): Html {
  const { id, caption, columns, cells } = block;
  const align = columns.map((column) => (column.align === "right" ? "right" : ""));
  const kind = columns.length === 2 && columns[0].title === "what" ? "table facts" : "table";
  const head = columns.map(({ title }, c) => html`<th scope="col" class="${align[c]}">${title}</th>`);
  const rows = cells.map((row) => html`<tr>${row.map((cell, c) => html`<td class="${align[c]}">${cell}</td>`)}</tr>\n`);
  return html`<div class="${kind}" id="${id}">
<p class="table-caption" id="${id}-caption">${caption} <span class="links">${link(`${id}.csv`, csvAddress(tableCsv(block)), "csv", id)}</span></p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-caption">
<table aria-labelledby="${id}-caption">
<thead><tr>${head}</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
</div>
`;
}

function link(file: string, address: string, name: string, of: string): Html {
  return html`<a href="${address}" download="${file}">${name}<span class="hidden"> of ${of}</span></a>`;
}

function csvAddress(csv: string): string {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`;
}

function svgAddress(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`;
}
