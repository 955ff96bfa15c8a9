import type Sigma from "sigma";
import type { NodeProgramType } from "sigma/rendering";
import { NodePointProgram } from "sigma/rendering";

/** Pixels around a node that count as the node: for fingers and unsteady hands. */
const SLACK = 4;

/**
 * Points without sigma's picking, which draws every node a second time, in a colour that encodes it, and reads a pixel
 * of that picture back at every movement of the mouse. {@link findNodesByPlace} replaces it.
 */
export const PlainPoints = class extends NodePointProgram {
  constructor(gl: WebGLRenderingContext, _picking: WebGLFramebuffer | null, renderer: Sigma) {
    super(gl, null, renderer);
  }
} as unknown as NodeProgramType<never, never, never>;

/** The part of sigma that {@link findNodesByPlace} uses, whatever the attributes of nodes are. */
interface Places extends Pick<Sigma, "getNodeDisplayData" | "framedGraphToViewport" | "scaleSize"> {
  getGraph(): { nodes(): string[] };
}

/** Lets sigma find the node under the mouse by its place: the node whose outline is nearest, or deepest around it. */
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
  Object.assign(sigma, { getNodeAtPosition }); // replaces the method that sigma itself calls
}
