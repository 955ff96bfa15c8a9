import type { Colouring, Scene } from "../graph/looks.ts";
import { classColour, paletteFor } from "../graph/palette.ts";
import { isDark } from "../theme.ts";
import { className } from "../words.ts";
import { Swatch } from "./swatch.tsx";

/** Most classes that are listed: further ones have the colours of others, so listing them says little. */
const MOST_CLASSES = 9;

interface LegendProps {
  readonly scene: Scene;
  readonly hasFlips: boolean;
  readonly changed: (colouring: Colouring) => void;
}

/** What the colours mean, and the choice between them. */
export function Legend({ scene, hasFlips, changed }: LegendProps) {
  const { graph, model, colouring } = scene;
  const palette = paletteFor(isDark.value);
  const option = (value: Colouring, text: string) => (
    <label class="segment">
      <input type="radio" name="colouring" checked={colouring === value} onChange={() => changed(value)} />
      <span>{text}</span>
    </label>
  );
  return (
    <section class="legend" aria-label="Colours">
      {model && (
        <fieldset class="segments">
          <legend class="hidden">Colour nodes by</legend>
          {option("outcome", "Right or wrong")}
          {option("class", "Class")}
        </fieldset>
      )}
      <ul>
        {colouring === "outcome" && model ? (
          <>
            <Entry colour={palette.right} text="right" />
            {hasFlips && <Entry colour={palette.lost} text="lost to the attack" />}
            <Entry colour={palette.wrong} text="wrong from the start" />
            <Entry colour={palette.aside} text="not a test node" />
          </>
        ) : (
          graph.classes
            .slice(0, MOST_CLASSES)
            .map((_, label) => (
              <Entry key={label} colour={classColour(palette, label)} text={className(graph, label)} />
            ))
        )}
        {hasFlips && <Entry colour={palette.added} text="edge added" line />}
        {hasFlips && <Entry colour={palette.removed} text="edge removed" line />}
      </ul>
    </section>
  );
}

function Entry({ colour, text, line = false }: { colour: string; text: string; line?: boolean }) {
  return (
    <li>
      <Swatch colour={colour} line={line} />
      {text}
    </li>
  );
}
