/** The most memory that this process has held at once, as the system counts it: graph, JavaScript and kernels together. */
export function peakResidentBytes(): number {
  return 1024 * process.resourceUsage().maxRSS;
}
