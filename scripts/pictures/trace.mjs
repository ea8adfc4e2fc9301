// The picture of a trace: a ticket of the support desk whose refund is paid in another process.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { createAgent } from "@suite/agent";
import { root } from "../workspaces.mjs";
import { box, label, picture, stroke } from "./svg.mjs";

/** @typedef {import("@opentelemetry/sdk-trace-node").ReadableSpan} Span */

const desk = (/** @type {string} */ file) => import(join(root, "examples/dist/support-desk", file));

/** The spans of the second ticket, in the order in which they began. @returns {Promise<readonly Span[]>} */
export async function spansOfTheDesk() {
  const [{ answerTicket }, { deskModel }, { plugins }, { tools }] = await Promise.all(
    ["desk.js", "model.js", "suite.js", "tools.js"].map(desk),
  );
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const folder = await mkdtemp(join(tmpdir(), "suite-picture-"));
  const { model, close } = await deskModel({});
  const systemPrompt = "You answer the tickets of a small shop. Look orders up before you speak of them.";
  const agent = createAgent({ name: "support", model, tools, systemPrompt, plugins: plugins(join(folder, "audit")) });
  const lines = (await readFile(join(root, "examples/support-desk/tickets.jsonl"), "utf8")).split("\n");
  const about = { agent, pendingDir: join(folder, "pending"), write: () => {} };
  await answerTicket(about, JSON.parse(lines[0] ?? "")); // the first one compiles, and makes the log's key
  exporter.reset();
  await answerTicket(about, JSON.parse(lines[1] ?? ""));
  await agent.close();
  await close();
  await provider.forceFlush();
  const spans = exporter.getFinishedSpans().toSorted((one, other) => started(one) - started(other));
  await provider.shutdown();
  await rm(folder, { recursive: true });
  return spans;
}

/** @param {readonly [number, number]} time */
const milliseconds = ([seconds, nanoseconds]) => seconds * 1000 + nanoseconds / 1e6;
const started = (/** @type {Span} */ span) => milliseconds(span.startTime);
const ended = (/** @type {Span} */ span) => milliseconds(span.endTime);

/** The waterfall of these spans. @param {readonly Span[]} spans @param {import("./svg.mjs").Palette} palette */
export function trace(spans, palette) {
  const [left, top, row, width, right] = [330, 66, 26, 860, 70];
  const title = "A trace of the support desk: a refund that another process pays";
  const from = Math.min(...spans.map(started));
  const total = Math.max(...spans.map(ended)) - from;
  const scale = (width - left - right) / total;
  const ids = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const depth = (/** @type {Span} */ span) => {
    let deep = 0;
    for (let up = ids.get(span.parentSpanContext?.spanId ?? ""); up !== undefined; deep++) {
      up = ids.get(up.parentSpanContext?.spanId ?? "");
    }
    return deep;
  };
  const body = [label(0, 18, title, { size: 16, weight: 600 })];
  const height = top + spans.length * row + 46;
  for (let tick = 0; tick <= 4; tick++) {
    const x = left + ((width - left - right) / 4) * tick;
    body.push(stroke(x, top - 8, x, top + spans.length * row, palette.line));
    body.push(
      label(x, top - 14, `${Math.round((total / 4) * tick)} ms`, { size: 11, anchor: "middle", fill: palette.muted }),
    );
  }
  for (const [index, span] of spans.entries()) {
    const y = top + index * row;
    const elsewhere = span.links.length > 0 && span.name.startsWith("execute_tool");
    const x = left + (started(span) - from) * scale;
    const wide = Math.max(2, (ended(span) - started(span)) * scale);
    body.push(label(depth(span) * 18, y + 15, span.name, { size: 12, mono: true }));
    const fill = span.name.startsWith("invoke_agent") ? palette.accent : (palette.others[0] ?? palette.line);
    body.push(box(x, y + 4, wide, row - 10, elsewhere ? { stroke: palette.accent, dashed: true } : { fill }));
    const said = elsewhere ? "ran elsewhere: a compensating span" : tokens(span);
    const inside = x + wide + 6 + said.length * 6 > width;
    body.push(
      label(inside ? x - 6 : x + wide + 6, y + 15, said, {
        size: 11,
        fill: palette.muted,
        ...(inside && { anchor: "end" }),
      }),
    );
  }
  const note =
    "Drawn from the spans of a run. The run that goes on when the money is paid is a trace of its own, with a link to the first.";
  body.push(label(0, height - 10, note, { size: 12, fill: palette.muted }));
  return picture({ width, height, title, palette }, body);
}

const tokens = (/** @type {Span} */ { attributes }) => {
  const [input, output] = [attributes["gen_ai.usage.input_tokens"], attributes["gen_ai.usage.output_tokens"]];
  return input === undefined || output === undefined ? "" : `${input} → ${output} tokens`;
};
