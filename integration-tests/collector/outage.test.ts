import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { freePort } from "../../scripts/free-port.mjs";
import { type Collector, startCollector, withCollector } from "./collector.js";
import { type Front, startFront, type Turn } from "./front.js";
import { ANSWER, watchedAgent } from "./outage.js";
import { scenarios } from "./scenarios.js";

jest.setTimeout(60_000);

withCollector("the agent's answers are the same", () => {
  const { arrived, arrivedAtLeastOnce, ask, behind, desk, send, warnings } = watchedAgent();
  /** Whole, and each span once. */
  const whole = scenarios.tool?.traces;

  it("when no collector is up; and once it is up, spans arrive", async () => {
    const port = await freePort();
    const { flush } = send(`http://127.0.0.1:${port}`, 500);
    expect(await ask("before")).toBe(ANSWER);
    await flush();
    expect(await ask("before")).toBe(ANSWER);
    await flush();
    expect(warnings).toEqual([expect.stringContaining(`http://127.0.0.1:${port}/v1/traces`)]);
    const late = await startCollector(behind(), port);
    expect(await ask("after")).toBe(ANSWER);
    await flush();
    await late.stop();
    expect(arrived().get("after")).toEqual(whole);
    expect(warnings).toHaveLength(1);
  });

  it("when it is killed in the middle of a run", async () => {
    const real = await startCollector(behind());
    const { flush } = send(real.url, 500);
    const { model, desk: agent } = desk();
    model.script({ text: ANSWER, chunks: "characters", fault: { delay: 10 } });
    const stream = agent.stream("Where is it?");
    let text = "";
    for await (const piece of stream.text()) {
      if (text === "") await real.kill();
      text += piece;
    }
    expect(text).toBe(ANSWER);
    await flush();
    expect(await ask("after")).toBe(ANSWER);
    await flush();
    expect(warnings).toHaveLength(1);
  });

  it("when it is killed and back within the retry time: what ended meanwhile arrives, once, without a warning", async () => {
    const first = await startCollector(behind());
    const { flush } = send(first.url);
    await first.kill();
    expect(await ask("meanwhile")).toBe(ANSWER);
    const flushed = flush();
    const second = await startCollector(behind(), Number(new URL(first.url).port));
    expect(await ask("after")).toBe(ANSWER);
    await flushed;
    await flush();
    await second.stop();
    expect(arrived().get("meanwhile")).toEqual(whole);
    expect(arrived().get("after")).toEqual(whole);
    expect(warnings).toEqual([]);
  });

  describe("behind a front", () => {
    let real: Collector;
    let front: Front;
    beforeEach(async () => {
      real = await startCollector(behind());
      front = await startFront(real.url);
    });
    afterEach(() => front.close());

    it.each<[string, Turn[]]>([
      ["that answers after seconds", [{ after: 2000 }]],
      ["that says 429, and when to come again", [{ status: 429, retryAfter: "1" }]],
      ["that says 503", [{ status: 503 }]],
      ["that says 502, then 504", [{ status: 502 }, { status: 504 }]],
      ["that breaks the connection in the middle of a request", ["cut request"]],
    ])("%s; all spans arrive, each once, without a warning", async (_, turns) => {
      front.turns = turns;
      const { flush } = send(front.url);
      expect(await ask("one")).toBe(ANSWER);
      const flushed = flush();
      expect(await ask("two")).toBe(ANSWER);
      await flushed;
      await flush();
      await real.stop();
      expect([arrived().get("one"), arrived().get("two")]).toEqual([whole, whole]);
      expect(warnings).toEqual([]);
    });

    it("that breaks the connection in the middle of its answer; all spans arrive, those that it had taken maybe twice", async () => {
      front.turns = ["cut answer"];
      const { flush } = send(front.url);
      expect(await ask("one")).toBe(ANSWER);
      await flush();
      await real.stop();
      expect(arrivedAtLeastOnce().get("one")).toEqual(whole);
      expect(warnings).toEqual([]);
    });

    it("that returns 429: the exporter retries after the requested delay, not before", async () => {
      front.turns = [{ status: 429, retryAfter: "2" }];
      const { flush } = send(front.url);
      expect(await ask("one")).toBe(ANSWER);
      await flush();
      const [first = 0, second = 0] = front.times;
      expect(second - first).toBeGreaterThan(1950);
    });

    it.each<[string, Turn]>([
      ["never answers", "silence"],
      ["says 429 for longer than the retry time", { status: 429, retryAfter: "60" }],
      ["says 503 for longer than the retry time", { status: 503 }],
      ["takes no connection to its end", "cut request"],
    ])("that %s: one warning, one with the count at the end, and what comes later arrives", async (_, turn) => {
      front.rest = turn;
      const { flush, shutdown } = send(front.url, 500);
      expect(await ask("lost")).toBe(ANSWER);
      await flush();
      expect(await ask("lost")).toBe(ANSWER);
      await flush();
      expect(warnings).toEqual([expect.stringContaining(`${front.url}/v1/traces`)]);
      front.rest = "pass";
      expect(await ask("later")).toBe(ANSWER);
      await shutdown();
      await real.stop();
      expect([...arrived()]).toEqual([["later", whole]]);
      expect(warnings.slice(1)).toEqual([expect.stringContaining("total spans lost: 8")]);
    });
  });
});
