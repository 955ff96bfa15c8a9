import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import { ROWS, withNeighbourhoods } from "./neighbourhoods.ts";

export function weightedMedian(engine: Engine): Backend["weightedMedian"] {
  return (median, at, S, X, cols) => {
    const name = "weightedMedian";
    const size = S.numRows * cols;
    const { rowPtr, colIdx, values } = engine.csr(name, S);
    const medians = engine.floats(name, "median", median, size);
    const holders = engine.ints(name, "at", at, size);
    const x = engine.floats(name, "X", X, S.numCols * cols);
    const matrix = [rowPtr, colIdx, values, x, cols];
    withNeighbourhoods(engine, "neighbourhoodBytes", S, cols, (workspaces) => {
      engine.run(name, S.numRows, ROWS, medians, holders, ...matrix, workspaces);
    });
  };
}

export function softMedian(engine: Engine): Backend["softMedian"] {
  return ({ out, saved, S, X, cols, temperature }) => {
    const name = "softMedian";
    const size = S.numRows * cols;
    const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
    const y = engine.floats(name, "out", out, size);
    const medians = engine.floats(name, "saved.median", saved.median, size);
    const holders = engine.ints(name, "saved.at", saved.at, size);
    const shares = engine.floats(name, "saved.shares", saved.shares, entries);
    const x = engine.floats(name, "X", X, S.numCols * cols);
    const matrix = [rowPtr, colIdx, values, x, cols];
    withNeighbourhoods(engine, "neighbourhoodBytes", S, cols, (workspaces) => {
      engine.run(name, S.numRows, ROWS, y, medians, holders, shares, ...matrix, temperature, workspaces);
    });
  };
}

export function softMedianGrad(engine: Engine): Backend["softMedianGrad"] {
  return ({ values: dValues, toX, dY, S, X, saved, cols, temperature }) => {
    const name = "softMedianGrad";
    const size = S.numRows * cols;
    const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
    const valueGrads = engine.floatsOrNone(name, "values", dValues, entries);
    const terms = engine.floatsOrNone(name, "toX.terms", toX?.terms ?? null, 2 * entries);
    const medianGrads = engine.floatsOrNone(name, "toX.medianGrad", toX?.medianGrad ?? null, size);
    const dy = engine.floats(name, "dY", dY, size);
    const medians = engine.floats(name, "saved.median", saved.median, size);
    const shares = engine.floats(name, "saved.shares", saved.shares, entries);
    const x = engine.floats(name, "X", X, S.numCols * cols);
    const grads = [valueGrads, terms, medianGrads];
    const matrix = [rowPtr, colIdx, values, x, cols];
    withNeighbourhoods(engine, "neighbourhoodBytes", S, cols, (workspaces) => {
      engine.run(name, S.numRows, ROWS, ...grads, dy, medians, shares, ...matrix, temperature, workspaces);
    });
  };
}
