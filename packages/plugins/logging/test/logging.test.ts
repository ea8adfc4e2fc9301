import { describe, expect, it } from "@jest/globals";
import { definePlugin, message, type Plugin, toolCall } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { setSpanOf } from "@suite/core/propagation";
import { consoleLogger, type Fields, type Level, type Logger, type LoggingOptions, logging } from "@suite/logging";

interface Line {
  readonly level: Level;
  readonly message: string;
  readonly fields: Fields;
}

function recorder(): { lines: Line[]; logger: Logger } {
  const lines: Line[] = [];
  const of = (level: Level) => (fields: Fields, message: string) => void lines.push({ level, message, fields });
  return { lines, logger: { debug: of("debug"), info: of("info"), warn: of("warn"), error: of("error") } };
}

const secret = "jane@example.com";
const request = { model: "gpt", provider: "openai", messages: [message("user", secret)], tools: [] };
const reply = {
  message: message("assistant", `mail ${secret}`),
  usage: { inputTokens: 12, outputTokens: 3 },
  finishReason: "stop",
};

/** One model call and one tool call of a run with the plugin, and what it wrote. */
async function linesOf(
  options: LoggingOptions,
  { fails, others = [] }: { fails?: Error; others?: readonly Plugin[] } = {},
) {
  const { lines, logger } = recorder();
  const stack = new PluginStack([...others, logging({ logger, ...options })]);
  const run = stack.begin({ runId: "r", sessionId: "s", agent: { name: "support" } });
  const model = stack.call("model", run, request, async (invocation) => {
    if (fails !== undefined) throw fails;
    invocation.respond({ value: reply });
  });
  await model.then((outcome) => outcome.final()).catch(() => undefined);
  const tool = { id: "c1", tool: { name: "find_order" }, input: { mail: secret } };
  const found = await stack.call("tool", run, tool, async (invocation) => {
    invocation.respond(fails === undefined ? { value: { mail: secret } } : { value: secret, isError: true });
  });
  await found.final();
  await run.end();
  return lines;
}

describe("lines", () => {
  it("tell of each call that it began and how it ended, with the run it is of", async () => {
    const lines = await linesOf({});
    expect(lines.map(({ level, message: said }) => `${level} ${said}`)).toEqual([
      "debug model call begins",
      "info model call completed",
      "debug tool call begins",
      "info tool call completed",
    ]);
    expect(lines[1]?.fields).toEqual({
      run_id: "r",
      "gen_ai.conversation.id": "s",
      "gen_ai.agent.name": "support",
      "gen_ai.request.model": "gpt",
      "gen_ai.provider.name": "openai",
      status: "completed",
      duration_ms: expect.any(Number),
      "gen_ai.response.finish_reason": "stop",
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 3,
    });
  });

  it("report failures at the error level, only by type", async () => {
    const fails = Object.assign(new Error(`no such mail: ${secret}`), { status: 503 });
    const lines = (await linesOf({}, { fails })).filter(({ level }) => level === "error");
    expect(lines.map(({ message: said }) => said)).toEqual(["model call failed", "tool call failed"]);
    expect(lines[0]?.fields).toMatchObject({ status: "failed", "error.type": "503" });
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it("hold no content unless it is asked for", async () => {
    expect(JSON.stringify(await linesOf({}))).not.toContain(secret);
    expect(JSON.stringify(await linesOf({ content: "redacted" }))).not.toContain(secret);
    expect(JSON.stringify(await linesOf({ content: "full" }))).toContain(secret);
  });

  it("hold content through the redactors of the run, whatever the order of plugins, cut after it", async () => {
    const redactor = {
      redact: (text: string) => text.replaceAll(secret, "[MAIL]"),
      value: (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(secret, "[MAIL]")) as unknown,
    };
    const others = [definePlugin({ name: "guard", redactor })];
    for (const content of ["redacted", "full"] as const) {
      const fails = new Error(secret);
      const all = [...(await linesOf({ content }, { others })), ...(await linesOf({ content }, { others, fails }))];
      expect(JSON.stringify(all)).not.toContain(secret);
      expect(all.filter(({ fields }) => JSON.stringify(fields).includes("[MAIL]")).length).toBeGreaterThan(6);
      expect(all.some(({ fields }) => fields.error === "[MAIL]")).toBe(true);
    }
    const cut = await linesOf({ content: "full", contentLimit: 6 }, { others });
    expect(cut[0]?.fields.input).toBe("[MAIL]");
    expect(cut[1]?.fields.output).toBe("mail […");
  });

  it("carry the ids of trace and span", async () => {
    const tracer = definePlugin({
      name: "tracer",
      async model({ call }, callNext) {
        setSpanOf(call, { traceId: "t".repeat(32), spanId: "s".repeat(16) });
        await callNext();
      },
    });
    const [begins, ended, tool] = await linesOf({}, { others: [tracer] });
    for (const line of [begins, ended]) expect(line?.fields.trace_id).toBe("t".repeat(32));
    expect(tool?.fields).not.toHaveProperty("trace_id");
  });

  it("report events outside of calls", async () => {
    const { lines, logger } = recorder();
    const stack = new PluginStack([logging({ logger })]);
    const run = stack.begin();
    const part = toolCall("c1", "pay", { to: secret });
    run.notify({ type: "limit", limit: "rounds", maximum: 3 });
    run.notify({ type: "decision", plugin: "cache", decision: "hit", enforced: true, details: { age: 7 } });
    run.notify({ type: "guardrail", plugin: "pii", decision: "block", place: "input", enforced: true });
    run.notify({ type: "approval", toolCallId: "c1", toolName: "pay", decision: "approved", by: "ada" });
    run.notify({ type: "suspension", pending: [{ reason: "approval", part }] });
    run.notify({ type: "fault", where: "settle", error: new TypeError(secret) });
    expect(lines.map(({ level, message: said }) => `${level} ${said}`)).toEqual([
      "warn limit reached",
      "info decision: hit",
      "warn guardrail: block",
      "info tool call approved",
      "info run waits",
      "error plugin error",
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
    await run.end();
  });

  it("are only of the kinds that are asked for", async () => {
    const lines = await linesOf({ kinds: ["tool"] });
    expect(lines.map(({ message: said }) => said)).toEqual(["tool call begins", "tool call completed"]);
  });

  it("disturb nothing where the logger throws", async () => {
    const throws = () => {
      throw new Error("disk full");
    };
    const logger: Logger = { debug: throws, info: throws, warn: throws, error: throws };
    const stack = new PluginStack([logging({ logger })]);
    const run = stack.begin();
    const outcome = await stack.call("model", run, request, async (invocation) => invocation.respond({ value: reply }));
    expect(await outcome.final()).toBe(reply);
    await run.end();
  });
});

describe("the logger of the console", () => {
  it("writes a line each, from its level up", () => {
    const lines: string[] = [];
    const logger = consoleLogger({ level: "warn", write: (line) => lines.push(line) });
    logger.info({}, "not this");
    logger.warn({ plugin: "limit", maximum: 3, gone: undefined }, "limit reached");
    expect(lines).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z warn limit reached plugin=limit maximum=3$/),
    ]);
  });

  it.each(["two\nlines", "\u001b[2Jgone", "right\u202eto left", "\u0085next", "x".repeat(5000)])(
    "lets no value begin a line or reach the terminal: %j",
    (value) => {
      const lines: string[] = [];
      consoleLogger({ write: (line) => lines.push(line) }).info({ "gen_ai.tool.name": value }, "tool call");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(lines[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(lines[0]?.length).toBeLessThan(2100);
    },
  );
});

it.each([
  [{ logger: {} }, /debug, info, warn and error/],
  [{ kinds: ["modle"] }, /of agent, reasoning/],
  [{ content: "all" }, /"none", "redacted" or "full"/],
  [{ contnt: "none" }, /Unknown option/],
])("an option that means nothing is refused: %p", (options, why) => {
  expect(() => logging(options as never)).toThrow(why);
});
