import { check, ShapeError } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";
import { withWorkspaces } from "../engine/workspaces.ts";

export function topKRows(engine: Engine): Pick<Backend, "topKRows"> {
  return {
    topKRows({ columns, values, X, rows, cols, k }) {
      check(k <= cols, () => `topKRows: ${k} of ${cols} columns asked for`, ShapeError);
      const j = engine.ints("topKRows", "columns", columns, rows * k);
      const y = engine.floats("topKRows", "values", values, rows * k);
      const x = engine.floats("topKRows", "X", X, rows * cols);
      const bytes = engine.call("topKRowsBytes", cols, k);
      withWorkspaces(engine, { bytes }, (workspaces) => {
        engine.run("topKRows", rows, rowGrain(cols), j, y, x, cols, k, workspaces.record);
      });
    },
  };
}
