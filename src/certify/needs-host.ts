/**
 * Thrown if a model asks for something of a noisy graph that the device cannot compute: the graph must be drawn on the
 * host.
 */
export class NeedsHost extends Error {
  override name = "NeedsHost";
}
