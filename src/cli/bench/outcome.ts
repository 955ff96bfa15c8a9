/** What a benchmark found: for people, and for `--json`. */
export interface Outcome {
  readonly text: string;
  readonly data: object;
}
