import { expect, onTestFinished } from "vitest";
import { realData } from "../../test/support/real-data.ts";
import { openLab } from "./open-lab.ts";

realData("cora_ml")("a lab on this machine offers the datasets that lie here, and opens them", async () => {
  const lab = await openLab({ threads: 1 });
  onTestFinished(() => lab.close());
  const { graphs } = await lab.call("offer", {});
  expect(graphs.map(({ name }) => name)).toEqual(expect.arrayContaining(["synthetic-citation", "cora_ml"]));
  expect(await lab.call("open", { name: "cora_ml" })).toMatchObject({
    name: "cora_ml",
    numNodes: 2810,
    numEdges: 7981,
  });
});
