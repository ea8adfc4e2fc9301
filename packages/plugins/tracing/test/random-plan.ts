import fc from "fast-check";

/** A source, and how it goes on when it has given `at` chunks. */
const source = fc.record({
  how: fc.constantFrom(
    "ends",
    "throws",
    "aborts",
    "aborts and goes on",
    "hangs",
    "hangs and hears nothing",
    "suspends",
    "terminates",
  ),
  at: fc.nat(3),
  plain: fc.boolean(),
});

const whole = { how: fc.constant("ends" as const), at: fc.constant(0), plain: fc.boolean() };

/** A reader of an answer: to its end, up to a chunk, at once, not at all, or when its siblings are done. */
const reader = fc.record({
  how: fc.constantFrom(
    "reads",
    "reads",
    "reads",
    "reads",
    "reads",
    "breaks",
    "asks for the value",
    "leaves it",
    "reads late",
  ),
  after: fc.nat(3),
});

/** A layer, and what it does with a call. Most calls are let pass, so that deep plans come about. */
const layer = fc.oneof(
  { weight: 20, arbitrary: fc.constant("passes" as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "throws before",
      "throws after",
      "terminates",
      "tries again",
      "tries again what failed",
      "answers in place",
      "answers after all",
      "reads it first",
      "rewrites",
      "is slow",
      "hangs",
      "holds chunks",
    ),
  },
);

/** One call, with the calls inside it. */
export interface Step {
  readonly kind: "agent" | "model" | "tool" | "humanInput" | "compressContext";
  readonly source: typeof source extends fc.Arbitrary<infer S> ? S : never;
  readonly reader: typeof reader extends fc.Arbitrary<infer R> ? R : never;
  readonly outer: Layer;
  readonly inner: Layer;
  /** A tool without an implementation here, or one that a guard holds back until somebody approves. */
  readonly waits: "no" | "external" | "approval";
  readonly parallel: boolean;
  readonly inside: readonly Step[];
}
export type Layer = typeof layer extends fc.Arbitrary<infer L> ? L : never;

const step = (kind: fc.Arbitrary<Step["kind"]>, inside: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<Step> =>
  fc.record({
    kind,
    source: fc.oneof({ weight: 8, arbitrary: fc.record(whole) }, { weight: 1, arbitrary: source }),
    reader,
    outer: layer,
    inner: layer,
    waits: fc.constantFrom("no", "no", "external", "approval"),
    parallel: fc.boolean(),
    inside,
  });
const kinds = fc.constantFrom<Step["kind"]>("model", "model", "tool", "tool", "agent", "humanInput", "compressContext");
/** Calls inside a call, at most so deep. */
const inside = (depth: number): fc.Arbitrary<readonly Step[]> =>
  depth === 0 ? fc.constant([]) : fc.array(step(kinds, inside(depth - 1)), { maxLength: 3, size: "max" });

/** A run, and the turns that it is resumed in as long as it waits. */
export const plans = fc.record({
  turns: fc.array(step(fc.constant("agent"), inside(3)), { minLength: 1, maxLength: 3 }),
  /** Aborts when so much has happened; never, where less happens. */
  abortAt: fc.oneof(
    { weight: 5, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    { weight: 1, arbitrary: fc.nat(60) },
  ),
  outcome: fc.constantFrom("completed", "failed", "denied", "expired", "cancelled"),
  content: fc.constantFrom("none", "full"),
  /** Whether there is AsyncLocalStorage. */
  ambient: fc.boolean(),
  /** Plugins beside tracing, which stands where this says. */
  place: fc.nat(2),
});
export type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never;
