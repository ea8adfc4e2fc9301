import { render, type VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isOf } from "../run/joined.js";
import type { Run } from "../run/run.js";
import { features, fetchRun, fetchSession } from "./api.js";
import { ApprovalsView } from "./approvals-view.js";
import { CompareView } from "./compare-view.js";
import { Empty } from "./empty.js";
import { PlotsView } from "./plots-view.js";
import { type Route, routeOf } from "./route.js";
import { RunView } from "./run-view.js";
import { RunsList } from "./runs-list.js";
import { SessionView } from "./session-view.js";
import { useAnswer } from "./use-answer.js";
import { useKeys } from "./use-keys.js";
import { useRuns } from "./use-runs.js";
import { useWaiting } from "./use-waiting.js";

function App(): VNode {
  const route = useRoute();
  const [query, setQuery] = useState("");
  const { runs, all, size, state, problem } = useRuns(query);
  const run = "run" in route ? route.run : undefined;
  const other = route.page === "compare" ? route.other : undefined;
  // The selected run need not be among the search results.
  const summaryOf = (id: string | undefined): Run | undefined =>
    all.find((each) => isOf(each, id)) ?? runs.find((each) => isOf(each, id));
  const summary = summaryOf(run);
  const { answer: spans, problem: missing } = useAnswer(run, summary?.spans, fetchRun);
  const second = useAnswer(other, summaryOf(other)?.spans, fetchRun);
  const session = route.page === "session" ? route.session : undefined;
  const ofSession = useAnswer(
    session,
    all.reduce((sum, each) => sum + (each.sessionId === session ? each.spans : 0), 0),
    fetchSession,
  );
  const waiting = useWaiting(size);
  const isChoosing = route.page === "compare" && other === undefined;
  const search = useRef<HTMLInputElement>(null);
  useKeys(runs, search);
  useEffect(() => {
    const ofRun = summary === undefined ? "Runs" : `${summary.name}, run`;
    document.title = titles[route.page] ?? ofRun;
  }, [route.page, summary?.name]);
  const main = (): VNode => {
    if (route.page === "run" && spans !== undefined) return <RunView route={route} spans={spans} />;
    if (route.page === "plots" && problem === undefined) return <PlotsView minutes={route.minutes} changed={size} />;
    if (route.page === "compare" && other !== undefined && spans !== undefined && second.answer !== undefined)
      return <CompareView route={{ ...route, other }} spans={[spans, second.answer]} />;
    if (route.page === "approvals" && features.approve && problem === undefined)
      return <ApprovalsView known={waiting} />;
    if (session !== undefined && ofSession.answer !== undefined)
      return <SessionView session={session} spans={ofSession.answer} />;
    const absent = missing ?? second.problem ?? ofSession.problem;
    const waits = (run ?? session) !== undefined && !isChoosing && absent === undefined;
    return <Empty problem={problem ?? absent} waits={waits} isEmpty={size?.runs === 0} isChoosing={isChoosing} />;
  };
  return (
    <div class={route.page === "list" || isChoosing ? "page" : "page with-main"}>
      <RunsList
        waiting={waiting?.waiting.length}
        runs={runs}
        size={size}
        route={route}
        query={query}
        onQuery={setQuery}
        search={search}
        state={state}
      />
      {main()}
    </div>
  );
}

const titles: Readonly<Partial<Record<Route["page"], string>>> = {
  plots: "Plots",
  compare: "Two runs",
  session: "Session",
  approvals: "Approvals",
};

function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(routeOf(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

render(<App />, document.body);
