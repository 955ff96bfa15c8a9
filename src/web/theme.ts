import { computed, effect, signal } from "@preact/signals";

/** What the user chose; `system` follows the settings of the machine. */
export type ThemeChoice = "system" | "light" | "dark";

const KEY = "rgnn-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(dark.matches);
dark.addEventListener("change", ({ matches }) => {
  systemIsDark.value = matches;
});

export const themeChoice = signal<ThemeChoice>(stored());

export const isDark = computed(() =>
  themeChoice.value === "system" ? systemIsDark.value : themeChoice.value === "dark",
);

/** Marks the page with the theme, for the style sheets, and remembers the choice of the user. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
    if (themeChoice.value === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, themeChoice.value);
  });
}

function stored(): ThemeChoice {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}
