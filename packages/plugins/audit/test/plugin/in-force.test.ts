import { describe, expect, it } from "@jest/globals";
import { definePlugin, type Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { audit, fileSink, memorySubjectKeys, valueKey } from "../../src/index.js";
import { run } from "../cli/run.js";
import { EMAIL, redactor, scenario, toolRequest } from "../scenario.js";
import { recordsOf, temporaryDirectory } from "../support.js";

const SECRET = "s3cret-s3cret-s3cret-s3cret";
const guard = (mode: string): Plugin => definePlugin({ name: "guard", settings: { mode } });

async function runs(stacks: readonly PluginStack[], agent = "support"): Promise<void> {
  for (const stack of stacks) {
    const begun = stack.begin({ agent: { name: agent }, userId: EMAIL, sessionId: EMAIL });
    for (let n = 0; n < 2; n++) {
      await (await stack.call("tool", begun, toolRequest, async (tool) => tool.respond({ value: n }))).final();
    }
    await begun.end();
  }
}

const policies = async (dir: string) => (await recordsOf(dir)).filter(({ type }) => type === "policy");

describe("the policy in force", () => {
  it("is recorded before the first act, with the rules and the plugins' settings, once for all runs", async () => {
    const dir = await temporaryDirectory();
    const plugin = audit({ sink: fileSink({ dir }), timeoutMs: 20_000, policy: { content: "redacted" } });
    const stack = new PluginStack([guard("enforce"), { name: "pii", redactor }, plugin]);
    await runs([stack, stack, stack]);
    await stack.close();
    const all = await recordsOf(dir);
    expect(all.slice(0, 3).map(({ type }) => type)).toEqual(["log", "policy", "tool"]);
    const [record, ...more] = await policies(dir);
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      version: 1,
      stage: "outcome",
      operation: "start",
      actor: { agent: "support" },
      details: {
        content: [{ content: "redacted" }, { content: "none" }],
        delivery: [{ type: "tool", delivery: "required" }, { delivery: "buffered" }],
        timeoutMs: 20_000,
        redactor: true,
        encrypted: false,
        plugins: [{ name: "guard", settings: { mode: "enforce" } }, { name: "pii" }, { name: "audit" }],
      },
    });
  });

  it("is recorded again at each change, and of each agent", async () => {
    const dir = await temporaryDirectory();
    const plugin = audit({ sink: fileSink({ dir }), timeoutMs: 20_000 });
    const [one, other] = ["enforce", "monitor"].map((mode) => new PluginStack([guard(mode), plugin]));
    if (!one || !other) throw new Error("two stacks");
    await runs([one, other, other, one]);
    await runs([one, one], "billing");
    await one.close();
    expect((await policies(dir)).map(({ operation, actor, details }) => [operation, actor, modeOf(details)])).toEqual([
      ["start", { agent: "support" }, "enforce"],
      ["change", { agent: "support" }, "monitor"],
      ["change", { agent: "support" }, "enforce"],
      ["start", { agent: "billing" }, "enforce"],
    ]);
  });

  it("is recorded once a run where two with other plugins go on at the same time", async () => {
    const dir = await temporaryDirectory();
    const plugin = audit({ sink: fileSink({ dir }), timeoutMs: 20_000 });
    const stacks = ["enforce", "monitor"].map((mode) => new PluginStack([guard(mode), plugin]));
    const begun = stacks.map((stack) => ({ stack, run: stack.begin({ agent: { name: "support" } }) }));
    for (let n = 0; n < 5; n++) {
      for (const { stack, run } of begun) {
        await (await stack.call("tool", run, toolRequest, async (tool) => tool.respond({ value: n }))).final();
      }
    }
    await Promise.all(begun.map(({ run }) => run.end()));
    await stacks[0]?.close();
    expect((await policies(dir)).map(({ operation }) => operation)).toEqual(["start", "change"]);
  });

  it("holds no secret, and nothing of a person", async () => {
    const dir = await temporaryDirectory();
    const plugin = audit({
      sink: fileSink({ dir }),
      timeoutMs: 20_000,
      valueKey: valueKey(SECRET),
      subjects: memorySubjectKeys(),
    });
    const careless = definePlugin({ name: `for ${EMAIL}`, settings: { owner: EMAIL } });
    const stack = new PluginStack([careless, { name: "pii", redactor }, plugin]);
    await runs([stack]);
    await stack.close();
    const [record] = await policies(dir);
    expect(record?.details).toMatchObject({ encrypted: true, valueKey: valueKey(SECRET).kid });
    expect(JSON.stringify(record)).not.toMatch(new RegExp(`${SECRET}|${EMAIL}`));
  });

  it("is found by query", async () => {
    const { act, dir, stack } = await scenario();
    await act("tool", toolRequest, async (tool) => tool.respond({ value: 1 }));
    await stack.close();
    const { out } = await run(["query", dir, "--type", "policy", "--json"], { cache: await temporaryDirectory() });
    expect(JSON.parse(out)).toMatchObject({ record: { type: "policy", operation: "start" } });
  });
});

const modeOf = (details: unknown): unknown =>
  (details as { plugins: { settings?: { mode?: string } }[] }).plugins[0]?.settings?.mode;
