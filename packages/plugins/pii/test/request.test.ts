import { describe, expect, it } from "@jest/globals";
import { type Delta, type Message, message, type Tool, toolCall, toolCallResponse } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { call, gone, mail, piece, plugin, reply, requestOf, requestWith } from "./calls.js";

describe("definitions of tools in a request", () => {
  const parameters = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      to: { type: "string", format: "email", description: `not ${mail}`, default: mail, enum: [mail, "b"] },
      [mail]: { type: "array", items: { type: "string", examples: [mail] } },
    },
    required: [mail],
  };
  const execute = (): string => "ok";
  const tool: Tool = { name: "send", description: `Never writes to ${mail}.`, parameters, execute };

  it("is treated: descriptions, and texts of the schema, which stays one for the same names", async () => {
    const { seen, notifications } = await call(plugin(), "model", requestWith(tool), { value: reply("ok") });
    expect(seen?.tools).toEqual([
      {
        name: "send",
        description: `Never writes to ${gone}.`,
        parameters: {
          ...parameters,
          properties: {
            to: { type: "string", format: "email", description: `not ${gone}`, default: gone, enum: [gone, "b"] },
            [mail]: { type: "array", items: { type: "string", examples: [gone] } },
          },
        },
        execute,
      },
    ]);
    expect(notifications).toEqual([expect.objectContaining({ place: "input", findings: { email: 5 } })]);
  });

  it("is itself where nothing is found, whatever addresses the schema has", async () => {
    const own = { url: "redact", email: "redact" } as const;
    const clean = { name: "a", parameters: { $schema: parameters.$schema, $id: "https://x.com/s", type: "object" } };
    const request = requestWith(clean);
    expect((await call(plugin({}, own), "model", request, { value: reply("ok") })).seen).toBe(request);
  });

  it("covers the output schema, and schemas that go round in circles", async () => {
    const round: Record<string, unknown> = { description: mail };
    round.items = round;
    round.anyOf = [round, round, round];
    const request = { ...requestWith({ name: "a", parameters: round }), outputSchema: { description: mail } };
    const { seen } = await call(plugin(), "model", request, { value: reply("ok") });
    expect(seen?.outputSchema).toEqual({ description: gone });
    let at = seen?.tools[0]?.parameters as typeof round;
    for (let depth = 0; depth < 5; depth++) {
      expect(at.description).toBe(gone);
      at = (depth % 2 === 0 ? at.items : (at.anyOf as unknown[])[1]) as typeof round;
    }
  });
});

describe("a native form", () => {
  const native = { type: "text", text: "clean", citations: [{ cited: mail }] };

  it("is removed if it contains more than its part, and stays otherwise", async () => {
    const kept = { type: "text", text: "clean" };
    const given: Message = {
      role: "user",
      native: { id: 1 },
      parts: [
        { type: "text", content: "clean", native },
        { type: "text", content: "clean", native: kept },
        toolCall("1", "t", { a: 1 }),
      ],
    };
    const { seen, notifications } = await call(plugin(), "model", requestOf(given), { value: reply("ok") });
    expect(seen?.messages[0]).toEqual({
      role: "user",
      parts: [{ type: "text", content: "clean" }, { type: "text", content: "clean", native: kept }, given.parts[2]],
    });
    expect(notifications).toEqual([expect.objectContaining({ findings: { email: 1 } })]);
  });

  it("of a whole message, too", async () => {
    const given: Message = { ...message("user", "clean"), native: { content: "clean", artifact: [mail] } };
    const { seen } = await call(plugin(), "model", requestOf(given), { value: reply("ok") });
    expect(seen?.messages[0]).toEqual(message("user", "clean"));
  });

  it("of a piece of an answer does not give out what its text holds back", async () => {
    const frame: Delta = {
      type: "part",
      at: "0",
      part: { type: "text", content: "so ", native: { snapshot: `so ${mail}` } },
    };
    const { chunks } = await call(plugin({ apply: { output: true } }), "model", requestOf(), {
      stream: [frame, piece(mail)],
    });
    expect(JSON.stringify(chunks)).not.toContain("jane");
    expect(chunks[0]).toEqual(piece("so "));
  });
});

/** Counts what is looked through: a stack with one plugin, and how often its recogniser was given which text. */
class Counting {
  readonly seen: string[] = [];
  readonly tools: readonly Tool[] = [{ name: "t", description: "A tool.", parameters: { title: "Its input." } }];
  readonly stack: PluginStack;
  constructor(found: readonly string[] = []) {
    const recognizer = (text: string) => {
      this.seen.push(text);
      return found.flatMap((value) => {
        const start = text.indexOf(value);
        return start < 0 ? [] : [{ start, end: start + value.length }];
      });
    };
    const own = plugin(
      { apply: { systemPrompt: true, toolResults: true } },
      { own: { recognizer, strategy: "redact" } },
    );
    this.stack = new PluginStack([own]);
  }
  async ask(...messages: readonly Message[]): Promise<void> {
    const run = this.stack.begin();
    const { tools } = this;
    const outcome = await this.stack.call("model", run, { model: "m", messages, tools }, async (invocation) =>
      invocation.respond({ value: reply("ok") }),
    );
    await outcome.final();
    await run.end();
  }
  /** The texts that were looked through since the last time. */
  take(): string[] {
    return [...new Set(this.seen.splice(0))];
  }
}

describe("an agent's next turn costs its new text, and not its history", () => {
  const long = (word: string): string => `${word} `.repeat(20);

  it("looks at a message once, whatever is found in it", async () => {
    const counting = new Counting(["secret"]);
    const history = [
      message("user", "a secret one"),
      message("assistant", [toolCall("1", "t", { deep: [{ value: "two" }] })]),
      message("tool", [toolCallResponse("1", { rows: ["three", "a secret four"] })]),
    ];
    await counting.ask(...history);
    expect(counting.take()).toEqual(expect.arrayContaining(["a secret one", "two", "three", "a secret four"]));
    await counting.ask(...history, message("user", "five"));
    expect(counting.take()).toEqual(["five"]);
    await counting.ask(...history, message("user", "five"), message("user", "six"));
    expect(counting.take()).toEqual(["five", "six"]);
  });

  it("scans a string once, in new messages, results of tools and system prompts", async () => {
    const counting = new Counting();
    const [one, two] = [long("one"), long("two")];
    const made = (): Message[] => [message("user", one), message("tool", [toolCallResponse("1", { rows: [two] })])];
    await counting.ask(...made());
    counting.take();
    await counting.ask(...JSON.parse(JSON.stringify(made())));
    expect(counting.take().filter((text) => text.length > 20)).toEqual([]);
    const run = counting.stack.begin();
    await counting.stack.systemPrompt(long("three"), run);
    await counting.stack.systemPrompt(long("three"), run);
    expect(counting.seen.filter((text) => text === long("three")).length).toBe(1);
    await counting.ask(message("system", long("three")));
    expect(counting.take().filter((text) => text === long("three")).length).toBe(1);
    await run.end();
  });

  it("looks again at what was changed in place, at any depth", async () => {
    const counting = new Counting();
    const args = { deep: [{ value: "old" }] };
    const native = { raw: "n" };
    const history: Message[] = [{ ...message("assistant", [toolCall("1", "t", args)]), native }];
    await counting.ask(...history);
    counting.take();
    args.deep[0] = { value: "new" };
    await counting.ask(...history);
    expect(counting.take()).toContain("new");
    Object.assign(args.deep[0] ?? {}, { more: "added" });
    await counting.ask(...history);
    expect(counting.take()).toContain("added");
    class Other {
      value = "new";
      more = "added";
      toJSON(): string {
        return "from JSON";
      }
    }
    args.deep[0] = Object.assign(new Other(), args.deep[0]);
    await counting.ask(...history);
    expect(counting.take()).toContain("from JSON");
    args.deep = [{ value: "old" }];
    await counting.ask(...history);
    native.raw = "changed";
    await counting.ask(...history);
    expect(counting.take()).toContain("changed");
    await counting.ask(...history);
    expect(counting.take()).toEqual([]);
  });

  it("looks each time at what computes its values", async () => {
    const counting = new Counting();
    const computed = {
      get value() {
        return "computed";
      },
    };
    const history = [message("assistant", [toolCall("1", "t", computed)])];
    await counting.ask(...history);
    counting.take();
    await counting.ask(...history);
    expect(counting.take()).toContain("computed");
  });
});
