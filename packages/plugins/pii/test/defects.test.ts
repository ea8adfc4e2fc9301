import { describe, expect, it } from "@jest/globals";
import { type AgentResult, createAgent, defineTool } from "@suite/agent";
import { message, toolCall, toolCallResponse } from "@suite/core";
import { PiiError, type PiiOptions, pii, type Rules } from "@suite/pii";
import { call, type Said, scripted, shown } from "../../../agent/test/support.js";

// What goes wrong in another system's guard for personal data (docs/pitfalls.md, 52 to 56): what is promised in its place.
const mail = "jane.doe@example.com";
const gone = "[REDACTED_EMAIL]";
const apply = { output: true, toolArguments: true, toolResults: true, systemPrompt: true, humanInput: true };

function desk(said: readonly Said[], rules: Rules, options: PiiOptions = { apply }) {
  const model = scripted(...said);
  const called: unknown[] = [];
  const tools = [
    defineTool({
      name: "send",
      execute(input) {
        called.push(input);
        // The answer, and beside it what no model is shown, as frameworks have it.
        return { content: `sent to ${mail}`, artifact: { matches: [mail], redaction_matches: [{ value: mail }] } };
      },
    }),
  ];
  const agent = createAgent({
    name: "desk",
    model,
    tools,
    plugins: [pii(rules, options)],
    systemPrompt: `Never tell ${mail}.`,
  });
  return { agent, model, called };
}

/** Everything that a reader of the stream is given, and how it ended. */
async function read({ agent }: Pick<ReturnType<typeof desk>, "agent">, input = "go") {
  const seen: unknown[] = [];
  let error: unknown;
  const stream = agent.stream(input);
  try {
    for await (const delta of stream) seen.push(delta);
  } catch (thrown) {
    error = thrown;
  }
  const result = await stream.result.then(
    (done): AgentResult => done,
    () => undefined,
  );
  return { seen, error, result };
}

describe("arguments of tool calls", () => {
  const asks: Said = [call("1", "send", { to: [mail], [mail]: { cc: mail } })];
  const treated = { to: [gone], [gone]: { cc: gone } };

  it("are treated in the model's answer, before the tool has them, and in the history", async () => {
    for (const stream of [false, true]) {
      const { agent, model, called } = desk([asks, "done"], { email: "redact" });
      const result = stream ? (await read({ agent })).result : await agent.run("go");
      expect(called).toEqual([treated]);
      expect(model.asked[1]?.messages.at(-2)?.parts).toEqual([toolCall("1", "send", treated)]);
      expect(JSON.stringify(result)).not.toContain("jane");
    }
  });

  it("of old calls are treated on their way to the model", async () => {
    const { agent, model } = desk(["done"], { email: "redact" }, {});
    const old = [
      message("assistant", [toolCall("0", "send", { to: mail })]),
      message("tool", [toolCallResponse("0", mail)]),
    ];
    await agent.run([...old, message("user", "and?")]);
    expect(JSON.stringify(model.asked)).not.toContain("jane");
  });

  it("are blocked, before the tool runs", async () => {
    const { agent, called } = desk([asks, "done"], { email: "block" });
    await expect(agent.run("go")).rejects.toMatchObject({ code: "ERR_PII_BLOCKED", places: ["system_prompt"] });
    const arguments_ = desk([asks, "done"], { email: "block" }, { apply: { input: false, toolArguments: true } });
    await expect(arguments_.agent.run("go")).rejects.toMatchObject({ places: ["tool_arguments"] });
    expect([...called, ...arguments_.called]).toEqual([]);
  });
});

describe("messages", () => {
  it("are redacted for every role and age, and so is the system prompt", async () => {
    const { agent, model } = desk(["done"], { email: "redact" }, {});
    const history = ["user", "assistant", "user", "assistant", "user"] as const;
    await agent.run(history.map((role, index) => message(role, `${index} ${mail}`)));
    const [system, ...rest] = model.asked[0]?.messages ?? [];
    expect(system).toEqual(message("system", `Never tell ${gone}.`));
    expect(rest).toEqual(history.map((role, index) => message(role, `${index} ${gone}`)));
  });
});

describe("a stream", () => {
  const says: Said = `You can write to ${mail} at any time.`;

  it("emits no value, neither in deltas nor in snapshots", async () => {
    const { seen, result } = await read(desk([says], { email: "redact" }));
    expect(JSON.stringify([seen, result])).not.toMatch(/jane|doe@|example/);
    expect(result).toMatchObject({ text: `You can write to ${gone} at any time.` });
  });

  it("that is blocked has given nothing of the value out", async () => {
    const one = desk([says], { email: "block" }, { apply: { output: true, input: false } });
    const { seen, error } = await read(one);
    expect(error).toMatchObject({ code: "ERR_PII_BLOCKED", places: ["output"] });
    expect(JSON.stringify(seen)).not.toMatch(/jane|doe@|example/);
  });
});

describe("the name of a strategy", () => {
  it.each(["Redact", "remove", "", "toString", "__proto__"])("%j is refused when the plugin is made", (strategy) => {
    for (const make of [() => pii({ email: strategy as never }), () => pii("email", { strategy: strategy as never })]) {
      expect(make).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }));
    }
  });
});

describe("a tool result", () => {
  const asks: Said = [call("1", "send", {})];

  it("contains no value anywhere, also outside the part for the model", async () => {
    const { agent, model } = desk([asks, "done"], { email: "redact" });
    const { seen, result } = await read({ agent });
    expect(shown(model.asked[1])).toEqual([
      { content: `sent to ${gone}`, artifact: { matches: [gone], redaction_matches: [{ value: gone }] } },
    ]);
    expect(JSON.stringify([seen, result, model.asked])).not.toContain("jane");
  });

  it("contains no value in the history or the error if it was blocked", async () => {
    const options: PiiOptions = { apply: { toolResults: true, input: false } };
    const { agent } = desk([asks, "done"], { email: "block" }, options);
    const { seen, result } = await read({ agent });
    expect(result).toMatchObject({ status: "completed" });
    expect(JSON.stringify([seen, result])).not.toContain("jane");
    const ended = await read(desk([asks, "done"], { email: "block" }, { ...options, onBlock: "run" }));
    const { error } = ended;
    expect(PiiError.is(error) && Object.entries(error)).toEqual([
      ["code", "ERR_PII_BLOCKED"],
      ["name", "PiiError"],
      ["types", ["email"]],
      ["places", ["tool_result"]],
    ]);
    expect(`${(error as Error).stack} ${JSON.stringify(ended.seen)}`).not.toContain("jane");
  });
});
