import { afterEach, describe, expect, it, jest } from "@jest/globals";
import {
  type Agent,
  type AgentOptions,
  approve,
  askPerson,
  createAgent,
  defineTool,
  memoryResumeStore,
  type PendingState,
  type ResumeStore,
  result,
} from "@suite/agent";
import { definePlugin, type Notification, type Plugin, type RuntimeContext } from "@suite/core";
import { call, codeOf, only, type Said, scripted, shown, suspended } from "./support.js";

afterEach(() => {
  jest.restoreAllMocks();
});

const ran: unknown[] = [];
const tools = [
  defineTool({ name: "pay", needsApproval: true, execute: (input) => ran.push(input) }),
  defineTool({ name: "ship" }),
  askPerson(),
];
const keys = [{ id: "k1", secret: "0123456789abcdef0123456789abcdef" }];

/** A plugin that keeps the notifications that it is told, and the runs that begin. */
class Witness {
  readonly told: Notification[] = [];
  readonly runs: RuntimeContext[] = [];
  ended = 0;
  readonly plugin: Plugin = definePlugin({
    name: "witness",
    begin: (runtime) => void this.runs.push(runtime),
    observe: (notification) => void this.told.push(notification),
    end: () => void this.ended++,
  });
}

/** An agent, and who watches it. */
function watched(rounds: readonly Said[], options: Partial<AgentOptions> = {}) {
  const witness = new Witness();
  const model = scripted(...rounds);
  const agent = createAgent({ name: "a", model, tools, plugins: [witness.plugin], resume: { keys }, ...options });
  return { agent, model, witness };
}

/** A state that waits for a call of `ship`, and can be resumed for so many milliseconds. */
const waiting = (expiresIn = -1): Promise<PendingState> =>
  suspended(watched([[call("1", "ship", { to: "x" })]], { resume: { keys, expiresIn } }).agent.run("ship"));

const shipped = (pending: PendingState) => ({ pending, decisions: [result(only(pending), "shipped")] });
const at = (time: number) => jest.spyOn(Date, "now").mockReturnValue(time);
const week = 7 * 24 * 60 * 60 * 1000;

const ways: readonly [string, (agent: Agent, pending: PendingState) => Promise<unknown>][] = [
  ["a resume that comes too late", (agent, pending) => codeOf(agent.run(shipped(pending)))],
  ["one that streams", (agent, pending) => codeOf(agent.stream(shipped(pending)).result)],
  ["expire()", (agent, pending) => codeOf(agent.expire(pending))],
];

describe.each(ways)("%s", (name, expire) => {
  const answer = name === "expire()" ? "did not reject" : "ERR_AGENT_PENDING_EXPIRED";

  it("tells of each call that it expired, when, and runs nothing", async () => {
    const asked = [
      call("1", "ship", { to: "x" }),
      call("2", "pay", { eur: 5 }),
      call("3", "ask_person", { question: "Which size?" }),
    ];
    const pending = await suspended(watched([asked], { resume: { keys, expiresIn: -1 } }).agent.run("go"));
    ran.length = 0;
    const { agent, model, witness } = watched(["done"]);
    expect(await expire(agent, pending)).toBe(answer);
    const { expiresAt: returnedAt, calls } = pending;
    const expired = (index: number) => {
      const { id: toolCallId, name: toolName, arguments: args, handedOutAt } = only({ ...pending, calls }, index);
      const outcome = "expired";
      return { type: "external_result", toolCallId, toolName, arguments: args, outcome, handedOutAt, returnedAt };
    };
    expect(witness.told).toEqual([
      expired(0),
      { type: "approval", toolCallId: "2", toolName: "pay", decision: "expired" },
      expired(1),
      expired(2),
    ]);
    expect(ran).toEqual([]);
    expect(model.asked).toEqual([]);
  });

  it("tells it in the run that was suspended, begun and ended for that", async () => {
    const options = { resume: { keys, expiresIn: -1 } };
    const who = { sessionId: "s", userId: "u" };
    const pending = await suspended(watched([[call("1", "ship")]], options).agent.run("go", who));
    const { agent, witness } = watched([]);
    await expire(agent, pending);
    expect(witness.runs).toMatchObject([{ runId: pending.runId, agent: { name: "a" }, ...who }]);
    expect(witness.ended).toBe(1);
  });

  it("tells nothing of a state that was altered, is another agent's, or signed with another key", async () => {
    const pending = await waiting();
    const { agent, witness } = watched([]);
    const forged = [{ id: "k1", secret: "x".repeat(32) }];
    const traced = { ...pending, durable: { "tracing.pending": {} } };
    expect(await expire(agent, traced)).toBe("ERR_AGENT_PENDING_SIGNATURE");
    expect(await expire(agent, { ...pending, round: 9 })).toBe("ERR_AGENT_PENDING_SIGNATURE");
    expect(await expire(watched([], { plugins: [witness.plugin], resume: { keys: forged } }).agent, pending)).toBe(
      "ERR_AGENT_PENDING_SIGNATURE",
    );
    expect(await expire(watched([], { plugins: [witness.plugin], name: "b" }).agent, pending)).toBe(
      "ERR_AGENT_PENDING_INVALID",
    );
    expect(witness.told).toEqual([]);
    expect(await expire(agent, pending)).toBe(answer);
    expect(witness.told).toHaveLength(1);
  });

  it("reports it once, whichever process resumes first, with a shared store", async () => {
    const pending = await waiting();
    const store = memoryResumeStore();
    const both = [watched([], { resume: { keys, store } }), watched([], { resume: { keys, store } })] as const;
    await Promise.all(both.map(({ agent }) => expire(agent, pending)));
    for (const { agent } of both) {
      expect(await codeOf(agent.run(shipped(pending)))).toBe("ERR_AGENT_PENDING_EXPIRED");
      expect(await agent.expire(pending)).toBe(false);
    }
    expect(both.flatMap(({ witness }) => witness.told)).toHaveLength(1);
  });

  it("tells nothing of a state that was resumed in time", async () => {
    const pending = await waiting(1000);
    const store = memoryResumeStore();
    const { agent, witness } = watched(["done"], { resume: { keys, store } });
    await agent.run(shipped(pending));
    witness.told.length = 0;
    at(pending.expiresAt + week);
    expect(await expire(agent, pending)).toBe(answer);
    expect(witness.told).toEqual([]);
  });

  it("reports nothing a week later, when it is unknown whether it was resumed", async () => {
    const pending = await waiting();
    const claims: number[] = [];
    const store: ResumeStore = { claim: async (_, expiry) => claims.push(expiry?.ttl ?? 0) > 0 };
    const { agent, witness } = watched([], { resume: { keys, store } });
    at(pending.expiresAt + week + 1);
    expect(await expire(agent, pending)).toBe("ERR_AGENT_PENDING_EXPIRED");
    expect([witness.told, claims]).toEqual([[], []]);
    at(pending.expiresAt + week);
    expect(await expire(agent, pending)).toBe(answer);
    expect(witness.told).toHaveLength(1);
    expect(claims).toEqual([24 * 60 * 60 * 1000]); // the week is over: what is left is for clocks that differ
  });
});

describe("expire()", () => {
  it("returns whether it was the one that reported the expiry", async () => {
    const pending = await waiting();
    const { agent } = watched([]);
    expect(await agent.expire(pending)).toBe(true);
    expect(await agent.expire(pending)).toBe(false);
  });

  it("is refused as long as the state can be resumed, and uses nothing up", async () => {
    const pending = await waiting(60_000);
    const { agent, witness } = watched(["done"]);
    expect(await codeOf(agent.expire(pending))).toBe("ERR_AGENT_PENDING_NOT_EXPIRED");
    expect(witness.told).toEqual([]);
    expect(await agent.run(shipped(pending))).toMatchObject({ status: "completed" });
  });

  it("notifies the plugins that are passed to it, and those of single tools", async () => {
    const [given, ofTool] = [new Witness(), new Witness()];
    const ship = defineTool({ name: "ship", plugins: [ofTool.plugin] });
    await watched([], { tools: [ship] }).agent.expire(await waiting(), { plugins: [given.plugin] });
    for (const { told } of [given, ofTool]) expect(told).toMatchObject([{ outcome: "expired" }]);
  });
});

describe("a resume that comes too late", () => {
  it("tells nothing to those whose it is not, nor when it was aborted before", async () => {
    const options = { resume: { keys, expiresIn: -1 } };
    const pending = await suspended(watched([[call("1", "ship")]], options).agent.run("go", { userId: "ann" }));
    const { agent, witness } = watched([]);
    expect(await codeOf(agent.run(shipped(pending), { userId: "bob" }))).toBe("ERR_AGENT_PENDING_INVALID");
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(agent.run(shipped(pending), { signal })).rejects.toThrow("gone");
    expect(witness.told).toEqual([]);
  });
});

describe("a call of a sub-agent that nobody answered in time", () => {
  const build = (outerRounds: readonly Said[], innerRounds: readonly Said[], expiresIn: readonly [number, number]) => {
    const [outer, inner] = expiresIn;
    const helper = watched(innerRounds, { name: "helper", resume: { keys, expiresIn: inner } });
    const all = [...tools, helper.agent.asTool({ description: "Helps." })];
    return { helper, ...watched(outerRounds, { name: "outer", tools: all, resume: { keys, expiresIn: outer } }) };
  };
  const asks = [call("o", "helper", { prompt: "ship and pay" }), call("p", "ship")];
  const needs = [call("i1", "ship"), call("i2", "pay")];

  it("is told in the sub-agent's run, by its own id, within the run that was suspended", async () => {
    const pending = await suspended(build([asks], [needs], [-1, 60_000]).agent.run("go"));
    expect(pending.calls.map(({ id }) => id).sort()).toEqual(["o/i1", "o/i2", "p"]);
    const { agent, witness, helper } = build([], [], [-1, 60_000]);
    expect(await agent.expire(pending)).toBe(true);
    expect(witness.told).toMatchObject([{ toolCallId: "p", outcome: "expired" }]);
    expect(helper.witness.told).toMatchObject([
      { toolCallId: "i1", outcome: "expired", returnedAt: pending.expiresAt },
      { toolCallId: "i2", type: "approval", decision: "expired" },
      { toolCallId: "i2", outcome: "expired", returnedAt: pending.expiresAt },
    ]);
    expect(helper.witness.runs[0]?.parent).toBe(witness.runs[0]);
  });

  it("is reported by the outer run even if the agent is no longer a tool", async () => {
    const pending = await suspended(build([asks], [needs], [-1, 60_000]).agent.run("go"));
    const { agent, witness } = watched([], { name: "outer" });
    expect(await agent.expire(pending)).toBe(true);
    const ids = witness.told.flatMap((told) => (told.type === "external_result" ? [told.toolCallId] : []));
    expect(ids.sort()).toEqual(["o/i1", "o/i2", "p"]);
  });

  it("is reported if an outer run is resumed in time and the sub-agent's call has expired, and the model receives a message", async () => {
    const pending = await suspended(build([[asks[0] ?? call("", "")]], [needs], [60_000, -1]).agent.run("go"));
    const { agent, model, helper } = build(["too late"], [], [60_000, -1]);
    const decisions = pending.calls.map((each) => (each.reason === "approval" ? approve(each) : result(each, "done")));
    ran.length = 0;
    expect(await agent.run({ pending, decisions })).toMatchObject({ text: "too late" });
    expect(ran).toEqual([]);
    expect(shown(model.asked[0])).toEqual([expect.stringContaining("The pending state expired at")]);
    const outcomes = helper.witness.told.flatMap((told) => (told.type === "external_result" ? [told] : []));
    expect(outcomes.map(({ toolCallId, outcome, call: round }) => [toolCallId, outcome, round?.kind])).toEqual([
      ["i1", "expired", "tool"],
      ["i2", "expired", "tool"],
    ]);
  });
});
