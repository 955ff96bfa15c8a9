import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { goTo } from "../route.ts";
import type { Workbench } from "../workbench.ts";
import { filesOf } from "./dropped-entries.ts";

/** Takes files that are dropped anywhere on the page. */
export function FileDrop({ bench }: { bench: Workbench }) {
  const isOver = useSignal(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      isOver.value = true;
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = async (event: DragEvent) => {
      event.preventDefault();
      isOver.value = false;
      const files = event.dataTransfer ? await filesOf(event.dataTransfer) : [];
      if (files.length > 0 && (await bench.openFiles(files))) goTo({ view: "attack", selected: null });
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return isOver.value ? <p class="drop-hint">Drop your graph here</p> : null;
}
