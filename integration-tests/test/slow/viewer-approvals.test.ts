import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { approvals, humanInTheLoop, type ToolApproval } from "@suite/approval";
import { audit, fileSink } from "@suite/audit";
import { queryLog } from "@suite/audit/query";
import { memoryStateStore } from "@suite/kit/store";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import { startViewer } from "@suite/viewer";
import { call, scripted, suspended } from "../../../packages/agent/test/support.js";
import { cutOff, inBrowser, open, violations } from "../../../packages/viewer/test/slow/browser.js";
import { hostile } from "../../../packages/viewer/test/slow/hostile.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** An agent whose tool needs approval, traced to a viewer that decides, and recorded. */
async function guarded(rule: ToolApproval | true, ...calls: readonly unknown[]) {
  const dir = await mkdtemp(join(tmpdir(), "viewer-approvals-"));
  ends.push(() => rm(dir, { recursive: true, force: true }));
  const store = memoryStateStore();
  const keys = [{ id: "k", secret: "x".repeat(32) }];
  const desk = approvals({ store, keys });
  const viewer = await startViewer({ port: 0, otlpPort: 0, approve: desk, approveAs: "ann", audit: dir });
  ends.push(() => viewer.close());
  const telemetry = setupTracing({ serviceName: "refunds", endpoint: viewer.endpoint });
  ends.push(() => telemetry.shutdown());
  const ran: unknown[] = [];
  const refund = defineTool({ name: "refund", execute: (input) => ran.push(input) && "refunded" });
  const rounds = [...calls.map((args, n) => [call(`c${n}`, "refund", args)]), "Done."];
  const guard = humanInTheLoop({ refund: rule }, { store, keys, show: "full" });
  const plugins = [tracing(), audit({ sink: fileSink({ dir }) }), guard];
  const agent = createAgent({ name: "refunds", model: scripted(...rounds), tools: [refund], plugins });
  ends.push(() => agent.close());
  const wait = async (input: Parameters<typeof agent.run>[0]) => {
    const pending = await suspended(agent.run(input));
    await telemetry.flush();
    return pending;
  };
  const goOn = async (pending: Awaited<ReturnType<typeof wait>>) => {
    const result = await agent.run({ pending, decisions: await desk.decisions(pending) });
    await telemetry.flush();
    return result;
  };
  return { viewer, dir, ran, wait, goOn };
}

describe("approvals on the viewer's page", () => {
  inBrowser.each([
    [1280, false],
    [820, true],
    [390, false],
    [320, true],
  ])(
    "show the arguments in full, and the decision runs the tool once, recorded (%i pixels wide, dark: %p)",
    async (width, dark) => {
      const args = { order: "A-17", eur: 40, note: `${"x".repeat(5000)}end` };
      const { viewer, dir, ran, wait, goOn } = await guarded(true, args);
      const { page, wrong } = await open(`${viewer.url}#/approvals`, { width, dark });
      await page.getByText("Nothing waits for a person.").waitFor();
      expect(await violations(page)).toEqual([]);
      const pending = await wait("go");
      await page.getByRole("heading", { name: "refund", exact: true }).waitFor();
      expect(JSON.parse((await page.locator(".arguments").textContent()) ?? "")).toEqual(args);
      await page.getByText("You decide as ann.").waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await cutOff(page)).toBeLessThanOrEqual(0);
      expect(ran).toEqual([]);
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await page.getByText("Approved. The run continues when its program resumes it.").waitFor();
      expect(await goOn(pending)).toMatchObject({ status: "completed" });
      expect(ran).toEqual([args]);
      const told: unknown[] = [];
      for await (const { record } of queryLog(dir, { type: "decision" })) told.push(record);
      expect(JSON.stringify(told)).toMatch(/"decided".*"by":"ann"|"by":"ann".*"decided"/);
      expect(wrong).toEqual([]);
    },
  );

  inBrowser(
    "take an edit, a rejection with its reason, and an answer in the tool's place, as far as the rule allows",
    async () => {
      const { viewer, ran, wait, goOn } = await guarded(
        { allowedDecisions: ["edit", "reject", "respond"] },
        { eur: 90 },
        { eur: 91 },
        { eur: 92 },
      );
      const { page } = await open(`${viewer.url}#/approvals`);
      const first = await wait("go");
      await page.getByText("Edit…").waitFor();
      expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
      await page.getByText("Edit…").click();
      await page.getByLabel("Other arguments, as JSON").fill("{ eur: 1");
      await page.getByText("This is no JSON.").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByLabel("Other arguments, as JSON").fill('{ "eur": 20 }');
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.getByText("Approved with other arguments.").waitFor();
      const second = (await goOn(first)) as { pending: typeof first };
      expect(ran).toEqual([{ eur: 20 }]);
      await page.getByText("Reject…").waitFor();
      await page.getByText("Reject…").click();
      await page.getByLabel("Reason for the model").fill("Too much.");
      await page.getByRole("button", { name: "Reject", exact: true }).click();
      await page.getByText("Rejected.").waitFor();
      const third = (await goOn(JSON.parse(JSON.stringify(second.pending)))) as { pending: typeof first };
      await page.getByText("Respond…").waitFor();
      await page.getByText("Respond…").click();
      await page.getByLabel("Result to use instead of the tool's").fill("Done by hand.");
      await page.getByRole("button", { name: "Respond", exact: true }).click();
      await page.getByText("Answered instead of the tool.").waitFor();
      expect(await goOn(JSON.parse(JSON.stringify(third.pending)))).toMatchObject({ status: "completed" });
      expect(ran).toEqual([{ eur: 20 }]);
    },
  );

  inBrowser("render whatever a model asked for as text", async () => {
    const texts = hostile().filter((_, at) => at % 10 === 0);
    const { viewer, wait } = await guarded(
      true,
      Object.fromEntries(texts.map((text, at) => [`${at} ${text.slice(0, 100)}`, text.slice(0, 2000)])),
    );
    const { page, wrong } = await open(`${viewer.url}#/approvals`);
    await wait("go");
    await page.getByRole("heading", { name: "refund", exact: true }).waitFor();
    expect(Object.values(JSON.parse((await page.locator(".arguments").textContent()) ?? ""))).toEqual(
      texts.map((text) => text.slice(0, 2000)),
    );
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(await page.locator("iframe, object, embed, img, svg, form, style, base").count()).toBe(0);
    expect(wrong).toEqual([]);
  });
});
