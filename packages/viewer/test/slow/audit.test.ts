import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "@jest/globals";
import { openLog } from "@suite/audit";
import { folder, requestOf, send, span } from "../support.js";
import { cutOff, expectHarmless, inBrowser, open, viewerCommand, violations } from "./browser.js";
import { hostile } from "./hostile.js";

/** A viewer with a log of these records of one run. */
async function shownLog(records: readonly object[]) {
  const dir = await folder();
  const log = await openLog({ dir });
  await Promise.all(records.map((record) => log.append({ runId: "r-1", ...record })));
  await log.close();
  const viewer = await viewerCommand("--audit", dir);
  const of = span({ attributes: { "suite.run.id": "r-1" } });
  await send(viewer, requestOf(of));
  return { url: `${viewer.url}#/run/${of.traceId}/audit`, dir };
}

const record = { type: "tool", operation: "execute_tool", stage: "outcome", target: { name: "refund" } };

describe("the audit page", () => {
  inBrowser.each([
    [1280, false],
    [390, true],
    [320, false],
  ])("checks the proof of a record in the browser (%i pixels wide, dark: %p)", async (width, dark) => {
    const { url } = await shownLog([record, record, { ...record, details: { long: "x".repeat(500) } }]);
    const { page, wrong } = await open(url, { width, dark });
    await page.getByRole("heading", { name: "Verified", exact: true }).waitFor();
    await page.locator("details summary").nth(2).click();
    await page.getByRole("button", { name: "Check the proof in this browser", exact: true }).click();
    await page.getByText("Proven: record 3 of the 4 records signed as suite-audit/").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await cutOff(page)).toBeLessThanOrEqual(0);
    expect(wrong).toEqual([]);
  });

  inBrowser("says of a log that was changed that it was, and marks each record that is unproven", async () => {
    const { url, dir } = await shownLog([record, record]);
    const name = (await readdir(dir)).find((each) => each.endsWith(".jsonl")) ?? "";
    await writeFile(join(dir, name), (await readFile(join(dir, name), "utf8")).replace("refund", "rebate"));
    const { page } = await open(url);
    await page
      .getByRole("heading", { name: "Not verified: the log was changed after it was signed", exact: true })
      .waitFor();
    expect(await page.locator(".record .chip", { hasText: "unproven" }).count()).toBe(2);
    await page.locator("details summary").first().click();
    await page.getByRole("button", { name: "Check the proof in this browser", exact: true }).click();
    await page.getByText("Not proven. ").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  inBrowser("believes no proof of another record than is shown, and none that another key signed", async () => {
    const { url } = await shownLog([record, { ...record, decision: "approved" }]);
    const other = await shownLog([record, record]);
    const { page } = await open(url);
    const say = async (text: string) => {
      await page.getByRole("button", { name: "Check the proof in this browser", exact: true }).click();
      await page.getByText(text).waitFor();
    };
    await page.locator("details summary").first().click();
    await page.route("**/api/proof?*", (route) =>
      route.continue({ url: route.request().url().replace("index=1", "index=2") }),
    );
    await say("Not proven: the proof is for another record than the one shown.");
    await page.unroute("**/api/proof?*");
    const keys = await readFile(join(other.dir, "key.pub"), "utf8");
    await page.route("**/api/proof?*", async (route) => {
      const given = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...given, keys } });
    });
    await say("Not proven: its checkpoint is not signed by this key.");
  });

  inBrowser("says of a run without records that it has none", async () => {
    const { url } = await shownLog([{ ...record, runId: "r-2" }]);
    const { page } = await open(url);
    await page.getByText("This run has no records in the log.").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  inBrowser("renders whatever stands in a record as text", async () => {
    const texts = hostile().map((text) => text.slice(0, 1000));
    const named = texts.map((text) => ({
      type: text,
      operation: text,
      target: { name: text },
      decision: text,
      time: text,
    }));
    const { url } = await shownLog(named);
    const { page, wrong } = await open(url);
    await page
      .locator(".record")
      .nth(texts.length - 1)
      .waitFor({ state: "attached" });
    for (let at = 0; at < texts.length; at += 40) await page.locator(".record summary").nth(at).click();
    expect(await page.locator("svg").count()).toBe(0);
    await expectHarmless({ page, wrong });
  });
});
