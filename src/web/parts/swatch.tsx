/** A dot or a line of a colour. An SVG, as the security policy of the page allows no styles in attributes. */
export function Swatch({ colour, line = false }: { colour: string; line?: boolean }) {
  return (
    <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
      {line ? <rect y={6} width={16} height={4} rx={2} fill={colour} /> : <circle cx={8} cy={8} r={6} fill={colour} />}
    </svg>
  );
}
