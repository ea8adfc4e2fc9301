import type { AnyInvocation, CallNext, Invocation, Middleware, Plugin } from "@suite/core";
import { expectEqual } from "../expect.js";
import { inBothModes, type Scenario } from "../scenario.js";

/** The optional hooks, which some frameworks cannot serve. `model` is required, as in a guard. */
const whereOffered = ["systemPrompt", "observe"] as const;

/** A guard as an object literal: the shape that all others are compared with. */
function literal(): Noting {
  const noted: string[] = [];
  return {
    name: "guard",
    noted,
    whereOffered,
    begin: () => void noted.push("begin"),
    systemPrompt: (prompt) => `${prompt} Rhyme.`,
    async model(invocation, callNext) {
      noted.push(invocation.kind);
      await callNext();
    },
    observe: () => {},
    end: () => void noted.push("end"),
  };
}

interface Noting extends Plugin {
  readonly noted: readonly string[];
}

/** Class version of the guard. Its hooks are on the prototype, and need their `this`. */
class Guard implements Plugin {
  readonly name: string = "guard";
  readonly whereOffered = whereOffered;
  readonly #noted: string[] = [];
  get noted(): readonly string[] {
    return this.#noted;
  }
  begin(): void {
    this.note("begin");
  }
  systemPrompt(prompt: string): string {
    return `${prompt} ${this.wish}`;
  }
  async model(invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
    this.note(invocation.kind);
    await callNext();
  }
  observe(): void {
    this.#noted.slice();
  }
  end(): void {
    this.note("end");
  }
  protected get wish(): string {
    return "Rhyme.";
  }
  protected note(what: string): void {
    this.#noted.push(what);
  }
}

/** A class between the instance and the hooks, which overrides one of them. */
class Stricter extends Guard {
  override async model(invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
    await super.model(invocation, callNext);
  }
}

/** A layer that is a class instance. */
class Layer {
  readonly #note: (what: string) => void;
  constructor(note: (what: string) => void) {
    this.#note = note;
  }
  async process(invocation: AnyInvocation, callNext: CallNext): Promise<void> {
    this.#note(invocation.kind);
    await callNext();
  }
}

/** A class whose hooks are getters. */
class Getters {
  readonly noted: string[] = [];
  readonly #note = (what: string): void => void this.noted.push(what);
  get name(): string {
    return "guard";
  }
  get whereOffered(): typeof whereOffered {
    return whereOffered;
  }
  get begin(): () => void {
    return () => this.#note("begin");
  }
  get systemPrompt(): (prompt: string) => string {
    return (prompt) => `${prompt} Rhyme.`;
  }
  get model(): Middleware<Invocation<"model">> {
    return new Layer(this.#note);
  }
  get observe(): () => void {
    return () => {};
  }
  get end(): () => void {
    return () => this.#note("end");
  }
}

/** The ways to write the same plugin. */
const shapes: Readonly<Record<string, () => Noting>> = {
  "an object literal": literal,
  "a frozen literal": () => Object.freeze(literal()),
  "an object that inherits from a literal": () => Object.create(literal()) as Noting,
  "an instance of a class": () => new Guard(),
  "an instance of a subclass": () => new Stricter(),
  "a frozen instance": () => Object.freeze(new Stricter()),
  "an instance of a class of getters": () => new Getters(),
};

/** Scenarios of how a plugin is written. */
export const writings: readonly Scenario[] = inBothModes(
  "a plugin as a literal or of a class, frozen or with getters: each does the same",
  ["model", "system-prompt"],
  async (tryIt) => {
    for (const [shape, make] of Object.entries(shapes)) {
      const plugin = make();
      const { observed } = await tryIt({ answers: [{ text: "Hello." }], systemPrompt: "Be brief.", plugins: [plugin] });
      expectEqual(observed.error, undefined, `the error with ${shape}`);
      expectEqual(plugin.noted, ["begin", "model", "end"], `what was called of ${shape}`);
      expectEqual(observed.prompts[0]?.includes("Be brief. Rhyme."), true, `the system prompt of ${shape} was sent`);
    }
  },
);
