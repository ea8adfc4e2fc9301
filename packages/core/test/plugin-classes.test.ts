import { describe, expect, it } from "@jest/globals";
import type { CallNext, Invocation, MiddlewareProtocol, Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { plainMembers } from "@suite/core/internal";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { answers, codeOf, request, said } from "./support.js";

class Guard implements MiddlewareProtocol<Invocation<"model">> {
  readonly name: string = "guard";
  async process(_invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
    await callNext();
  }
}
class StrictGuard extends Guard {
  override readonly name = "strict";
}
class Misnamed {
  readonly name = "misnamed";
  modle(): void {}
  helper(): void {}
}
class Below extends Misnamed {}

const next = (_invocation: unknown, callNext: CallNext): Promise<void> => callNext();
const named = (name: string) => ({
  literal: { name: "x", model: next, [name]: next },
  instance: new (class {
    readonly name = "x";
    readonly model = next;
  })(),
});

describe("a layer in a list of plugins", () => {
  it.each<[string, object]>([
    ["an instance of a class", new Guard()],
    ["an instance of a subclass", new StrictGuard()],
    ["an object literal", { name: "guard", process: next }],
  ])("is refused with what to write: %s", async (_, layer) => {
    const make = async (): Promise<PluginStack> => new PluginStack([layer as Plugin]);
    await expect(make()).rejects.toThrow(/has "process".*Write \{ name: "(guard|strict)", model: layer \}/);
    expect(await codeOf(make())).toBe("ERR_INVALID_PLUGIN");
  });

  it("is refused by the compiler", () => {
    // @ts-expect-error: `process` is no member of a plugin.
    const plugin: Plugin = new Guard();
    expect(plugin.name).toBe("guard");
  });

  it("is called under the name of a kind", async () => {
    let called = 0;
    class Counter extends Guard {
      override async process(invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
        called++;
        await super.process(invocation, callNext);
      }
    }
    expect(await said("model", [{ name: "guard", model: new Counter() }], request, answers("Hello."))).toBe("Hello.");
    expect(called).toBe(1);
  });
});

describe("a plugin that is an instance of a class", () => {
  it.each(["wrapModelCall", "beforeAgent", "on_reply", "onModelCall", "listTools", "on_tool_end", "on_acting"])(
    "is refused with a hook that other frameworks call %s",
    async (name) => {
      const { literal, instance } = named(name);
      Object.defineProperty(Object.getPrototypeOf(instance), name, { value: next });
      for (const plugin of [literal, instance]) {
        await expect(async () => new PluginStack([plugin])).rejects.toThrow(
          `Plugin x has "${name}", which is unknown.`,
        );
      }
    },
  );

  it.each<[string, object]>([
    ["an own class", new Misnamed()],
    ["a class further up", new Below()],
  ])("is refused with a misspelt hook on the prototype of %s", async (_, plugin) => {
    await expect(async () => new PluginStack([plugin as Plugin])).rejects.toThrow('has "modle"');
  });

  it("is refused if it has methods and no hook", async () => {
    class Nothing {
      readonly name = "nothing";
      check(): void {}
    }
    await expect(async () => new PluginStack([new Nothing()])).rejects.toThrow(
      'Plugin nothing has "check", but no hook. Hooks:',
    );
  });

  it("may have helpers, data, accessors and private fields", async () => {
    class Counting implements Plugin {
      readonly name = "counting";
      readonly limits = { calls: 3 };
      #calls = 0;
      get calls(): number {
        return this.#calls;
      }
      async model(_invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
        this.count();
        await callNext();
      }
      private count(): void {
        this.#calls++;
      }
    }
    const plugin = new Counting();
    await said("model", [plugin], request, answers("Hello."));
    expect(plugin.calls).toBe(1);
  });
});

/** The functions of a plugin that a run calls, each of which notes its own name. */
const hooks = ["begin", "model", "systemPrompt", "tools", "observe", "end", "close"] as const;
type Hook = (typeof hooks)[number];
const fallbacks: Readonly<Record<Hook, (...given: never[]) => unknown>> = {
  begin: () => {},
  model: next,
  systemPrompt: (prompt: string) => `${prompt}!`,
  tools: () => [],
  observe: () => {},
  end: () => {},
  close: async () => {},
};

/** One plugin of these hooks in each of the ways to write it. `this` must be the plugin, or the note is lost. */
function written(chosen: readonly Hook[]): readonly { readonly plugin: Plugin; readonly noted: readonly string[] }[] {
  const own = chosen.filter((_, index) => index % 2 === 0);
  const make = (place: (plugin: object, methods: PropertyDescriptorMap) => object) => {
    const noted: string[] = [];
    const methods = Object.fromEntries(
      chosen.map((name): [string, PropertyDescriptor] => [
        name,
        {
          configurable: true,
          enumerable: true,
          value(this: { readonly name: string }, ...given: never[]) {
            noted.push(`${this.name}.${name}`);
            return fallbacks[name](...given);
          },
        },
      ]),
    );
    return { plugin: place({ name: "p" }, methods) as Plugin, noted };
  };
  const asMethods = (all: PropertyDescriptorMap): PropertyDescriptorMap =>
    Object.fromEntries(Object.entries(all).map(([name, each]) => [name, { ...each, enumerable: false }]));
  const pick = (all: PropertyDescriptorMap, mine: boolean): PropertyDescriptorMap =>
    Object.fromEntries(Object.entries(all).filter(([name]) => own.includes(name as Hook) === mine));
  return [
    make((plugin, all) => Object.defineProperties(plugin, all)),
    make((plugin, all) => Object.freeze(Object.defineProperties(plugin, all))),
    make((plugin, all) => {
      class Written {}
      Object.defineProperties(Written.prototype, asMethods(all));
      return Object.assign(new Written(), plugin);
    }),
    make((plugin, all) => {
      class Base {}
      class Derived extends Base {}
      Object.defineProperties(Base.prototype, asMethods(pick(all, true)));
      Object.defineProperties(Derived.prototype, asMethods(pick(all, false)));
      return Object.freeze(Object.assign(new Derived(), plugin));
    }),
    make((plugin, all) => {
      class Getters {
        get name(): string {
          return (plugin as { readonly name: string }).name;
        }
      }
      for (const [name, { value }] of Object.entries(all)) {
        Object.defineProperty(Getters.prototype, name, { get: () => value as unknown });
      }
      return new Getters();
    }),
    make((plugin, all) => Object.create(Object.defineProperties(plugin, all)) as object),
    make((plugin, all) => Object.assign(Object.create(null), Object.defineProperties(plugin, all)) as object),
  ];
}

describe("any plugin", () => {
  it("does the same as a literal, an instance, a subclass, frozen, with getters, and with a prototype", () =>
    fc.assert(
      fc.asyncProperty(fc.subarray([...hooks], { minLength: 1 }), async (chosen) => {
        const all: unknown[] = [];
        for (const { plugin, noted } of written(chosen)) {
          const stack = new PluginStack([plugin]);
          const run = stack.begin();
          const prompt = await stack.systemPrompt("Hello", run);
          await stack.tools(run);
          const outcome = await stack.call("model", run, request, answers("Hello."));
          await outcome.final();
          run.notify({ type: "limit", limit: "rounds", maximum: 1 });
          await run.end();
          await stack.close();
          all.push({ noted, prompt, has: stack.has });
        }
        for (const each of all) expect(each).toEqual(all[0]);
      }),
      { numRuns: runs(50) },
    ));
});

describe("plainMembers", () => {
  it("returns what a spread of a class instance leaves out, bound to the instance", () => {
    class Options {
      readonly a = 1;
      #b = 2;
      get b(): number {
        return this.#b;
      }
      c(): number {
        return this.#b;
      }
    }
    class More extends Options {}
    const spread: Partial<More> = { ...plainMembers(new More()) };
    const { c, ...rest } = spread;
    expect([c?.(), rest]).toEqual([2, { a: 1, b: 2 }]);
  });

  it("returns a plain object as it is", () => {
    for (const plain of [{ a: 1 }, Object.assign(Object.create(null), { a: 1 })]) {
      expect(plainMembers(plain)).toBe(plain);
    }
  });
});
