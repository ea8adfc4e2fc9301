import { describe, expect, it } from "@jest/globals";
import {
  type AnyInvocation,
  type Delta,
  type Message,
  message,
  override,
  type Plugin,
  type Redactor,
  type Reply,
  redactorOf,
  stateKey,
  textOf,
  toolCall,
  toolCallResponse,
} from "@suite/core";
import { type CallCore, PluginStack, type Run } from "@suite/core/adapter";
import type { Pending } from "@suite/core/contract";
import { call, codeOf, collect, layer, piece, request, said, settles, sleep, streams, user, words } from "./support.js";

interface Span {
  readonly name: string;
  readonly parent?: string | undefined;
  input?: string | undefined;
  status?: string;
}

/** A small tracing plugin: one span per call, ended once, with its input as the run's redactors leave it. */
function tracing() {
  const spans = new Map<string, Span>();
  const traced = (name: string) => async (invocation: AnyInvocation, callNext: () => Promise<void>) => {
    const { call: id, runtime } = invocation;
    const span: Span = { name, parent: spans.get(id.parent?.id ?? "")?.name };
    const end = (status: string): void => {
      span.status = span.status === undefined ? status : "ended twice";
    };
    spans.set(id.id, span);
    span.input = redactorOf(runtime)?.redact(JSON.stringify(invocation.request));
    try {
      await callNext();
    } catch (error) {
      end("failed");
      throw error;
    }
    invocation.pipe({ settle: ({ status }) => end(status) });
  };
  const plugin: Plugin = { name: "tracing", agent: traced("agent"), model: traced("chat"), tool: traced("tool") };
  return { plugin, spans: () => [...spans.values()] };
}

const address = /\b\w+@\w+\.\w+\b/g;
const redactor: Redactor = {
  redact: (content) => content.replaceAll(address, "[EMAIL]"),
  value: (value) => JSON.parse(redactor.redact(JSON.stringify(value))) as unknown,
};

/** A small guard: requests are rewritten, and of a stream only whole words are let through. */
const guard = (block = false): Plugin => ({
  name: "guard",
  redactor,
  async model(invocation, callNext) {
    const messages = redactor.value(invocation.request.messages) as readonly Message[];
    invocation.request = override(invocation.request, { messages });
    await callNext();
    let held = "";
    const release = (end: number, emit: (delta: Delta) => void): void => {
      const ready = held.slice(0, end);
      held = held.slice(end);
      if (block && redactor.redact(ready) !== ready) throw new Error("blocked");
      if (ready !== "") emit(piece(redactor.redact(ready)));
    };
    invocation.pipe({
      chunk(delta, emit) {
        if (delta.type !== "part") return emit(delta);
        held += textOf([delta.part]);
        release(held.lastIndexOf(" ") + 1, emit);
      },
      flush: (emit) => release(held.length, emit),
    });
  },
  async tool(invocation, callNext) {
    invocation.request = override(invocation.request, { input: redactor.value(invocation.request.input) });
    await callNext();
    invocation.pipe({ chunk: (value, emit) => emit(redactor.value(value)) });
  },
});

describe("tracing", () => {
  it("nests its spans, and ends each once, when the user leaves while the model hangs", async () => {
    const { plugin, spans } = tracing();
    const abort = new AbortController();
    const stack = new PluginStack([plugin]);
    const run = stack.begin({ signal: abort.signal });
    const hangs: CallCore<"model"> = async (invocation) =>
      invocation.respond({
        stream: (async function* () {
          yield piece("a");
          await new Promise(() => {});
        })(),
      });
    const agent = await stack.call("agent", run, { messages: [] }, async (invocation) =>
      invocation.respond({
        stream: (async function* () {
          const asked = { id: "1", tool: { name: "t" }, input: {} };
          const found: CallCore<"tool"> = async (tool) => tool.respond({ value: "found" });
          await (await stack.call("tool", run, asked, found, invocation.call)).final();
          yield* await stack.call("model", run, request, hangs, invocation.call);
        })(),
      }),
    );
    setTimeout(() => abort.abort(new Error("the user left")), 5);
    await expect(agent.final()).rejects.toThrow("the user left");
    await run.end();
    expect(spans().map(({ name, parent, status }) => [name, parent, status])).toEqual([
      ["agent", undefined, "cancelled"],
      ["tool", "agent", "completed"],
      ["chat", "agent", "cancelled"],
    ]);
  });

  it("keeps personal data out of its spans, wherever the guard stands in the list", async () => {
    for (const order of ["outside", "inside"]) {
      const { plugin, spans } = tracing();
      const plugins = order === "outside" ? [plugin, guard()] : [guard(), plugin];
      const asked = { ...request, messages: [user("mail jane@example.org")] };
      await (await call("model", plugins, asked, streams("ok"))).outcome.final();
      expect(spans()[0]?.input).toContain("mail [EMAIL]");
    }
  });

  it("sees each attempt if it is inside of a retry, and one call if it is outside", async () => {
    for (const [order, statuses] of [
      ["outside", ["completed"]],
      ["inside", ["failed", "completed"]],
    ] as const) {
      const log: string[] = [];
      const retry = layer(async (invocation, callNext) => {
        await callNext();
        await invocation.result?.ready().catch(callNext);
      });
      let attempts = 0;
      const answer = await said(
        "model",
        order === "outside" ? [settles(log), retry] : [retry, settles(log)],
        request,
        async (invocation) => {
          const breaks = attempts++ === 0;
          invocation.respond({
            stream: (async function* () {
              if (breaks) throw new Error("429");
              yield* words("ok");
            })(),
          });
        },
      );
      expect([answer, log]).toEqual(["ok", statuses]);
    }
  });
});

describe("a guard", () => {
  it("removes a secret that is split across chunks from the stream and from the assembled answer", async () => {
    let sent = "";
    const asked = { ...request, messages: [user("mail jane@example.org")] };
    const { outcome } = await call("model", [guard()], asked, async (invocation) => {
      sent = invocation.request.messages.map(textOf).join();
      await streams("to ja", "ne@exam", "ple.org ok")(invocation);
    });
    expect([await collect(outcome), sent]).toEqual(["to [EMAIL] ok", "mail [EMAIL]"]);
    const reply = await outcome.final();
    expect([textOf(reply.message), reply.usage]).toEqual(["to [EMAIL] ok", { inputTokens: 1, outputTokens: 3 }]);
  });

  it("takes it out of a tool's input and result", async () => {
    let input: unknown;
    const asked = { id: "1", tool: { name: "mail" }, input: { to: "jane@example.org" } };
    const { outcome } = await call("tool", [guard()], asked, async (invocation) => {
      input = invocation.request.input;
      invocation.respond({ value: { rows: ["joe@example.org"] } });
    });
    expect([input, await outcome.final()]).toEqual([{ to: "[EMAIL]" }, { rows: ["[EMAIL]"] }]);
  });

  it("blocks in mid-stream: what was let through before is out, the rest is not, and the source is closed", async () => {
    let closed = false;
    const { outcome } = await call("model", [guard(true)], request, async (invocation) =>
      invocation.respond({
        stream: (async function* () {
          try {
            yield* words("hi ja", "ne@example.org and", "more ");
          } finally {
            closed = true;
          }
        })(),
      }),
    );
    let got = "";
    const consume = async (): Promise<void> => {
      for await (const delta of outcome) if (delta.type === "part") got += textOf([delta.part]);
    };
    await expect(consume()).rejects.toThrow("blocked");
    expect([got, closed, (await outcome.settled).status]).toEqual(["hi ", true, "failed"]);
  });

  it("cannot be bypassed by answering at once", async () => {
    const value: Reply = { message: message("assistant", "to jane@example.org") };
    const plain: CallCore<"model"> = async (invocation) => invocation.respond({ value });
    expect(await said("model", [guard()], request, plain)).toBe("to [EMAIL]");
    expect(await codeOf(said("model", [guard(true)], request, plain))).toMatchObject({ message: "blocked" });
  });
});

describe("a cache", () => {
  /** Keeps the chunks of whole answers by their request. */
  function caching() {
    const kept = new Map<string, readonly Delta[]>();
    const cache = layer(async (invocation, callNext) => {
      const key = JSON.stringify(invocation.request);
      const hit = kept.get(key);
      if (hit !== undefined) {
        invocation.respond({
          stream: (async function* () {
            yield* hit;
          })(),
        });
        return;
      }
      await callNext();
      const deltas: Delta[] = [];
      invocation.pipe({
        chunk(delta, emit) {
          deltas.push(delta);
          emit(delta);
        },
        settle({ status }) {
          if (status === "completed") kept.set(key, deltas);
        },
      });
    });
    let asked = 0;
    const ask = async () => {
      const { outcome } = await call("model", [cache], request, async (invocation) => {
        asked++;
        await streams("a", "b")(invocation);
      });
      return outcome;
    };
    return { ask, asked: () => asked };
  }

  it("keeps what streamed, and streams it again without a model", async () => {
    const { ask, asked } = caching();
    const [first, second] = [await collect(await ask()), await ask()];
    expect([first, second.streaming, await collect(second), asked()]).toEqual(["ab", true, "ab", 1]);
  });

  it("keeps nothing of an answer that was left half-way", async () => {
    const { ask, asked } = caching();
    for await (const _ of await ask()) break;
    expect([await collect(await ask()), asked()]).toEqual(["ab", 2]);
  });
});

describe("a person who must approve", () => {
  const decided = stateKey<readonly string[]>("approval.decided", () => []);
  const spent = stateKey("budget.spent", () => 0, { save: (sum) => sum, load: Number });
  const approval: Plugin = {
    name: "approval",
    async tool(invocation, callNext) {
      const { id, tool, input } = invocation.request;
      if (invocation.runtime.get(decided).includes(id)) return callNext();
      const pending: Pending = { reason: "approval", part: toolCall(id, tool.name, input) };
      invocation.respond({ suspended: [pending] });
    },
  };
  /** A retry that does not look: nothing may make it call a suspended tool again. */
  const eager: Plugin = {
    name: "eager",
    async tool(_invocation, callNext) {
      await callNext().catch(callNext);
    },
  };
  /** An agent of one tool call, that suspends with it, and goes on when it is resumed. */
  const turn = (stack: PluginStack, run: Run, resume: readonly ReturnType<typeof toolCallResponse>[]) =>
    stack.call("agent", run, { messages: [], resume }, async (agent) =>
      agent.respond({
        stream: (async function* () {
          run.set(
            decided,
            resume.map(({ id }) => id),
          );
          run.set(spent, run.get(spent) + 15);
          yield piece("paying… ");
          const pays: CallCore<"tool"> = async (tool) => tool.respond({ value: "paid" });
          const asked = { id: "c1", tool: { name: "pay" }, input: { eur: 5 } };
          const tool = await stack.call("tool", run, asked, pays, agent.call);
          for await (const _ of tool);
          const settled = await tool.settled;
          if (settled.status === "suspended") return { suspended: settled.pending };
          yield piece("done");
        })(),
      }),
    );

  it("suspends tool and agent, as neither success nor error, and the run goes on elsewhere with its state", async () => {
    const { plugin, spans } = tracing();
    const stack = new PluginStack([plugin, eager, approval]);
    const run = stack.begin();
    const first = await turn(stack, run, []);
    expect(await collect(first)).toBe("paying… ");
    const settled = await first.settled;
    expect(settled).toEqual({
      status: "suspended",
      pending: [{ reason: "approval", part: toolCall("c1", "pay", { eur: 5 }) }],
    });
    expect(spans().map(({ name, status }) => [name, status])).toEqual([
      ["agent", "suspended"],
      ["tool", "suspended"],
    ]);
    const stored = JSON.stringify({ runId: run.runId, durable: run.save() });
    await run.end();

    const resumed = stack.begin(JSON.parse(stored) as { runId: string; durable: Record<string, unknown> });
    const second = await turn(stack, resumed, [toolCallResponse("c1", "approved")]);
    expect(textOf((await second.final()).message)).toBe("paying… done");
    expect([resumed.get(spent), resumed.runId]).toEqual([30, run.runId]);
    await resumed.end();
  });
});

describe("a budget", () => {
  it("that is spent makes the model wrap up", async () => {
    const used = stateKey("budget.used", () => 0);
    const budget = layer(async (invocation, callNext) => {
      const { request: asked, runtime } = invocation;
      if (runtime.get(used) >= 4) {
        const messages = [...asked.messages, user("Wrap up.")];
        invocation.request = override(asked, { toolChoice: "none", messages });
      }
      await callNext();
      invocation.pipe({
        settle(settlement) {
          if (settlement.status !== "completed") return;
          const { inputTokens = 0, outputTokens = 0 } = settlement.final.usage ?? {};
          runtime.set(used, runtime.get(used) + inputTokens + outputTokens);
        },
      });
    });
    const choices: unknown[] = [];
    const stack = new PluginStack([budget]);
    const run = stack.begin();
    for (let rounds = 0; rounds < 3; rounds++) {
      const outcome = await stack.call("model", run, request, async (invocation) => {
        choices.push([invocation.request.toolChoice, invocation.request.messages.length]);
        await streams("a")(invocation);
      });
      await outcome.final();
    }
    expect(choices).toEqual([
      [undefined, 1],
      [undefined, 1],
      ["none", 2],
    ]);
  });
});

describe("speech", () => {
  it("rides along as events, made while the text goes on, and never enters the answer", async () => {
    const speaks: Plugin = {
      name: "speech",
      async agent(invocation, callNext) {
        await callNext();
        const spoken: string[] = [];
        const jobs: Promise<void>[] = [];
        const hand = (emit: (delta: Delta) => void): void => {
          for (const value of spoken.splice(0)) emit({ type: "event", name: "audio", value });
        };
        invocation.pipe({
          chunk(delta, emit) {
            emit(delta);
            if (delta.type === "part") {
              const heard = textOf([delta.part]);
              jobs.push(sleep(1).then(() => void spoken.push(`~${heard}`)));
            }
            hand(emit);
          },
          async flush(emit) {
            await Promise.all(jobs);
            hand(emit);
          },
        });
      },
    };
    const { outcome } = await call("agent", [speaks], { messages: [] }, async (invocation) =>
      invocation.respond({ stream: words("a", "b") }),
    );
    const audio: unknown[] = [];
    for await (const delta of outcome) if (delta.type === "event") audio.push(delta.value);
    expect([audio, textOf((await outcome.final()).message)]).toEqual([["~a", "~b"], "ab"]);
  });
});

describe("an adapter", () => {
  /** A framework's client, with a call that waits and a call that streams. */
  interface Client {
    generate(prompt: string): Promise<{ text: string; tokens: number }>;
    stream(prompt: string): AsyncIterable<{ kind: "text"; text: string } | { kind: "mark" }>;
  }
  const asked: string[] = [];
  const client: Client = {
    async generate(prompt) {
      asked.push(prompt);
      return { text: "to jane@example.org", tokens: 7 };
    },
    async *stream(prompt) {
      asked.push(prompt);
      yield { kind: "mark" };
      yield { kind: "text", text: "to jane@" };
      yield { kind: "text", text: "example.org" };
    },
  };
  const wrap = (target: Client, plugins: readonly Plugin[]): Client => {
    const stack = new PluginStack(plugins);
    const read = (messages: readonly Message[]): string => messages.map(textOf).join("");
    return {
      async generate(prompt) {
        const run = stack.begin();
        let native: Awaited<ReturnType<Client["generate"]>> | undefined;
        const outcome = await stack.call("model", run, { ...request, messages: [user(prompt)] }, async (invocation) => {
          native = await target.generate(read(invocation.request.messages));
          invocation.respond({ value: { message: message("assistant", native.text) } });
        });
        const { message: answer } = await outcome.final();
        await run.end();
        return { tokens: 0, ...native, text: textOf(answer) };
      },
      async *stream(prompt) {
        const run = stack.begin();
        const outcome = await stack.call("model", run, { ...request, messages: [user(prompt)] }, async (invocation) => {
          const source = target.stream(read(invocation.request.messages));
          invocation.respond({
            stream: (async function* (): AsyncGenerator<Delta, void> {
              for await (const chunk of source) {
                yield chunk.kind === "text" ? piece(chunk.text) : { type: "event", name: "native", value: chunk };
              }
            })(),
          });
        });
        for await (const delta of outcome) {
          if (delta.type === "part") yield { kind: "text", text: textOf([delta.part]) };
          else if (delta.type === "event") yield delta.value as { kind: "mark" };
        }
        await run.end();
      },
    };
  };

  it("needs one frame for the call that waits and the call that streams, in the framework's own types", async () => {
    const wrapped = wrap(client, [guard()]);
    expect(await wrapped.generate("for joe@example.org")).toEqual({ text: "to [EMAIL]", tokens: 7 });
    const chunks: unknown[] = [];
    for await (const chunk of wrapped.stream("for joe@example.org")) chunks.push(chunk);
    expect(chunks).toEqual([{ kind: "mark" }, { kind: "text", text: "to " }, { kind: "text", text: "[EMAIL]" }]);
    expect(asked).toEqual(["for [EMAIL]", "for [EMAIL]"]);
  });
});
