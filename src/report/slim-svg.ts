/** What browsers and LaTeX do without: names for scripts, and words for readers of the screen, which stand at the figure as a whole. */
const NEEDLESS = / (?:class|role|pointer-events|version|xmlns:xlink|aria-[a-z]+)="[^"]*"/g;
const DEFAULTS = / (?:opacity="1"|stroke-dasharray="")/g;

/** The same drawing in half the letters: without what draws nothing, and with coordinates of two decimals. */
export function slimSvg(svg: string): string {
  return svg
    .replaceAll(/<path class="(?:back|fore)ground"(?![^>]* (?:fill|stroke)=)[^>]*\/>/g, "")
    .replaceAll(/<[^>]*>/g, (tag) =>
      tag
        .replaceAll(NEEDLESS, "")
        .replaceAll(DEFAULTS, "")
        .replaceAll(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2)))),
    )
    .replaceAll("<g></g>", "");
}
