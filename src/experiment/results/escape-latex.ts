/** Text that LaTeX prints as it is. Letters that its usual fonts do not have become question marks, rather than errors. */
export function escapeLatex(text: string): string {
  return text
    .replace(/[^\x20-\x7e\u00a1-\u017f±ε–−·“”’]/g, "?")
    .replace(/[\\{}&%$#_^~±ε–−·“”’<>]/g, (character) => LATEX[character]);
}

const LATEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "&": "\\&",
  "%": "\\%",
  $: "\\$",
  "#": "\\#",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "$<$",
  ">": "$>$",
  "±": "$\\pm$",
  ε: "$\\epsilon$",
  "–": "--",
  "−": "$-$",
  "·": "$\\cdot$",
  "“": "``",
  "”": "''",
  "’": "'",
};
