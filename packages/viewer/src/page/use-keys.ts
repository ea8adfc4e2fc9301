import { useLayoutEffect } from "preact/hooks";
import { isOf } from "../run/joined.js";
import type { Run } from "../run/run.js";
import { go, routeOf } from "./route.js";

/** Keyboard shortcuts: j and k move through the runs, / focuses the search, Escape goes back one level. */
export function useKeys(runs: readonly Run[], search: { readonly current: HTMLInputElement | null }): void {
  // Registered before the page is painted, so that a key pressed on the visible page works.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      // Read from the address: keys may arrive faster than the page is rendered.
      const route = routeOf(location.hash);
      const run = route.page === "run" ? route.run : undefined;
      if (event.key === "Escape") {
        if (isTyping) event.target.blur();
        else if (route.page === "run" && route.span !== undefined)
          go({ page: "run", run: route.run, view: route.view });
        else go({ page: "list" });
      } else if (isTyping) return;
      else if (event.key === "/") {
        event.preventDefault();
        search.current?.focus();
      } else if (event.key === "j" || event.key === "k") {
        const at = runs.findIndex((each) => isOf(each, run));
        const next = runs[at < 0 ? 0 : at + (event.key === "j" ? 1 : -1)];
        const view = route.page === "run" ? route.view : "timeline";
        if (next !== undefined) go({ page: "run", run: next.traceId, view });
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [runs, search]);
}
