import { describe, expect, it } from "@jest/globals";
import type { Approvals } from "@suite/viewer";
import type { ApprovalRequest, WaitingRequests } from "../src/run/approval.js";
import { ask, requestOf, send, span, viewer } from "./support.js";

const request = (id: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  ...{ id, toolName: "refund", arguments: { eur: 40 }, question: "May it?", always: false },
  ...{ decisions: ["approve", "reject"], askedAt: Date.now(), expiresAt: Date.now() + 60_000 },
  ...more,
});

/** The approvals of a store that has these requests, and the decisions that were kept there. */
function storeOf(...requests: readonly (ApprovalRequest & { readonly signature?: string })[]) {
  const kept = new Map<string, object>();
  const approvals: Approvals = {
    async get(id) {
      if (id === "unreachable") throw new Error("secret of the store");
      if (id === "altered")
        throw Object.assign(new Error("An approval was altered."), { code: "ERR_APPROVAL_SIGNATURE" });
      return requests.find((each) => each.id === id);
    },
    decision: async (id) => kept.get(id),
    async decide(id, decision) {
      if (id === "unreachable") throw new Error("secret of the store");
      if (requests.every((each) => each.id !== id))
        throw Object.assign(new Error("There is no such request."), { code: "ERR_APPROVAL_UNKNOWN" });
      if (kept.has(id)) throw Object.assign(new Error("It was decided before."), { code: "ERR_APPROVAL_DECIDED" });
      kept.set(id, decision);
    },
  };
  return { approvals, kept };
}

/** A span that tells of requests, as `@suite/tracing` does. */
const asking = (...ids: readonly string[]) =>
  span({
    events: ids.map((id) => ({
      name: "suite.decision",
      time: 0,
      attributes: { "suite.decision.name": "asked", "suite.decision.detail.request": id },
    })),
  });

type Shown = Awaited<ReturnType<typeof viewer>>;
const waitingIn = async (shown: Shown) => (await (await ask(shown, "/api/approvals")).json()) as WaitingRequests;
const post = (shown: Shown, id: string, body: unknown, headers: Record<string, string> = {}) => {
  const url = new URL(shown.url);
  return fetch(new URL(`/api/approvals/${encodeURIComponent(id)}`, url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${url.searchParams.get("token")}`,
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
};
const approve = () => ({ decision: "approve" });

describe("approvals on the page", () => {
  it("are those of the traces that the store says wait: none that is decided, expired, or not there", async () => {
    const signed = { ...request("a"), signature: "not for the page" };
    const { approvals, kept } = storeOf(
      signed,
      request("b"),
      request("c", { expiresAt: Date.now() - 1 }),
      request("d"),
    );
    kept.set("b", {});
    const shown = await viewer({ approve: approvals, approveAs: "ann" });
    const told = asking("a", "b", "c", "nowhere");
    await send(shown, requestOf(told));
    const { signature: _, ...a } = signed;
    expect(await waitingIn(shown)).toEqual({
      by: "ann",
      problems: [],
      waiting: [{ request: a, traceId: told.traceId }],
    });
    await send(shown, requestOf(asking("d")));
    expect((await waitingIn(shown)).waiting.map((each) => each.request.id)).toEqual(["a", "d"]);
  });

  it("are decided on what was shown, in the name of the person, once", async () => {
    const { approvals, kept } = storeOf(request("a"));
    const shown = await viewer({ approve: approvals, approveAs: "ann" });
    await send(shown, requestOf(asking("a")));
    const other = await post(shown, "of something else", approve());
    expect([other.status, await other.text()]).toEqual([409, "There is no such request.\n"]);
    expect(kept.size).toBe(0);
    expect((await post(shown, "a", { ...approve(), by: "somebody else" })).status).toBe(200);
    expect(kept.get("a")).toEqual({ decision: "approve", by: "ann" });
    const again = await post(shown, "a", approve());
    expect([again.status, await again.text()]).toEqual([409, "It was decided before.\n"]);
    expect((await waitingIn(shown)).waiting).toEqual([]);
  });

  it("say why a store could not be read, without what is secret", async () => {
    const { approvals } = storeOf();
    const shown = await viewer({ approve: approvals });
    await send(shown, requestOf(asking("altered", "unreachable")));
    const { problems } = await waitingIn(shown);
    expect(problems).toEqual(["An approval was altered.", "The store of approvals could not be read."]);
    const failed = await post(shown, "unreachable", approve());
    expect([failed.status, await failed.text()]).toEqual([
      409,
      expect.stringMatching(/^The store of approvals failed/),
    ]);
  });

  it("are decided by who has the token alone, from no other page, as JSON", async () => {
    const { approvals, kept } = storeOf(request("a"));
    const shown = await viewer({ approve: approvals });
    const status = async (headers: Record<string, string>, body: unknown = approve()) =>
      (await post(shown, "a", body, headers)).status;
    expect(await status({ authorization: "Bearer x" })).toBe(401);
    expect(await status({ origin: "https://example.com" })).toBe(403);
    expect(await status({ "content-type": "text/plain" })).toBe(415);
    for (const body of ["{", "null", "[]", {}, { decision: "delete" }, { ...approve(), decision: "__proto__" }])
      expect(await status({}, body)).toBe(409);
    expect(kept.size).toBe(0);
  });

  it("are neither decided nor listed by default", async () => {
    const shown = await viewer();
    await send(shown, requestOf(asking("a")));
    expect((await ask(shown, "/api/approvals")).status).toBe(404);
    expect((await post(shown, "a", approve())).status).toBe(404);
    expect(await (await ask(shown, "/")).text()).not.toContain("data-approve");
  });

  it("stay listed after thousands of invented ids were sent", async () => {
    const { approvals } = storeOf(request("real"));
    const shown = await viewer({ approve: approvals });
    await send(shown, requestOf(asking("real")));
    for (let n = 0; n < 12; n++)
      await send(shown, requestOf(asking(...Array.from({ length: 1000 }, (_, m) => `invented-${n}-${m}`))));
    const { waiting, problems } = await waitingIn(shown);
    expect([waiting.map((each) => each.request.id), problems]).toEqual([["real"], []]);
  });

  it("list the oldest of very many, count the others, and list those when older ones were decided", async () => {
    const ids = Array.from({ length: 300 }, (_, n) => `r-${n}`);
    const { approvals, kept } = storeOf(...ids.map((id, n) => request(id, { askedAt: Date.now() - 1000 + n })));
    const shown = await viewer({ approve: approvals });
    await send(shown, requestOf(asking(...[...ids].reverse())));
    const first = await waitingIn(shown);
    expect([first.waiting.length, first.waiting[0]?.request.id, first.waiting.at(-1)?.request.id]).toEqual([
      200,
      "r-0",
      "r-199",
    ]);
    expect(first.problems).toEqual([expect.stringMatching(/^100 more requests may be waiting/)]);
    for (const id of ids.slice(0, 150)) kept.set(id, {});
    expect((await waitingIn(shown)).waiting).toHaveLength(50);
    const second = await waitingIn(shown);
    expect([second.waiting.length, second.problems]).toEqual([150, []]);
  });

  it("of one message are looked up to a bound", async () => {
    const asked: string[] = [];
    const { approvals } = storeOf();
    const get: Approvals["get"] = async (id) => void asked.push(id);
    const shown = await viewer({ approve: { ...approvals, get } });
    await send(shown, requestOf(asking(...Array.from({ length: 1500 }, (_, n) => `invented-${n}`))));
    expect(asked).toHaveLength(1000);
  });

  it("that are known are not looked up again when they are named again", async () => {
    const asked: string[] = [];
    const { approvals } = storeOf(request("a"));
    const get: Approvals["get"] = (id) => {
      asked.push(id);
      return approvals.get(id);
    };
    const shown = await viewer({ approve: { ...approvals, get } });
    for (let n = 0; n < 5; n++) await send(shown, requestOf(asking("a")));
    expect(asked).toEqual(["a"]);
  });

  it("of a store that is down are remembered to a bound, and those that were forgotten are counted", async () => {
    const { approvals } = storeOf();
    const shown = await viewer({ approve: { ...approvals, get: () => Promise.reject(new Error("down")) } });
    for (const batch of [0, 1])
      await send(shown, requestOf(asking(...Array.from({ length: 600 }, (_, n) => `r-${batch}-${n}`))));
    expect((await waitingIn(shown)).problems).toEqual([
      "The store of approvals could not be read.",
      "200 requests are not listed because there are too many. Decide them elsewhere.",
    ]);
  });

  it("are looked up again after the store could not be reached", async () => {
    const { approvals } = storeOf(request("a"));
    let isDown = true;
    const get: Approvals["get"] = (id) => (isDown ? Promise.reject(new Error("down")) : approvals.get(id));
    const shown = await viewer({ approve: { ...approvals, get } });
    expect((await send(shown, requestOf(asking("a", "invented")))).status).toBe(200);
    expect(await waitingIn(shown)).toMatchObject({
      waiting: [],
      problems: ["The store of approvals could not be read."],
    });
    isDown = false;
    expect(await waitingIn(shown)).toMatchObject({ waiting: [{ request: { id: "a" } }], problems: [] });
  });

  it.each([{}, { get: () => {} }, null, "store"])("refuse %j", async (approvals) => {
    await expect(viewer({ approve: approvals as never })).rejects.toMatchObject({ code: "ERR_VIEWER_OPTION" });
  });
});
