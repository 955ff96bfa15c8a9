import { certificateCodeFor } from "./code-of-cell.ts";
import type { CellDescription, CertificateDescription } from "./run-description.ts";

/** What is measured where a model is certified instead of attacked. */
export function certifiedCell(clean: CellDescription, certificate: CertificateDescription): CellDescription {
  const { device, trainedOn } = clean;
  return { ...clean, quantity: "certificate", certificate, code: certificateCodeFor(device, trainedOn) };
}
