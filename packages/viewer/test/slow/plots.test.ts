import { describe, expect } from "@jest/globals";
import type { Viewer } from "@suite/viewer";
import { requestOf, send, span } from "../support.js";
import { cutOff, expectHarmless, inBrowser, open, viewerCommand, violations } from "./browser.js";
import { hostile } from "./hostile.js";

/** Sends a run that began so many seconds after the first, in which these types of personal data were found. */
async function ran(viewer: Viewer, seconds: number, types: readonly string[] = ["email"]): Promise<void> {
  const start = 1_700_000_000_000 + seconds * 1000;
  const findings = JSON.stringify(Object.fromEntries(types.map((type, n) => [type, types.length - n])));
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.response.time_to_first_chunk": 1,
  };
  const events = [{ name: "suite.guardrail", time: start, attributes: { "suite.guardrail.findings": findings } }];
  await send(viewer, requestOf(span({ start, end: start + 100 * (seconds + 1), attributes, events })));
}

describe("the plots", () => {
  inBrowser.each([
    [1280, false],
    [820, true],
    [390, false],
    // A window of 1280 pixels at 400 %.
    [320, true],
  ])("are drawn, and stand in a table, %i pixels wide (dark: %p)", async (width, dark) => {
    const viewer = await viewerCommand();
    await ran(viewer, 0);
    await ran(viewer, 1, ["email", "ip", "x".repeat(300)]);
    const { page, wrong } = await open(`${viewer.url}#/plots`, { width, dark });
    await page.getByRole("heading", { name: "Plots", exact: true }).waitFor();
    await page.getByRole("img", { name: "Duration of runs", exact: true }).waitFor();
    expect(await page.locator("figure").count()).toBe(6);
    expect(await page.locator("figure svg").count()).toBe(4); // no cost, no errors
    await page.getByText("All figures as a table").click();
    const row = await page.locator("tbody tr").nth(1).locator("td").allTextContents();
    expect(row.slice(0, 9)).toEqual(["1", "200 ms", "200 ms", "1.00 s", "1.00 s", "100", "5", "0.00", "0"]);
    expect(await violations(page)).toEqual([]);
    expect(await cutOff(page)).toBeLessThanOrEqual(0);
    expect(wrong).toEqual([]);
  });

  inBrowser("follow what comes, and say where nothing has", async () => {
    const viewer = await viewerCommand();
    const { page } = await open(`${viewer.url}#/plots`);
    await page.getByText("No run began in this time.").waitFor();
    expect(await violations(page)).toEqual([]);
    await ran(viewer, 0);
    await page.getByRole("img", { name: "Tokens", exact: true }).waitFor();
    await page.getByRole("link", { name: "15 minutes", exact: true }).click();
    await page.getByText("No run began in this time.").waitFor();
  });

  inBrowser("render whatever was found as text", async () => {
    const viewer = await viewerCommand();
    const texts = hostile().map((text) => text.slice(0, 500));
    for (let at = 0; at < texts.length; at += 5) await ran(viewer, 0, texts.slice(at, at + 5));
    const { page, wrong } = await open(`${viewer.url}#/plots`);
    await page.getByRole("img", { name: "Personal data found", exact: true }).waitFor();
    await ran(viewer, 1, ["<img src=x onerror='window.ran=1'>", "<script>window.ran=1</script>"]);
    await page.locator(".key", { hasText: "others" }).waitFor();
    await expectHarmless({ page, wrong });
  });
});
