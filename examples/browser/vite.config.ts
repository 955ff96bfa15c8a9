import { defineConfig } from "vite";

/** These let a page share memory between threads. Without them everything works too, on one thread. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({ server: { headers }, preview: { headers } });
