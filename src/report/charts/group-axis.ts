/** An axis of groups, such as classes. */
export interface GroupAxis {
  readonly title: string;
  /** A Vega expression that shortens `datum.label`. */
  readonly labelExpr?: string;
}

/** The encoding of groups along the horizontal axis, in this order. */
export function groupPosition(groups: readonly string[], { title, labelExpr }: GroupAxis) {
  const axis = { labelAngle: 0, labelOverlap: true, ...(labelExpr !== undefined && { labelExpr }) };
  return { field: "group", type: "nominal", title, sort: groups, scale: { domain: groups }, axis };
}
