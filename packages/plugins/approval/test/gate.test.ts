import { afterEach, describe, expect, it, jest } from "@jest/globals";
import {
  type ApprovalOptions,
  type Approvals,
  approvals,
  humanInTheLoop,
  type PendingApproval,
  type ToolRule,
} from "@suite/approval";
import type { Plugin, StateStore } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import fc from "fast-check";
import { Keys } from "../src/keys.js";
import { codeOf, Rig } from "./support.js";

const keys = [{ id: "k1", secret: "s".repeat(32) }];

/** A guard of `pay`, and the desk where people decide, on one store. */
function desk(rule: ToolRule = true, options: ApprovalOptions = {}, deskOptions: ApprovalOptions = {}) {
  const store = options.store ?? memoryStateStore();
  const asked: PendingApproval[] = [];
  const ask = (request: PendingApproval) => void asked.push(request);
  const create = () => humanInTheLoop({ pay: rule }, { ask, ...options, store });
  const { keys: own = options.keys } = deskOptions;
  const decides: Approvals = approvals({ store, ...(own && { keys: own }) });
  const last = (): string => asked.at(-1)?.id ?? "none";
  return { create, decides, store, asked, last };
}

afterEach(() => {
  jest.useRealTimers();
});

describe("a guarded tool call", () => {
  it("waits until a person has approved it, and then runs once", async () => {
    const { create, decides, last } = desk();
    const first = new Rig([create()], { sessionId: "s" });
    expect(await first.call({ eur: 10 })).toBe("waits: approve edit reject respond");
    await decides.decide(last(), { decision: "approve", by: "ann" });
    const rig = Rig.resumed([create()], first);
    expect(await rig.call({ eur: 10 })).toBe("ran");
    expect([first.ran, rig.ran]).toEqual([[], [{ eur: 10 }]]);
    expect([first.words, rig.words]).toEqual([["asked"], ["decided", "used"]]);
    expect(rig.decisions[0]?.details).toMatchObject({ answer: "approve", by: "ann", request: last() });
  });

  it.each([
    ["edit", { decision: "edit", arguments: { eur: 5 } }, "ran", [{ eur: 5 }]],
    ["reject", { decision: "reject", message: "no" }, "rejected: no", []],
    ["respond", { decision: "respond", response: "by hand" }, 'responded: "by hand"', []],
  ] as const)("takes the decision %s", async (_, decision, becomes, ran) => {
    const { create, decides, last } = desk();
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), decision);
    expect([await rig.call({ eur: 10 }), rig.ran]).toEqual([becomes, ran]);
  });

  it("is requested once, however often the call is made, and again if the notification failed", async () => {
    const { create, asked } = desk();
    const rig = new Rig([create()]);
    for (let i = 0; i < 3; i++) expect(await rig.call({ eur: 10 })).toMatch(/^waits/);
    expect([asked.length, rig.words]).toEqual([1, ["asked"]]);
    const died = desk(true, {
      ask: () => {
        throw new Error("no network");
      },
    });
    const before = new Rig([died.create()]);
    expect(await before.call({ eur: 10 })).toMatch(/^waits/);
    expect(before.words).toEqual(["asked", "not_delivered"]);
  });

  it("that needs no approval is not held up: other tools, `false`, and what `when` leaves out", async () => {
    const { create } = desk({ when: (args: { eur: number }) => args.eur > 50 });
    const rig = new Rig([create(), humanInTheLoop({ mail: false })]);
    expect(await rig.call({ eur: 50 })).toBe("ran");
    expect(await rig.call({}, { name: "mail" })).toBe("ran");
    expect(await rig.call({}, { name: "toString" })).toBe("ran");
    expect(await rig.call({ eur: 51 })).toMatch(/^waits/);
  });

  it("fails if its rule fails, because its need for approval is unknown", async () => {
    const { create } = desk({
      when: () => {
        throw new TypeError("rule");
      },
    });
    const rig = new Rig([create()]);
    await expect(rig.call({})).rejects.toThrow("rule");
    expect(rig.ran).toEqual([]);
  });

  it.each<[string, { readonly userId?: string; readonly tenantId?: string }]>([
    ["another user", { userId: "bob", tenantId: "acme" }],
    ["no user", { tenantId: "acme" }],
    ["a user of another tenant", { userId: "ada", tenantId: "evil" }],
  ])("is not run on an approval for the same call of the same run by %s", async (_, caller) => {
    const { create, decides, last } = desk();
    const rig = new Rig([create()], { userId: "ada", tenantId: "acme" });
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    const { runId } = rig.run;
    const other = new Rig([create()], { runId, ...caller });
    expect(await other.call({ eur: 10 })).toMatch(/^waits/);
    expect(await new Rig([create()], { runId, userId: "ada", tenantId: "acme" }).call({ eur: 10 })).toBe("ran");
    expect(other.ran).toEqual([]);
  });

  it.each<[string, object]>([
    ["", { id: "another" }],
    [":decision", { request: "another" }],
  ])("is not run if the store has another's entry under its key%s", async (suffix, changes) => {
    const { create, decides, store, last } = desk();
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    const key = `approval:${last()}${suffix}`;
    const entry = await store.get(key);
    await store.compareAndSet(key, entry?.version, { ...(entry?.value as object), ...changes });
    expect(await codeOf(rig.call({ eur: 10 }))).toBe("ERR_APPROVAL_SIGNATURE");
    expect(rig.ran).toEqual([]);
  });

  it("is approved for later calls only if the person says so", async () => {
    const { create, decides, last } = desk({ always: { per: () => "", expiresIn: 1_000_000 } });
    const rig = new Rig([create()], { sessionId: "s" });
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    expect(await rig.call({ eur: 10 })).toBe("ran");
    expect(await rig.call({ eur: 10 }, { id: "2" })).toMatch(/^waits/);
  });

  it("is not run on a decision of a kind that the request does not take, if the store has one", async () => {
    const { create, decides, store, last } = desk({ allowedDecisions: ["approve", "reject"] });
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    const key = `approval:${last()}:decision`;
    const entry = await store.get(key);
    const edited = { ...(entry?.value as object), decision: "edit", arguments: { eur: 1000 } };
    await store.compareAndSet(key, entry?.version, edited);
    expect(await codeOf(rig.call({ eur: 10 }))).toBe("ERR_APPROVAL_NOT_ALLOWED");
    expect(rig.ran).toEqual([]);
  });

  it.each(["session", "toolName", "scope"])("is not allowed by a grant of another %s", async (field) => {
    const { create, decides, store, last } = desk({
      always: { per: ({ eur }: { eur: number }) => `${eur}`, expiresIn: 1e6 },
    });
    const rig = new Rig([create()], { sessionId: "s" });
    await rig.call({ eur: 10 });
    const writes = jest.spyOn(store, "compareAndSet");
    await decides.decide(last(), { decision: "approve", always: true });
    expect(await rig.call({ eur: 10 })).toBe("ran");
    const key = writes.mock.calls.map(([name]) => name).find((name) => name.startsWith("approval-always:")) ?? "";
    const entry = await store.get(key);
    const altered = (Array.isArray(entry?.value) ? entry.value : []).map((grant: object) => ({
      ...grant,
      [field]: "another",
    }));
    await store.compareAndSet(key, entry?.version, altered);
    expect(await codeOf(rig.call({ eur: 10 }, { id: "2" }))).toBe("ERR_APPROVAL_SIGNATURE");
    expect(rig.ran).toHaveLength(1);
  });

  it("leaves its approval unused if its attempt was given up while the store was read", async () => {
    const inner = memoryStateStore();
    let read: () => Promise<void> = async () => {};
    const store: StateStore = {
      ...inner,
      get: async (key) => {
        if (key.endsWith(":decision")) await read();
        return inner.get(key);
      },
    };
    const { create, decides, last } = desk(true, { store });
    const late = new Error("late");
    let giveUp: () => void = () => {};
    const timeout: Plugin = {
      name: "timeout",
      async tool(invocation, callNext) {
        const over = new Promise<never>((_, reject) => {
          giveUp = () => reject(late);
        });
        try {
          await Promise.race([callNext(), over]);
        } catch (error) {
          if (error === late) invocation.giveUp(error);
          throw error;
        }
      },
    };
    const rig = new Rig([timeout, create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    read = async () => {
      giveUp();
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    expect(await codeOf(rig.call({ eur: 10 }))).toBe(late);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rig.ran).toEqual([]);
    read = async () => {};
    expect(await rig.call({ eur: 10 })).toBe("ran"); // nothing was used up
  });

  it("covers another attempt if the tool failed, and none if it has run", async () => {
    const { create, decides, last } = desk();
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    await expect(rig.call({ eur: 10 }, { fails: true })).rejects.toThrow("the tool failed");
    expect(await rig.call({ eur: 10 })).toBe("ran");
    expect(await codeOf(rig.call({ eur: 10 }))).toBe("ERR_APPROVAL_USED");
    expect(rig.ran).toHaveLength(2);
  });
});

describe.each(["outside of", "inside of"])("a guard %s the layers that try a tool again", (where) => {
  /** Gives up the attempt whose tool tells `slow`: no clock, so that a busy machine gives up no other. */
  let slow: () => void = () => {};
  const timeout: Plugin = {
    name: "timeout",
    async tool(invocation, callNext) {
      const late = new Error("late");
      const over = new Promise<never>((_, reject) => {
        slow = () => reject(late);
      });
      try {
        await Promise.race([callNext(), over]);
      } catch (error) {
        if (error === late) invocation.giveUp(error);
        throw error;
      }
    },
  };
  const again: Plugin = {
    name: "again",
    async tool(_, callNext) {
      await callNext().catch(() => {});
      await callNext();
    },
  };
  const stopped = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("Connection reset"))));

  async function approved(layers: readonly Plugin[]) {
    const { create, decides, last } = desk();
    const rig = new Rig(where === "outside of" ? [create(), ...layers] : [...layers, create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    return rig;
  }

  it("covers another attempt where the tool failed by itself", async () => {
    const rig = await approved([again, timeout]);
    const work = async (attempt: number) => {
      if (attempt === 1) throw new Error("Refused");
    };
    expect(await rig.call({ eur: 10 }, { work })).toBe("ran");
    expect(rig.ran).toHaveLength(2);
  });

  it.each<[string, object]>([
    ["ETIMEDOUT", { code: "ETIMEDOUT" }],
    ["ESOCKETTIMEDOUT", { code: "ESOCKETTIMEDOUT" }],
    ["the TimeoutError of a signal", new DOMException("late", "TimeoutError")],
    ["an AbortError", new DOMException("gone", "AbortError")],
    ["fetch, with undici's timeout as its cause", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } }],
    ["a status 504", { status: 504 }],
    ["a status 408 of a response", { response: { status: 408 } }],
    ["gRPC's DEADLINE_EXCEEDED", { code: 4 }],
    ["the name of gRPC's DEADLINE_EXCEEDED", { code: "DEADLINE_EXCEEDED" }],
    ["a timeout of the AWS SDK", { name: "RequestTimeout", $metadata: { httpStatusCode: 400 } }],
    ["a timeout of MCP", { code: "REQUEST_TIMED_OUT" }],
    ["an error of another realm", { name: "TimeoutError", message: "The operation was aborted." }],
    [
      "an error that cannot be read",
      Object.defineProperty({}, "code", {
        get() {
          throw new Error("no");
        },
      }),
    ],
  ])("covers no other attempt where the tool failed with %s: it may have done its work", async (_, fields) => {
    const rig = await approved([again]);
    const error =
      fields instanceof DOMException
        ? fields
        : Object.defineProperties(new Error("x"), Object.getOwnPropertyDescriptors(fields));
    const work = async () => {
      throw error;
    };
    expect(await codeOf(rig.call({ eur: 10 }, { work }))).toBe("ERR_APPROVAL_USED");
    expect(rig.ran).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["a status 503", { status: 503 }],
    ["ECONNREFUSED", { code: "ECONNREFUSED" }],
    ["gRPC's UNAVAILABLE", { code: 14 }],
  ])("covers another attempt where the tool failed with %s", async (_, fields) => {
    const rig = await approved([again]);
    const work = async (attempt: number) => {
      if (attempt === 1) throw Object.assign(new Error("x"), fields);
    };
    expect(await rig.call({ eur: 10 }, { work })).toBe("ran");
  });

  it.each([
    [
      "was given up, and failed by that",
      (signal: AbortSignal | undefined) => {
        slow();
        return stopped(signal);
      },
    ],
    [
      "was given up, and goes on",
      () => {
        slow();
        return new Promise<void>((resolve) => setTimeout(resolve, 20));
      },
    ],
    ["has run well", async () => {}],
  ] as const)("covers no other attempt where one %s: it may have done its work", async (_, first) => {
    const rig = await approved([again, timeout]);
    const work = async (attempt: number, signal: AbortSignal | undefined) =>
      attempt === 1 ? first(signal) : undefined;
    expect(await codeOf(rig.call({ eur: 10 }, { work }))).toBe("ERR_APPROVAL_USED");
    expect(rig.ran).toHaveLength(1);
  });
});

describe("an approval of a call that failed", () => {
  it("covers another attempt at it, and no call that comes when the model was asked again, whatever its id", async () => {
    const { create, decides, last } = desk();
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    expect(await codeOf(rig.call({ eur: 10 }, { fails: true }))).toMatchObject({ message: "the tool failed" });
    expect(await codeOf(rig.call({ eur: 10 }, { fails: true }))).toMatchObject({ message: "the tool failed" });
    expect(rig.ran).toHaveLength(2);
    const asked = (purpose?: string) => ({ model: "m", messages: [], tools: [], ...(purpose && { purpose }) });
    const ask = async (purpose?: string) =>
      rig.stack.call("model", rig.run, asked(purpose), async (invocation) => {
        invocation.respond({ value: { message: { role: "assistant", parts: [] } } });
      });
    await ask("repair_tool_call"); // a plugin asks, for the same call
    expect(await rig.call({ eur: 10 })).toBe("ran");
    expect(await codeOf(rig.call({ eur: 10 }, { fails: true }))).toBe("ERR_APPROVAL_USED");
    const later = new Rig([create()]);
    await later.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    await codeOf(later.call({ eur: 10 }, { fails: true }));
    await later.stack.call("model", later.run, asked(), async (invocation) => {
      invocation.respond({ value: { message: { role: "assistant", parts: [] } } });
    });
    expect(await codeOf(later.call({ eur: 10 }))).toBe("ERR_APPROVAL_USED");
    expect(later.ran).toHaveLength(1);
  });
});

describe("an attempt that was given up while its approval was looked up", () => {
  it("runs nothing any more, and leaves the approval to the attempt that is at work", async () => {
    const store = memoryStateStore();
    let first: Promise<void> | undefined;
    // The second attempt comes to its approval when the first has used it.
    const { create, decides, last } = desk({ when: async () => first?.then(() => true) ?? true }, { store });
    let slow: ((value?: unknown) => void) | undefined;
    const again: Plugin = {
      name: "again",
      async tool(invocation, callNext) {
        const beginning = callNext().catch(() => {});
        while (slow === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
        invocation.giveUp(new Error("late"));
        first = beginning;
        const second = callNext();
        slow();
        await second;
      },
    };
    const waits = new Rig([create()]);
    await waits.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    const claim = store.claim.bind(store);
    store.claim = async (key, expiry) => {
      const claimed = await claim(key, expiry);
      if (slow === undefined) {
        await new Promise((resolve) => {
          slow = resolve;
        });
      }
      return claimed;
    };
    const rig = new Rig([create(), again], { runId: waits.run.runId });
    expect(await rig.call({ eur: 10 })).toBe("ran");
    expect(rig.ran).toHaveLength(1);
  });
});

describe("a decision", () => {
  it("is for its arguments, its call and its run alone", async () => {
    const { create, decides, last } = desk();
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    expect(await rig.call({ eur: 11 })).toMatch(/^waits/);
    expect(await rig.call({ eur: 10 }, { id: "2" })).toMatch(/^waits/);
    expect(await new Rig([create()]).call({ eur: 10 })).toMatch(/^waits/);
    expect(rig.ran).toEqual([]);
  });

  it("is the same for the same arguments in another order", async () => {
    const { create, decides, last } = desk();
    const rig = new Rig([create()]);
    await rig.call({ eur: 10, to: "ann" });
    await decides.decide(last(), { decision: "approve" });
    expect(await rig.call({ to: "ann", eur: 10 })).toBe("ran");
  });

  it("counts once in all processes: the second that goes on is refused", async () => {
    const { create, decides, last } = desk();
    const first = new Rig([create()]);
    await first.call({ eur: 10 });
    await decides.decide(last(), { decision: "approve" });
    const rigs = Array.from({ length: 8 }, () => Rig.resumed([create()], first));
    const ends = await Promise.all(rigs.map((rig) => codeOf(rig.call({ eur: 10 }))));
    expect(ends.filter((end) => end === "ERR_APPROVAL_USED")).toHaveLength(7);
    expect(rigs.flatMap(({ ran }) => ran)).toEqual([{ eur: 10 }]);
    expect(rigs.flatMap(({ words }) => words).sort()).toEqual(["decided", ...Array(7).fill("refused"), "used"]);
  });

  it("is the first that was made: a later one is refused", async () => {
    const { create, decides, last } = desk();
    await new Rig([create()]).call({ eur: 10 });
    await decides.decide(last(), { decision: "reject" });
    expect(await codeOf(decides.decide(last(), { decision: "approve" }))).toBe("ERR_APPROVAL_DECIDED");
  });

  it("that is late is refused, and so is the late use of a timely one", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
    const { create, decides, last } = desk(true, { expiresIn: 1000 });
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await rig.call({ eur: 11 });
    await decides.decide(last(), { decision: "approve" });
    jest.advanceTimersByTime(1000);
    expect(await codeOf(rig.call({ eur: 11 }))).toBe("ERR_APPROVAL_EXPIRED");
    expect(await codeOf(rig.call({ eur: 10 }))).toBe("ERR_APPROVAL_EXPIRED");
    expect(await codeOf(decides.decide(last(), { decision: "approve" }))).toBe("ERR_APPROVAL_EXPIRED");
    expect([rig.ran, rig.words.slice(2)]).toEqual([[], ["expired", "refused", "expired", "refused"]]);
  });

  it.each([
    ["of a kind that the rule does not allow", { decision: "respond", response: "x" }],
    ["that is none", { decision: "maybe" }],
    ["that is an edit without arguments", { decision: "edit" }],
    ["for always, where the rule has none", { decision: "approve", always: true }],
    ["whose edit the schema refuses", { decision: "edit", arguments: { eur: "ten" } }],
  ])("%s is refused, and leaves the request open", async (_, decision) => {
    const argsSchema = { type: "object", properties: { eur: { type: "number" } }, required: ["eur"] };
    const { create, decides, last } = desk({ allowedDecisions: ["approve", "edit", "reject"], argsSchema });
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    expect(await codeOf(decides.decide(last(), decision as never))).toBe("ERR_APPROVAL_NOT_ALLOWED");
    await decides.decide(last(), { decision: "edit", arguments: { eur: 1 } });
    expect([await rig.call({ eur: 10 }), rig.ran]).toEqual(["ran", [{ eur: 1 }]]);
  });

  it("on a request that there is not is refused", async () => {
    expect(await codeOf(desk().decides.decide("none", { decision: "approve" }))).toBe("ERR_APPROVAL_UNKNOWN");
  });
});

describe("an approval by the framework's own means", () => {
  const shown = { tool: "pay", arguments: { eur: 10 } };

  it("counts once, for what was asked", async () => {
    const { create } = desk();
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    const others = [Rig.resumed([create()], rig), Rig.resumed([create()], rig)] as const;
    expect(await others[0].call({ eur: 10 }, { approved: shown })).toBe("ran");
    expect(await codeOf(others[1].call({ eur: 10 }, { approved: shown }))).toBe("ERR_APPROVAL_USED");
    expect(others.map(({ words }) => words)).toEqual([["used"], ["refused"]]);
  });

  it("of what was never asked here is refused", async () => {
    const rig = new Rig([desk().create()]);
    expect(await codeOf(rig.call({ eur: 10 }, { approved: shown }))).toBe("ERR_APPROVAL_UNKNOWN");
    expect(rig.decisions[0]?.details).toMatchObject({ why: "unknown" });
  });

  it("with an edit that the rule does not allow is refused", async () => {
    const { create } = desk({ allowedDecisions: ["approve", "reject"] });
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    expect(await codeOf(rig.call({ eur: 1 }, { approved: shown }))).toBe("ERR_APPROVAL_NOT_ALLOWED");
  });

  it("is not sufficient if keys are configured: only a signed approval counts", async () => {
    const { create, decides, last } = desk(true, { keys });
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    expect(await codeOf(rig.call({ eur: 10 }, { approved: shown }))).toBe("ERR_APPROVAL_SIGNATURE");
    await decides.decide(last(), { decision: "approve" });
    expect(await rig.call({ eur: 10 }, { approved: shown })).toBe("ran");
  });
});

describe("signatures", () => {
  const other = [{ id: "k1", secret: "t".repeat(32) }];
  const rotated = [{ id: "k2", secret: "u".repeat(32) }, ...keys];

  it("of another secret, or an unknown key, or none, are refused", async () => {
    for (const bad of [other, [{ id: "kx", secret: "s".repeat(32) }]]) {
      const { create, last, store } = desk(true, { keys });
      const rig = new Rig([create()]);
      await rig.call({ eur: 10 });
      expect(await codeOf(approvals({ store, keys: bad }).decide(last(), { decision: "approve" }))).toBe(
        "ERR_APPROVAL_SIGNATURE",
      );
    }
    const { create, last, store } = desk(true, { keys });
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await approvals({ store }).decide(last(), { decision: "approve" });
    expect(await codeOf(rig.call({ eur: 10 }))).toBe("ERR_APPROVAL_SIGNATURE");
    expect([rig.ran, rig.decisions.at(-1)?.details]).toEqual([[], expect.objectContaining({ why: "signature" })]);
  });

  it("of the old key are good while keys are rotated", async () => {
    const { create, last, store } = desk(true, { keys });
    const rig = new Rig([create()]);
    await rig.call({ eur: 10 });
    await approvals({ store, keys: rotated }).decide(last(), { decision: "approve" });
    expect(await Rig.resumed([desk(true, { keys: rotated, store }).create()], rig).call({ eur: 10 })).toBe("ran");
  });

  it("are over everything: nothing in the store can be altered", async () => {
    const { create, decides, last, store } = desk({ always: true }, { keys });
    const rig = new Rig([create()], { sessionId: "s" });
    await rig.call({ eur: 10 });
    await decides.decide(last(), { decision: "reject", message: "no" });
    const key = `approval:${last()}:decision`;
    const good = await store.get(key);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("decision", "arguments", "expiresAt", "by", "request", "always", "version"),
        fc.oneof(fc.constant("approve"), fc.constant(true), fc.integer(), fc.object()),
        async (field, value) => {
          fc.pre(field !== "version" || value !== 1);
          const altered = { ...(good?.value as object), [field]: value };
          await store.delete(key);
          await store.compareAndSet(key, undefined, altered);
          expect(await codeOf(rig.call({ eur: 10 }))).toBe("ERR_APPROVAL_SIGNATURE");
        },
      ),
    );
    expect(rig.ran).toEqual([]);
  });
});

describe("always", () => {
  const always = { always: { per: (args: { to: string }) => args.to } };
  const pay = { to: "ann", eur: 10 };

  it("holds for later calls of the tool in the session, as far as its rule says, until it is revoked", async () => {
    const { create, decides, last } = desk(always, { keys });
    const rig = new Rig([create()], { sessionId: "s" });
    await rig.call(pay);
    await decides.decide(last(), { decision: "approve", always: true, by: "ann" });
    expect(await rig.call(pay)).toBe("ran");
    const later = new Rig([create()], { sessionId: "s" });
    expect(await later.call({ ...pay, eur: 99 })).toBe("ran");
    expect(later.words).toEqual(["always"]);
    expect(await later.call({ ...pay, to: "bob" })).toMatch(/^waits/);
    expect(await new Rig([create()], { sessionId: "t" }).call(pay)).toMatch(/^waits/);
    await decides.revoke({ sessionId: "s", toolName: "pay", scope: "ann" });
    expect(await later.call(pay, { id: "9" })).toMatch(/^waits/);
  });

  it("does not cover another user's call in the same session", async () => {
    const { create, decides, last } = desk(always, { keys });
    const of = (userId?: string) => new Rig([create()], { sessionId: "s", ...(userId !== undefined && { userId }) });
    const ada = of("ada");
    await ada.call(pay);
    await decides.decide(last(), { decision: "approve", always: true });
    expect(await ada.call(pay)).toBe("ran");
    expect(await of("bob").call(pay)).toMatch(/^waits/);
    expect(await of().call(pay)).toMatch(/^waits/);
    expect(await of("ada").call(pay)).toBe("ran");
  });

  it("belongs to the user who was shown, if another user's request resumes the run", async () => {
    const { create, decides, last } = desk(always);
    const first = new Rig([create()], { sessionId: "s", userId: "ada" });
    await first.call(pay);
    await decides.decide(last(), { decision: "approve", always: true });
    const bob = new Rig([create()], { runId: first.run.runId, sessionId: "s", userId: "bob" });
    expect(await bob.call(pay)).toMatch(/^waits/);
    expect(await first.call(pay)).toBe("ran");
    expect(await bob.call(pay)).toMatch(/^waits/);
    expect(await new Rig([create()], { sessionId: "s", userId: "ada" }).call(pay)).toBe("ran");
  });

  it.each<[string, string | undefined, readonly string[]]>([
    ["one user", "ada", ["^waits", "^ran"]],
    ["all users of the session", undefined, ["^waits", "^waits"]],
  ])("is revoked for %s", async (_, userId, becomes) => {
    const { create, decides, last } = desk(always);
    const of = (userId: string) => new Rig([create()], { sessionId: "s", userId });
    for (const userId of ["ada", "bob"]) {
      const rig = of(userId);
      await rig.call(pay);
      await decides.decide(last(), { decision: "approve", always: true });
      expect(await rig.call(pay)).toBe("ran");
    }
    await decides.revoke({ sessionId: "s", toolName: "pay", scope: "ann", ...(userId !== undefined && { userId }) });
    expect([await of("ada").call(pay), await of("bob").call(pay)]).toEqual(
      becomes.map((each) => expect.stringMatching(each)),
    );
  });

  it("is removed by forgetUser, and other users keep theirs", async () => {
    const { create, decides, last, store } = desk(always);
    const of = (userId: string) => new Rig([create()], { sessionId: "s", userId });
    const writes = jest.spyOn(store, "compareAndSet");
    for (const userId of ["ada", "bob"]) {
      const rig = of(userId);
      await rig.call(pay);
      await decides.decide(last(), { decision: "approve", always: true });
      expect(await rig.call(pay)).toBe("ran");
    }
    expect(await decides.forgetUser("ada")).toBe(1);
    expect([await of("ada").call(pay), await of("bob").call(pay)]).toEqual([expect.stringMatching(/^waits/), "ran"]);
    await decides.forgetUser("ada");
    const keys = new Set(writes.mock.calls.map(([key]) => key));
    const kept = await Promise.all([...keys].map(async (key) => (await store.get(key))?.value));
    expect(JSON.stringify(kept)).not.toContain('"ada"');
  });

  it("ends in time, even if the store keeps it for longer", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
    const { create, decides, last, store } = desk({ always: { expiresIn: 1000 } });
    const write = store.compareAndSet.bind(store);
    jest.spyOn(store, "compareAndSet").mockImplementation((key, version, value) => write(key, version, value));
    const rig = new Rig([create()], { sessionId: "s" });
    await rig.call(pay);
    await decides.decide(last(), { decision: "approve", always: true });
    expect(await rig.call(pay)).toBe("ran");
    expect(await rig.call(pay, { id: "2" })).toBe("ran");
    jest.advanceTimersByTime(1000);
    expect(await rig.call(pay, { id: "3" })).toMatch(/^waits/);
  });

  it("holds for the run where there is no session, and ends in time", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
    const { create, decides, last } = desk({ always: { expiresIn: 1000 } });
    const rig = new Rig([create()]);
    await rig.call(pay);
    await decides.decide(last(), { decision: "approve", always: true });
    expect(await rig.call(pay)).toBe("ran");
    expect(await rig.call(pay, { id: "2" })).toBe("ran");
    expect(await new Rig([create()]).call(pay, { id: "2" })).toMatch(/^waits/);
    jest.advanceTimersByTime(1000);
    expect(await rig.call(pay, { id: "3" })).toMatch(/^waits/);
  });
});

it("a signature counts for its own purpose alone", async () => {
  const signing = new Keys(keys);
  const signed = await signing.signed("request", { id: "1" });
  expect(await signing.verify("request", signed)).toBe(true);
  for (const purpose of ["decision", "always"] as const) expect(await signing.verify(purpose, signed)).toBe(false);
});

it("approvals() gives a suspended run the decisions on its own calls only", async () => {
  const { create, decides, last } = desk();
  const rig = new Rig([create()]);
  await rig.call({ eur: 10 });
  await decides.decide(last(), { decision: "approve" });
  const call = { id: "1", reason: "approval", digest: last() };
  expect(await decides.decisions({ calls: [call] })).toMatchObject([{ id: "1", digest: last(), type: "approve" }]);
  expect(await decides.decisions({ calls: [{ ...call, digest: "0".repeat(64) }] })).toEqual([]);
  expect(await decides.decisions({ calls: [{ ...call, reason: "external" }] })).toEqual([]);
});

describe("what people are shown", () => {
  const redactor = {
    redact: (text: string) => text.replaceAll("jane", "[NAME]"),
    value: (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("jane", "[NAME]")) as unknown,
  };
  const guard = { name: "pii", redactor };
  const description = ({ arguments: args }: { arguments: unknown }) => `Pay ${(args as { to: string }).to}?`;

  it("is redacted by default, and redacted arguments cannot be edited", async () => {
    const { create, asked, decides, last } = desk({ description }, { descriptionPrefix: "Desk" });
    const rig = new Rig([guard, create()]);
    expect(await rig.call({ to: "jane" })).toBe("waits: approve reject respond");
    expect(asked[0]).toMatchObject({ arguments: { to: "[NAME]" }, question: "Desk\n\nPay [NAME]?" });
    await decides.decide(last(), { decision: "approve" });
    expect([await rig.call({ to: "jane" }), rig.ran]).toEqual(["ran", [{ to: "jane" }]]);
  });

  it("may be everything, or nothing", async () => {
    const full = desk({ description }, { show: "full" });
    expect(await new Rig([guard, full.create()]).call({ to: "jane" })).toMatch(/edit/);
    expect(full.asked[0]).toMatchObject({ arguments: { to: "jane" }, question: "Pay jane?" });
    const none = desk({ description: "Pay?" }, { show: "none" });
    expect(await new Rig([none.create()]).call({ to: "jane" })).toBe("waits: approve reject respond");
    expect(JSON.stringify(none.asked)).not.toContain("jane");
  });

  it("is not what is too long to be looked at, or no JSON", async () => {
    const rig = new Rig([desk().create()]);
    expect(await codeOf(rig.call({ text: "x".repeat(70_000) }))).toBe("ERR_APPROVAL_REQUEST");
    const round: { self?: unknown } = {};
    round.self = round;
    expect(await codeOf(rig.call(round))).toBe("ERR_APPROVAL_REQUEST");
    expect(rig.ran).toEqual([]);
  });
});

describe("a guard", () => {
  it("takes a decision at once from a way to ask that has one", async () => {
    const { create } = desk(true, { ask: [() => undefined, async () => ({ decision: "approve", by: "ann" })] });
    const rig = new Rig([create()]);
    expect(await rig.call({ eur: 10 })).toBe("ran");
    expect(rig.words).toEqual(["asked", "decided", "used"]);
  });

  it("in monitor mode tells what it would hold, and holds nothing", async () => {
    const { create, asked } = desk(true, { mode: "monitor" });
    const rig = new Rig([create()]);
    expect([await rig.call({ eur: 10 }), asked]).toEqual(["ran", []]);
    expect(rig.decisions).toMatchObject([{ decision: "asked", enforced: false }]);
  });

  it.each(["get", "compareAndSet", "claim"] as const)(
    "fails closed if the store's %s fails, and reports it",
    async (method) => {
      const store = memoryStateStore();
      const { create, decides, last } = desk(true, { store });
      const first = new Rig([create()]);
      if (method !== "compareAndSet") {
        await first.call({ eur: 10 });
        await decides.decide(last(), { decision: "approve" });
      }
      const down: StateStore = { ...store, [method]: () => Promise.reject(new Error("store down")) };
      const rig = Rig.resumed([desk(true, { store: down }).create()], first);
      await expect(rig.call({ eur: 10 })).rejects.toThrow("store down");
      expect([rig.ran, rig.words.at(-1)]).toEqual([[], "fail_closed"]);
    },
  );

  it.each<[string, () => unknown]>([
    ["no rules", () => humanInTheLoop(undefined as never)],
    ["a rule that is none", () => humanInTheLoop({ pay: "yes" as never })],
    ["an unknown option of a rule", () => humanInTheLoop({ pay: { allowDecisions: [] } as never })],
    ["no decision", () => humanInTheLoop({ pay: { allowedDecisions: [] } })],
    ["a decision that there is not", () => humanInTheLoop({ pay: { allowedDecisions: ["maybe" as never] } })],
    [
      "a schema of edits without edits",
      () => humanInTheLoop({ pay: { allowedDecisions: ["approve"], argsSchema: {} } }),
    ],
    ["always without approve", () => humanInTheLoop({ pay: { allowedDecisions: ["reject"], always: true } })],
    ["an always that has ended", () => humanInTheLoop({ pay: { always: { expiresIn: 0 } } })],
    ["an unknown option", () => humanInTheLoop({}, { stor: 1 } as never)],
    ["a time that is none", () => humanInTheLoop({}, { expiresIn: Number.NaN })],
    ["a negative time", () => humanInTheLoop({}, { expiresIn: -1 })],
    ["a mode that there is not", () => humanInTheLoop({}, { mode: "maybe" as never })],
    ["a way to ask that is none", () => humanInTheLoop({}, { ask: "mail" as never })],
    ["a store that is none", () => humanInTheLoop({}, { store: {} as never })],
    ["a short key", () => humanInTheLoop({}, { keys: [{ id: "k", secret: "short" }] })],
    ["two keys of one id", () => approvals({ keys: [...keys, ...keys] })],
  ])("is refused when it is made with %s", (_, make) => {
    expect(make).toThrow(expect.objectContaining({ code: "ERR_APPROVAL_OPTION" }));
  });
});
