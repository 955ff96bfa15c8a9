/** Attributes that browsers and LaTeX do not need: names for scripts, texts for screen readers (the figure has one). */
const NEEDLESS = / (?:class|role|pointer-events|version|xmlns:xlink|aria-[a-z]+)="[^"]*"/g;
const DEFAULTS = / (?:opacity="1"|stroke-dasharray="")/g;

/** Halves the size of a drawing: removes parts that draw nothing, and rounds coordinates to two decimals. */
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
