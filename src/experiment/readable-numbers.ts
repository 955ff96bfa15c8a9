/** 15962 as 15,962. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** 15107904 as 14.4 MiB. */
export function formatBytes(bytes: number): string {
  return bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(2)} GiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
