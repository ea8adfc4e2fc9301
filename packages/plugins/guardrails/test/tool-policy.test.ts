import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { toolCall } from "@suite/core";
import {
  type ArgumentCondition,
  GuardrailsError,
  type ToolPolicy,
  type ToolPolicyOptions,
  toolPolicy,
  toolPolicySchema,
} from "@suite/guardrails";
import { memoryStateStore } from "@suite/kit/store";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { Rig } from "../../limits/test/support.js";
import { nameTest } from "../src/policy/decide.js";

const made = (policy: Omit<ToolPolicy, "version">, options: Partial<ToolPolicyOptions> = {}) =>
  toolPolicy({ policy: { version: 1, ...policy }, ...options });

/** Whether a call ran under a policy, in a run of its own. */
async function runsUnder(policy: Omit<ToolPolicy, "version">, tool: string, input: unknown = {}): Promise<boolean> {
  return !(await new Rig([made(policy)]).tool(tool, { input })).failed;
}

describe("a tool policy", () => {
  it("allows only calls that an allow rule matches", async () => {
    const policy = { allow: [{ tools: ["find_order", "docs_*"] }] };
    expect(await runsUnder(policy, "find_order")).toBe(true);
    expect(await runsUnder(policy, "docs_read")).toBe(true);
    for (const other of ["find_orders", "docs", "refund", "Find_order", ""])
      expect(await runsUnder(policy, other)).toBe(false);
  });

  it("refuses what a deny rule matches, whatever allows it", async () => {
    const policy: Omit<ToolPolicy, "version"> = {
      default: "allow",
      allow: [{ tools: ["*"] }],
      deny: [{ tools: ["drop_*"] }],
    };
    expect(await runsUnder(policy, "drop_table")).toBe(false);
    expect(await runsUnder(policy, "read_table")).toBe(true);
  });

  const amount = (condition: ArgumentCondition) => ({ tools: ["refund"], arguments: { amount: condition } });
  const undecidable = [{}, { amount: "50" }, { amount: null }, { amount: [50] }, "not JSON", null, [50]];

  it("allows by arguments: what is missing, of another type or unreadable is not allowed", async () => {
    const policy = { allow: [amount({ maximum: 100 })] };
    expect(await runsUnder(policy, "refund", { amount: 100 })).toBe(true);
    expect(await runsUnder(policy, "refund", { amount: 101 })).toBe(false);
    for (const input of undecidable) expect(await runsUnder(policy, "refund", input)).toBe(false);
    expect(await runsUnder({ allow: [amount({ maximum: 100, optional: true })] }, "refund", {})).toBe(true);
  });

  it("denies by arguments: an argument of another type or an unreadable one is denied, a missing one is not", async () => {
    const policy = { allow: [{ tools: ["*"] }], deny: [amount({ minimum: 101 })] };
    expect(await runsUnder(policy, "refund", { amount: 100 })).toBe(true);
    expect(await runsUnder(policy, "refund", { amount: 101 })).toBe(false);
    expect(await runsUnder(policy, "refund", {})).toBe(true);
    for (const input of undecidable.slice(1)) expect(await runsUnder(policy, "refund", input)).toBe(false);
  });

  it("looks at each entry of a list: all of them to allow, any of them to deny", async () => {
    const each = { tools: ["send"], arguments: { "to[].host": { enum: ["a", "b"] } } };
    const input = (...hosts: readonly string[]) => ({ to: hosts.map((host) => ({ host })) });
    expect(await runsUnder({ allow: [each] }, "send", input("a", "b"))).toBe(true);
    expect(await runsUnder({ allow: [each] }, "send", input("a", "c"))).toBe(false);
    expect(await runsUnder({ allow: [{ tools: ["*"] }], deny: [each] }, "send", input("c", "a"))).toBe(false);
    expect(await runsUnder({ allow: [{ tools: ["*"] }], deny: [each] }, "send", input("c"))).toBe(true);
  });

  it.each<[string, unknown]>([
    ["config.env", { config: '{"env":"production"}' }],
    ["config.env", { config: [{ env: "production" }] }],
    ["config.env", { config: [["env", "production"]] }],
    ["config.env", { config: 7 }],
    ["to[].env", { to: [[{ env: "production" }]] }],
    ["to[].env", { to: "production" }],
    ["to[].env", { to: ["production"] }],
    ["a.b.env", { a: { b: "env=production" } }],
    ["a[].b.env", { a: [{ b: { env: "test" } }, { b: "env=production" }] }],
  ])("refuses by a deny rule on %s a call that has another type on the way: %j", async (path, input) => {
    const rule = { tools: ["run"], arguments: { [path]: { const: "production", optional: true } } };
    expect(await runsUnder({ default: "allow", deny: [rule] }, "run", input)).toBe(false);
    expect(await runsUnder({ allow: [rule] }, "run", input)).toBe(false);
  });

  it.each<[string, unknown]>([
    ["config.env", {}],
    ["config.env", { config: null }],
    ["config.env", { config: {} }],
    ["to[].env", { to: [] }],
    ["to[].env", { to: [{}, { env: "test" }] }],
    ["to.length", { to: ["a"] }],
  ])("lets a call run under a deny rule on %s that has nothing there: %j", async (path, input) => {
    const rule = { tools: ["run"], arguments: { [path]: { const: path === "to.length" ? 2 : "production" } } };
    expect(await runsUnder({ default: "allow", deny: [rule] }, "run", input)).toBe(true);
  });

  it("refuses NaN by a deny rule on a number, and does not allow it", async () => {
    for (const condition of [{ minimum: 1 }, { maximum: 1 }]) {
      const rule = { tools: ["refund"], arguments: { amount: condition } };
      const input = { amount: Number.NaN };
      expect(await runsUnder({ default: "allow", deny: [rule] }, "refund", input)).toBe(false);
      expect(await runsUnder({ allow: [rule] }, "refund", input)).toBe(false);
    }
  });

  it("matches expressions: to allow, the whole text; to deny, any part of it", async () => {
    const to = (pattern: string) => ({ tools: ["send"], arguments: { to: { pattern } } });
    const allows = (pattern: string, value: unknown) => runsUnder({ allow: [to(pattern)] }, "send", { to: value });
    const denies = async (pattern: string, value: unknown) =>
      !(await runsUnder({ default: "allow", deny: [to(pattern)] }, "send", { to: value }));
    expect(await allows("a|ab", "ab")).toBe(true);
    expect(await allows("(?i)[a-z]+@mail[.]example", "Jane@mail.example")).toBe(true);
    for (const other of ["xDE12", "DE12x", "DE12\n", "\nDE12", "de12", 12, null, ["DE12"]]) {
      expect(await allows("DE\\d+", other)).toBe(false);
      expect(await allows("^DE\\d+$", other)).toBe(false);
      expect(await allows("DE\\d+|none", other)).toBe(false);
    }
    expect(await denies("eve@", "jane@mail.example, eve@mail.example")).toBe(true);
    expect(await denies("eve@", "jane@mail.example")).toBe(false);
    for (const undecidable of [12, null, ["jane"]]) expect(await denies("eve@", undecidable)).toBe(true);
  });

  it("takes linear time for an expression and a text that are made to never end", async () => {
    const policy = { allow: [{ tools: ["*"], arguments: { text: { pattern: "(a+)+" } } }] };
    const start = performance.now();
    expect(await runsUnder(policy, "any", { text: `${"a".repeat(50_000)}!` })).toBe(false);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it("takes nothing inherited for an argument", async () => {
    const policy = { allow: [{ tools: ["*"], arguments: { "constructor.name": { const: "Object" } } }] };
    expect(await runsUnder(policy, "any", {})).toBe(false);
  });

  it("holds for roles, and needs to be told how they are known", async () => {
    const policy: ToolPolicy = { version: 1, allow: [{ tools: ["refund"], roles: ["lead", "admin"] }] };
    expect(() => toolPolicy({ policy })).toThrow(expect.objectContaining({ code: "ERR_GUARDRAILS_OPTION" }));
    for (const [role, ran] of [
      ["admin", true],
      ["agent", false],
      [undefined, false],
      [["agent", "lead"], true],
    ] as const) {
      const rig = new Rig([toolPolicy({ policy, role: () => role })]);
      expect((await rig.tool("refund")).failed).toBe(!ran);
    }
    const broken = () => {
      throw new RangeError("no role");
    };
    await expect(new Rig([toolPolicy({ policy, role: broken })]).tool("refund")).rejects.toThrow("no role");
  });

  it("tells what refused a call, and none of its arguments", async () => {
    const rig = new Rig([made({ allow: [amount({ maximum: 1 })], default: "deny" })]);
    const { value } = await rig.tool("refund", { input: { amount: 31337 } });
    expect(value).toBe("This call of refund is not allowed and was not run.");
    expect(rig.told).toMatchObject([
      { type: "guardrail", decision: "block", enforced: true, details: { tool: "refund", rule: "default" } },
    ]);
    expect(JSON.stringify(rig.told)).not.toContain("31337");
  });

  it("looks again at the arguments with which a tool is about to run", async () => {
    const plugin = made({ allow: [amount({ maximum: 100 })] });
    const asked = { id: "1", tool: { name: "refund" }, call: undefined };
    const { run } = new Rig([]);
    expect(plugin.approval?.({ ...asked, input: { amount: 1 } }, run)).toBeUndefined();
    expect(plugin.approval?.({ ...asked, input: { amount: 101 } }, run)).toMatchObject({ decision: "reject" });
  });
});

describe("the rates of a policy", () => {
  const rated = (per: "run" | "session" | "user" | "all", calls = 2) => ({
    default: "allow" as const,
    rates: [{ tools: ["pay_*"], calls, per, message: "Enough paid." }],
  });

  it("count the calls that they are about together, and no others", async () => {
    const rig = new Rig([made(rated("run"))]);
    const failed = [];
    for (const tool of ["pay_card", "look", "pay_bank", "look", "pay_card"]) failed.push((await rig.tool(tool)).failed);
    expect(failed).toEqual([false, false, false, false, true]);
    expect((await rig.tool("pay_card")).value).toContain("Enough paid.");
  });

  it("are those of the session, of the user, or of all", async () => {
    for (const [per, fits] of [
      ["session", [true, true, true]],
      ["user", [true, false, true]],
      ["all", [true, false, false]],
    ] as const) {
      const plugin = made(rated(per, 1));
      const seen = [];
      for (const options of [
        { sessionId: "a", userId: "x" },
        { sessionId: "b", userId: "x" },
        { sessionId: "c", userId: "y" },
      ]) {
        seen.push(!(await new Rig([plugin], options).tool("pay_card")).failed);
      }
      expect([per, seen]).toEqual([per, fits]);
    }
  });

  it("hold for calls at the same time", async () => {
    const rig = new Rig([
      made({
        default: "allow",
        rates: [
          { tools: ["*"], calls: 3, per: "all" },
          { tools: ["*"], calls: 2, per: "run" },
        ],
      }),
    ]);
    const all = await Promise.all(Array.from({ length: 8 }, () => rig.tool("any")));
    expect(all.filter(({ failed }) => !failed)).toHaveLength(2);
    const next = await Promise.all(Array.from({ length: 8 }, () => new Rig(rig.stack.plugins.slice(1)).tool("any")));
    expect(next.filter(({ failed }) => !failed)).toHaveLength(1); // what one rate refused, the other gave back
  });

  it.each(["run", "all"] as const)("do not count a call that another rate refuses, per %s", async (per) => {
    const rig = new Rig([
      made({
        default: "allow",
        rates: [
          { tools: ["*"], calls: 2, per },
          { tools: ["pay"], calls: 1, per },
        ],
      }),
    ]);
    const failed = [];
    for (const tool of ["pay", "pay", "pay", "look", "look"]) failed.push((await rig.tool(tool)).failed);
    expect(failed).toEqual([false, true, true, false, true]);
  });

  it("do not count a call that waits for a person", async () => {
    const rig = new Rig([made(rated("run", 1))]);
    const request = { id: "1", tool: { name: "pay_card" }, input: {} };
    const outcome = await rig.stack.call("tool", rig.run, request, async (invocation) =>
      invocation.respond({ suspended: [{ reason: "approval", part: toolCall("1", "pay_card", {}) }] }),
    );
    await expect(outcome.final()).rejects.toThrow();
    expect((await outcome.settled).status).toBe("suspended");
    expect((await rig.tool("pay_card")).failed).toBe(false);
    expect((await rig.tool("pay_card")).failed).toBe(true);
  });

  it("fail closed if the store fails, or open, and report it", async () => {
    const down = { ...memoryStateStore(), add: () => Promise.reject(new Error("down")) };
    const closed = new Rig([made(rated("all"), { store: down })]);
    await expect(closed.tool("pay_card")).rejects.toThrow("down");
    const open = new Rig([made(rated("all"), { store: down, onStoreError: "open" })]);
    expect((await open.tool("pay_card")).failed).toBe(false);
    expect(open.told).toMatchObject([{ decision: "fail_open" }]);
    expect(closed.told).toMatchObject([{ decision: "fail_closed" }]);
  });
});

describe("a candidate policy", () => {
  it("refuses nothing, and reports differences", async () => {
    const rig = new Rig([
      made(
        { allow: [{ tools: ["read", "pay"] }] },
        { candidate: { version: 1, allow: [{ tools: ["read", "drop"] }] } },
      ),
    ]);
    expect((await rig.tool("read")).failed).toBe(false);
    expect(rig.told).toEqual([]);
    expect((await rig.tool("pay")).failed).toBe(false);
    expect((await rig.tool("drop")).failed).toBe(true);
    const differ = rig.told.filter((one) => one.type === "decision");
    expect(differ).toMatchObject([
      {
        decision: "policies_differ",
        enforced: false,
        place: "pay",
        details: { live: "allow", candidate: "deny", candidateRule: "default" },
      },
      {
        decision: "policies_differ",
        enforced: false,
        place: "drop",
        details: { live: "deny", candidate: "allow", candidateRule: "allow[0]" },
      },
    ]);
  });

  it("fails no call where the store of its rates fails", async () => {
    const down = { ...memoryStateStore(), add: () => Promise.reject(new Error("down")) };
    const candidate: ToolPolicy = { version: 1, rates: [{ tools: ["*"], calls: 1, per: "all" }], default: "allow" };
    expect((await new Rig([made({ default: "allow" }, { candidate, store: down })]).tool("any")).failed).toBe(false);
  });

  it("counts by itself what it would have let run", async () => {
    const policy = (calls: number): ToolPolicy => ({
      version: 1,
      default: "allow",
      rates: [{ tools: ["*"], calls, per: "all" }],
    });
    const rig = new Rig([toolPolicy({ policy: policy(5), candidate: policy(1) })]);
    for (let made = 0; made < 3; made++) expect((await rig.tool("any")).failed).toBe(false);
    expect(rig.told).toMatchObject([
      { details: { candidateRule: "rates[0]" } },
      { details: { candidateRule: "rates[0]" } },
    ]);
  });
});

describe("the options of toolPolicy", () => {
  it.each([
    [undefined, "ERR_GUARDRAILS_OPTION"],
    [{}, "ERR_GUARDRAILS_OPTION"],
    [{ policy: { version: 1 }, mode: "off" }, "ERR_GUARDRAILS_OPTION"],
    [{ policy: { version: 1 }, polices: 1 }, "ERR_GUARDRAILS_OPTION"],
    [{ policy: { version: 2 } }, "ERR_GUARDRAILS_POLICY"],
    [{ policy: { version: 1, alow: [] } }, "ERR_GUARDRAILS_POLICY"],
    [{ policy: { version: 1, allow: [{ tools: [] }] } }, "ERR_GUARDRAILS_POLICY"],
    [{ policy: { version: 1, allow: [{ tools: ["a"], arguments: { a: { max: 1 } } }] } }, "ERR_GUARDRAILS_POLICY"],
    [
      { policy: { version: 1, allow: [{ tools: ["a"], arguments: { a: { pattern: "(?=x)" } } }] } },
      "ERR_GUARDRAILS_POLICY",
    ],
    [
      { policy: { version: 1, deny: [{ tools: ["a"], arguments: { a: { pattern: "a)|(?:b" } } }] } },
      "ERR_GUARDRAILS_POLICY",
    ],
    [{ policy: { version: 1, rates: [{ tools: ["a"], calls: 0, per: "run" }] } }, "ERR_GUARDRAILS_POLICY"],
    [
      { policy: { version: 1 }, candidate: { version: 1, rates: [{ tools: ["a"], calls: 1 }] } },
      "ERR_GUARDRAILS_POLICY",
    ],
  ])("are refused where they mean nothing: %j", (options, code) => {
    let thrown: unknown;
    try {
      toolPolicy(options as unknown as ToolPolicyOptions);
    } catch (error) {
      thrown = error;
    }
    expect(GuardrailsError.is(thrown) && thrown.code).toBe(code);
  });
});

it.each([
  [
    { version: 1, allow: [{ tool: "refund" }] },
    ['/allow/0: it does not have required property "tools"', "/allow/0/tool: unknown field"],
  ],
  [{ version: 1, allow: [{ tools: ["a"], argumnts: {} }] }, ["/allow/0/argumnts: unknown field"]],
  [{ version: 1, rates: [{ tools: ["a"], calls: 0, per: "run" }] }, ["/rates/0/calls: the number is too small"]],
  [{ version: 2 }, ["/version: it does not match 1"]],
  [[], ['the policy: its type "array" is invalid. Expected "object"']],
])("toolPolicy says in words what is wrong with a policy, and nothing twice: %j", (policy, problems) => {
  const message = `The policy of toolPolicy() is not a tool policy: ${problems.join("; ")}. See tool-policy.schema.json of this package.`;
  expect(() => toolPolicy({ policy } as unknown as ToolPolicyOptions)).toThrow(message);
});

it("publishes the schema that policies are checked by", () => {
  const file = new URL("../tool-policy.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(toolPolicySchema);
});

it("a name with stars matches what a backtracking match does", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (pattern, name) => {
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name);
      expect(nameTest(pattern)(name)).toBe(expected);
    }),
    { numRuns: runs(500) },
  );
});
