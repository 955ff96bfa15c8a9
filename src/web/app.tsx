import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { FileDrop } from "./parts/file-drop.tsx";
import { ThemeButton } from "./parts/theme-button.tsx";
import { hashOf, type Route, route } from "./route.ts";
import { AttackView } from "./views/attack-view.tsx";
import { GraphsView } from "./views/graphs-view.tsx";
import { NodeView } from "./views/node-view.tsx";
import type { Workbench } from "./workbench.ts";

export interface AppProps {
  readonly bench: Workbench;
  /** Studies and runs, which only a server has. */
  readonly studies?: FunctionComponent<{ study: string | null }>;
}

/** The page: navigation, and the current view. */
export function App({ bench, studies: Studies }: AppProps) {
  useEffect(() => {
    bench.start();
  }, []);
  const here = route.value;
  return (
    <div class="page">
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={hashOf({ view: "attack", selected: null })}>
          rgnn
        </a>
        <nav aria-label="Views">
          <NavLink here={here} to={{ view: "attack", selected: null }}>
            See the attack
          </NavLink>
          <NavLink here={here} to={{ view: "node", node: null }}>
            Attack a node
          </NavLink>
          <NavLink here={here} to={{ view: "graph" }}>
            Graphs
          </NavLink>
          {Studies && (
            <NavLink here={here} to={{ view: "studies", study: null }}>
              Studies
            </NavLink>
          )}
        </nav>
        <ThemeButton />
      </header>
      {here.view === "attack" && <AttackView bench={bench} selected={here.selected} />}
      {here.view === "node" && <NodeView bench={bench} node={here.node} />}
      {here.view === "graph" && <GraphsView bench={bench} />}
      {here.view === "studies" && Studies && <Studies study={here.study} />}
      <FileDrop bench={bench} />
    </div>
  );
}

function NavLink({ here, to, children }: { here: Route; to: Route; children: ComponentChildren }) {
  return (
    <a href={hashOf(to)} {...(here.view === to.view && { "aria-current": "page" as const })}>
      {children}
    </a>
  );
}

/** Focuses the content. A link to an anchor would not work: the address after `#` is the view. */
function skipToMain(): void {
  const main = document.querySelector<HTMLElement>("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}
