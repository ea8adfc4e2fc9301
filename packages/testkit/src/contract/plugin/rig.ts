import type { CallId, Final, Kind, Outcome, Plugin, Request } from "@suite/core";
import type { Answer } from "@suite/core/adapter";
import { kinds, PluginStack, type Run } from "@suite/core/adapter";
import { expectEqual, expectThat, within } from "../expect.js";
import { Recording } from "../recording.js";
import { allEnded, inner, outer } from "../rules.js";
import type { Sample } from "./samples.js";
import type { PluginSubject } from "./subject.js";

/** One instance of a plugin between two recording layers, and everything that is reported as a fault. */
export class Rig {
  readonly recording = new Recording();
  readonly stack: PluginStack;
  readonly #faults: string[] = [];

  /** @param more plugins that listen, further inside. */
  constructor(
    readonly plugin: Plugin,
    more: readonly Plugin[] = [],
  ) {
    const faults: Plugin = {
      name: "faults",
      observe: (notification) => {
        if (notification.type === "fault") this.#faults.push(notification.where);
      },
    };
    this.stack = new PluginStack([this.recording.layer(outer), plugin, this.recording.layer(inner), faults, ...more]);
  }

  static async of(subject: PluginSubject): Promise<Rig> {
    return new Rig(await subject.create());
  }

  get kinds(): readonly Kind[] {
    return kinds.filter((kind) => this.plugin[kind] !== undefined);
  }

  /** Makes one call with this answer of the core. `answer` may throw. */
  call<K extends Kind>(
    run: Run,
    kind: K,
    request: Request<K>,
    answer: () => Answer<K>,
    parent?: CallId,
  ): Promise<Outcome<unknown, Final<K>>> {
    const core = async (invocation: { respond(answer: Answer<K>): void }): Promise<void> =>
      invocation.respond(answer());
    return within(this.stack.call(kind, run, request, core, parent), `the ${kind} call`);
  }

  /** Checks at the end that each layer of each call has ended exactly once per entry, and that nothing was reported. */
  async check(): Promise<void> {
    const { events } = this.recording;
    await allEnded(() => events);
    const count = (type: "enter" | "end"): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const { layer, call, type: seen } of events) {
        const key = `${layer} ${call.kind} ${call.id}`;
        if (seen === type) counts[key] = (counts[key] ?? 0) + 1;
      }
      return counts;
    };
    expectEqual(count("end"), count("enter"), "how often each layer ended, and was entered");
    expectThat(this.#faults.length === 0, `something threw where nothing may be disturbed: ${this.#faults.join(", ")}`);
    await within(this.stack.close(), "close()");
  }
}

/** Returns the sample's answer as a stream. */
export async function* streamOf<K extends Kind>(sample: Sample<K>): AsyncGenerator<Sample<K>["chunks"][number], void> {
  for (const chunk of sample.chunks) {
    await undefined;
    yield chunk;
  }
}

/**
 * Returns the error that a promise rejects with. It is in a box because it may be any value. Returns `undefined` if the
 * promise fulfils.
 */
export async function thrownBy(body: () => Promise<unknown>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await body();
  } catch (error) {
    return { error };
  }
  return undefined;
}
