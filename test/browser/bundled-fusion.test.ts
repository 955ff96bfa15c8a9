import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { stageProject } from "../support/staged-project.ts";

/** Lists the kernels that one layer launches, as ops are fused and as they are written. */
const program = `
import { createReference } from "rgnn";
import { addBias, matmul, relu, scope, tensor, withoutFusion } from "rgnn/tensor";

function kernelsOf(run) {
  const kernels = [];
  const inner = createReference();
  const backend = new Proxy(inner, {
    get(target, name) {
      if (typeof target[name] === "function") kernels.push(name);
      return target[name];
    },
  });
  const [X, W, b] = [[2, 3], [3, 2], [2]].map((shape) => tensor(backend, shape.length === 1 ? [1, 2] : [1, 2, 3, 4, 5, 6], shape));
  kernels.length = 0;
  run(() => relu(addBias(matmul(X, W), b)));
  return kernels.filter((name) => name !== "alloc" && name !== "free");
}
`;

async function bundled(source: string): Promise<string[]> {
  const project = stageProject();
  onTestFinished(() => project.remove());
  writeFileSync(join(project.folder, "main.js"), `${program}${source}`);
  await build({
    root: project.folder,
    logLevel: "silent",
    build: { lib: { entry: "main.js", formats: ["es"], fileName: "bundle" }, target: "esnext" },
  });
  const { kernels } = await import(pathToFileURL(join(project.folder, "dist/bundle.js")).href);
  return kernels;
}

test("a bundler keeps the fusion of ops, although no program calls it by name", async () => {
  expect(await bundled("export const kernels = kernelsOf(scope);")).toHaveLength(1);
  const asWritten = "export const kernels = kernelsOf((step) => withoutFusion(() => scope(step)));";
  expect(await bundled(asWritten)).toHaveLength(3);
});
