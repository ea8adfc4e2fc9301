import type { Model } from "@suite/agent";
import { type Delta, type ModelRequest, type Reply, toolCall } from "@suite/core";
import fc from "fast-check";

const names = [
  "add",
  "add",
  "fail",
  "marked",
  "hang",
  "count",
  "refund",
  "ship",
  "ask_person",
  "helper",
  "nope",
  "ask",
];
const rounds = fc.array(
  fc.record({
    calls: fc.array(fc.constantFrom(...names), { maxLength: 3 }),
    fault: fc.oneof(
      { weight: 40, arbitrary: fc.constant("none") },
      { weight: 6, arbitrary: fc.constantFrom("refuses", "breaks", "hangs") },
      { weight: 1, arbitrary: fc.constant("goes on after an abort") },
    ),
  }),
  { maxLength: 4 },
);
const turn = fc.record({
  stream: fc.boolean(),
  /** A reader who stops, and one who aborts, does so behind so many deltas; most do not. */
  stops: fc.oneof({ weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(8)),
  aborts: fc.oneof({ weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(8)),
  /** The decision taken on each call that waits, one after the other, as an index of the possible ones. */
  decisions: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
});
/** A run of an agent which has another as a tool, and its turns. */
export const plans = fc.record({
  rounds,
  helperRounds: rounds,
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  plugins: fc.shuffledSubarray(["tracing", "pii", "audit", "retry", "fallback", "guard", "gate"], { minLength: 1 }),
  compresses: fc.boolean(),
  /** Whether there is AsyncLocalStorage. */
  ambient: fc.boolean(),
  /** The person who can be asked. */
  person: fc.constantFrom("nobody", "nobody", "one who agrees", "one who refuses"),
});
export type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never;
type Round = Plan["rounds"][number];

/** Says what its rounds are, then that it is done. */
export function modelOf(planned: readonly Round[], hang: () => Promise<never>): Model {
  const left = [...planned];
  const replyTo = ({ calls }: Round): Reply => ({
    // Ids repeat from round to round, as models' do.
    message: { role: "assistant", parts: calls.map((name, index) => toolCall(`c${index}`, name, inputOf(name))) },
    usage: { inputTokens: 1, outputTokens: 1 },
    finishReason: calls.length > 0 ? "tool_call" : "stop",
  });
  const next = (request: ModelRequest): Round =>
    (request.toolChoice === "none" ? undefined : left.shift()) ?? { calls: [], fault: "none" };
  return {
    name: "m",
    provider: "openai",
    async generate(request, { signal }) {
      const round = next(request);
      if (round.fault === "hangs") await Promise.race([hang(), aborted(signal)]);
      if (round.fault === "refuses" || round.fault === "breaks") throw new Error("overloaded");
      return replyTo(round);
    },
    async *stream(request, { signal }): AsyncGenerator<Delta, void> {
      const round = next(request);
      const { message, usage, finishReason } = replyTo(round);
      if (round.fault === "refuses") throw new Error("overloaded");
      yield { type: "part", at: "t", part: { type: "text", content: "a" } };
      if (round.fault === "breaks") throw new Error("cut");
      if (round.fault === "hangs") await Promise.race([hang(), aborted(signal)]);
      if (round.fault === "goes on after an abort") await hang().catch(() => {});
      for (const [index, part] of message.parts.entries()) yield { type: "part", at: String(index), part };
      yield { type: "finish", ...(usage && { usage }), ...(finishReason !== undefined && { finishReason }) };
    },
  };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason), { once: true }));

const inputOf = (name: string) => (name === "helper" ? { prompt: "help" } : name === "ask" ? 7 : { question: "?" });
