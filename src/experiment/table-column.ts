/** A column of a table: numbers read best aligned to the right. */
export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/** A column of words. */
export function left(title: string): Column {
  return { title };
}

/** A column of numbers. */
export function right(title: string): Column {
  return { title, align: "right" };
}
