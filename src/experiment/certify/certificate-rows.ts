import type { NodeCertificate } from "../../certify/certificates.ts";
import type { CertificateRow } from "../../files/certificates-file.ts";
import { classNames } from "../class-names.ts";
import type { Session } from "../session.ts";

/** A row per node, for files. */
export function certificateRows(session: Session, certificates: readonly NodeCertificate[]): CertificateRow[] {
  const { ids, graph } = session;
  const classes = classNames(session);
  const named = (label: number) => (label < 0 ? null : classes[label]);
  return certificates.map(({ node, chosen, winner, radii }) => {
    const certain = chosen === winner && radii.edges.length > 0;
    return {
      node: ids.idOf(node),
      label: named(graph.labels[node]),
      prediction: classes[winner],
      certain,
      edgeDeletions: certain ? radii.edges[0] : 0,
      edgeAdditions: certain ? radii.edges.length - 1 : 0,
      featureDeletions: certain ? radii.features[0] : 0,
      featureAdditions: certain ? radii.features.length - 1 : 0,
    };
  });
}
