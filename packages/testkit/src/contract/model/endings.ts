import type { Delta } from "@suite/core";
import { sleep } from "@suite/kit/time";
import type { Place } from "../../server/fault.js";
import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type ModelRig, type ModelScenario, scenario } from "./scenario.js";

const long = { text: "abc", chunks: "characters" } as const;
const hanging = { ...long, fault: { hang: { textPieces: 1 } } } as const;

/** The code that identifies an answer that ended too early and may be requested again. */
const cutCode = "ERR_AGENT_MODEL_STREAM_CUT";

/** Reads until the call fails. Returns the text before that, and the error. */
async function readUntilFailure(rig: ModelRig) {
  let read = "";
  const error = await rig.failure(async () => {
    for await (const delta of rig.client.stream(rig.request(), { signal: new AbortController().signal })) {
      if (delta.type === "part" && delta.part.type === "text") read += delta.part.content;
    }
  });
  return { read, error };
}

/** Counts the listeners that are left on a signal. */
function watched(): { readonly signal: AbortSignal; left(): number } {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<AbortSignal["addEventListener"]>) => {
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<AbortSignal["removeEventListener"]>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return { signal, left: () => listeners.size };
}

const over = { done: true, value: undefined } as const;

/** The promises about how a call ends. */
export const endings: readonly ModelScenario[] = [
  ...inBothModes("an error of the provider passes with its status, after one attempt", async (rig) => {
    for (const status of [400, 401, 429, 500, 529]) {
      rig.script({ fault: { status, message: "Told by the server." } });
      const error = await rig.failure();
      expectEqual(error.status ?? error.statusCode, status, "the status of the error");
      expectThat(String(error.message).includes("Told by the server."), "the error lacks the provider's message");
    }
    expectEqual(rig.requests.length, 5, "the number of requests");
  }),

  scenario("an error event ends a stream with the provider's message", async (rig) => {
    rig.script({ ...long, fault: { error: { textPieces: 2 }, message: "Overloaded" } });
    const { read, error } = await readUntilFailure(rig);
    expectEqual(read, "ab", "the text before the error");
    expectThat(String(error.message).includes("Overloaded"), "the error lacks the provider's message");
  }),

  scenario("a lost connection ends a stream with an error, after the text before it", async (rig) => {
    rig.script({ ...long, fault: { cut: { textPieces: 2 } } });
    expectEqual((await readUntilFailure(rig)).read, "ab", "the text before the end");
  }),

  scenario("a stream that the server ends too early is no success, and its error can be recognised", async (rig) => {
    const places: readonly Place[] = [0, 1, { textPieces: 0 }, { textPieces: 1 }, { textPieces: 2 }];
    for (const end of places) {
      rig.script({ ...long, fault: { end } });
      const { error } = await readUntilFailure(rig);
      expectEqual(error.code, cutCode, `the code of the error, for an end at ${JSON.stringify(end)}`);
    }
  }),

  scenario(
    "a whole answer that the server ends too early is no success, and its error can be recognised",
    async (rig) => {
      rig.script({ text: "a text that is not to be logged", fault: { end: 0.5 } });
      const error = await rig.failure();
      expectEqual(error.code, cutCode, "the code of the error");
      expectThat(!String(error.message).includes("a text"), "the error quotes the answer");
    },
    [],
    false,
  ),

  scenario("an event that is no JSON ends a stream with an error that does not quote it", async (rig) => {
    rig.script({ ...long, fault: { malformed: { textPieces: 1 } } });
    const { error } = await readUntilFailure(rig);
    expectEqual(error.code, cutCode, "the code of the error");
  }),

  scenario("an abort ends a stream with its reason, and closes the connection", async (rig) => {
    rig.script(hanging);
    const controller = new AbortController();
    const deltas = rig.client.stream(rig.request(), { signal: controller.signal })[Symbol.asyncIterator]();
    await deltas.next();
    const reason = new TypeError("enough");
    const error = await rig.failure(async () => {
      setTimeout(() => controller.abort(reason), 5);
      for (let step = await deltas.next(); step.done !== true; step = await deltas.next());
    });
    expectThat(error === (reason as unknown), "the stream did not end with the reason of the abort");
    expectEqual(await rig.requests[0]?.ended, "closed", "how the connection ended");
  }),

  scenario(
    "an abort ends a plain call, and closes the connection",
    async (rig) => {
      const controller = new AbortController();
      rig.script(() => {
        controller.abort();
        return { fault: { hang: "before-headers" } };
      });
      await rig.failure(() => rig.ask({}, { signal: controller.signal }));
      expectEqual(await rig.requests[0]?.ended, "closed", "how the connection ended");
    },
    [],
    false,
  ),

  ...inBothModes("a signal that is aborted already keeps the call from being made", async (rig) => {
    rig.script({ text: "So" });
    await rig.failure(() => rig.ask({}, { signal: AbortSignal.abort(new TypeError("enough")) }));
    expectEqual(rig.requests.length, 0, "the number of requests");
  }),

  scenario("a stream that is closed closes the connection, also while a pull is under way", async (rig) => {
    rig.script(hanging);
    const deltas = rig.client.stream(rig.request(), { signal: new AbortController().signal })[Symbol.asyncIterator]();
    let step: IteratorResult<Delta, void> = await deltas.next();
    while (step.done !== true && !(step.value.type === "part" && step.value.part.type === "text")) {
      step = await deltas.next();
    }
    const pull = deltas.next();
    await sleep(5);
    await deltas.return?.();
    expectEqual(await pull, over, "the pull that was under way");
    expectEqual(await deltas.next(), over, "a pull after the end");
    expectEqual(await rig.requests[0]?.ended, "closed", "how the connection ended");
  }),

  scenario("a stream asks nothing before it is read, and nothing if it is closed by then", async (rig) => {
    const deltas = rig.client.stream(rig.request(), { signal: new AbortController().signal })[Symbol.asyncIterator]();
    await sleep(10);
    await deltas.return?.();
    expectEqual(await deltas.next(), over, "a pull after the end");
    expectEqual(rig.requests.length, 0, "the number of requests");
  }),

  ...inBothModes("no listener is left on the signal, however a call ends", async (rig) => {
    const { signal, left } = watched();
    rig.script({ text: "a" }, { fault: { status: 500 } }, { fault: { status: 500 } });
    await rig.ask({}, { signal });
    await rig.failure(() => rig.ask({}, { signal }));
    expectEqual(left(), 0, "the number of listeners that are left");
  }),
];
