import type Sigma from "sigma";
import type { NodeProgramType } from "sigma/rendering";
import { NodePointProgram } from "sigma/rendering";

/** Pixels around a node that count as the node: for fingers and unsteady hands. */
const SLACK = 4;

/**
 * Points that are drawn once. The renderer would draw every node a second time, in a colour that names it, and wait for a pixel of
 * that picture at every movement of the mouse; {@link findNodesByPlace} makes both needless.
 */
export const PlainPoints = class extends NodePointProgram {
  constructor(gl: WebGLRenderingContext, _picking: WebGLFramebuffer | null, renderer: Sigma) {
    super(gl, null, renderer);
  }
} as unknown as NodeProgramType<never, never, never>;

/** What is asked of a renderer, whatever the attributes of its nodes are. */
interface Places extends Pick<Sigma, "getNodeDisplayData" | "framedGraphToViewport" | "scaleSize"> {
  getGraph(): { nodes(): string[] };
}

/** Lets a renderer find the node under the mouse by the places of the nodes: the nearest one that is hit, among larger the upper one. */
export function findNodesByPlace(sigma: Places): void {
  const getNodeAtPosition = ({ x, y }: { x: number; y: number }): string | null => {
    let nearest: string | null = null;
    let shortest = Number.POSITIVE_INFINITY;
    for (const node of sigma.getGraph().nodes()) {
      const data = sigma.getNodeDisplayData(node);
      if (!data || data.hidden) continue;
      const place = sigma.framedGraphToViewport(data);
      const distance = Math.hypot(place.x - x, place.y - y) - sigma.scaleSize(data.size);
      if (distance >= SLACK || distance >= shortest) continue;
      nearest = node;
      shortest = distance;
    }
    return nearest;
  };
  Object.assign(sigma, { getNodeAtPosition }); // the renderer asks itself by this name
}
