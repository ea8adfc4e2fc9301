import { describe, expect } from "@jest/globals";
import { requestOf, send, span } from "../support.js";
import { cutOff, expectHarmless, inBrowser, open, viewerCommand, violations } from "./browser.js";
import { hostile } from "./hostile.js";

/** A run with a model call of this name that says this. */
function run(text: string, took = 100, name = "chat gpt-5") {
  const root = span({ name: "invoke_agent support" });
  const { traceId, spanId: parentSpanId, start } = root;
  const said = JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: text }] }]);
  const asked = JSON.stringify([{ role: "user", parts: [{ type: "text", content: "Where is it?" }] }]);
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": asked,
    "gen_ai.output.messages": said,
    "gen_ai.usage.output_tokens": took,
  };
  return [span({ traceId, parentSpanId, name, start, end: start + took, attributes }), { ...root, end: start + took }];
}

describe("the comparison of two runs", () => {
  inBrowser("is two clicks away from a run, and has a link of its own", async () => {
    const viewer = await viewerCommand();
    const [a, b] = [run("Here."), run("There.", 150)];
    await send(viewer, requestOf(...a, ...b));
    const { page, wrong } = await open(`${viewer.url}#/run/${a[0]?.traceId}/timeline`);
    await page.getByRole("link", { name: "Compare", exact: true }).click();
    await page.getByText("Choose the run to compare with, in the list.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator(`.runs a[href*="${b[0]?.traceId}"]`).click();
    await page.getByRole("heading", { name: "Two runs", exact: true }).waitFor();
    expect(await page.evaluate("location.hash")).toBe(`#/compare/${a[0]?.traceId}/${b[0]?.traceId}`);
    expect(await page.locator("tr", { hasText: "took" }).locator("td").allTextContents()).toEqual([
      "100 ms",
      "150 ms",
      "+50 ms, +50\u00a0%",
    ]);
    expect(await page.locator("tr", { hasText: "model calls" }).locator("td").last().textContent()).toBe("same");
    // What was asked is the same, and what was answered is not.
    expect(await page.locator(".conversation .user .chip").count()).toBe(0);
    expect(await page.locator(".conversation .assistant .chip", { hasText: "differs" }).count()).toBe(2);
    await page.getByRole("link", { name: "Swap", exact: true }).click();
    await page.getByText("−50 ms, −33\u00a0%").first().waitFor();
    expect(wrong).toEqual([]);
  });

  inBrowser.each([
    [1280, false],
    [820, true],
    [390, false],
    [320, true],
  ])("has nothing that axe would mend, and nothing that is cut off, %i pixels wide (dark: %p)", async (width, dark) => {
    const viewer = await viewerCommand();
    const [a, b] = [run("Here."), run("x".repeat(400), 150, "y".repeat(400))];
    await send(viewer, requestOf(...a, ...b));
    const { page } = await open(`${viewer.url}#/compare/${a[0]?.traceId}/${b[0]?.traceId}`, { width, dark });
    await page.getByRole("heading", { name: "Two runs", exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await cutOff(page)).toBeLessThanOrEqual(0);
  });

  inBrowser("says so where one of them is not there, and renders whatever they say as text", async () => {
    const viewer = await viewerCommand();
    const known = run("Here.");
    await send(viewer, requestOf(...known));
    const { page, wrong } = await open(`${viewer.url}#/compare/${known[0]?.traceId}/ffff`);
    await page.getByText("The run does not exist, or was removed for newer ones.").waitFor();
    wrong.length = 0; // the browser tells of the answer that it is not there
    const texts = hostile();
    for (let at = 0; at < texts.length; at += 9) {
      const other = run(texts[at] ?? "", 100, texts[at] ?? "");
      await send(viewer, requestOf(...other));
      await page.evaluate(`location.hash = "#/compare/${known[0]?.traceId}/${other[0]?.traceId}"`);
      await page.locator(`.side a[href*="${other[0]?.traceId}"]`).first().waitFor({ state: "attached" });
    }
    expect(await page.locator("svg").count()).toBe(0);
    await expectHarmless({ page, wrong });
  });
});
