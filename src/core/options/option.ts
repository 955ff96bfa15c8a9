/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Part of a JSON schema: the type of a value and its limits. */
export type Schema = Readonly<Record<string, Json>>;

/** Everything that describes one option of an attack, a model or its training. */
export interface Option<T> {
  readonly default: T;
  /** What it is for, in a few words, for help texts and lists. */
  readonly help: string;
  /** What its value must be; ends the sentence "… must be". */
  readonly must: string;
  accepts(value: unknown): boolean;
  /** Parses a text from the command line; undefined if it is not a value of this option. */
  parse(text: string): T | undefined;
  /** The value as it is written in an experiment file. */
  toJson(value: T): Json;
  /** Type and limits of the values in an experiment file. */
  readonly schema: Schema;
}

/** Options by name; {@link OptionsOf} is the type of their values. */
export type Description = Readonly<Record<string, Option<unknown>>>;

/** The values of described options. */
export type OptionsOf<D extends Description> = {
  readonly [Name in keyof D]: D[Name] extends Option<infer Value> ? Value : never;
};
