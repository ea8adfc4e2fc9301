import { type HookName, MiddlewareTermination } from "@suite/core";
import { sleep } from "@suite/kit/time";
import { eventually, expectEqual, expectThat } from "./expect.js";
import { callsOf, type RecordedCall, type RecordedEnd, type RecordedEvent } from "./recording.js";

/** The names of the layers that watch every attempt, in the order of the plugins. */
export const outer = "outer";
export const inner = "inner";

/** Waits until every entered layer has ended, and then a little longer for a second end. */
export async function allEnded(events: () => readonly RecordedEvent[]): Promise<void> {
  const open = (): readonly RecordedEvent[] => {
    const ended = new Set(
      events().flatMap((event) => (event.type === "end" ? [`${event.layer} ${event.call.id}`] : [])),
    );
    return events().filter((event) => event.type === "enter" && !ended.has(`${event.layer} ${event.call.id}`));
  };
  await eventually(
    () => open().length === 0,
    () => `left open: ${open().map((event) => `${event.call.kind} in the ${event.layer} layer`)}`,
  );
  await sleep(10);
}

/**
 * Checks the rules that hold for every attempt.
 *
 * @param changed true if a plugin between the two layers may change chunks.
 */
export function checkRules(events: readonly RecordedEvent[], hooks: ReadonlySet<HookName>, changed: boolean): void {
  const calls = callsOf(events, outer);
  for (const { call } of calls) {
    const mine = events.filter((event) => event.call.id === call.id);
    checkLayers(mine);
    checkChunks(mine, changed);
  }
  for (const recorded of calls) {
    expectThat(hooks.has(recorded.call.kind), `the ${recorded.call.kind} hook ran, which the subject does not list`);
    checkParents(recorded, events, hooks);
  }
}

/** Waits until the runs of all calls have ended, then checks that each plugin was notified once, and how they ended. */
export async function checkEnds(
  events: readonly RecordedEvent[],
  ends: readonly RecordedEnd[],
  hooks: ReadonlySet<HookName>,
): Promise<void> {
  const calls = callsOf(events, outer);
  const runs = new Set(calls.map(({ runtime }) => runtime));
  const endsOf = (layer: string, runtime: RecordedEnd["runtime"]): readonly RecordedEnd[] =>
    ends.filter((end) => end.layer === layer && end.runtime === runtime);
  for (const runtime of runs) {
    for (const layer of [outer, inner]) {
      await eventually(
        () => endsOf(layer, runtime).length > 0,
        () =>
          `the run of ${calls.find((call) => call.runtime === runtime)?.call.kind} calls has not ended for the ${layer} plugin`,
      );
      expectEqual(endsOf(layer, runtime).length, 1, `how often the ${layer} plugin was told that a run had ended`);
    }
    const [end] = endsOf(outer, runtime);
    const root = rootOf(calls, runtime, hooks);
    if (root === undefined) continue;
    const wanted = endsByLayer(root, calls) ? "terminated" : root.status;
    expectEqual(end?.settlement.status, wanted, `how a run of ${root.call.kind} calls ended`);
  }
}

/** True if a layer ended a run on purpose: with an error, or with a reply. */
function endsByLayer({ status, value, runtime }: RecordedCall, calls: readonly RecordedCall[]): boolean {
  if (status === "failed") return MiddlewareTermination.is(value);
  const ended = ({ value: by }: RecordedCall): boolean =>
    MiddlewareTermination.is(by) && by.scope === "run" && by.reply !== undefined;
  return status === "completed" && calls.some((call) => call.runtime === runtime && ended(call));
}

/** Returns the call that contains all others of a run, if its kind can contain them. */
function rootOf(
  calls: readonly RecordedCall[],
  runtime: RecordedEnd["runtime"],
  hooks: ReadonlySet<HookName>,
): RecordedCall | undefined {
  const mine = calls.filter((recorded) => recorded.runtime === runtime);
  const roots = mine.filter(({ call }) => !mine.some((other) => other.call.id === call.parent?.id));
  if (hooks.has("agent"))
    return roots.findLast(({ call }) => call.kind === "agent") ?? (roots.length === 1 ? roots[0] : undefined);
  return roots.length === 1 ? roots[0] : undefined;
}

/**
 * Checks that the first layer is the outermost, and that every layer ends once: the inner one first, and both in the
 * same way.
 */
function checkLayers(events: readonly RecordedEvent[]): void {
  const { kind } = (events[0] as RecordedEvent).call;
  const order = events.filter((event) => event.type !== "chunk").map((event) => `${event.type} ${event.layer}`);
  const threw = !order.includes(`leave ${outer}`);
  const ends = ["end inner", "end outer"];
  const expected = threw
    ? ["enter outer", "enter inner", ...(order.includes(`leave ${inner}`) ? ["leave inner"] : []), ...ends]
    : ["enter outer", "enter inner", "leave inner", "leave outer", ...ends];
  expectEqual(order, expected, `the order of layers of the ${kind} call`);
  const [a, b] = events.filter((event) => event.type === "end");
  expectEqual(a?.status, b?.status, `how the ${kind} call ended, in the inner and in the outer layer`);
}

/** Checks that the inner layer sees each chunk first. */
function checkChunks(events: readonly RecordedEvent[], changed: boolean): void {
  const seen = events.filter((event) => event.type === "chunk");
  let ahead = 0;
  for (const { layer, call } of changed ? seen.slice(0, 1) : seen) {
    ahead += layer === inner ? 1 : -1;
    expectThat(ahead >= 0, `a chunk of the ${call.kind} call came to the outer layer before the inner one`);
  }
}

/** Checks that every call happens within an agent call, if there are any, ends before it, and has its runtime. */
function checkParents(recorded: RecordedCall, events: readonly RecordedEvent[], hooks: ReadonlySet<HookName>): void {
  const { call, runtime } = recorded;
  if (call.parent !== undefined) {
    const ends = events.filter((event) => event.type === "end" && event.layer === outer).map((event) => event.call.id);
    const parentEnd = ends.indexOf(call.parent.id);
    expectThat(
      parentEnd < 0 || ends.indexOf(call.id) < parentEnd,
      `the ${call.kind} call ended after the ${call.parent.kind} call it is in`,
    );
  }
  const alone = call.parent === undefined && (call.kind === "embedding" || call.kind === "retrieval");
  if (call.kind === "agent" || alone || !hooks.has("agent")) return;
  let ancestor = call.parent;
  while (ancestor !== undefined && ancestor.kind !== "agent") ancestor = ancestor.parent;
  expectThat(ancestor !== undefined, `the ${call.kind} call is in no agent call`);
  const { id } = ancestor;
  const agent = callsOf(events, outer).find((other) => other.call.id === id);
  expectThat(agent?.runtime === runtime, `the ${call.kind} call has another runtime than the agent call it is in`);
}
