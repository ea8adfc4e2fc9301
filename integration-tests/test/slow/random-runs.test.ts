import { afterEach, expect, it, jest } from "@jest/globals";
import { context, diag, propagation, trace } from "@opentelemetry/api";
import { tracing } from "@suite/tracing";
import fc from "fast-check";
import { SpanBook, Teller } from "../../../packages/plugins/tracing/test/span-book.js";
import { runs, timeFor } from "../../../scripts/runs.mjs";
import { plans } from "../random-agent-plan.js";
import { RandomAgents } from "../random-agents.js";

const stop = (): void => {
  diag.disable();
  trace.disable();
  context.disable();
  propagation.disable();
};
jest.setTimeout(timeFor(600_000));
afterEach(stop);

it("ends every span of an agent's run once, below a parent that is there, however the run goes", async () => {
  let spans = 0;
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      stop();
      const book = SpanBook.open(plan.ambient);
      const teller = new Teller();
      const traced = tracing({ content: "full", tracerProvider: book.provider, warn: () => {} });
      const agents = new RandomAgents(plan, [teller.plugin, traced]);
      await agents.play();
      book.seal(teller);
      expect(trace.getActiveSpan()).toBeUndefined();
      await agents.release();
      expect(book.problems).toEqual([]);
      spans += book.spans.length;
    }),
    { numRuns: runs(500) },
  );
  expect(spans).toBeGreaterThan(runs(500));
});
