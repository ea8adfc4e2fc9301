import { describe, expect, it } from "@jest/globals";
import {
  type Delta,
  type Kind,
  type Message,
  type ModelRequest,
  message,
  type Notification,
  type Plugin,
  type Request,
  redactorOf,
  textOf,
  toolCall,
} from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import {
  type AsyncVault,
  memoryVault,
  type PiiOptions,
  pii,
  type RecognizerFunction,
  type Rule,
  type Rules,
} from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const gone = "[REDACTED_PERSON]";
const everywhere = {
  input: true,
  output: true,
  toolArguments: true,
  toolResults: true,
  humanInput: true,
  systemPrompt: true,
  errors: true,
};

/** Finds Jane, some time later, and tells what it was asked. */
function finder(asked: string[] = []): RecognizerFunction {
  return async (text) => {
    asked.push(text);
    await Promise.resolve();
    return Array.from(text.matchAll(/Jane/g), ({ index }) => ({ start: index, end: index + 4 }));
  };
}
const rules = (rule: Partial<Rule> = {}): Rules => ({
  person: { recognizer: finder(), strategy: "redact", ...rule },
  email: "redact",
});
const plugin = (rule?: Partial<Rule>, options: PiiOptions = {}): Plugin =>
  pii(rules(rule), { apply: everywhere, ...options }) as Plugin;

/** A stack with this plugin in one run. */
class Bench {
  readonly told: Notification[] = [];
  readonly stack: PluginStack;
  readonly run;

  constructor(subject: Plugin, signal?: AbortSignal) {
    this.stack = new PluginStack([{ name: "ears", observe: (one) => void this.told.push(one) }, subject]);
    this.run = this.stack.begin(signal && { signal });
  }

  /** One call: what was asked inside, and what came out. */
  async call<K extends Kind>(kind: K, request: Request<K>, answer: unknown) {
    let seen: Request<K> | undefined;
    const outcome = await this.stack.call(kind, this.run, request, async (invocation) => {
      seen = invocation.request as Request<K>;
      if (answer instanceof Error) throw answer;
      invocation.respond((kind === "model" ? { stream: given(answer as Delta[]) } : { value: answer }) as never);
    });
    return { seen: seen as Request<K>, outcome, final: await outcome.final() };
  }

  get decisions(): unknown[] {
    return this.told.flatMap((one) => (one.type === "guardrail" ? [[one.place, one.decision, one.findings]] : []));
  }
}

async function* given<C>(chunks: readonly C[]): AsyncGenerator<C, void> {
  yield* chunks;
}
const requestOf = (...messages: Message[]): ModelRequest => ({ model: "m", messages, tools: [] });
const piece = (content: string, at = "0"): Delta => ({ type: "part", at, part: { type: "text", content } });
const json = (part: string): Delta => ({ type: "arguments", at: "1", json: part });

describe("an async recogniser", () => {
  it("is waited for at every place", async () => {
    const bench = new Bench(plugin());
    const model = await bench.call("model", requestOf(message("user", "I am Jane")), [
      { type: "part", at: "r", part: { type: "reasoning", content: "Ja" } },
      { type: "part", at: "r", part: { type: "reasoning", content: "ne?" } },
      piece("Hello Ja"),
      piece("ne, jane@x.com"),
      { type: "part", at: "1", part: toolCall("1", "look", {}) },
      json('{"na'),
      json('me":"Ja'),
      json('ne"}'),
      { type: "event", name: "raw", value: { said: "Jane" } },
      { type: "finish", finishReason: "tool_calls" },
    ] satisfies Delta[]);
    expect(textOf(model.seen.messages[0] as Message)).toBe(`I am ${gone}`);
    expect(model.final.message.parts).toEqual([
      { type: "reasoning", content: `${gone}?` },
      { type: "text", content: `Hello ${gone}, [REDACTED_EMAIL]` },
      toolCall("1", "look", { name: gone }),
    ]);
    const tool = await bench.call("tool", { id: "1", tool: { name: "look" }, input: { name: "Jane" } }, ["Jane"]);
    expect([tool.seen.input, tool.final]).toEqual([{ name: gone }, [gone]]);
    const person = await bench.call("humanInput", { question: "Jane?" } as never, "Jane!");
    expect([person.seen.question, person.final]).toEqual([`${gone}?`, `${gone}!`]);
    expect(await bench.stack.systemPrompt("You help Jane", bench.run)).toBe(`You help ${gone}`);
    const failing = bench.call("tool", { id: "2", tool: { name: "look" }, input: 1 }, new Error("no Jane"));
    await expect(failing).rejects.toThrow(`no ${gone}`);
    expect(JSON.stringify(bench.decisions)).not.toMatch(/fail|Jane/);
  });

  it("gives the same for every split of an answer", async () => {
    const words = fc.constantFrom("Jane", "Ja", "ne", " ", "x", "jane@x.com ", "😀");
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 12 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom({}, { maxLength: 4 }),
        async (list, size, rule) => {
          const said = list.join("");
          const bench = new Bench(plugin(rule));
          const pieces = said.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
          const { final } = await bench.call(
            "model",
            requestOf(),
            pieces.map((part) => piece(part)),
          );
          const redactor = (pii(rules(rule)) as Plugin & { redactor: { redactAsync(text: string): Promise<string> } })
            .redactor;
          expect(textOf(final.message)).toBe(await redactor.redactAsync(said));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("searches new messages, and not the history again", async () => {
    const asked: string[] = [];
    const bench = new Bench(plugin({ recognizer: finder(asked) }));
    const history = Array.from({ length: 50 }, (_, index) => message("user", `Jane wrote ${index}`));
    await bench.call("model", requestOf(...history), []);
    expect(asked).toHaveLength(50);
    const { seen } = await bench.call("model", requestOf(...history, message("user", "new Jane")), []);
    expect(asked.slice(50)).toEqual(["new Jane"]);
    expect(seen.messages.map((one) => textOf(one)).join()).not.toContain("Jane");
  });

  it("returns no promise if there is nothing to search", async () => {
    const asked: string[] = [];
    const bench = new Bench(plugin({ recognizer: finder(asked), maxLength: 4 }));
    const pieces = Array.from({ length: 400 }, () => piece("words "));
    const { final } = await bench.call("model", requestOf(), pieces);
    expect(textOf(final.message)).toBe("words ".repeat(400));
    expect(asked.length).toBeLessThan(5);
  });

  it("creates tokens that are restored, also with an async vault", async () => {
    const memory = memoryVault();
    const vault: AsyncVault = {
      async: true,
      id: async (...of) => memory.id(...of),
      value: async (...of) => memory.value(...of),
      erase: async (session) => memory.erase(session),
    };
    for (const options of [{}, { vault }]) {
      const subject = pii(rules({ strategy: "tokenize" }), { ...options, apply: everywhere }) as Plugin;
      const bench = new Bench(subject);
      const { seen, final } = await bench.call("model", requestOf(message("user", "I am Jane.")), [
        piece("Dear Ja"),
        piece("ne"),
      ]);
      expect(textOf(seen.messages[0] as Message)).toMatch(/^I am <PERSON_1_[a-z]{8}>\.$/);
      expect(textOf(final.message)).toBe("Dear Jane");
    }
  });
});

describe("if an async recogniser fails,", () => {
  const broken = { recognizer: async () => Promise.reject(new Error("Jane")) };

  it("the call ends, and the failure is reported", async () => {
    const bench = new Bench(plugin(broken));
    await expect(bench.call("model", requestOf(message("user", "Jane")), [])).rejects.toMatchObject({
      code: "ERR_PII_DETECTION_FAILED",
      types: ["person"],
    });
    expect(bench.decisions).toContainEqual(["input", "fail_closed", undefined]);
    const output = new Bench(plugin(broken, { apply: { input: false, output: true } }));
    await expect(output.call("model", requestOf(), [piece("Jane")])).rejects.toMatchObject({ types: ["person"] });
  });

  it("passes everything with onError open, and reports it", async () => {
    const bench = new Bench(plugin(broken, { onError: "open" }));
    const { seen, final } = await bench.call("model", requestOf(message("user", "Jane j@x.com")), [piece("Jane")]);
    expect([textOf(seen.messages[0] as Message), textOf(final.message)]).toEqual(["Jane j@x.com", "Jane"]);
    expect(bench.decisions).toEqual([
      ["input", "fail_open", undefined],
      ["output", "fail_open", undefined],
    ]);
  });

  it("applies the other rules if failures are ignored, reports it, and searches the text again", async () => {
    let calls = 0;
    const recognizer: RecognizerFunction = async (text, call) => {
      if (++calls === 1) throw new Error("Jane");
      return finder()(text, call);
    };
    const bench = new Bench(plugin({ recognizer, onRecognizerError: "ignore" }));
    const said = message("user", "Jane j@x.com");
    const first = await bench.call("model", requestOf(said), []);
    expect(textOf(first.seen.messages[0] as Message)).toBe("Jane [REDACTED_EMAIL]");
    expect(bench.decisions).toEqual([
      ["input", "fail_open", { person: 0 }],
      ["input", "modify", { email: 1 }],
    ]);
    const second = await bench.call("model", requestOf(said), []);
    expect(textOf(second.seen.messages[0] as Message)).toBe(`${gone} [REDACTED_EMAIL]`);
  });

  it("the run's abort ends the wait, with its reason", async () => {
    const controller = new AbortController();
    const reason = new Error("gone");
    const recognizer = (): Promise<never> => {
      queueMicrotask(() => controller.abort(reason));
      return new Promise(() => {});
    };
    const bench = new Bench(plugin({ recognizer, timeout: 60_000 }), controller.signal);
    await expect(bench.call("model", requestOf(message("user", "Jane")), [])).rejects.toBe(reason);
    expect(bench.decisions).toEqual([]);
  });
});

describe("telemetry, which cannot wait,", () => {
  it("does not use the recogniser, and reports one fault", async () => {
    const bench = new Bench(plugin({ deny: ["Project X"] }));
    const text = "Jane jane@x.com project x";
    expect(redactorOf(bench.run.runtime)?.redact(text)).toBe(`Jane [REDACTED_EMAIL] ${gone}`);
    expect(redactorOf(bench.run.runtime)?.value({ text })).toEqual({ text: `Jane [REDACTED_EMAIL] ${gone}` });
    await bench.call("model", requestOf(message("user", text)), []);
    await bench.call("model", requestOf(message("user", text)), []);
    const faults = bench.told.filter((one) => one.type === "fault");
    expect(faults).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ code: "ERR_PII_NEEDS_ASYNC", types: ["person"] }) }),
    ]);
  });

  it("gives no warning without telemetry", async () => {
    const bench = new Bench(plugin({}, { apply: { telemetry: false } }));
    await bench.call("model", requestOf(message("user", "Jane")), []);
    expect(bench.told.filter((one) => one.type === "fault")).toEqual([]);
  });
});
