/** How rows are stored where many are gathered: as they are, or as halves, each row with a power of two of its own. */
export type Precision = "single" | "half";
