import { describe, expect } from "@jest/globals";
import { frameworks } from "../../src/page/first-lines.js";
import { requestOf, send, span } from "../support.js";
import { inBrowser, open, viewerCommand, violations } from "./browser.js";

const ended = span({ name: "chat gpt-5", attributes: { "gen_ai.operation.name": "chat", "user.id": "ann" } });
const failed = span({ start: ended.start + 1000, end: ended.start + 1100, status: "error", statusMessage: "no" });
const waits = span({ attributes: { "gen_ai.operation.name": "invoke_agent", "suite.status": "suspended" } });

describe("the page", () => {
  inBrowser.each([false, true])(
    "without runs has the two lines for each framework, with this viewer's address (dark: %p)",
    async (dark) => {
      const viewer = await viewerCommand();
      const { page, wrong } = await open(viewer.url, { dark });
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      for (const { title, imports, lines } of frameworks) {
        await page.getByRole("button", { name: title, exact: true }).click();
        const code = `${imports}\n\n${lines(viewer.endpoint)}`;
        await page.locator("pre", { hasText: lines(viewer.endpoint) }).waitFor();
        expect(await page.locator("pre").textContent()).toBe(code);
      }
      const last = await page.locator("pre").textContent();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${last}\n`);
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "OpenTelemetry", exact: true }).click();
      await page.getByText(`export OTEL_EXPORTER_OTLP_ENDPOINT=${viewer.endpoint}`, { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );

  inBrowser("shows only what fits the search and its states", async () => {
    const viewer = await viewerCommand();
    await send(viewer, requestOf(ended, failed, waits));
    const { page } = await open(viewer.url);
    const listed = () =>
      page.locator(".runs li a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const hrefs = (...spans: readonly { readonly traceId: string }[]) =>
      spans.map(({ traceId }) => `#/run/${traceId}/timeline`);
    const box = page.getByRole("searchbox", { name: "Search in all runs", exact: true });
    const state = (name: string) => page.getByRole("button", { name, exact: true });
    await page.getByText("3 runs", { exact: true }).waitFor();
    await state("errors").click();
    await page.getByText("1 of 3 runs", { exact: true }).waitFor();
    expect(await listed()).toEqual(hrefs(failed));
    expect([await box.inputValue(), await state("errors").getAttribute("aria-pressed")]).toEqual(["is:error", "true"]);
    expect(await violations(page)).toEqual([]);
    await state("waits").click();
    await page.getByText("0 of 3 runs", { exact: true }).waitFor();
    await state("errors").click();
    await page.getByText("1 of 3 runs", { exact: true }).waitFor();
    expect(await listed()).toEqual(hrefs(waits));
    await box.fill("user:ann");
    await page.locator(`.runs a[href="${hrefs(ended)[0]}"]`).waitFor();
    expect(await listed()).toEqual(hrefs(ended));
    // What comes while something is searched for is found as well.
    const later = span({ attributes: ended.attributes });
    await send(viewer, requestOf(later));
    await page.getByText("2 of 4 runs", { exact: true }).waitFor();
    await box.fill("");
    await page.getByText("4 runs", { exact: true }).waitFor();
  });

  inBrowser("names both steps that record messages, if a run has none", async () => {
    const viewer = await viewerCommand();
    await send(viewer, requestOf(ended));
    const { page } = await open(`${viewer.url}#/run/${ended.traceId}/conversation`);
    const hint = await page.locator(".conversation p").first().textContent();
    expect(hint).toContain('tracing({ content: "redacted" })');
    expect(hint).toContain("pii() of @suite/pii");
    expect(hint).toContain("Without a redactor, it records none.");
  });

  inBrowser("follows the run that is looked at, whatever is searched for", async () => {
    const viewer = await viewerCommand();
    await send(viewer, requestOf(ended, failed));
    const { page } = await open(`${viewer.url}#/run/${ended.traceId}/timeline`);
    await page.getByRole("searchbox").fill("is:error");
    await page.getByText("1 of 2 runs", { exact: true }).waitFor();
    expect(await page.locator(".row").count()).toBe(1);
    await send(viewer, requestOf(span({ traceId: ended.traceId, parentSpanId: ended.spanId })));
    await page.locator(".row").nth(1).waitFor();
    expect(await page.title()).toBe("support, run");
  });

  inBrowser("copies a run and a span as JSON, and a link that leads to each in another browser", async () => {
    const viewer = await viewerCommand();
    await send(viewer, requestOf(failed));
    const { page } = await open(`${viewer.url}#/run/${failed.traceId}/timeline/${failed.spanId}`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = async (place: string, name: string): Promise<string> => {
      await page.locator(place).getByRole("button", { name, exact: true }).click();
      await page.locator(place).getByRole("button", { name: "Copied", exact: true }).waitFor();
      const text = (await page.evaluate("navigator.clipboard.readText()")) as string;
      await page.locator(place).getByRole("button", { name, exact: true }).waitFor();
      return text;
    };
    expect(JSON.parse(await copied(".run > header", "Copy as JSON"))).toMatchObject({
      run: { traceId: failed.traceId, state: "failed" },
      spans: [{ spanId: failed.spanId }],
    });
    expect(JSON.parse(await copied(".panel", "Copy as JSON"))).toEqual(JSON.parse(JSON.stringify(failed)));
    const other = await open(await copied(".run > header", "Copy link"));
    await other.page.getByRole("complementary", { name: "Span", exact: true }).getByText("error: no").waitFor();
  });

  inBrowser("says that it loads, that the viewer has ended, and is live again where it is there again", async () => {
    const first = await viewerCommand();
    await send(first, requestOf(ended));
    const { page } = await open(first.url);
    await page.getByText("live", { exact: true }).waitFor();
    await page.route("**/api/runs/*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.locator(".runs li a").click();
    await page.getByText("Loading the run…", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("heading", { name: "chat gpt-5", exact: true }).waitFor();
    await first.close();
    await page.getByText("not connected", { exact: true }).waitFor();
    // What is looked at stays, and so does the list.
    expect(await page.locator(".row").count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByText("The viewer was stopped. Start it again.", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    const { port } = new URL(first.url);
    const second = await viewerCommand("--port", port);
    await page
      .getByText("Open the address that the command printed. It contains the token.", { exact: true })
      .waitFor();
    await page.goto(second.url);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Waiting for the first run", exact: true }).waitFor();
  });

  inBrowser("marks the first chunk of a call, and has a span's events and links with their attributes", async () => {
    const viewer = await viewerCommand();
    const chat = span({
      end: ended.start + 4000,
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.response.time_to_first_chunk": 1 },
      events: [{ name: "gen_ai.choice", time: ended.start + 300, attributes: { why: "because" } }],
      links: [{ traceId: ended.traceId, spanId: ended.spanId, attributes: { reason: "copied" } }],
      resource: { "service.name": "desk" },
      scope: "my-scope",
    });
    await send(viewer, requestOf(chat, ended));
    const { page } = await open(`${viewer.url}#/run/${chat.traceId}/timeline/${chat.spanId}`);
    const mark = page.locator(".track .first");
    expect(await mark.evaluate((each) => (each as HTMLElement).style.left)).toBe("25%");
    for (const text of ["because", "desk", "my-scope", "copied"])
      await page.locator(".panel dd").getByText(text, { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Event: gen_ai.choice, at 300 ms", exact: true }).waitFor();
    await page.getByRole("link", { name: `span ${ended.spanId}`, exact: true }).click();
    await page.getByRole("heading", { name: "chat gpt-5", exact: true }).first().waitFor();
  });
});
