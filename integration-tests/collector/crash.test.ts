import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, it, jest } from "@jest/globals";
import { startModelServer } from "@suite/testkit";
import { root } from "../../scripts/workspaces.mjs";
import { killAll, startCollector, withCollector } from "./collector.js";
import { startReceiver } from "./receiver.js";
import { scenarios } from "./scenarios.js";
import { conversations, spansOf } from "./spans.js";

jest.setTimeout(60_000);
afterAll(killAll);

interface Ended {
  readonly code: unknown;
  readonly said: string;
}

/** Runs the program, and gives how Node ended it. */
const crash = (told: unknown): Promise<Ended> =>
  new Promise((resolve) => {
    const script = join(root, "integration-tests/collector/crash.mjs");
    const child = execFile(process.execPath, [script], (error, _, said) => resolve({ code: error?.code, said }));
    child.stdin?.end(JSON.stringify(told));
  });

withCollector("a program that ends by an error that nobody catches", () => {
  it.each(["exception", "rejection"])("has sent what had ended: %s", async (how) => {
    const [model, receiver] = await Promise.all([startModelServer(), startReceiver()]);
    const collector = await startCollector(receiver.url);
    model.script({ toolCalls: [{ id: "1", name: "look_up", arguments: {} }] }, { text: "It is there." });
    const where = { modelUrl: model.url, provider: "openai", order: ["tracing", "pii"], auditDir: "" };
    const { code, said } = await crash({ endpoint: collector.url, where, how });
    await collector.stop();
    await Promise.all([model.close(), receiver.close()]);
    expect([code, said]).toEqual([1, expect.stringContaining("Error: crashed")]);
    expect(conversations(spansOf(receiver.bodies)).get("crashed")).toEqual(scenarios.tool?.traces);
  });
});
