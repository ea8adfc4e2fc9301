import { describe, expect, it } from "@jest/globals";
import {
  type Delta,
  type Invocation,
  type Kind,
  type Message,
  type ModelRequest,
  message,
  type Notification,
  type Plugin,
  type Reply,
  type Request,
  type RuntimeContext,
  redactorOf,
  textOf,
  toolCall,
  toolCallResponse,
} from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";
import { type AsyncVault, memoryVault, type PiiOptions, pii, type TokenId, type Vault } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { membersOf } from "./calls.js";

const mail = "jane.doe@example.com";
const other = "bob@y.org";
const form = /<EMAIL_\d+_[a-z]{8}>/;
const plugin = (options: PiiOptions = {}): Plugin => pii({ email: "tokenize", ip: "redact" }, options) as Plugin;
const piece = (content: string, at = "0"): Delta => ({ type: "part", at, part: { type: "text", content } });
const requestOf = (...messages: Message[]): ModelRequest => ({ model: "m", messages, tools: [] });
const textIn = (value: unknown): string => JSON.stringify(value);
const tokenIn = (value: unknown): string => form.exec(textIn(value))?.[0] ?? "no token";

/** The words of a model, once it has seen its request. */
type Says = (request: ModelRequest) => readonly Delta[];

/** One run of a stack with this plugin, and what is told in it. */
class Bench {
  readonly told: Notification[] = [];
  readonly stack: PluginStack;
  readonly run: Run;

  constructor(one: Plugin, options: RunOptions = {}) {
    this.stack = new PluginStack([{ name: "ears", observe: (told) => void this.told.push(told) }, one]);
    this.run = this.stack.begin({ sessionId: "s", ...options });
  }

  /** A model call by itself, or within another call. */
  async ask(request: ModelRequest, says: Says, parent?: Invocation<Kind>["call"]) {
    let seen: ModelRequest = request;
    const outcome = await this.stack.call(
      "model",
      this.run,
      request,
      async (invocation) => {
        seen = invocation.request;
        invocation.respond({ stream: given(says(seen)) });
      },
      parent,
    );
    return { seen, outcome };
  }

  /** A whole reply of one round. */
  async reply(request: ModelRequest, says: Says) {
    let inner: Reply | undefined;
    let seen: ModelRequest | undefined;
    const outcome = await this.stack.call("agent", this.run, { messages: request.messages }, async (agent) => {
      const asked = await this.ask(request, says, agent.call);
      seen = asked.seen;
      inner = await asked.outcome.final();
      agent.respond({ stream: given(explode(inner)) });
    });
    const reply = await outcome.final();
    return { seen, inner, reply, text: textOf(reply.message) };
  }

  /** The input that a tool was called with, and what it answered. */
  async tool(name: string, input: unknown, answer: unknown = "ok") {
    let seen: unknown;
    const request: Request<"tool"> = { id: "1", tool: { name }, input };
    const outcome = await this.stack.call("tool", this.run, request, async (invocation) => {
      seen = invocation.request.input;
      invocation.respond({ value: answer });
    });
    return { seen, answer: await outcome.final() };
  }

  get faults(): unknown[] {
    return this.told.flatMap((one) => (one.type === "fault" ? [one.error] : []));
  }
}

async function* given<C>(chunks: readonly C[]): AsyncGenerator<C, void> {
  yield* chunks;
}
const explode = ({ message: { parts } }: Reply): Delta[] => [
  ...parts.map((part, index): Delta => ({ type: "part", at: `${index}`, part })),
  { type: "finish", finishReason: "stop" },
];
/** Says a text in which `@` stands for the first token of the request, in pieces. */
const saying =
  (text: string, size = 1000): Says =>
  (request) =>
    (text.replaceAll("@", tokenIn(request)).match(new RegExp(`.{1,${size}}`, "gsu")) ?? []).map((part) => piece(part));

describe("the round trip", () => {
  it("shows the model tokens and the user values, and keeps tokens in between", async () => {
    const bench = new Bench(plugin());
    const { seen, inner, text } = await bench.reply(
      requestOf(message("user", `I am ${mail}, not ${other}`)),
      saying("Dear @, hello."),
    );
    expect(textIn(seen)).not.toMatch(/jane|bob/);
    expect(textOf((inner as Reply).message)).toMatch(/^Dear <EMAIL_1_[a-z]{8}>, hello\.$/);
    expect(text).toBe(`Dear ${mail}, hello.`);
    expect(bench.told.map((one) => one.type === "guardrail" && one.findings)).toEqual([{ email: 2 }]);
  });

  it("is the same for every way in which an answer comes in pieces", async () => {
    const request = requestOf(message("user", mail));
    const words = fc.constantFrom("@", " ", "to ", "@ and @", "<", "EMAIL_", "e", "\n", "x<y ", "😀");
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), async (list, size) => {
        const said = list.join("");
        const bench = new Bench(plugin());
        const { outcome } = await bench.ask(request, saying(said, size));
        let out = "";
        for await (const delta of outcome) if (delta.type === "part") out += textOf([delta.part]);
        expect(out).toBe(said.replaceAll("@", mail));
      }),
      { numRuns: runs(200) },
    );
  });

  it("puts values back into the answer of a model that is asked without an agent", async () => {
    const bench = new Bench(plugin());
    const { outcome } = await bench.ask(requestOf(message("user", mail)), saying("Dear @"));
    expect(textOf((await outcome.final()).message)).toBe(`Dear ${mail}`);
  });

  it("keeps the order of parts, and what was held of one before the next one", async () => {
    const bench = new Bench(plugin());
    const says: Says = (request) => [
      piece("Mail <EMA", "0"),
      { type: "part", at: "1", part: toolCall("1", "look", {}) },
      piece(`${tokenIn(request)} <EM`, "2"),
      { type: "finish", finishReason: "stop" },
    ];
    const { outcome } = await bench.ask(requestOf(message("user", mail)), says);
    const chunks: Delta[] = [];
    for await (const delta of outcome) chunks.push(delta);
    expect(chunks).toEqual([
      piece("Mail ", "0"),
      piece("<EMA", "0"),
      { type: "part", at: "1", part: toolCall("1", "look", {}) },
      piece(`${mail} `, "2"),
      piece("<EM", "2"),
      { type: "finish", finishReason: "stop" },
    ]);
  });

  it("passes a chunk itself if nothing in it is restored", async () => {
    const whole = piece("nothing here. ");
    const { outcome } = await new Bench(plugin()).ask(requestOf(), () => [whole]);
    for await (const delta of outcome) expect(delta).toBe(whole);
  });

  it("sees links across parts", async () => {
    const bench = new Bench(plugin());
    const says: Says = (request) => [piece("![a](/x?q=", "0"), piece(`${tokenIn(request)}) ${tokenIn(request)}`, "1")];
    const { outcome } = await bench.ask(requestOf(message("user", mail)), says);
    const text = textOf((await outcome.final()).message);
    expect(text).toMatch(/^!\[a\]\(\/x\?q=<EMAIL_1_[a-z]{8}>\) jane\.doe@example\.com$/);
  });

  it("leaves tokens where output is switched off, and all as it is in monitor mode", async () => {
    const off = new Bench(plugin({ restore: { output: false } }));
    expect((await off.reply(requestOf(message("user", mail)), saying("Dear @"))).text).toMatch(form);
    const watching = new Bench(plugin({ mode: "monitor" }));
    const { seen } = await watching.reply(requestOf(message("user", mail)), saying("x"));
    expect(textIn(seen)).toContain(mail);
  });

  it("writes values as JSON where the answer is JSON", async () => {
    const odd = pii({ note: { recognizer: /N'[^']*'/, maxLength: 40, strategy: "tokenize" } }) as Plugin;
    const bench = new Bench(odd);
    const request = { ...requestOf(message("user", "N'a\"b\\c'")), outputSchema: {} };
    const says: Says = (asked) => {
      const token = /<NOTE_1_[a-z]{8}>/.exec(textIn(asked))?.[0] ?? "";
      return [...'{"a":"', ...token, '","b":"\\u003c', ...token.slice(1), '"}'].map((part) => piece(part));
    };
    expect(JSON.parse((await bench.reply(request, says)).text)).toEqual({ a: "N'a\"b\\c'", b: "N'a\"b\\c'" });
  });

  it("leaves reasoning, and events, with their tokens", async () => {
    const bench = new Bench(plugin());
    const says: Says = (request) => [
      { type: "part", at: "r", part: { type: "reasoning", content: tokenIn(request), signature: "s" } },
      { type: "event", name: "raw", value: tokenIn(request) },
    ];
    const { outcome } = await bench.ask(requestOf(message("user", mail)), says);
    const chunks: unknown[] = [];
    for await (const delta of outcome) chunks.push(delta);
    expect(textIn(chunks)).not.toContain("jane");
    expect(textIn(chunks).match(new RegExp(form, "g"))).toHaveLength(2);
  });
});

describe("tools", () => {
  it("tools receive tokens, except those that are named", async () => {
    const bench = new Bench(plugin({ restore: { tools: ["send_mail"] }, apply: { toolResults: true } }));
    const { seen } = await bench.reply(requestOf(message("user", mail)), saying("ok"));
    const token = tokenIn(seen);
    const input = {
      to: [token, token.toLowerCase()],
      note: `for ${token.slice(1, -1)}`,
      link: `https://x.com/${token}`,
    };
    expect((await bench.tool("look", input)).seen).toBe(input);
    expect((await bench.tool("send_mail", input)).seen).toEqual({
      to: [mail, mail],
      note: `for ${mail}`,
      link: `https://x.com/${token}`,
    });
    expect((await bench.tool("look", {}, { found: [mail, token] })).answer).toEqual({ found: [token, token] });
  });

  it("that are named get values also where their arguments are treated", async () => {
    const bench = new Bench(plugin({ restore: { tools: ["send_mail"] }, apply: { toolArguments: true } }));
    expect((await bench.tool("send_mail", { to: mail, ip: "10.0.0.1" })).seen).toEqual({
      to: mail,
      ip: "[REDACTED_IP]",
    });
    expect(tokenIn((await bench.tool("look", { to: mail })).seen)).toMatch(form);
  });

  it("calls of named tools have values in the answer, streamed or not, as valid JSON", async () => {
    const odd = pii(
      { note: { recognizer: /N'[^']*'/, maxLength: 40, strategy: "tokenize" } },
      {
        restore: { tools: ["send_mail"] },
      },
    ) as Plugin;
    const value = "N'a\"b\\c\n'";
    const request = requestOf(message("user", value));
    const tokenOf = (asked: unknown): string => /<NOTE_1_[a-z]{8}>/.exec(textIn(asked))?.[0] ?? "";
    for (const size of [1, 4, 100]) {
      const says: Says = (asked) => {
        const json = `{"to":"${tokenOf(asked)}","other":["\\u003cnote${tokenOf(asked).slice(5, -1)}\\u003E"]}`;
        const pieces = json.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
        return ["send_mail", "look"].flatMap((name): Delta[] => [
          { type: "part", at: name, part: toolCall(name, name, undefined) },
          ...pieces.map((part): Delta => ({ type: "arguments", at: name, json: part })),
        ]);
      };
      const { outcome } = await new Bench(odd).ask(request, says);
      const [send, look] = (await outcome.final()).message.parts;
      expect(send).toMatchObject({ name: "send_mail", arguments: { to: value, other: [value] } });
      expect(textIn(look)).toContain("<NOTE_1_");
      expect(textIn(look)).not.toContain("N'");
    }
    const whole: Says = (asked) => [
      { type: "part", at: "0", part: { ...toolCall("0", "send_mail", { to: tokenOf(asked) }), native: {} } },
    ];
    const { outcome } = await new Bench(odd).ask(request, whole);
    expect((await outcome.final()).message.parts).toEqual([toolCall("0", "send_mail", { to: value })]);
  });
});

it("a person's edited arguments are for the tool that may see values, and other answers are not", async () => {
  const bench = new Bench(plugin({ restore: { tools: ["send_mail"] }, apply: { humanInput: true } }));
  const answer = async (name: string): Promise<unknown> => {
    const request: Request<"humanInput"> = { question: "May it?", about: toolCall("1", name, {}) };
    const outcome = await bench.stack.call("humanInput", bench.run, request, async (invocation) =>
      invocation.respond({ value: { approve: true, arguments: { to: mail } } }),
    );
    return outcome.final();
  };
  expect(await answer("send_mail")).toEqual({ approve: true, arguments: { to: mail } });
  expect(textIn(await answer("look"))).toMatch(form);
});

describe("a conversation", () => {
  it("has the same tokens in every turn of its session, whatever of it holds values and whatever tokens", async () => {
    const one = plugin();
    const first = await new Bench(one).reply(requestOf(message("user", `I am ${mail}`)), saying("Hello @"));
    const token = tokenIn(first.seen);
    for (const answer of [first.inner, first.reply]) {
      const history = [message("user", `I am ${mail}`), (answer as Reply).message, message("user", `and ${other}`)];
      const { seen, text } = await new Bench(one).reply(requestOf(...history), saying("Bye @"));
      expect(seen?.messages.map(textOf)).toEqual([
        `I am ${token}`,
        `Hello ${token}`,
        `and ${token.replace("EMAIL_1", "EMAIL_2")}`,
      ]);
      expect(text).toBe(`Bye ${mail}`);
    }
  });

  it("has tokens that its tools have seen in their calls and answers, and no rule takes them to pieces", async () => {
    const greedy = pii({
      email: "tokenize",
      word: { recognizer: /[a-z]{8}/i, strategy: "redact", score: 1 },
    }) as Plugin;
    const { seen } = await new Bench(greedy).reply(requestOf(message("user", mail)), saying("ok"));
    const token = tokenIn(seen);
    const history = [
      message("user", mail),
      message("assistant", [toolCall("1", "look", { who: token })]),
      message("tool", [toolCallResponse("1", `found ${token}`)]),
    ];
    const again = await new Bench(greedy).reply(requestOf(...history), saying("It is @"));
    expect(again.seen?.messages.map((one) => one.parts)).toEqual([
      [{ type: "text", content: token }],
      [toolCall("1", "look", { who: token })],
      [toolCallResponse("1", `found ${token}`)],
    ]);
    expect(again.text).toBe(`It is ${mail}`);
  });

  it("is not looked through again, unless its session was erased or it is given in another one", async () => {
    let looked = 0;
    const vault = memoryVault();
    const counting = pii(
      {
        email: {
          recognizer: (text) => {
            looked++;
            const at = text.indexOf(mail);
            return at < 0 ? [] : [{ start: at, end: at + mail.length }];
          },
          strategy: "tokenize",
        },
      },
      { vault },
    ) as Plugin;
    const request = requestOf(message("user", mail));
    const ask = async (sessionId = "s") =>
      tokenIn((await new Bench(counting, { sessionId }).reply(request, saying("ok"))).seen);
    const token = await ask();
    const before = looked;
    expect(await ask()).toBe(token);
    expect(looked).toBe(before);
    vault.erase("s");
    const anew = await ask();
    expect(anew).not.toBe(token);
    expect(await ask("t")).not.toBe(anew);
    expect(looked).toBeGreaterThan(before + 1);
  });
});

describe("a look-alike of a token", () => {
  it("gets a token in a user's message, and comes back unchanged", async () => {
    const one = plugin();
    const first = await new Bench(one).reply(requestOf(message("user", mail)), saying("ok"));
    const token = tokenIn(first.seen);
    const history = [message("user", mail), message("assistant", "ok"), message("user", `Repeat: ${token}`)];
    const repeat: Says = (request) => [piece(textOf(request.messages.at(-1) ?? message("user", "")))];
    const { seen, text } = await new Bench(one).reply(requestOf(...history), repeat);
    expect(textOf(seen?.messages.at(-1) as Message)).toMatch(/^Repeat: <<TEXT_1_[a-z]{8}>>$/);
    expect(text).toBe(`Repeat: ${token}`);
  });

  it("of another session stands for nothing in this one", async () => {
    const one = plugin();
    const first = await new Bench(one, { sessionId: "a" }).reply(requestOf(message("user", mail)), saying("ok"));
    const bench = new Bench(one, { sessionId: "b" });
    const { text } = await bench.reply(requestOf(message("user", other)), () => [
      piece(`It is ${tokenIn(first.seen)}`),
    ]);
    expect(text).toBe(`It is ${tokenIn(first.seen)}`);
  });

  it("in an answer that was put back is the user's own text in the next turn", async () => {
    const one = plugin();
    const first = await new Bench(one).ask(requestOf(message("user", mail)), saying("ok"));
    const token = tokenIn(first.seen);
    await first.outcome.final();
    const history = [
      message("user", `Say ${token}`),
      message("assistant", `You said ${token}`),
      message("user", "Again"),
    ];
    const { seen } = await new Bench(one).ask(requestOf(...history), saying("ok"));
    expect(textIn(seen)).not.toMatch(form);
  });
});

describe("a run within a run", () => {
  const nested = async (inner: Plugin, outer: Plugin) => {
    const bench = new Bench(outer);
    let said = "";
    const { seen } = await bench.reply(requestOf(message("user", mail)), saying("ok"));
    const within = new Bench(inner, { parent: bench.run as RuntimeContext });
    const result = await within.reply(requestOf(message("user", `Find ${tokenIn(seen)}`)), (request) => {
      said = textIn(request);
      return [piece(`Found ${/<[A-Z]+_\d_[a-z]{8}>/.exec(said)?.[0]}`)];
    });
    const history = [message("user", mail), message("tool", [toolCallResponse("1", result.text)])];
    const end = await bench.reply(requestOf(...history), (request) => [
      piece(`${/Found [^"]+/.exec(textIn(request.messages.at(-1)))}.`),
    ]);
    return { said, inner: result.text, end: end.text };
  };

  it("takes tokens, gives tokens, and the outermost answer has the value", async () => {
    const vault = memoryVault();
    for (const [inner, outer] of [
      [plugin({ vault }), plugin({ vault })],
      [plugin({ vault: memoryVault() }), plugin()],
    ] as const) {
      const { said, inner: result, end } = await nested(inner, outer);
      expect(`${said} ${result}`).not.toContain("jane");
      expect(end).toBe(`Found ${mail}.`);
    }
  });
});

it("a message is treated differently in an outermost run and in an inner run", async () => {
  const vault = memoryVault();
  const one = plugin({ vault });
  const outer = new Bench(one);
  const token = tokenIn((await outer.reply(requestOf(message("user", mail)), saying("ok"))).seen);
  const shared = requestOf(message("user", `Find ${token}`));
  const inner = new Bench(one, { parent: outer.run as RuntimeContext });
  for (let times = 0; times < 2; times++) {
    expect(textIn((await inner.ask(shared, saying("ok"))).seen)).toContain(token);
    expect(textIn((await outer.ask(shared, saying("ok"))).seen)).toMatch(/Find <<TEXT_1_/);
  }
});

describe("a summary", () => {
  it("becomes part of the history with values, and is given to the model with tokens", async () => {
    const bench = new Bench(plugin());
    const history = [message("user", mail)];
    const outcome = await bench.stack.call("agent", bench.run, { messages: history }, async (agent) => {
      const compressed = await bench.stack.call(
        "compressContext",
        bench.run,
        { messages: history },
        async (invocation) => {
          const asked = await bench.ask(requestOf(...history), saying("It is about @."), invocation.call);
          invocation.respond({ value: [message("user", textOf((await asked.outcome.final()).message))] });
        },
        agent.call,
      );
      const messages = await compressed.final();
      const { seen, outcome: answer } = await bench.ask(requestOf(...messages), saying("So @"), agent.call);
      expect(textIn(seen)).not.toContain("jane");
      agent.respond({ value: await answer.final() });
    });
    expect(textOf((await outcome.final()).message)).toBe(`So ${mail}`);
  });
});

describe("telemetry", () => {
  it("never has values, and never puts them back", async () => {
    const one = plugin({ restore: { tools: ["send_mail"] } });
    const bench = new Bench(one);
    const { seen, text } = await bench.reply(requestOf(message("user", mail)), saying("Dear @"));
    const redactor = redactorOf(bench.run);
    expect(redactor?.redact(text)).toBe("Dear [REDACTED_EMAIL]");
    const token = tokenIn(seen);
    expect(redactor?.redact(`Dear ${token}`)).toBe(`Dear ${token}`);
    expect(redactor?.value({ token, mail })).toEqual({ token, mail: "[REDACTED_EMAIL]" });
    expect(textIn(bench.told)).not.toContain("jane");
  });
});

describe("the values of a run", () => {
  const counting = (): Vault & { readonly kept: Set<string> } => {
    const vault = memoryVault();
    const kept = new Set<string>();
    return {
      kept,
      id: (session, label, value) => {
        kept.add(session);
        return vault.id(session, label, value);
      },
      value: (session, id) => vault.value(session, id),
      erase: (session) => {
        kept.delete(session);
        vault.erase(session);
      },
    };
  };

  it("are erased at the end of a run without a session, and kept with one", async () => {
    const vault = counting();
    const bench = new Bench(plugin({ vault }), { sessionId: "" });
    await bench.reply(requestOf(message("user", mail)), saying("@"));
    expect([...vault.kept]).toEqual([`run:${bench.run.runId}`]);
    await bench.run.end();
    expect([...vault.kept]).toEqual([]);
    const next = new Bench(plugin({ vault }));
    await next.reply(requestOf(message("user", mail)), saying("@"));
    await next.run.end();
    expect([...vault.kept]).toEqual(["s"]);
  });

  it("are kept while it is suspended, also without a session", async () => {
    const vault = counting();
    const one = plugin({ vault });
    const request = requestOf(message("user", mail));
    const bench = new Bench(one, { sessionId: undefined });
    let token = "";
    const outcome = await bench.stack.call("agent", bench.run, { messages: [] }, async (agent) => {
      const { seen } = await bench.ask(request, saying("x"), agent.call);
      token = tokenIn(seen);
      agent.respond({ suspended: [{ reason: "external", part: toolCall("1", "t", {}) }] });
    });
    for await (const _ of outcome);
    await bench.run.end();
    expect([...vault.kept]).toEqual([`run:${bench.run.runId}`]);

    const resumed = new Bench(one, { sessionId: undefined, runId: bench.run.runId });
    const { seen, text } = await resumed.reply(request, saying("@"));
    expect([tokenIn(seen), text]).toEqual([token, mail]);
    await resumed.run.end();
    expect([...vault.kept]).toEqual([]);
  });
});

describe("tokens that stand for nothing here", () => {
  it("stay and are reported once, as in a conversation of another process", async () => {
    const first = await new Bench(plugin()).reply(requestOf(message("user", mail)), saying("Hello @"));
    const history = [message("user", "hi"), (first.inner as Reply).message, message("user", "Who am I?")];
    const bench = new Bench(plugin());
    const { text } = await bench.reply(requestOf(...history), (request) => [
      piece(textOf(request.messages[1] ?? message("user", ""))),
    ]);
    expect(text).toBe(`Hello ${tokenIn(first.inner)}`);
    expect(bench.faults).toEqual([expect.objectContaining({ code: "ERR_PII_TOKEN_UNKNOWN" })]);
  });
});

describe("a vault that fails", () => {
  const failing: Vault = {
    id() {
      throw new Error("down");
    },
    value() {
      throw new Error("down");
    },
    erase() {},
  };

  it("ends the call before anything is sent, or lets it pass untreated by choice", async () => {
    const request = requestOf(message("user", mail));
    await expect(new Bench(plugin({ vault: failing })).ask(request, saying("x"))).rejects.toMatchObject({
      code: "ERR_PII_VAULT_FAILED",
    });
    const { seen } = await new Bench(plugin({ vault: failing, onError: "open" })).ask(request, saying("x"));
    expect(seen).toBe(request);
  });

  it("leaves tokens in the answer, and that is told once", async () => {
    const vault: Vault = { ...failing, id: () => ({ label: "EMAIL", number: 1, tag: "bcdfghjk" }) };
    const bench = new Bench(plugin({ vault }));
    const { text } = await bench.reply(requestOf(message("user", mail)), saying("@ and @"));
    expect(text).toBe("<EMAIL_1_bcdfghjk> and <EMAIL_1_bcdfghjk>");
    expect(bench.faults).toEqual([expect.objectContaining({ code: "ERR_PII_VAULT_FAILED" })]);
  });

  it("that is full ends the call", async () => {
    const vault = memoryVault({ maxPerSession: 1 });
    const bench = new Bench(plugin({ vault }));
    await bench.reply(requestOf(message("user", mail)), saying("ok"));
    await expect(bench.ask(requestOf(message("user", other)), saying("x"))).rejects.toMatchObject({
      code: "ERR_PII_VAULT_FULL",
      message: expect.not.stringContaining("bob"),
    });
    expect((await bench.reply(requestOf(message("user", mail)), saying("@"))).text).toBe(mail);
  });
});

describe("a vault that answers asynchronously", () => {
  /** A memory vault behind a delay. */
  function slow(vault: Vault = memoryVault()): AsyncVault & { asked: number } {
    const later = async <T>(answer: () => T): Promise<T> => {
      self.asked++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return answer();
    };
    const self: AsyncVault & { asked: number } = {
      async: true,
      asked: 0,
      id: (session, label, value) => later(() => vault.id(session, label, value)),
      value: (session, id: TokenId) => later(() => vault.value(session, id)),
      erase: (session) => later(() => vault.erase(session)),
    };
    return self;
  }
  const everywhere = { output: true, toolArguments: true, toolResults: true, systemPrompt: true, humanInput: true };

  it("serves requests, answers, tools and the system prompt alike", async () => {
    const bench = new Bench(plugin({ vault: slow(), apply: everywhere, restore: { tools: ["send_mail"] } }));
    const { seen, inner, text } = await bench.reply(requestOf(message("user", `I am ${mail}`)), (request) =>
      [...`Dear ${tokenIn(request)}, ask ${other} now`].map((character) => piece(character)),
    );
    const token = tokenIn(seen);
    expect(textIn([seen, inner])).not.toMatch(/jane|bob/);
    expect(text).toBe(`Dear ${mail}, ask ${other} now`);
    expect((await bench.tool("look", { to: mail }, { from: mail })).seen).toEqual({ to: token });
    expect((await bench.tool("look", {}, { from: mail })).answer).toEqual({ from: token });
    expect((await bench.tool("send_mail", { to: token })).seen).toEqual({ to: mail });
    expect(await bench.stack.systemPrompt(`You serve ${mail}.`, bench.run)).toBe(`You serve ${token}.`);
    expect(bench.told.filter((one) => one.type === "guardrail").map((one) => one.place)).toEqual([
      "input",
      "output",
      "tool_arguments",
      "tool_result",
      "tool_result",
      "system_prompt",
    ]);
    expect(bench.faults).toEqual([]);
  });

  it("is asked for what a run needs once", async () => {
    const vault = slow();
    const bench = new Bench(plugin({ vault }));
    const request = requestOf(message("user", `${mail} ${mail} ${other}`));
    await bench.reply(request, saying("@"));
    expect(vault.asked).toBe(2);
    await bench.reply(request, saying("@"));
    expect(vault.asked).toBe(2);
  });

  it("knows the tokens of earlier turns, and what only looks like one", async () => {
    const shared = memoryVault();
    const first = await new Bench(plugin({ vault: shared })).reply(requestOf(message("user", mail)), saying("Hello @"));
    const token = tokenIn(first.seen);
    const history = [
      message("user", `my ${token}`),
      (first.inner as Reply).message,
      message("tool", [toolCallResponse("1", `${token} <EMAIL_1_bcdfghjk>`)]),
    ];
    const bench = new Bench(plugin({ vault: slow(shared) }));
    const { seen, text } = await bench.reply(requestOf(...history), () => [
      piece(`It is ${token}, <EMAIL_9_bcdfghjk>`),
    ]);
    expect(textOf(seen?.messages[0] as Message)).toMatch(/^my <<TEXT_1_/);
    expect(textOf(seen?.messages[1] as Message)).toBe(`Hello ${token}`);
    expect(textIn(seen?.messages[2])).toContain(`${token} <<TEXT_2_`);
    expect(text).toBe(`It is ${mail}, <EMAIL_9_bcdfghjk>`);
  });

  it("that fails ends the call, and leaves tokens in answers", async () => {
    const down: AsyncVault = { ...slow(), id: () => Promise.reject(new Error("down")) };
    await expect(
      new Bench(plugin({ vault: down })).ask(requestOf(message("user", mail)), saying("x")),
    ).rejects.toMatchObject({
      code: "ERR_PII_VAULT_FAILED",
    });
    const mute: AsyncVault = { ...slow(), value: () => Promise.reject(new Error("down")) };
    const bench = new Bench(plugin({ vault: mute }));
    const { text } = await bench.reply(requestOf(message("user", "hi")), () => [piece("<EMAIL_1_bcdfghjk>")]);
    expect(text).toBe("<EMAIL_1_bcdfghjk>");
    expect(bench.faults).toEqual([expect.objectContaining({ code: "ERR_PII_VAULT_FAILED" })]);
  });
});

describe("the hooks of a plugin that makes tokens", () => {
  it("are those of its places, and those that restore values if a framework offers them", () => {
    const keys = (options: PiiOptions): unknown => {
      const { whereOffered, ...rest } = plugin(options);
      return [membersOf(rest).join(" "), whereOffered];
    };
    expect(keys({})).toEqual([
      "agent begin embedding end forgetUser model name redactor reveal",
      ["agent", "embedding"],
    ]);
    expect(keys({ restore: { tools: ["t"] } })).toEqual([
      "agent begin embedding end forgetUser model name redactor reveal tool",
      ["agent", "tool", "embedding"],
    ]);
    expect(keys({ restore: { tools: ["t"] }, apply: { toolResults: true } })).toEqual([
      "agent begin embedding end forgetUser model name redactor reveal tool",
      ["agent", "embedding"],
    ]);
    expect(keys({ apply: { input: false, toolResults: true } })).toEqual([
      "agent begin end forgetUser model name redactor reveal tool",
      ["agent", "model"],
    ]);
    expect(keys({ mode: "monitor" })).toEqual(["embedding model name redactor", ["embedding"]]);
  });

  it("are refused with options that cannot be meant", () => {
    const bad = expect.objectContaining({ code: "ERR_PII_INVALID_RULE" });
    expect(() => plugin({ restore: { outputs: true } as never })).toThrow(bad);
    expect(() => plugin({ restore: { tools: "send_mail" as never } })).toThrow(bad);
    expect(() => plugin({ restore: { output: "yes" as never } })).toThrow(bad);
  });
});
