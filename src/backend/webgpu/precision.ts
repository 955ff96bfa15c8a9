/** How rows are stored where they are gathered often: as they are, or as halves, each row with a power of two of its own. */
export type Precision = "single" | "half";
