import type { NodeHoverDrawingFunction } from "sigma/rendering";
import type { Palette } from "./palette.ts";

/** Marks a node that is pointed at or chosen: a ring, and its name in a box. */
export function hoverDrawer(palette: Palette): NodeHoverDrawingFunction {
  return (context, { x, y, size, label, color }) => {
    context.beginPath();
    context.arc(x, y, size + 4, 0, 2 * Math.PI);
    context.fillStyle = palette.paper;
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = palette.ink;
    context.stroke();
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
    if (!label) return;
    context.font = "600 13px system-ui, sans-serif";
    const width = context.measureText(label).width + 16;
    const left = x + size + 10;
    context.beginPath();
    context.roundRect(left, y - 13, width, 26, 6);
    context.fillStyle = palette.paper;
    context.fill();
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = palette.ink;
    context.fillText(label, left + 8, y + 4.5);
  };
}
