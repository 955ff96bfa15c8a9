/** How often-gathered rows are stored: as they are, or as 16-bit halves, each row scaled by its own power of two. */
export type Precision = "single" | "half";
