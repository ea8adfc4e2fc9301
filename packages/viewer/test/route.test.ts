import { describe, expect, it } from "@jest/globals";
import { hashOf, type Route, routeOf } from "../src/page/route.js";

describe("the address of a place", () => {
  it.each<Route>([
    { page: "list" },
    { page: "run", run: "ab", view: "timeline" },
    { page: "run", run: "ab", view: "timeline", span: "cd" },
    { page: "run", run: "ab", view: "audit" },
    { page: "compare", run: "ab" },
    { page: "compare", run: "ab", other: "cd" },
    { page: "session", session: "T-1 / ?#%é" },
    { page: "approvals" },
    { page: "plots" },
    { page: "plots", minutes: 60 },
  ])("of %j leads there again", (route) => {
    expect(routeOf(hashOf(route))).toEqual(route);
  });

  it.each(["", "#", "#/", "#/run", "#/run/", "#/compare/", "#/nowhere/x", "#//", "#/__proto__", "#/constructor/x"])(
    "%j is none, and leads to the list",
    (hash) => {
      expect(routeOf(hash)).toEqual({ page: "list" });
    },
  );

  it("with words that it does not have leads to the nearest place", () => {
    expect(routeOf("#/run/ab/nothing/cd")).toEqual({ page: "run", run: "ab", view: "timeline", span: "cd" });
    expect(routeOf("#/session/%")).toEqual({ page: "session", session: "%" });
    expect(routeOf("#/plots/1e9")).toEqual({ page: "plots" });
  });
});
