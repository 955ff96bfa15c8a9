import { describe, expect, test } from "vitest";
import { parsePath } from "./svg-path.ts";
import { svgToPgf } from "./svg-to-pgf.ts";

describe("a path of SVG", () => {
  test("is a list of absolute steps, however it is written", () => {
    expect(parsePath("M1,2l3-1h4v-.5Z")).toEqual([
      { kind: "move", to: [1, 2] },
      { kind: "line", to: [4, 1] },
      { kind: "line", to: [8, 1] },
      { kind: "line", to: [8, 0.5] },
      { kind: "close" },
    ]);
  });
  test("has arcs as curves that end where they should and stay on the circle", () => {
    const steps = parsePath("M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0");
    expect(steps).toHaveLength(5);
    for (const step of steps) {
      if (step.kind === "close") throw new Error("nothing is closed here");
      expect(Math.hypot(...step.to)).toBeCloseTo(5, 6);
    }
    const quarter = parsePath("M1,0A1,1,0,0,1,0,1")[1];
    expect(quarter).toMatchObject({ kind: "curve" });
    if (quarter.kind === "curve") {
      expect(quarter.control1[0]).toBeCloseTo(1, 6);
      expect(quarter.control1[1]).toBeCloseTo(0.5523, 3);
      expect(quarter.control2[0]).toBeCloseTo(0.5523, 3);
    }
  });
  test("with a command that is not known is an error", () => {
    expect(() => parsePath("M0,0Q1,1,2,2")).toThrow("command Q is not known");
  });
});

describe("a drawing", () => {
  const draw = (content: string) => svgToPgf(`<svg width="100" height="50" viewBox="0 0 100 50">${content}</svg>`);

  test("has its shapes where they stand, counted from the bottom", () => {
    const pgf = draw(
      '<g transform="translate(10,5)"><line transform="translate(1,2)" x2="3" y2="4" stroke="#ff0000" stroke-width="2" stroke-dasharray="3"/></g>',
    );
    expect(pgf).toContain("\\pgfpathmoveto{\\pgfqpoint{11pt}{43pt}}");
    expect(pgf).toContain("\\pgfpathlineto{\\pgfqpoint{14pt}{39pt}}");
    expect(pgf).toContain("\\definecolor{rgnnline}{rgb}{1,0,0}");
    expect(pgf).toContain("\\pgfsetdash{{3pt}{3pt}}{0pt}");
    expect(pgf).toContain("\\pgfusepath{stroke}");
  });
  test("has its texts, turned and escaped", () => {
    const pgf = draw(
      '<text text-anchor="middle" transform="translate(20,30)rotate(-90)" font-size="11px" fill="#000000">50% &amp; a_b</text>',
    );
    expect(pgf).toContain("\\pgftext[x=20pt,y=20pt,base,rotate=90]");
    expect(pgf).toContain("50\\% \\& a\\_b");
  });
  test("leaves out what is invisible or only defined", () => {
    const pgf = draw(
      '<defs><clipPath id="c"><rect width="9" height="9" fill="#000000"/></clipPath></defs><rect width="5" height="5" fill="none"/><path d="M0,0L1,1" fill="#000000" opacity="0"/>',
    );
    expect(pgf).not.toContain("pgfusepath{fill}");
  });
});
