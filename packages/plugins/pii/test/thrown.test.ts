import { describe, expect, it } from "@jest/globals";
import { CodedError, type Kind, MiddlewareTermination, message, type Request } from "@suite/core";
import { type Core, call, everywhere, gone, mail, membersOf, piece, plugin, requestOf } from "./calls.js";

class ShopError extends CodedError<"ERR_SHOP"> {
  static override readonly brand = Symbol.for("shop/error");
  override readonly name = "ShopError";
}
const tool = { name: "find" };
const requests: { readonly [kind in "model" | "tool" | "agent"]: Request<kind> } = {
  model: requestOf(message("user", "?")),
  tool: { id: "1", tool, input: {} },
  agent: { messages: [] },
};
const thrown = (kind: keyof typeof requests, core: Core, errors = true, own = {}) =>
  call(plugin({ apply: { errors }, ...own }), kind as Kind, requests[kind] as Request<Kind>, core);

describe("errors, by default", () => {
  it("pass as they are, out of models, tools and replies", async () => {
    for (const kind of ["model", "tool", "agent"] as const) {
      const error = new ShopError("ERR_SHOP", `no ${mail}`);
      expect((await thrown(kind, { throws: error }, false)).error).toBe(error);
    }
  });

  it("are replaced in answers of tools before the model receives them", async () => {
    const failed = { type: "tool_call_response", id: "1", response: `find failed: no ${mail}`, isError: true } as const;
    const { seen } = await call(plugin(), "model", requestOf(message("tool", [failed])), { value: undefined });
    expect(seen?.messages[0]?.parts).toEqual([{ ...failed, response: `find failed: no ${gone}` }]);
  });

  it("of tools are treated where what tools answer is", async () => {
    const results = plugin({ apply: { toolResults: true } });
    const { error, notifications } = await call(results, "tool", requests.tool, { throws: new Error(`no ${mail}`) });
    expect((error as Error).message).toBe(`no ${gone}`);
    expect(notifications).toEqual([
      expect.objectContaining({ place: "error", decision: "modify", findings: { email: 2 } }),
    ]);
  });
});

describe("errors, where they are asked for", () => {
  it.each(["model", "tool", "agent"] as const)("come out of a %s as a copy of the same class", async (kind) => {
    const cause = new RangeError(mail);
    const error = Object.assign(new ShopError("ERR_SHOP", `no ${mail}`, { cause }), { to: mail });
    for (const stream of [undefined, [piece("a")]]) {
      const out = (await thrown(kind, { throws: error, ...(stream && { stream }) })).error as typeof error;
      expect(out).not.toBe(error);
      expect(out).toBeInstanceOf(ShopError);
      expect([ShopError.is(out), out.code, out.name, out.message, out.to]).toEqual([
        true,
        "ERR_SHOP",
        "ShopError",
        `no ${gone}`,
        gone,
      ]);
      expect(out.cause).toBeInstanceOf(RangeError);
      expect(Object.prototype.toString.call(out)).toBe("[object Error]");
      expect(`${out.stack} ${(out.cause as Error).stack}`).not.toContain("jane");
    }
    expect(error.message).toBe(`no ${mail}`);
  });

  it("stay the same object without findings, and are reported once", async () => {
    const clean = new ShopError("ERR_SHOP", "no");
    expect(await thrown("model", { throws: clean })).toMatchObject({ error: clean, notifications: [] });
    const { notifications } = await thrown("model", { throws: new Error(mail) });
    expect(notifications).toEqual([expect.objectContaining({ place: "error", plugin: "pii" })]);
    expect(JSON.stringify(notifications)).not.toContain("jane");
  });

  it("may be anything that can be thrown", async () => {
    expect((await thrown("model", { throws: `no ${mail}` })).error).toBe(`no ${gone}`);
    expect((await thrown("model", { throws: undefined })).error).toBeUndefined();
    const stop = new MiddlewareTermination(`enough of ${mail}`, { scope: "call" });
    const out = (await thrown("tool", { throws: stop })).error;
    expect(MiddlewareTermination.is(out) && [out.scope, out.message]).toEqual(["call", `enough of ${gone}`]);
    const aborted = (await thrown("model", { throws: new DOMException(`no ${mail}`, "TimeoutError") })).error;
    expect([(aborted as Error).name, (aborted as Error).message]).toEqual(["TimeoutError", `no ${gone}`]);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(Object.is((await thrown("model", { throws: proxy })).error, proxy)).toBe(true);
  });

  it("are left alone in monitor mode, and blocked by a rule that blocks", async () => {
    const error = new Error(mail);
    const watched = await thrown("model", { throws: error }, true, { mode: "monitor" });
    expect(watched.error).toBe(error);
    expect(watched.notifications).toEqual([expect.objectContaining({ enforced: false })]);
    const blocking = plugin({ apply: { errors: true } }, { email: "block" });
    const { error: blocked } = await call(blocking, "model", requests.model, { throws: error });
    expect(blocked).toMatchObject({ code: "ERR_PII_BLOCKED", places: ["error"] });
    expect(`${blocked} ${(blocked as Error).stack} ${(blocked as Error).cause}`).not.toContain("jane");
  });

  it("are a place of its own", () => {
    expect(membersOf(plugin({ apply: { errors: true } }))).toEqual([
      "agent",
      "embedding",
      "model",
      "name",
      "redactor",
      "tool",
      "whereOffered",
    ]);
    expect(plugin({ apply: everywhere }).agent).toBeUndefined();
  });
});
