import { useEffect, useRef } from "preact/hooks";
import { isDark } from "../theme.ts";
import { layOut, positionsOf } from "./layout.ts";
import { looksOf, type Scene } from "./looks.ts";
import { paletteFor } from "./palette.ts";
import { Picture, type ShownFlips } from "./picture.ts";

export interface GraphViewProps {
  readonly scene: Scene;
  readonly flips: ShownFlips;
  readonly made: number;
  readonly chosen: number | null;
  /** What the picture shows, in words, for people who do not see it. */
  readonly description: string;
  readonly nameOf: (node: number) => string;
  readonly nodeClicked: (node: number | null) => void;
}

const STEP = 0.1;

/** A picture of the whole graph, which can be moved and zoomed by keyboard. */
export function GraphView(props: GraphViewProps) {
  const { scene, flips, made, chosen, description, nameOf, nodeClicked } = props;
  const container = useRef<HTMLDivElement>(null);
  const picture = useRef<Picture | null>(null);
  const clicked = useRef(nodeClicked);
  clicked.current = nodeClicked;
  const palette = paletteFor(isDark.value);
  const { graph } = scene;
  const looks = () => looksOf(scene, palette, container.current!.clientWidth);

  useEffect(() => {
    const drawn = new Picture(container.current!, {
      palette: paletteFor(isDark.value),
      nodeClicked: (node) => clicked.current(node),
      stageClicked: () => clicked.current(null),
    });
    picture.current = drawn;
    return () => drawn.close();
  }, []);
  useEffect(() => {
    const drawn = picture.current!;
    drawn.show(graph.edges ?? [], { looks: looks(), names: nameOf, positions: positionsOf(graph) });
    return layOut(graph, ({ positions, isLast }) => {
      drawn.move(positions);
      if (isLast) container.current!.dataset["laidOut"] = "true";
    });
  }, [graph]);
  useEffect(() => picture.current!.recolour(palette), [palette]);
  useEffect(() => picture.current!.lay(flips), [graph, flips]);
  useEffect(() => picture.current!.paint(looks()), [scene, palette]);
  useEffect(() => picture.current!.play(made), [graph, flips, made]);
  useEffect(() => picture.current!.choose(chosen), [graph, chosen]);

  const keyDown = (event: KeyboardEvent) => {
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action(picture.current!);
  };
  return (
    <div class="graph-view">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move the picture */}
      <div ref={container} class="graph-canvas" role="img" tabIndex={0} aria-label={description} onKeyDown={keyDown} />
      <div class="graph-buttons">
        <button type="button" aria-label="Zoom in" onClick={() => picture.current!.zoom(1.6)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => picture.current!.zoom(1 / 1.6)}>
          −
        </button>
        <button type="button" aria-label="Show the whole graph" onClick={() => picture.current!.resetCamera()}>
          ⤢
        </button>
      </div>
    </div>
  );
}

const KEYS: Readonly<Record<string, (picture: Picture) => void>> = {
  "+": (picture) => picture.zoom(1.4),
  "=": (picture) => picture.zoom(1.4),
  "-": (picture) => picture.zoom(1 / 1.4),
  "0": (picture) => picture.resetCamera(),
  ArrowLeft: (picture) => picture.pan(-STEP, 0),
  ArrowRight: (picture) => picture.pan(STEP, 0),
  ArrowUp: (picture) => picture.pan(0, STEP),
  ArrowDown: (picture) => picture.pan(0, -STEP),
};
