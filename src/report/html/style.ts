import { colourNames, darkTheme, lightTheme, type Theme } from "../charts/theme.ts";
import { Html } from "./html.ts";

function variables(theme: Theme): string {
  return Object.entries(colourNames(theme))
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(" ");
}

/** The style sheet of the page. It uses fonts of the system, because the page must work offline. */
export const style = new Html(`
:root { color-scheme: light dark; ${variables(lightTheme)} --soft: #f5f6f8; --accent: #0b5cad; --warn: #fff4e0; --warn-ink: #6b4200; }
@media (prefers-color-scheme: dark) {
  :root { ${variables(darkTheme)} --soft: #1d2126; --accent: #7cc0fa; --warn: #3a2d14; --warn-ink: #f5d9a3; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--surface); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.page { max-width: 72rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
.text { max-width: 46rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
h1 { font-size: clamp(1.6rem, 4.5vw, 2.35rem); line-height: 1.2; letter-spacing: -.015em; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.4rem; line-height: 1.3; letter-spacing: -.01em; margin: 0 0 1rem; }
.subtitle { color: var(--muted); font-size: 1.05rem; margin: .6rem 0 0; overflow-wrap: anywhere; }
.notice { background: var(--warn); color: var(--warn-ink); padding: .7rem 1rem; border-radius: .5rem; margin: 1.2rem 0 0; overflow-wrap: anywhere; }
.key { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)); gap: .8rem; margin: 2rem 0; padding: 0; }
.key div { background: var(--soft); border-radius: .7rem; padding: 1rem 1.15rem; }
.key dt { color: var(--muted); font-size: .8rem; }
.key dd { margin: 0; overflow-wrap: anywhere; }
.key .value { font-size: 1.3rem; font-weight: 650; line-height: 1.3; letter-spacing: -.01em; }
.key .note { color: var(--muted); font-size: .85rem; line-height: 1.4; }
.summary { padding-left: 1.2rem; margin: 0; columns: 2 24rem; column-gap: 3rem; }
.summary li { margin: 0 0 .8rem; padding-left: .2rem; overflow-wrap: anywhere; break-inside: avoid; }
nav { border-top: 1px solid var(--grid); border-bottom: 1px solid var(--grid); margin: 2rem 0 0; padding: .7rem 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; margin: 0; padding: 0; font-size: .92rem; }
nav a { display: inline-block; padding: .15rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
section { margin-top: 3.2rem; }
figure { margin: 1.8rem 0 0; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: 0 0 .7rem; font-size: .88rem; }
.legend li { display: flex; align-items: center; gap: .45rem; overflow-wrap: anywhere; }
.legend svg { flex: none; width: 28px; height: 12px; }
.legend svg.bar { width: 12px; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1.4rem 1.8rem; }
.panels.two { max-width: 50rem; }
.panels.one { max-width: 26rem; grid-template-columns: 1fr; }
.panel-title { font-size: .9rem; font-weight: 600; margin: 0 0 .35rem; overflow-wrap: anywhere; }
.panels svg { display: block; width: 100%; height: auto; font-family: inherit; }
figcaption, caption { color: var(--muted); font-size: .88rem; line-height: 1.5; text-align: left; }
figcaption { margin-top: .8rem; max-width: 56rem; overflow-wrap: anywhere; }
.links { white-space: nowrap; }
.links a { margin-left: .5rem; }
.table { margin: 1.8rem 0 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .42rem .9rem .42rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--grid); }
th { font-weight: 600; border-bottom: 1.5px solid var(--muted); vertical-align: bottom; }
th.right, td.right { text-align: right; padding: .42rem .3rem .42rem .9rem; white-space: nowrap; }
.right + :not(.right) { padding-left: 1.4rem; }
td:not(.right) { overflow-wrap: anywhere; min-width: 4.5rem; }
.table.facts td:first-child { white-space: nowrap; color: var(--muted); padding-right: 1.6rem; }
.table-caption { margin: 0 0 .5rem; color: var(--muted); font-size: .88rem; line-height: 1.5; max-width: 56rem; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--grid); color: var(--muted); font-size: .85rem; overflow-wrap: anywhere; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) { .page { padding: 1.5rem 1rem 3rem; } section { margin-top: 2.4rem; } }
@media print {
  @page { margin: 16mm 14mm; }
  :root { color-scheme: light; ${variables(lightTheme)} --soft: #f5f6f8; --accent: #0b5cad; --warn: #fff4e0; --warn-ink: #6b4200; }
  html { font-size: 12.5px; }
  body { font-size: 1rem; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .page { padding: 0; max-width: none; }
  nav, .links { display: none; }
  section { margin-top: 1.6rem; }
  h2 { break-after: avoid; }
  .panel, tr, .key div { break-inside: avoid; }
  figcaption, .table-caption, .legend { break-inside: avoid; }
  .legend { break-after: avoid; }
  .panels { grid-template-columns: repeat(3, 1fr); gap: .8rem; }
  .panels.two { grid-template-columns: repeat(2, 1fr); }
  .panels.one { grid-template-columns: 1fr; max-width: 24rem; }
  .scroll { overflow: visible; }
  .key { margin: 1.2rem 0; } .key .value { font-size: 1.2rem; } .key div { padding: .7rem .9rem; }
  th, td { padding-right: .5rem; }
  a { color: inherit; text-decoration: none; }
}
`);
