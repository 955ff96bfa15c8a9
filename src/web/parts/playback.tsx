import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { count } from "../words.ts";
import type { Workbench } from "../workbench.ts";

/** Milliseconds from the first flip to the last. */
const DURATION = 5000;

const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A slider over the budget, and a button that plays it. A new attack plays by itself. */
export function Playback({ bench }: { bench: Workbench }) {
  const isPlaying = useSignal(false);
  const attack = bench.attack.value!;
  const most = attack.flips.length / 2;
  useEffect(() => {
    if (prefersStillness()) bench.made.value = most;
    else isPlaying.value = true;
  }, [attack]);
  useEffect(() => {
    if (!isPlaying.value) return;
    if (bench.made.value >= most) bench.made.value = 0;
    const from = bench.made.value;
    const begin = performance.now();
    let frame = 0;
    const step = (now: number) => {
      bench.made.value = Math.min(most, Math.round(from + ((now - begin) / DURATION) * most));
      if (bench.made.value < most) frame = requestAnimationFrame(step);
      else isPlaying.value = false;
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying.value, attack]);
  const show = (made: number) => {
    isPlaying.value = false;
    bench.made.value = made;
  };
  return (
    <div class="playback">
      <button
        type="button"
        class="play"
        aria-label={isPlaying.value ? "Pause" : "Play the attack"}
        onClick={() => {
          isPlaying.value = !isPlaying.value;
        }}
      >
        {isPlaying.value ? "❚❚" : "▶"}
      </button>
      <div class="slider">
        <label>
          <span>
            <strong>{count(bench.made.value)}</strong> of {count(most)} edges flipped
          </span>
          <input
            type="range"
            min={0}
            max={most}
            value={bench.made.value}
            onInput={(event) => show(Number(event.currentTarget.value))}
          />
        </label>
        <span class="ends">
          <button type="button" class="link" onClick={() => show(0)}>
            Before
          </button>
          <button type="button" class="link" onClick={() => show(most)}>
            After
          </button>
        </span>
      </div>
    </div>
  );
}
