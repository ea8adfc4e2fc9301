import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { type Approvals, startViewer, type ViewerOptions } from "@suite/viewer";
import { ask, folder, viewer } from "./support.js";

/** Starts a viewer, stops it, and returns the token of its address. */
async function tokenOf(options: ViewerOptions): Promise<string | null> {
  const shown = await startViewer({ port: 0, otlpPort: 0, ...options });
  await shown.close();
  return new URL(shown.url).searchParams.get("token");
}

describe("the token of the address", () => {
  it("stays the same across restarts with a data folder, so that links and bookmarks still work", async () => {
    const data = await folder();
    const token = await tokenOf({ data });
    expect(token).toMatch(/^[\w-]{24}$/);
    const again = await viewer({ data });
    const authorization = `Bearer ${token}`;
    expect((await ask(again, "/api/runs", { authorization })).status).toBe(200);
  });

  it("is in a file that no other user can read", async () => {
    const data = await folder();
    const token = await tokenOf({ data });
    expect((await readFile(join(data, "token"), "utf8")).trim()).toBe(token);
    expect((await stat(join(data, "token"))).mode & 0o077).toBe(0);
  });

  it("differs between data folders, and between starts without one", async () => {
    const tokens = [await tokenOf({ data: await folder() }), await tokenOf({ data: await folder() })];
    tokens.push(await tokenOf({}), await tokenOf({}));
    expect(new Set(tokens).size).toBe(4);
  });

  it.each(["", "short", "x".repeat(25), `${"ä".repeat(24)}`])(
    "replaces the content %j, which is no token",
    async (bad) => {
      const data = await folder();
      await writeFile(join(data, "token"), bad);
      const token = await tokenOf({ data });
      expect(token).toMatch(/^[\w-]{24}$/);
      expect(await tokenOf({ data })).toBe(token);
    },
  );

  it("is new at each start of a viewer that can decide approvals", async () => {
    const data = await folder();
    const approve: Approvals = { get: async () => undefined, decision: async () => undefined, decide: async () => {} };
    const kept = await tokenOf({ data });
    const [one, other] = [await tokenOf({ data, approve }), await tokenOf({ data, approve })];
    expect(new Set([kept, one, other]).size).toBe(3);
  });
});
