import type { Workbench } from "../workbench.ts";

/** What went wrong last, in words, and a way to make it go away. */
export function Trouble({ bench }: { bench: Workbench }) {
  const message = bench.error.value;
  if (message === null) return null;
  const dismiss = () => {
    bench.error.value = null;
  };
  return (
    <div class="notice" role="alert">
      <p>{message}</p>
      <button type="button" class="quiet" onClick={dismiss}>
        Dismiss
      </button>
    </div>
  );
}
