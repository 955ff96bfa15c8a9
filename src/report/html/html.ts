/** Text that is HTML already. {@link html} turns other text into HTML by escaping it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** A template for HTML: escapes inserted values unless they are {@link Html}, so that user texts are no markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((all, part, k) => all + markup(values[k - 1]) + part));
}

function markup(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escapeHtml(String(value));
}

/** Escapes text for use between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
