/** The place of the page: which run, which of its views, which span. */
export interface Route {
  readonly run?: string;
  readonly view: "timeline" | "conversation";
  readonly span?: string;
}

/** The place that an address names, behind its `#`. */
export function routeOf(hash: string): Route {
  const [, page, run, view, span] = hash.replace(/^#/, "").split("/");
  if (page !== "run" || run === undefined || run === "") return { view: "timeline" };
  return {
    run,
    view: view === "conversation" ? "conversation" : "timeline",
    ...(view === "timeline" && span !== undefined && span !== "" && { span }),
  };
}

/** The address of a place. */
export function hashOf({ run, view, span }: Route): string {
  if (run === undefined) return "#/";
  return `#/run/${run}/${view}${span === undefined ? "" : `/${span}`}`;
}

/** Goes to a place. */
export const go = (route: Route): void => {
  location.hash = hashOf(route);
};
