/**
 * Sorts entries `begin` … `end − 1`, drops repeated ones and returns the new end. Short rows, most of them: insertion
 * sort.
 */
export function sortDistinct(list: Int32Array, begin: number, end: number): number {
  if (end - begin > 64) list.subarray(begin, end).sort();
  else {
    for (let k = begin + 1; k < end; k++) {
      const value = list[k];
      let at = k;
      for (; at > begin && list[at - 1] > value; at--) list[at] = list[at - 1];
      list[at] = value;
    }
  }
  let kept = begin;
  for (let k = begin; k < end; k++) {
    if (k === begin || list[k] !== list[kept - 1]) list[kept++] = list[k];
  }
  return kept;
}
