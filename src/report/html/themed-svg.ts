import { colourNames, type Theme } from "../charts/theme.ts";
import { Html } from "./html.ts";

/**
 * Adapts a drawing to a page that may be light or dark: replaces its colours by variables of the page, and removes its
 * size so that it fills its container.
 */
export function themedSvg(svg: string, theme: Theme): Html {
  const names = new Map(Object.entries(colourNames(theme)).map(([name, colour]) => [colour, name]));
  const coloured = svg.replace(/ (fill|stroke)="(#[0-9a-f]{6})"/g, (same, attribute: string, colour: string) => {
    const name = names.get(colour);
    return name === undefined ? same : ` ${attribute}="var(--${name})"`;
  });
  const fluid = coloured
    .replace(/^<svg /, '<svg aria-hidden="true" focusable="false" ')
    .replace(/ (width|height)="[\d.]+"/, "")
    .replace(/ (width|height)="[\d.]+"/, "");
  return new Html(fluid.replaceAll(/ font-family="[^"]*"/g, ""));
}
