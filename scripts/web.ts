// Builds the pages of src/web: `dashboard` into dist/web, which the server serves, and `playground` into a folder for
// any static host. Pages bundle the built package in dist/, where the kernels lie beside the code: build that first.
import { join } from "node:path";
import { build, type InlineConfig } from "vite";

/** Each page, and the folder that it is built into. */
const pages = { dashboard: "dist/web", playground: "dist-playground" } as const;

export type WebPage = keyof typeof pages;

const root = join(import.meta.dirname, "..");

/** The configuration of Vite for a page; `outDir` replaces the page's own folder. */
export function webConfig(page: WebPage, outDir: string = join(root, pages[page])): InlineConfig {
  return {
    configFile: false,
    root: join(root, "src/web", page),
    base: "./", // a static host may serve it from any folder
    logLevel: "warn",
    resolve: { alias: [{ find: /^rgnn\/(.+)$/, replacement: join(root, "dist/$1/index.js") }] },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    worker: { format: "es" },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      assetsInlineLimit: 0, // the security policy forbids scripts from data: addresses
      modulePreload: { polyfill: false },
      rolldownOptions: { checks: { bundlerTimings: false } }, // on a busy machine it warns without reason
      chunkSizeWarningLimit: 700, // kB: the engine with all models and attacks is one file
    },
  };
}

export async function buildPage(page: WebPage, outDir?: string): Promise<void> {
  await build(webConfig(page, outDir));
}

if (process.argv[1] === import.meta.filename) {
  const page = process.argv[2];
  if (page !== "dashboard" && page !== "playground")
    throw new Error(`scripts/web.ts dashboard | playground, got ${page}`);
  await buildPage(page);
  console.log(`built ${pages[page]}`);
}
