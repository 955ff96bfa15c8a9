import { describe, expect, expectTypeOf, test } from "vitest";
import { UserError } from "../errors.ts";
import {
  boolean,
  checkOptions,
  choice,
  defaultsOf,
  describeOptions,
  namedFunction,
  type OptionsOf,
  parseOptions,
  realNumber,
  resolveOptions,
  schemaOf,
  text,
  textOf,
  wholeNumber,
  wholeNumbers,
  withDefaults,
} from "./index.ts";

const functions: Readonly<Record<string, (x: number) => number>> = { twice: (x) => 2 * x, half: (x) => x / 2 };

const all = describeOptions({
  steps: wholeNumber({ from: 1, default: 3, help: "how often" }),
  tile: wholeNumber({ from: 64, multipleOf: 64, default: 128, help: "pairs at once" }),
  share: realNumber({ from: 0, below: 1, default: 0.5, help: "how much" }),
  rate: realNumber({ above: 0, default: 1e-3, help: "how fast" }),
  hidden: wholeNumbers({ from: 1, default: [64], help: "widths" }),
  init: choice({ of: ["glorot", "fan-in"], default: "glorot", help: "how weights start" }),
  bias: boolean({ default: true, help: "add one" }),
  name: text({ default: "run", help: "what it is called" }),
  map: namedFunction({
    names: Object.keys(functions),
    byName: (name) => functions[name] ?? fail(name),
    default: "twice",
    must: "a function of a number",
    help: "what to apply",
  }),
});

function fail(name: string): never {
  throw new UserError(`unknown map "${name}"`);
}

describe("described options", () => {
  test("have the types of their values", () => {
    const values = resolveOptions("it", all, {});
    expectTypeOf(values.steps).toEqualTypeOf<number>();
    expectTypeOf(values.hidden).toEqualTypeOf<readonly number[]>();
    expectTypeOf(values.init).toEqualTypeOf<"glorot" | "fan-in">();
    expectTypeOf(values.bias).toEqualTypeOf<boolean>();
    expectTypeOf<OptionsOf<typeof all>["map"]>().toEqualTypeOf<(x: number) => number>();
  });

  test("are their defaults where nothing else is given", () => {
    expect(resolveOptions("it", all, { steps: 7, bias: undefined } as object)).toEqual({
      ...defaultsOf(all),
      steps: 7,
    });
    expect(defaultsOf(all)).toMatchObject({ steps: 3, hidden: [64], init: "glorot", map: functions["twice"] });
  });

  test("can have other defaults, which leave the first ones alone", () => {
    const others = withDefaults(all, { init: "fan-in", bias: false });
    expect(defaultsOf(others)).toEqual({ ...defaultsOf(all), init: "fan-in", bias: false });
    expect(all.init.default).toBe("glorot");
  });

  test("refuse a default of their own that is not acceptable", () => {
    const make = () => describeOptions({ steps: wholeNumber({ from: 1, default: 0, help: "" }) });
    expect(make).toThrow("the default of steps must be a whole number from 1, but is 0");
  });

  test("refuse a name that is not described and list those that are", () => {
    const misspelt = { step: 3 } as object;
    expect(() => resolveOptions("it", all, misspelt)).toThrow(
      'it: unknown option "step"; known are steps, tile, share, rate, hidden, init, bias, name, map',
    );
    expect(() => parseOptions("it", all, { toString: "3" })).toThrow('it: unknown option "toString"');
  });

  const wrong: [keyof typeof all, unknown[], string][] = [
    ["steps", [0, 1.5, "3", Number.NaN, null], "a whole number from 1"],
    ["tile", [0, 100, -64], "a multiple of 64 from 64"],
    ["share", [-0.1, 1, Number.NaN, "0.5"], "a number in [0, 1)"],
    ["rate", [0, -1, Number.POSITIVE_INFINITY], "a number above 0"],
    ["hidden", [[0], [1.5], 64, "64"], "whole numbers from 1, such as 64,32"],
    ["init", ["Glorot", 1], "glorot or fan-in"],
    ["bias", ["true", 1], "true or false"],
    ["name", ["", 3], "a text that is not empty"],
    ["map", ["twice", 3], "a function of a number"],
  ];
  test.each(wrong)("refuse values that %s cannot have and say what it must be", (name, values, must) => {
    for (const value of values) {
      const shown = typeof value === "string" ? `"${value}"` : String(value);
      const message = `it: ${name} must be ${must}, got ${shown}`;
      expect(() => resolveOptions("it", all, { [name]: value } as object)).toThrow(message);
      expect(() => checkOptions("it", all, { ...defaultsOf(all), [name]: value })).toThrow(message);
    }
  });

  test("are checked as a whole: none may be missing", () => {
    const { bias: _, ...rest } = defaultsOf(all);
    expect(() => checkOptions("it", all, rest)).toThrow("it: bias must be true or false, got undefined");
    expect(() => checkOptions("it", all, { ...defaultsOf(all), more: 1 })).not.toThrow();
  });
});

describe("options as texts", () => {
  test("are read as what they are described to be", () => {
    const texts = { steps: "4", share: "0.25", hidden: "8,4", init: "fan-in", bias: "false", name: "a b", map: "half" };
    const values = { steps: 4, share: 0.25, hidden: [8, 4], init: "fan-in", bias: false, name: "a b" };
    expect(parseOptions("it", all, texts)).toEqual({ ...values, map: functions["half"] });
    expect(parseOptions("it", all, { hidden: "" })).toEqual({ hidden: [] });
  });

  test("come back from the text of a value", () => {
    const texts = Object.fromEntries(
      Object.entries(all).map(([name, option]) => [name, textOf(option, option.default)]),
    );
    expect(texts).toMatchObject({ hidden: "64", rate: "0.001", map: "twice" });
    expect(parseOptions("it", all, texts)).toEqual(defaultsOf(all));
  });

  test.each([
    ["steps", "many"],
    ["steps", ""],
    ["steps", "0"],
    ["share", "1"],
    ["hidden", "64,,3"],
    ["bias", "yes"],
    ["init", "zeros"],
  ])("that %s cannot be, such as %j, are refused", (name, given) => {
    expect(() => parseOptions("it", all, { [name]: given })).toThrow(`it: ${name} must be `);
  });

  test("that name no known function are refused by whoever knows the names", () => {
    expect(() => parseOptions("it", all, { map: "third" })).toThrow('unknown map "third"');
  });
});

test("the schema of options has their types, limits, defaults and help texts", () => {
  expect(schemaOf(all)).toEqual({
    type: "object",
    additionalProperties: false,
    properties: {
      steps: { type: "integer", minimum: 1, default: 3, description: "how often" },
      tile: { type: "integer", minimum: 64, multipleOf: 64, default: 128, description: "pairs at once" },
      share: { type: "number", minimum: 0, exclusiveMaximum: 1, default: 0.5, description: "how much" },
      rate: { type: "number", exclusiveMinimum: 0, default: 1e-3, description: "how fast" },
      hidden: { type: "array", items: { type: "integer", minimum: 1 }, default: [64], description: "widths" },
      init: { type: "string", enum: ["glorot", "fan-in"], default: "glorot", description: "how weights start" },
      bias: { type: "boolean", default: true, description: "add one" },
      name: { type: "string", minLength: 1, default: "run", description: "what it is called" },
      map: { type: "string", examples: ["twice", "half"], default: "twice", description: "what to apply" },
    },
  });
  expect(JSON.parse(JSON.stringify(schemaOf(all)))).toEqual(schemaOf(all));
});
