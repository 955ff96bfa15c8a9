import { check } from "../core/errors.ts";
import type { Json } from "../core/options/index.ts";

/** Limits of a number in a request. */
interface Limits {
  readonly from: number;
  readonly to?: number;
}

/**
 * Reads and checks the fields of a request that is not trusted. A value of the wrong type is an error that names the
 * field. `end` throws if the request has a field that was not read.
 */
export class Fields {
  private readonly call: string;
  private readonly fields: Readonly<Record<string, unknown>>;
  private readonly asked = new Set<string>();

  constructor(call: string, request: unknown) {
    check(isObject(request), () => `${call}: a request must be an object`);
    this.call = call;
    this.fields = request;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.fields, name);
  }

  text(name: string, otherwise?: string): string {
    const value = this.take(name, otherwise);
    check(typeof value === "string" && value !== "", () => this.must(name, "a text that is not empty"));
    return value;
  }

  wholeNumber(name: string, { from, to = Number.MAX_SAFE_INTEGER }: Limits, otherwise?: number): number {
    const value = this.take(name, otherwise);
    const range = to === Number.MAX_SAFE_INTEGER ? `from ${from}` : `in ${from} … ${to}`;
    check(isWhole(value) && value >= from && value <= to, () => this.must(name, `a whole number ${range}`));
    return value;
  }

  number(name: string, { from, to = Number.MAX_VALUE }: Limits, otherwise?: number): number {
    const value = this.take(name, otherwise);
    const fits = typeof value === "number" && value >= from && value <= to;
    check(fits, () => this.must(name, `a number in ${from} … ${to}`));
    return value;
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = this.take(name, otherwise);
    check(typeof value === "boolean", () => this.must(name, "true or false"));
    return value;
  }

  wholeNumbers(name: string, otherwise?: readonly number[]): readonly number[] {
    const value = this.take(name, otherwise);
    check(Array.isArray(value) && value.every(isWhole), () => this.must(name, "a list of whole numbers"));
    return value as readonly number[];
  }

  object(name: string): Readonly<Record<string, Json>> {
    const value = this.take(name, {});
    check(isObject(value), () => this.must(name, "an object"));
    return value as Readonly<Record<string, Json>>;
  }

  list(name: string): readonly unknown[] {
    const value = this.take(name, undefined);
    check(Array.isArray(value), () => this.must(name, "a list"));
    return value;
  }

  bytes(name: string): Uint8Array {
    const value = this.take(name, undefined);
    check(value instanceof Uint8Array, () => this.must(name, "bytes"));
    return value;
  }

  /** Throws if the request has a field that was never read (rule R3). */
  end(): void {
    const unknown = Object.keys(this.fields).find((name) => !this.asked.has(name));
    const known = () => (this.asked.size > 0 ? `known are ${[...this.asked].join(", ")}` : "it takes none");
    check(unknown === undefined, () => `${this.call}: unknown field "${unknown}"; ${known()}`);
  }

  private take(name: string, otherwise: unknown): unknown {
    this.asked.add(name);
    return this.has(name) ? this.fields[name] : otherwise;
  }

  private must(name: string, what: string): string {
    const value = this.has(name) ? String(JSON.stringify(this.fields[name])).slice(0, 60) : "nothing";
    return `${this.call}: ${name} must be ${what}, got ${value}`;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
