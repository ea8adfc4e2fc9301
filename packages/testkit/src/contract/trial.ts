import type { Kind, Notification, Plugin } from "@suite/core";
import { TestkitError } from "../errors.js";
import { expectEqual, within } from "./expect.js";
import { callsOf, type RecordedCall, type RecordedEvent, Recording, type Status } from "./recording.js";
import { allEnded, checkEnds, checkRules, inner, outer } from "./rules.js";
import type { Attempt, Decision, Observed, Subject } from "./subject.js";

/** An expected call: its kind, and its end unless it completes. With `?` it may be missing. */
export type ExpectedCall = `${Kind}${"" | `:${Status}`}${"" | "?"}`;

/** The plugins around the whole subject, and the secrets that must not be seen outside of them. */
export interface Surrounding {
  readonly plugins?: readonly Plugin[];
  readonly secrets?: readonly string[];
  /** Plugins that answer, refuse, or ask again. They are inside the recording layers, which see one call. */
  readonly innermost?: readonly Plugin[];
}

export type TrialOptions = Partial<Omit<Attempt, "plugins">> & Surrounding;

/** A finished attempt, with its recording. */
export class Trial {
  /** @internal Use `attempt`. */
  constructor(
    readonly observed: Observed,
    readonly events: readonly RecordedEvent[],
    readonly calls: readonly RecordedCall[],
    /** The notifications that plugins received. */
    readonly told: readonly Notification[],
    private readonly leg: Leg,
  ) {}

  callsOf(kind: Kind): readonly RecordedCall[] {
    return this.calls.filter((recorded) => recorded.call.kind === kind);
  }

  /**
   * Checks the calls that began, in order, and how each ended. Kinds that the subject does not serve are left out, and
   * so are requests to people and compression, which may happen when needed.
   */
  expectCalls(...expected: readonly ExpectedCall[]): void {
    const seen = this.calls
      .filter(({ call }) => call.kind !== "humanInput" && call.kind !== "compressContext")
      .map(({ call, status }) => `${call.kind}:${status}`);
    const served = expected.filter((call) => this.leg.subject.hooks.has(call.split(/[:?]/, 1)[0] as Kind));
    const wanted: string[] = [];
    for (const call of served) {
      const required = call.replace("?", "");
      const full = required.includes(":") ? required : `${required}:completed`;
      if (!call.endsWith("?") || seen[wanted.length] === full) wanted.push(full);
    }
    expectEqual(seen, wanted, "the calls");
  }

  /** Resumes a suspended run. */
  async resume(...decisions: readonly Decision[]): Promise<Trial> {
    const { observed } = this;
    if (observed.resume === undefined)
      throw new TestkitError("ERR_TESTKIT_INVALID_SUBJECT", "A suspended subject gives no `resume`.");
    const resume = observed.resume.bind(observed);
    return settle({ ...this.leg, number: this.leg.number + 1 }, () => resume(decisions));
  }
}

/** The milliseconds that an attempt may take. Long enough for a busy machine: it finds hangs, not slowness. */
const longest = 20_000;

interface Leg {
  readonly scenario: string;
  readonly subject: Subject;
  readonly number: number;
  readonly recording: Recording;
  readonly secrets: readonly string[];
  readonly changed: boolean;
}

/** Runs an attempt of the subject between two recording layers, then checks the rules for every attempt. */
export function attempt(scenario: string, subject: Subject, options: TrialOptions): Promise<Trial> {
  const { plugins, innermost, secrets, ...rest } = options;
  const defaults = { answers: [], input: "Good morning.", tools: [], stream: false };
  return between(scenario, subject, options, (list) => subject.run({ ...defaults, ...rest, plugins: list }));
}

/** Makes the subject do something other than a run between the two recording layers, then checks the same rules. */
export function between(
  scenario: string,
  subject: Subject,
  { plugins = [], innermost = [], secrets = [] }: Surrounding,
  act: (plugins: readonly Plugin[]) => Promise<Observed>,
): Promise<Trial> {
  const recording = new Recording();
  const subjectPlugins = subject.plugins?.() ?? [];
  const list = [recording.layer(outer, true), ...subjectPlugins, ...plugins, recording.layer(inner), ...innermost];
  const leg: Leg = { scenario, subject, number: 0, recording, secrets, changed: plugins.length > 0 };
  return settle(leg, () => act(list));
}

async function settle(leg: Leg, run: () => Promise<Observed>): Promise<Trial> {
  const { recording, subject, scenario, number, secrets } = leg;
  const from = recording.events.length;
  const countBefore = recording.told.length;
  const observed = await within(run(), "the attempt", longest);
  await allEnded(() => recording.events.slice(from));
  const events = recording.events.slice(from);
  checkRules(events, subject.hooks, leg.changed);
  await checkEnds(events, recording.ends, subject.hooks);
  const calls = callsOf(events, outer);
  await subject.inspect?.({ scenario, leg: number, calls, observed, secrets });
  return new Trial(observed, events, calls, recording.told.slice(countBefore), leg);
}
