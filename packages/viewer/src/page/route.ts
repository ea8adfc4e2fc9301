/** The views of a run. */
export const views = ["timeline", "conversation", "audit"] as const;
type View = (typeof views)[number];

/** The route of a run: its view and its span. */
export interface RunRoute {
  readonly page: "run";
  readonly run: string;
  readonly view: View;
  readonly span?: string;
}

/** The route of a comparison of two runs. Without `other`, the second run is still to be chosen. */
export interface CompareRoute {
  readonly page: "compare";
  readonly run: string;
  readonly other?: string;
}

/** A route of the page, as its address contains it. */
export type Route =
  | { readonly page: "list" }
  | RunRoute
  | CompareRoute
  /** All runs of a session, in one waterfall. */
  | { readonly page: "session"; readonly session: string }
  /** The requests that wait for a person. */
  | { readonly page: "approvals" }
  /** The plots of all runs, or of those in the last minutes. */
  | { readonly page: "plots"; readonly minutes?: number };

/** Parses the part of an address after `#`. */
export function routeOf(hash: string): Route {
  const [, page, first = "", second = "", third = ""] = hash.replace(/^#/, "").split("/");
  if (page === "run" && first !== "") {
    const view = views.find((each) => each === second) ?? "timeline";
    return { page, run: first, view, ...(view === "timeline" && third !== "" && { span: third }) };
  }
  if (page === "approvals") return { page };
  if (page === "session" && first !== "") return { page, session: decoded(first) };
  if (page === "compare" && first !== "") return { page, run: first, ...(second !== "" && { other: second }) };
  if (page === "plots") return { page, ...(/^[1-9]\d{0,6}$/.test(first) && { minutes: Number(first) }) };
  return { page: "list" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the address of a route. */
export function hashOf(route: Route): string {
  switch (route.page) {
    case "run":
      return `#/run/${route.run}/${route.view}${route.span === undefined ? "" : `/${route.span}`}`;
    case "compare":
      return `#/compare/${route.run}${route.other === undefined ? "" : `/${route.other}`}`;
    case "session":
      return `#/session/${encodeURIComponent(route.session)}`;
    case "plots":
      return route.minutes === undefined ? "#/plots" : `#/plots/${route.minutes}`;
    case "approvals":
      return "#/approvals";
    case "list":
      return "#/";
  }
}

/** Returns the address of a run. */
export const runHash = (run: string, span?: string): string =>
  hashOf({ page: "run", run, view: "timeline", ...(span !== undefined && { span }) });

/** Navigates to a route. */
export const go = (route: Route): void => {
  location.hash = hashOf(route);
};
