import { signal } from "@preact/signals";

/** The view that the page shows. Every view has an address of its own, so that it can be bookmarked and sent. */
export type Route =
  | { readonly view: "attack"; readonly selected: number | null }
  | { readonly view: "node"; readonly node: number | null }
  | { readonly view: "graph" }
  | { readonly view: "studies"; readonly study: string | null };

/** Reads the part of an address after `#`. An unknown one stands for the first view, the attack. */
export function parseRoute(hash: string): Route {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, detail] = path.split("/");
  if (view === "node") return { view, node: nodeNumber(detail) };
  if (view === "graph") return { view };
  if (view === "studies") return { view, study: detail ? decodeURIComponent(detail) : null };
  return { view: "attack", selected: nodeNumber(new URLSearchParams(query).get("selected")) };
}

/** The address of a view, for links. */
export function hashOf(route: Route): string {
  if (route.view === "node") return route.node === null ? "#/node" : `#/node/${route.node}`;
  if (route.view === "graph") return "#/graph";
  if (route.view === "studies")
    return route.study === null ? "#/studies" : `#/studies/${encodeURIComponent(route.study)}`;
  return route.selected === null ? "#/attack" : `#/attack?selected=${route.selected}`;
}

function nodeNumber(text: string | null | undefined): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export const route = signal<Route>({ view: "attack", selected: null });

/** Follows the address bar from now on. */
export function followAddress(): void {
  const read = () => {
    route.value = parseRoute(location.hash);
  };
  addEventListener("hashchange", read);
  read();
}

export function goTo(next: Route): void {
  location.hash = hashOf(next);
}
