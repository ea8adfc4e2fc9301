import { describe, expect, it, jest } from "@jest/globals";
import { ask, requestOf, send, span, viewer } from "../support.js";

jest.setTimeout(300_000);

const MiB = 1024 * 1024;
const json = { "content-type": "application/json" };

describe("a viewer that receives strings of control characters, of which JSON makes six times as many", () => {
  it("answers requests for the list, the run and a search, and continues", async () => {
    const shown = await viewer();
    const { traceId } = span();
    // Written as JSON, one such character takes six bytes: the request stays within 64 MiB.
    const blob = "\u0001".repeat(9 * MiB);
    for (let n = 0; n < 10; n++) {
      const sent = span({ traceId, name: blob.slice(0, MiB), attributes: { blob } });
      expect((await send(shown, requestOf(sent), json)).status).toBe(200);
    }
    // The texts of searches are made by a timer.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect((await ask(shown, "/api/runs")).status).toBe(200);
    expect((await ask(shown, "/api/runs?q=nothing")).status).toBe(200);
    const run = await ask(shown, `/api/runs/${traceId}`);
    let received = 0;
    for await (const piece of run.body ?? []) received += piece.length;
    expect(received).toBeGreaterThan(512 * MiB);
    const good = span();
    expect((await send(shown, requestOf(good))).status).toBe(200);
    expect((await ask(shown, `/api/runs/${good.traceId}`)).status).toBe(200);
  });
});
