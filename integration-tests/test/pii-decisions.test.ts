import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type AgentOptions, createAgent, defineTool } from "@suite/agent";
import { audit, type Sink } from "@suite/audit";
import { MiddlewareTermination, message } from "@suite/core";
import { PiiError, type PiiOptions, pii, type Rules } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { call, type Said, scripted, shown } from "../../packages/agent/test/support.js";
import { startSdk, stopSdk } from "../../packages/plugins/tracing/test/support.js";

// What a guard decides ends calls or runs, and is seen in real spans and in real audit records.
let exporter: ReturnType<typeof startSdk>;
let records: unknown[];
beforeEach(() => {
  exporter = startSdk();
  records = [];
});
afterEach(stopSdk);

const mail = "jane.doe@example.com";
const sink: Sink = { append: async (record) => void records.push(record), close: async () => {} };
const found = { email: 1 };

/** A desk with the three plugins, and its model. */
function desk(said: readonly Said[], rules: Rules, options: PiiOptions, more: Partial<AgentOptions> = {}) {
  const model = scripted(...said);
  const tools = [
    defineTool({ name: "look_up", execute: () => ({ customer: mail }) }),
    defineTool({ name: "send", execute: () => "sent" }),
  ];
  const plugins = [
    tracing({ content: "full", warn: () => {} }),
    audit({ sink, policy: { content: "full" }, warn: () => {} }),
    pii(rules, options),
  ];
  return { agent: createAgent({ name: "desk", model, tools, plugins, ...more }), model };
}

/** The guardrail events of all spans, and the guardrail records: the place, the decision, and whether it was enforced. */
function decisions() {
  const events = exporter.getFinishedSpans().flatMap(({ name: span, events }) =>
    events.flatMap(({ name, attributes = {} }) => {
      const told = ["place", "decision", "enforced", "findings"].map((field) => attributes[`suite.guardrail.${field}`]);
      return name === "suite.guardrail" ? [[span, ...told]] : [];
    }),
  );
  const recorded = (records as readonly Record<string, unknown>[]).flatMap(({ type, operation, decision, details }) =>
    type === "guardrail" ? [[operation, decision, details]] : [],
  );
  return { events, recorded };
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  const nothing = {};
  const thrown = await work.then(
    () => nothing,
    (error: unknown) => error,
  );
  expect(thrown).not.toBe(nothing);
  return thrown;
}

afterEach(() => {
  const seen = JSON.stringify([
    exporter.getFinishedSpans().map(({ attributes, events, status }) => [attributes, events, status]),
    records,
  ]);
  expect(seen).not.toContain("jane");
});

describe("block", () => {
  const look: Said = [call("1", "look_up")];
  const blocks = { email: "block" } as const;
  const seen = {
    events: [["execute_tool look_up", "tool_result", "block", true, JSON.stringify(found)]],
    recorded: [["tool_result", "block", { enforced: true, findings: found }]],
  };

  it("ends the call if a tool returns it: the model receives a message, and the run continues", async () => {
    const { agent, model } = desk([look, "sorry"], blocks, { apply: { toolResults: true } });
    const result = await agent.run("go");
    expect(result).toMatchObject({ status: "completed", text: "sorry" });
    expect(shown(model.asked[1])).toEqual([
      expect.stringMatching(/^The call of look_up was stopped: Blocked: email found in tool_result\./),
    ]);
    expect(JSON.stringify(result.messages)).not.toContain("jane");
    expect(decisions()).toEqual(seen);
  });

  it("ends the run by choice, with its code, types and places, and no values", async () => {
    for (const stream of [false, true]) {
      exporter.reset();
      records = [];
      const { agent, model } = desk([look, "sorry"], blocks, { apply: { toolResults: true }, onBlock: "run" });
      const error = await thrownBy(stream ? agent.stream("go").result : agent.run("go"));
      expect(PiiError.is(error) && [error.code, error.types, error.places]).toEqual([
        "ERR_PII_BLOCKED",
        ["email"],
        ["tool_result"],
      ]);
      expect(MiddlewareTermination.is(error) && error.scope).toBe("run");
      expect(`${error} ${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain("jane");
      expect(model.asked.length).toBe(1);
      expect(decisions()).toEqual(seen);
    }
  });

  it("ends the run of the agent within whose tool it happened, by choice", async () => {
    for (const [onBlock, rounds] of [
      ["call", 2],
      ["run", 1],
    ] as const) {
      const { agent: helper } = desk([[call("1", "look_up")], "sorry"], blocks, {
        apply: { toolResults: true },
        onBlock,
      });
      const model = scripted([call("1", "helper", { prompt: "help" })], "done");
      const outer = createAgent({
        name: "outer",
        model,
        tools: [helper.asTool({ name: "helper", description: "Helps." })],
      });
      if (onBlock === "run") expect(await thrownBy(outer.run("go"))).toMatchObject({ code: "ERR_PII_BLOCKED" });
      else expect(await outer.run("go")).toMatchObject({ text: "done" });
      expect(model.asked.length).toBe(rounds);
    }
  });

  it("ends the call before blocked input is sent, and before blocked output is read", async () => {
    const given = desk(["hello"], blocks, {});
    expect(await thrownBy(given.agent.run(`I am ${mail}`))).toMatchObject({ places: ["input"] });
    expect(given.model.asked).toEqual([]);
    const says = desk([`Ask ${mail}, please.`], blocks, { apply: { output: true } });
    const stream = says.agent.stream("go");
    let text = "";
    const error = await thrownBy(
      (async () => {
        for await (const piece of stream.text()) text += piece;
      })(),
    );
    await stream.result.catch(() => {});
    expect([text, (error as PiiError).places]).toEqual(["Ask ", ["output"]]);
    expect(decisions().recorded).toEqual([
      ["input", "block", { enforced: true, findings: found }],
      ["output", "block", { enforced: true, findings: found }],
    ]);
    expect(decisions().events.map(([span, place]) => [span, place])).toEqual([
      ["chat scripted-1", "input"],
      ["chat scripted-1", "output"],
    ]);
  });

  it("is not tried again by a layer that retries, as core asks of it", async () => {
    let tries = 0;
    const retry = {
      name: "retry",
      async model(_: unknown, next: () => Promise<void>) {
        for (;;) {
          try {
            tries++;
            return await next();
          } catch (error) {
            if (MiddlewareTermination.is(error) || tries > 3) throw error;
          }
        }
      },
    };
    const agent = createAgent({ name: "desk", model: scripted("hello"), plugins: [retry, pii(blocks)] });
    await thrownBy(agent.run(mail));
    expect(tries).toBe(1);
  });
});

describe("every place", () => {
  it("reports its decisions to spans and records, and only reports in monitor mode", async () => {
    const apply = { output: true, toolArguments: true, toolResults: true, systemPrompt: true, humanInput: true };
    const rounds: Said[] = [[call("1", "send", { to: mail }), call("2", "look_up")], `Done, ${mail}.`];
    const places = ["system_prompt", "input", "tool_arguments", "tool_result", "output"];
    for (const mode of ["enforce", "monitor"] as const) {
      exporter.reset();
      records = [];
      const { agent } = desk(rounds, { email: "redact" }, { apply, mode }, { systemPrompt: `Never tell ${mail}.` });
      const result = await agent.run(message("user", mail));
      expect(result).toMatchObject({ text: mode === "monitor" ? `Done, ${mail}.` : "Done, [REDACTED_EMAIL]." });
      const { events, recorded } = decisions();
      expect(new Set(recorded.map(([place]) => place))).toEqual(new Set(places));
      expect(new Set(events.map(([, place]) => place))).toEqual(new Set(places));
      for (const [, decision, details] of recorded) {
        expect([decision, (details as { enforced: boolean }).enforced]).toEqual(["modify", mode === "enforce"]);
      }
    }
  });
});

describe("detection that fails", () => {
  const broken: Rules = {
    own: {
      recognizer: (text) => {
        if (text.includes("!")) throw new Error(mail);
        return [];
      },
      strategy: "redact",
    },
  };

  it("ends the call by default, and that is seen", async () => {
    const { agent, model } = desk(["hello"], broken, {});
    expect(await thrownBy(agent.run("go!"))).toMatchObject({ code: "ERR_PII_DETECTION_FAILED" });
    expect(model.asked).toEqual([]);
    expect(decisions().recorded).toEqual([["input", "fail_closed", { enforced: true }]]);
    expect(decisions().events.map((event) => event.slice(0, 3))).toEqual([["chat scripted-1", "input", "fail_closed"]]);
  });

  it("lets the call go on by choice, and that is seen", async () => {
    const { agent } = desk(["hello"], broken, { onError: "open" });
    expect(await agent.run("go!")).toMatchObject({ text: "hello" });
    expect(decisions().recorded).toEqual([["input", "fail_open", { enforced: true }]]);
    expect(decisions().events.map((event) => event.slice(0, 3))).toEqual([["chat scripted-1", "input", "fail_open"]]);
  });

  it("is told without being enforced in monitor mode", async () => {
    const { agent } = desk(["hello"], broken, { mode: "monitor" });
    expect(await agent.run("go!")).toMatchObject({ text: "hello" });
    expect(decisions().recorded).toEqual([["input", "fail_closed", { enforced: false }]]);
  });
});
