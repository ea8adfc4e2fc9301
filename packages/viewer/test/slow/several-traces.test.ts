import { describe, expect } from "@jest/globals";
import { requestOf, send, span } from "../support.js";
import { cutOff, expectHarmless, inBrowser, open, viewerCommand, violations } from "./browser.js";
import { hostile } from "./hostile.js";

const hour = 3_600_000;

/** A run that waited for two hours, was resumed in another process, failed there once, and was undone. */
function waited(session = "T-1", process = "worker-2") {
  const agent = {
    "gen_ai.operation.name": "invoke_agent",
    "suite.run.id": `r ${session}`,
    "gen_ai.conversation.id": session,
  };
  const first = span({
    attributes: { ...agent, "suite.status": "suspended" },
    resource: { "service.instance.id": "worker-1" },
  });
  const { traceId, spanId, start } = first;
  const link = (relation: string) => [{ traceId, spanId, attributes: { "suite.link": relation } }];
  const begun = start + 2 * hour;
  const tool = { "gen_ai.operation.name": "execute_tool" };
  const second = span({
    ...{ start: begun, end: begun + 200, attributes: agent, links: link("resumes") },
    resource: { "service.instance.id": process },
  });
  const below = { traceId: second.traceId, parentSpanId: second.spanId, resource: second.resource };
  return [
    first,
    second,
    span({
      ...below,
      name: "execute_tool pay",
      start: begun + 10,
      end: begun + 50,
      status: "error",
      attributes: { ...tool, "suite.attempt": 1 },
    }),
    span({ ...below, name: "execute_tool pay", start: begun + 60, end: begun + 90, attributes: tool }),
    span({
      ...below,
      name: "execute_tool book",
      start: begun + 95,
      end: begun + 120,
      attributes: tool,
      links: link("undoes"),
    }),
  ];
}

describe("a run of several traces", () => {
  inBrowser.each([
    [1280, false],
    [820, true],
    [390, false],
    [320, true],
  ])(
    "is one picture, %i pixels wide (dark: %p): before and after it waited, attempts, what was undone",
    async (width, dark) => {
      const viewer = await viewerCommand();
      const spans = waited();
      await send(viewer, requestOf(...spans));
      const { page, wrong } = await open(`${viewer.url}#/run/${spans[1]?.traceId}/timeline`, { width, dark });
      await page.getByText("Trace 1 of 2, process worker-1").waitFor();
      await page.getByText("Trace 2 of 2, 2 h 0 min after the first began, process worker-2").waitFor();
      expect(await page.locator(".row .chip").allTextContents()).toEqual([
        "waited",
        "resumed",
        "attempt 1",
        "error",
        "undo",
      ]);
      await page.getByText("2 h 0 min, in which nothing began or ended, drawn shorter.").waitFor();
      // What took a tenth of a second is seen beside what waited for two hours.
      const widths = await page
        .locator(".bar")
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
      for (const each of widths) expect(each).toBeGreaterThan(10);
      expect(await page.locator(".runs li").count()).toBe(1);
      expect(await violations(page)).toEqual([]);
      expect(await cutOff(page)).toBeLessThanOrEqual(0);
      expect(wrong).toEqual([]);
    },
  );

  inBrowser(
    "leads to its session, in which all runs of a conversation are one picture, and from there back",
    async () => {
      const viewer = await viewerCommand();
      const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "T-1" };
      const spans = waited();
      const later = span({ attributes, start: 1_700_000_000_000 + 3 * hour, end: 1_700_000_000_100 + 3 * hour });
      await send(viewer, requestOf(...spans, later));
      const { page } = await open(`${viewer.url}#/run/${spans[0]?.traceId}/timeline`);
      await page.getByRole("link", { name: "T-1", exact: true }).click();
      await page.getByRole("heading", { name: "Session T-1", exact: true }).waitFor();
      await page.getByText("Trace 3 of 3").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.locator(".row").last().click();
      await page.getByRole("complementary", { name: "Span", exact: true }).waitFor();
      expect(await page.evaluate("location.hash")).toBe(`#/run/${later.traceId}/timeline/${later.spanId}`);
    },
  );

  inBrowser("renders whatever its session and its processes are called as text", async () => {
    const viewer = await viewerCommand();
    const { page, wrong } = await open(viewer.url);
    const texts = hostile().filter((text) => text !== "");
    for (let at = 0; at < texts.length; at += 9) {
      const text = (texts[at] ?? "").slice(0, 512); // the longest id that a session is listed by
      await send(viewer, requestOf(...waited(text, text)));
      await page.evaluate(`location.hash = "#/session/" + encodeURIComponent(${JSON.stringify(text)})`);
      await page.waitForFunction(
        (session) => document.querySelector("main h1")?.textContent === `Session ${session}`,
        text,
      );
    }
    expect(await page.locator("svg").count()).toBe(0);
    await expectHarmless({ page, wrong });
  });
});
