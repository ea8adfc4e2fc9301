import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "@jest/globals";
import type { Viewer } from "@suite/viewer";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath, skip } from "../../../../scripts/needs.mjs";

const executablePath = chromiumPath();
if (executablePath === undefined) skip("Chromium", "the tests of the viewer's page");

/** A test that needs a browser. */
export const inBrowser = executablePath === undefined ? it.skip : it;

let browser: Browser | undefined;
const ends: (() => unknown)[] = [];
afterAll(async () => {
  await browser?.close();
  for (const end of ends.splice(0)) await end();
});

/** A viewer in a process of its own. */
export interface StartedViewer extends Viewer {
  readonly pid: number | undefined;
}

/** The command of the viewer, as it is published, on ports of its own. */
export const viewerCommand = (...args: readonly string[]): Promise<StartedViewer> => viewerWith([], args);

/** A viewer in a Node with these options. */
export async function viewerWith(options: readonly string[], args: readonly string[]): Promise<StartedViewer> {
  const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
  const child = spawn(process.execPath, [...options, cli, "--port", "0", "--otlp-port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const close = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill("SIGINT");
    await once(child, "exit");
  };
  ends.push(close);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const after = async (label: string): Promise<string> =>
    /\S+/.exec(String((await lines.next()).value).replace(label, ""))?.[0] ?? "";
  return { url: await after("Page:"), endpoint: await after("Traces:"), pid: child.pid, close };
}

/** A page, and the wrongs that it did: errors, and requests to anywhere but the viewer. */
export interface Watched {
  readonly page: Page;
  readonly wrong: string[];
}

/** The page of a viewer in Chromium. */
export async function open(
  url: string,
  options: { readonly width?: number; readonly dark?: boolean } = {},
): Promise<Watched> {
  browser ??= await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
  const { width = 1280, dark = false } = options;
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: dark ? "dark" : "light" });
  // Before the test's own time is over: what was waited for is then told.
  page.setDefaultTimeout(20_000);
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL("/", url).href) && !request.url().startsWith("data:"))
      wrong.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return { page, wrong };
}

/** Checks that nothing ran, that no element came of a text, and that nobody else was asked. */
export async function expectHarmless({ page, wrong }: Watched): Promise<void> {
  expect(await page.evaluate("window.ran")).toBeUndefined();
  // The page's own: an import map and its program; an icon that is empty.
  expect(await page.locator("script").count()).toBe(2);
  const made =
    "iframe, object, embed, img, form, style, base, svg a, meta[http-equiv], a[href^='javascript'], a[href^='http']";
  expect(await page.locator(made).count()).toBe(0);
  expect(await page.locator("[onload], [onerror], [onmouseover], [onfocus], [style*='url']").count()).toBe(0);
  expect(wrong).toEqual([]);
}

/** The violations that axe finds in a page as it is now. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = (await page.evaluate("axe.run()")) as {
    readonly passes: readonly unknown[];
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  };
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Pixels by which a page, or its main part, is wider than there is room. */
export const cutOff = async (page: Page): Promise<number> =>
  (await page.evaluate(
    "Math.max(...[document.documentElement, ...document.querySelectorAll('main')].map((each) => each.scrollWidth - each.clientWidth))",
  )) as number;
