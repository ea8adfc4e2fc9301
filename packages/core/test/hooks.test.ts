import { describe, expect, it } from "@jest/globals";
import type { AgentRequest, Delta, Plugin, Reply } from "@suite/core";
import { MiddlewareTermination, message, override, text, textOf, toolCall } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { PluginStack } from "@suite/core/adapter";
import type { ReasoningRequest } from "@suite/core/contract";
import {
  afterAgent,
  afterModel,
  beforeAgent,
  beforeModel,
  type Change,
  dynamicPrompt,
  wrapModelCall,
  wrapToolCall,
} from "@suite/core/hooks";
import {
  answers,
  call,
  codeOf,
  collect,
  piece,
  request,
  said,
  settles,
  staged,
  streams,
  user,
  words,
} from "./support.js";

const says = (content: string): Reply => ({ message: message("assistant", content), finishReason: "stop" });
const calls = (...names: string[]): Reply => ({
  message: message("assistant", [text("one moment"), ...names.map((name) => toolCall(name, name, {}))]),
  finishReason: "tool_call",
});
const agentRequest: AgentRequest = { messages: [user("hello")] };
const round: ReasoningRequest = { messages: [user("hello")], tools: [] };

/** A core of the kinds that answer with replies: notes what it was asked, and gives these replies in turn. */
function replies<K extends "agent" | "reasoning">(...given: readonly Reply[]) {
  const asked: string[][] = [];
  const core: CallCore<K> = async (invocation) => {
    asked.push(invocation.request.messages.map(textOf));
    const value = given[Math.min(asked.length, given.length) - 1];
    (invocation as unknown as Parameters<CallCore<"agent">>[0]).respond({ value: value ?? says("nothing") });
  };
  return { asked, core };
}
const ofAgent = async (plugins: readonly Plugin[], core: CallCore<"agent">): Promise<Reply> =>
  (await call("agent", plugins, agentRequest, core)).outcome.final();
const ofRound = async (plugins: readonly Plugin[], core: CallCore<"reasoning">): Promise<Reply> =>
  (await call("reasoning", plugins, round, core)).outcome.final();

/** A stream that goes on only when told to, and the text that its consumer has got so far. */
async function observed(plugin: Plugin) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const core: CallCore<"reasoning"> = async (invocation) =>
    invocation.respond({
      stream: (async function* (): AsyncGenerator<Delta, void> {
        yield piece("a");
        await released;
        yield piece("b");
      })(),
    });
  const { outcome } = await Promise.race([
    call("reasoning", [plugin], round, core),
    new Promise<never>((_resolve, reject) => setTimeout(reject, 50, new Error("held back"))),
  ]).catch(async (error: unknown) => {
    release();
    throw error;
  });
  const iterator = outcome[Symbol.asyncIterator]();
  return { iterator, release };
}

describe("beforeAgent", () => {
  it("goes on where it returns nothing", async () => {
    const { asked, core } = replies<"agent">(says("hi"));
    expect(await ofAgent([beforeAgent(() => {})], core)).toEqual(says("hi"));
    expect(asked).toEqual([["hello"]]);
  });

  it("changes the messages, also asynchronously", async () => {
    const { asked, core } = replies<"agent">(says("hi"));
    await ofAgent(
      [beforeAgent(async ({ request: { messages } }) => ({ messages: [user("first"), ...messages] }))],
      core,
    );
    expect(asked).toEqual([["first", "hello"]]);
  });

  it("jumps to the end with its reply, and nothing further in runs", async () => {
    const { asked, core } = replies<"agent">();
    const signIn = beforeAgent(() => ({ jumpTo: "end", reply: says("Sign in first.") }), { canJumpTo: ["end"] });
    expect([await ofAgent([signIn], core), asked]).toEqual([says("Sign in first."), []]);
  });

  it("jumps to the end with a text, which is a reply that says it", async () => {
    const end = beforeAgent(() => ({ jumpTo: "end", reply: "Sign in first." }), { canJumpTo: ["end"] });
    expect(await ofAgent([end], replies<"agent">().core)).toEqual({
      message: message("assistant", "Sign in first."),
      finishReason: "stop",
    });
  });

  it("jumps to the end without text if it returns no reply", async () => {
    const end = beforeAgent(() => ({ jumpTo: "end" }), { canJumpTo: ["end"] });
    expect(await ofAgent([end], replies<"agent">().core)).toEqual({
      message: { role: "assistant", parts: [] },
      finishReason: "stop",
    });
  });

  it("jumps to tools: the agent finds the calls behind the messages", async () => {
    let given: AgentRequest | undefined;
    const tools = beforeAgent(() => ({ jumpTo: "tools", reply: calls("search") }), { canJumpTo: ["tools"] });
    await ofAgent([tools], async (invocation) => {
      given = invocation.request;
      invocation.respond({ value: says("found") });
    });
    expect(given?.messages).toEqual([user("hello"), calls("search").message]);
  });

  it("keeps what resumes a suspended run", async () => {
    let given: AgentRequest | undefined;
    const resume = [{ type: "tool_call_response", id: "1", response: "yes" }] as const;
    const change = beforeAgent(() => ({ messages: [] }));
    await call("agent", [change], { messages: [user("x")], resume }, async (invocation) => {
      given = invocation.request;
      invocation.respond({ value: says("ok") });
    });
    expect(given).toEqual({ messages: [], resume });
  });
});

describe("beforeModel", () => {
  it("changes what the model sees in this round; the history stays", async () => {
    const { asked, core } = replies<"reasoning">(says("hi"));
    let outer: readonly unknown[] = [];
    const history: Plugin = {
      name: "history",
      async reasoning(invocation, callNext) {
        await callNext();
        outer = invocation.request.messages;
      },
    };
    await ofRound([history, beforeModel(() => ({ messages: [user("shorter")] }))], core);
    expect([asked, outer]).toEqual([[["shorter"]], round.messages]);
  });

  it("jumps to the end with its reply, without asking the model", async () => {
    const { asked, core } = replies<"reasoning">();
    const limit = beforeModel(() => ({ jumpTo: "end", reply: says("limit") }), { canJumpTo: ["end"] });
    expect([await ofRound([limit], core), asked]).toEqual([says("limit"), []]);
  });

  it("jumps to tools: its reply calls them in the model's place", async () => {
    const { asked, core } = replies<"reasoning">();
    const tools = beforeModel(() => ({ jumpTo: "tools", reply: calls("search") }), { canJumpTo: ["tools"] });
    expect([await ofRound([tools], core), asked]).toEqual([calls("search"), []]);
  });

  it("lets through what the hook throws", async () => {
    const error = new Error("theirs");
    const fails = beforeModel(() => {
      throw error;
    });
    expect(await codeOf(ofRound([fails], replies<"reasoning">(says("x")).core))).toBe(error);
  });
});

describe("afterModel and afterAgent", () => {
  it("see the whole reply, as it was let through, and leave it as it is", async () => {
    const seen: string[] = [];
    const see = (reply: Reply): void => void seen.push(textOf(reply.message));
    expect(await ofRound([afterModel(see)], replies<"reasoning">(says("hi")).core)).toEqual(says("hi"));
    expect(await ofAgent([afterAgent(see)], replies<"agent">(says("ho")).core)).toEqual(says("ho"));
    expect(seen).toEqual(["hi", "ho"]);
  });

  it("that only watch let the reply stream: the first chunk is out before the source has ended", async () => {
    const seen: string[] = [];
    const { iterator, release } = await observed(afterModel((reply) => void seen.push(textOf(reply.message))));
    const first = await iterator.next();
    expect([first.value, seen]).toEqual([piece("a"), []]);
    release();
    expect((await iterator.next()).value).toEqual(piece("b"));
    expect((await iterator.next()).done).toBe(true);
    expect(seen).toEqual(["ab"]);
  });

  it("that declared a change hold the reply back until the hook has seen it", async () => {
    await expect(observed(afterModel(() => {}, { canChange: true }))).rejects.toThrow("held back");
    await expect(observed(afterModel(() => {}, { canJumpTo: ["end"] }))).rejects.toThrow("held back");
  });

  it("change the reply where that is declared", async () => {
    const change = { canChange: true };
    const shout = (reply: Reply): Change => ({ reply: says(textOf(reply.message).toUpperCase()) });
    expect(await ofRound([afterModel(shout, change)], replies<"reasoning">(says("hi")).core)).toEqual(says("HI"));
    expect(await ofAgent([afterAgent(shout, change)], replies<"agent">(says("hi")).core)).toEqual(says("HI"));
  });

  it("give the same reply back where they changed nothing, and outer layers read it as ever", async () => {
    const log: string[] = [];
    const value = says("hi");
    const watch = (): Plugin => ({
      name: "watch",
      async reasoning(invocation, callNext) {
        await callNext();
        invocation.pipe({ settle: (settlement) => void log.push(settlement.status) });
      },
    });
    const { core } = replies<"reasoning">(value);
    expect(await ofRound([watch(), afterModel(() => null as never, { canChange: true }), watch()], core)).toBe(value);
    expect(log).toEqual(["completed", "completed"]);
  });

  it("refuse a change that was not declared, with what to write", async () => {
    const undeclared = ofRound([afterModel(() => ({ reply: says("x") }))], replies<"reasoning">(says("hi")).core);
    await expect(undeclared).rejects.toThrow(/afterModel\(hook, \{ canChange: true \}\)/);
    const code = codeOf(ofAgent([afterAgent(() => ({ reply: says("x") }))], replies<"agent">(says("hi")).core));
    expect(await code).toBe("ERR_NOT_DECLARED");
  });

  it("jump to the end: what the model called is not run", async () => {
    const end = afterModel(() => ({ jumpTo: "end" }), { canJumpTo: ["end"] });
    expect(await ofRound([end], replies<"reasoning">(calls("pay")).core)).toEqual(says("one moment"));
    expect(await ofRound([end], replies<"reasoning">(says("hi")).core)).toEqual(says("hi"));
  });

  it("jump to the model, which is called again, with other messages if there are any", async () => {
    const { asked, core } = replies<"reasoning">(says(""), says("hi"));
    const again = afterModel(
      (reply) => (textOf(reply.message) === "" ? { jumpTo: "model", messages: [user("Say something.")] } : undefined),
      { canJumpTo: ["model"] },
    );
    expect(await ofRound([again], core)).toEqual(says("hi"));
    expect(asked).toEqual([["hello"], ["Say something."]]);
  });

  it("jump to the model of an agent: it replies again", async () => {
    const { asked, core } = replies<"agent">(says("no"), says("yes"));
    const again = afterAgent((reply) => (textOf(reply.message) === "no" ? { jumpTo: "model" } : undefined), {
      canJumpTo: ["model"],
    });
    expect([await ofAgent([again], core), asked.length]).toEqual([says("yes"), 2]);
  });

  it("give up a hook that jumps for ever", async () => {
    const { asked, core } = replies<"reasoning">(says("x"));
    const forever = afterModel(() => ({ jumpTo: "model" }), { canJumpTo: ["model"] });
    expect(await codeOf(ofRound([forever], core))).toBe("ERR_TOO_MANY_JUMPS");
    expect(asked).toHaveLength(26);
  });

  it("jump to tools with a reply that calls them", async () => {
    const tools = afterModel(() => ({ jumpTo: "tools", reply: calls("search") }), { canJumpTo: ["tools"] });
    expect(await ofRound([tools], replies<"reasoning">(says("hi")).core)).toEqual(calls("search"));
  });

  it("are not asked about a reply that is suspended, which stays suspended", async () => {
    let asked = 0;
    const count = (): void => void asked++;
    for (const plugin of [afterModel(count, { canChange: true }), afterModel(count)]) {
      const suspends: CallCore<"reasoning"> = async (invocation) =>
        invocation.respond({
          stream: (async function* () {
            yield piece("wait");
            return { suspended: [] };
          })(),
        });
      const { outcome } = await call("reasoning", [plugin], round, suspends);
      expect(await codeOf(outcome.final())).toBe("ERR_SUSPENDED");
    }
    expect(asked).toBe(0);
  });

  it("are not asked about a reply that failed, whose error passes unchanged", async () => {
    const error = new Error("theirs");
    let asked = 0;
    const count = (): void => void asked++;
    for (const plugin of [afterModel(count, { canChange: true }), afterModel(count)]) {
      const breaks: CallCore<"reasoning"> = async (invocation) =>
        invocation.respond({
          stream: (async function* () {
            yield piece("a");
            throw error;
          })(),
        });
      const failed = call("reasoning", [plugin], round, breaks).then(({ outcome }) => outcome.final());
      expect(await codeOf(failed)).toBe(error);
    }
    expect(asked).toBe(0);
  });

  it("report that there is no answer if an inner layer returned none", async () => {
    const silent: Plugin = { name: "silent", async reasoning() {} };
    const lost = ofRound([afterModel(() => {}, { canChange: true }), silent], replies<"reasoning">().core);
    expect(await codeOf(lost)).toBe("ERR_NO_ANSWER");
  });

  it("let through what the hook throws, watching or not", async () => {
    const error = new Error("theirs");
    const fails = (): never => {
      throw error;
    };
    for (const plugin of [afterModel(fails), afterModel(fails, { canChange: true })]) {
      expect(await codeOf(ofRound([plugin], replies<"reasoning">(says("x")).core))).toBe(error);
    }
  });
});

describe("a text as the reply of an after hook", () => {
  it("takes the place of the model's", async () => {
    const { core } = replies<"agent">(says("BLOCKED"));
    const mild = afterAgent(() => ({ reply: "I cannot say that." }), { canChange: true });
    expect((await ofAgent([mild], core))?.message).toEqual(message("assistant", "I cannot say that."));
  });
});

describe("a jump that was not declared", () => {
  const jumps: readonly [hook: string, plugin: Plugin][] = [
    ["beforeAgent", beforeAgent(() => ({ jumpTo: "end" }), { canJumpTo: ["tools"] })],
    ["beforeModel", beforeModel(() => ({ jumpTo: "end" }))],
    ["afterModel", afterModel(() => ({ jumpTo: "end" }), { canChange: true })],
    ["afterAgent", afterAgent(() => ({ jumpTo: "end" }), { canJumpTo: ["model"] })],
  ];

  it.each(jumps)("is refused, with what to write: %s", async (hook, plugin) => {
    const kind = hook.endsWith("Agent") ? "agent" : "reasoning";
    const stack = new PluginStack([plugin]);
    const asked = { ...round };
    const outcome = stack
      .call(kind, stack.begin(), asked, replies<"agent" | "reasoning">(says("hi")).core)
      .then((answer) => answer.final());
    expect(await codeOf(outcome)).toBe("ERR_NOT_DECLARED");
    await expect(outcome).rejects.toThrow(`${hook}(hook, { canJumpTo: ["end"] })`);
  });
});

describe("wrapModelCall", () => {
  it("sees the request, and may make the call with another one", async () => {
    let asked = "";
    const wrap = wrapModelCall((given, handler) => handler(override(given, { model: `${given.model}-small` })));
    await call("model", [wrap], request, async (invocation) => {
      asked = invocation.request.model;
      await answers("a")(invocation);
    });
    expect(asked).toBe("m-small");
  });

  it("passes on the stream of the outcome that it gives back", async () => {
    const { outcome } = await call("model", [wrapModelCall((given, handler) => handler(given))], request, streams("a"));
    expect([outcome.streaming, await collect(outcome)]).toEqual([true, "a"]);
  });

  it("answers in the model's place with a value, or a stream", async () => {
    const value = says("cached");
    expect(await said("model", [wrapModelCall(async () => ({ value }))], request, answers("a"))).toBe("cached");
    const streamed = wrapModelCall(async () => ({ stream: words("a", "b") }));
    expect(await said("model", [streamed], request, answers("x"))).toBe("ab");
  });

  it("falls back to another model before the first chunk, and each attempt settles", async () => {
    const log: string[] = [];
    const fallback = wrapModelCall(async (given, handler) => {
      try {
        const outcome = await handler(given);
        await outcome.ready();
        return outcome;
      } catch {
        return handler(override(given, { model: "smaller" }));
      }
    });
    const asked: string[] = [];
    const answer = await said("model", [fallback, settles(log)], request, async (invocation) => {
      asked.push(invocation.request.model);
      const breaks = asked.length === 1;
      invocation.respond({
        stream: (async function* () {
          if (breaks) throw new Error("429");
          yield* words("ok");
        })(),
      });
    });
    expect([answer, asked, log]).toEqual(["ok", ["m", "smaller"], ["failed", "completed"]]);
  });

  it("returns an outcome that it has read, and the answer is emitted again", async () => {
    let logged = "";
    const logs = wrapModelCall(async (given, handler) => {
      const outcome = await handler(given);
      logged = textOf((await outcome.final()).message);
      return outcome;
    });
    const log: string[] = [];
    expect([await said("model", [settles(log), logs], request, streams("a", "b")), logged]).toEqual(["ab", "ab"]);
    expect(log).toEqual(["completed"]);
  });

  it("lets what it throws through, and cancels the answer it had", async () => {
    const error = new Error("theirs");
    const log: string[] = [];
    const wrap = wrapModelCall(async (given, handler) => {
      await handler(given);
      throw error;
    });
    expect(await codeOf(call("model", [wrap, settles(log)], request, streams("a")))).toBe(error);
    expect(log).toEqual(["cancelled"]);
  });

  it("leaves its stream to the stages of outer layers", async () => {
    const upper = staged({
      chunk: (delta, emit) => emit(delta.type === "part" ? piece(textOf([delta.part]).toUpperCase()) : delta),
    });
    const wrap = wrapModelCall(async () => ({ stream: words("a") }));
    expect(await said("model", [upper, wrap], request, answers("x"))).toBe("A");
  });
});

describe("wrapToolCall", () => {
  const asked = { id: "1", tool: { name: "add" }, input: { a: 1, b: 2 } };
  const add: CallCore<"tool"> = async (invocation) => {
    const { a, b } = invocation.request.input as { a: number; b: number };
    invocation.respond({ value: a + b });
  };
  const resultOf = async (plugin: Plugin): Promise<unknown> =>
    (await call("tool", [plugin], asked, add)).outcome.final();

  it("may change the input", async () => {
    const wrap = wrapToolCall((given, handler) => handler(override(given, { input: { a: 5, b: 5 } })));
    expect(await resultOf(wrap)).toBe(10);
  });

  it("may change the result, or answer in the tool's place", async () => {
    const double = wrapToolCall(async (given, handler) => ({
      value: 2 * Number(await (await handler(given)).final()),
    }));
    expect(await resultOf(double)).toBe(6);
    expect(await resultOf(wrapToolCall(async () => ({ value: "cached" })))).toBe("cached");
  });

  it("may suspend", async () => {
    const pending = [{ reason: "approval", part: toolCall("1", "add", asked.input) }] as const;
    const { outcome } = await call("tool", [wrapToolCall(async () => ({ suspended: pending }))], asked, add);
    expect(await codeOf(outcome.final())).toBe("ERR_SUSPENDED");
    expect(await outcome.settled).toEqual({ status: "suspended", pending });
  });
});

describe("dynamicPrompt", () => {
  it("creates the prompt from the prompt of earlier plugins and the current run", () => {
    const stack = new PluginStack([
      dynamicPrompt((prompt) => `${prompt} First.`),
      dynamicPrompt((prompt, runtime) => `${prompt} For ${runtime.userId}.`),
    ]);
    expect(stack.systemPrompt("You help.", stack.begin({ userId: "Ada" }))).toBe("You help. First. For Ada.");
  });

  it("may be asynchronous", async () => {
    const stack = new PluginStack([dynamicPrompt(async (prompt) => `${prompt}!`)]);
    expect(await stack.systemPrompt("a", stack.begin())).toBe("a!");
  });
});

describe("a plugin of one function", () => {
  it("has its hook's name, or the one given", () => {
    const made = [
      beforeAgent(() => {}),
      afterAgent(() => {}),
      beforeModel(() => {}),
      afterModel(() => {}),
      wrapModelCall((given, handler) => handler(given)),
      wrapToolCall((given, handler) => handler(given)),
      dynamicPrompt((prompt) => prompt),
    ];
    expect(made.map(({ name }) => name)).toEqual([
      "beforeAgent",
      "afterAgent",
      "beforeModel",
      "afterModel",
      "wrapModelCall",
      "wrapToolCall",
      "dynamicPrompt",
    ]);
    expect(beforeModel(() => {}, { name: "budget" }).name).toBe("budget");
  });
});

describe("the options of plugins of one function", () => {
  const made: readonly (readonly [string, (options: never) => Plugin])[] = [
    ["beforeAgent", (options) => beforeAgent(() => {}, options)],
    ["beforeModel", (options) => beforeModel(() => {}, options)],
    ["afterAgent", (options) => afterAgent(() => {}, options)],
    ["afterModel", (options) => afterModel(() => {}, options)],
    ["wrapModelCall", (options) => wrapModelCall((asked, handler) => handler(asked), options)],
    ["wrapToolCall", (options) => wrapToolCall((asked, handler) => handler(asked), options)],
    ["dynamicPrompt", (options) => dynamicPrompt((prompt) => prompt, options)],
  ];

  it.each(made)("%s refuses an option that it does not have", async (name, make) => {
    for (const options of [{ nonsense: 1 }, { stateSchema: {} }, { canJumpto: ["end"] }, { name: "" }, { tools: {} }]) {
      const making = (async () => make(options as never))();
      await expect(making).rejects.toThrow(new RegExp(`${name}\\(\\)`));
      expect(await codeOf(making)).toBe("ERR_INVALID_OPTION");
    }
  });

  it.each(made)("%s offers the tools that it was given", async (_, make) => {
    const tools = [{ name: "look", execute: () => 1 }];
    const stack = new PluginStack([make({ tools, name: "mine" } as never)]);
    const run = stack.begin();
    expect(await stack.tools(run)).toEqual(tools);
    expect([stack.plugins[0]?.name, stack.has.tools]).toEqual(["mine", true]);
    await run.end();
  });

  it("may have getters, as an instance of a class has them", () => {
    class Options {
      get name(): string {
        return "of a class";
      }
    }
    expect(beforeModel(() => {}, new Options()).name).toBe("of a class");
  });

  it("beforeModel refuses what is no function, and a jump that does not exist", () => {
    expect(() => beforeModel({} as never)).toThrow("beforeModel() takes a function");
    expect(() => beforeModel(() => {}, { canJumpTo: ["start" as never] })).toThrow(
      /canJumpTo of beforeModel\(\) must be a/,
    );
  });
});

describe("MiddlewareTermination", () => {
  it("refuses an option that it does not have, and a scope that does not exist", () => {
    for (const options of [{ scop: "call" }, { scope: "turn" }, { replay: "no" }]) {
      expect(() => new MiddlewareTermination("enough", options as never)).toThrow(/MiddlewareTermination\(\)/);
    }
    expect(new MiddlewareTermination("enough", { scope: "call", cause: 1 })).toMatchObject({ scope: "call", cause: 1 });
  });
});
