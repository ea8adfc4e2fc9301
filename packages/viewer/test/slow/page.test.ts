import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect } from "@jest/globals";
import type { Span } from "../../src/run/span.js";
import { folder, requestOf, send, span } from "../support.js";
import { cutOff, inBrowser, open, viewerCommand, violations } from "./browser.js";

/** A run of an agent: a model call, a tool, another call, with what was said. */
function run(of: (key: string) => string = (key) => key): readonly Span[] {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": of("support") };
  const root = span({ name: of("invoke_agent support"), resource: { "service.name": of("desk") }, attributes });
  const { traceId, spanId: parentSpanId, start } = root;
  const said = (role: string, content: string) => [{ role, parts: [{ type: "text", content }] }];
  return [
    span({
      traceId,
      parentSpanId,
      name: of("chat gpt-5"),
      start: start + 10,
      end: start + 40,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": of("gpt-5"),
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.input.messages": JSON.stringify(said("user", of("Where is my order? [REDACTED_EMAIL]"))),
        "gen_ai.output.messages": JSON.stringify(said("assistant", of("It has shipped."))),
      },
      events: [{ name: of("gen_ai.guardrail.decision"), time: start + 20, attributes: { [of("type")]: of("email") } }],
    }),
    span({
      traceId,
      parentSpanId,
      name: of("execute_tool find_order"),
      start: start + 50,
      end: start + 60,
      status: "error",
      statusMessage: of("no such order"),
      attributes: { "gen_ai.operation.name": "execute_tool" },
    }),
    root,
  ];
}

describe("the page", () => {
  inBrowser("shows the main job's runs while they happen, and each in all its views", async () => {
    const viewer = await viewerCommand();
    const { page, wrong } = await open(viewer.url);
    await page.getByText("Waiting for the first run").waitFor();
    const lists: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/runs?")) lists.push(request.url());
    });
    const main = fileURLToPath(new URL("../../../../examples/dist/support-desk/main.js", import.meta.url));
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: viewer.endpoint, OTEL_BSP_SCHEDULE_DELAY: "200" };
    const child = spawn(process.execPath, [main], { cwd: await folder(), stdio: "ignore", env });
    const ended = once(child, "exit");
    // Before the program has ended, or right after it: a span is there soon after its own end.
    await page.locator(".runs li").first().waitFor();
    await ended;
    // Four traces of three tickets: the run of the second waited for a person, and went on.
    await page.getByText("3 runs", { exact: true }).waitFor();
    expect(await page.locator(".runs li").count()).toBe(3);
    expect(lists).toEqual([]); // what changed is told: the list is not asked for again
    await page
      .getByRole("link", { name: /support/ })
      .last()
      .click();
    await page.getByRole("heading", { name: "support" }).waitFor();
    expect(await page.locator(".row").count()).toBeGreaterThanOrEqual(4);
    await page.locator(".row", { hasText: "chat" }).first().click();
    await page.getByText("gen_ai.input.messages").waitFor();
    await page.getByRole("link", { name: "Conversation", exact: true }).click();
    expect(await page.locator(".conversation .user").first().textContent()).toContain("Where is my order");
    expect(await page.locator(".conversation mark").first().textContent()).toBe("[REDACTED_EMAIL]");
    expect(await page.locator(".conversation .user .decisions").first().textContent()).toBe(
      "modify pii, input: found email (2 times)",
    );
    expect(await violations(page)).toEqual([]);
    await page.locator(".decisions a").first().click();
    await page.getByRole("complementary", { name: "Span", exact: true }).waitFor();
    expect(wrong).toEqual([]);
  });

  inBrowser("is used by keys: j and k, /, Escape", async () => {
    const viewer = await viewerCommand();
    const [first, second] = [run(), run()];
    await send(viewer, requestOf(...first));
    await send(
      viewer,
      requestOf(...second.map((each) => ({ ...each, start: each.start + 1000, end: each.end + 1000 }))),
    );
    const { page } = await open(viewer.url);
    await page.locator(".runs li").nth(1).waitFor();
    const runNow = () => page.evaluate("location.hash") as Promise<string>;
    await page.keyboard.press("j");
    expect(await runNow()).toContain(second[0]?.traceId);
    await page.keyboard.press("j");
    expect(await runNow()).toContain(first[0]?.traceId);
    await page.keyboard.press("k");
    expect(await runNow()).toContain(second[0]?.traceId);
    await page.locator(".row").nth(1).click();
    await page.getByRole("complementary", { name: "Span", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: "Span", exact: true }).waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("no such word");
    await page.getByText("0 of 2 runs", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await runNow()).toBe("#/");
  });

  inBrowser("opens at the span that a link names, and says where a run is not there", async () => {
    const viewer = await viewerCommand();
    const spans = run();
    await send(viewer, requestOf(...spans));
    const at = await open(`${viewer.url}#/run/${spans[0]?.traceId}/timeline/${spans[1]?.spanId}`);
    await at.page.getByText("error: no such order").waitFor();
    const nowhere = await open(`${viewer.url}#/run/${"f".repeat(32)}/timeline`);
    await nowhere.page.getByText("The run does not exist, or was removed for newer ones.").waitFor();
    const { page } = await open(viewer.url.replace(/token=.*/, "token=wrong"));
    await page.getByText("Open the address that the command printed").waitFor();
    await page.getByText("Not connected.", { exact: true }).waitFor();
    expect(await page.getByText("Loading…").count()).toBe(0);
  });

  inBrowser("the span panel's long values can be scrolled by keys, and short ones are no stop", async () => {
    const viewer = await viewerCommand();
    const attributes = { long: "word ".repeat(2000), lines: "\n".repeat(40), short: "1" };
    const only = span({ name: "only", attributes });
    await send(viewer, requestOf(only));
    const { page } = await open(`${viewer.url}#/run/${only.traceId}/timeline/${only.spanId}`);
    await page.getByRole("complementary", { name: "Span", exact: true }).waitFor();
    expect(await page.locator(".panel dd[tabindex='0']").count()).toBe(2);
    expect(await violations(page)).toEqual([]);
  });

  inBrowser("the page keeps its token out of the address, and a link in another tab needs none", async () => {
    const viewer = await viewerCommand();
    const spans = run();
    await send(viewer, requestOf(...spans));
    const place = `#/run/${spans[0]?.traceId}/timeline`;
    const { page, wrong } = await open(`${viewer.url}${place}`);
    await page.locator(".row").first().waitFor();
    const bare = new URL(`/${place}`, viewer.url).href;
    expect(page.url()).toBe(bare);
    await page.reload();
    await page.locator(".row").first().waitFor();
    const opened = page.context().waitForEvent("page");
    await page.evaluate(`void open(${JSON.stringify(bare)}, "_blank", "noopener")`);
    const tab = await opened;
    await tab.locator(".row").first().waitFor({ timeout: 20_000 });
    expect(wrong).toEqual([]);
  });

  inBrowser.each([false, true])("has nothing that axe would mend, in any of its views (dark: %p)", async (dark) => {
    const viewer = await viewerCommand();
    const { page } = await open(viewer.url, { dark });
    await page.getByText("Waiting for the first run").waitFor();
    expect(await violations(page)).toEqual([]);
    const spans = run();
    await send(viewer, requestOf(...spans));
    await page.locator(".runs li").waitFor();
    const at = `#/run/${spans[0]?.traceId}`;
    for (const view of [
      "#/",
      `${at}/timeline`,
      `${at}/timeline/${spans[0]?.spanId}`,
      `${at}/conversation`,
      "#/run/none/timeline",
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
      await page
        .locator(view.endsWith("conversation") ? ".conversation" : view.startsWith(at) ? ".timeline" : ".empty")
        .waitFor();
      if (view.endsWith("none/timeline")) await page.locator(".problem").waitFor();
      expect(await violations(page)).toEqual([]);
    }
  });

  inBrowser.each([
    [1280, false],
    [820, true],
    [390, false],
    // A window of 1280 pixels at 400 %.
    [320, true],
  ])("%i pixels wide (dark: %p) has nothing that is cut off sideways", async (width, dark) => {
    const viewer = await viewerCommand();
    const spans = run((key) => (key === "desk" ? "x".repeat(400) : key));
    await send(viewer, requestOf(...spans));
    const { page, wrong } = await open(viewer.url, { width, dark });
    for (const at of [
      "#/",
      `#/run/${spans[0]?.traceId}/timeline/${spans[0]?.spanId}`,
      `#/run/${spans[0]?.traceId}/conversation`,
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
      await page
        .locator(at === "#/" ? ".runs li" : ".run")
        .first()
        .waitFor();
      expect(await cutOff(page)).toBeLessThanOrEqual(0);
    }
    expect(wrong).toEqual([]);
  });
});
