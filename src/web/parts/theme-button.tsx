import { type ThemeChoice, themeChoice } from "../theme.ts";

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: "light", light: "dark", dark: "system" };
const SIGN: Readonly<Record<ThemeChoice, string>> = { system: "◐", light: "☀", dark: "☾" };
const WORDS: Readonly<Record<ThemeChoice, string>> = { system: "as the system", light: "light", dark: "dark" };

/** Goes from one theme to the next. */
export function ThemeButton() {
  const { value } = themeChoice;
  const words = `Theme: ${WORDS[value]}. Change to ${WORDS[NEXT[value]]}`;
  return (
    <button
      type="button"
      class="theme quiet"
      aria-label={words}
      title={words}
      onClick={() => {
        themeChoice.value = NEXT[value];
      }}
    >
      {SIGN[value]}
    </button>
  );
}
