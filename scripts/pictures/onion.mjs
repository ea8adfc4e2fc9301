// The picture of the onion: what enters and leaves which layer, in the order in which a run told it.
import { createAgent, defineTool } from "@suite/agent";
import { box, label, picture } from "./svg.mjs";

/** @typedef {{ at: "in" | "out", kind: string, plugin: string }} Step */

const kinds = /** @type {const} */ (["agent", "reasoning", "model", "tool"]);
const names = ["tracing", "pii", "audit"];

/** The steps of one run that asks the model, calls a tool, and asks the model again. @returns {Promise<readonly Step[]>} */
async function steps() {
  /** @type {Step[]} */
  const told = [];
  const plugins = names.map((plugin) => ({
    name: plugin,
    ...Object.fromEntries(
      kinds.map((kind) => [
        kind,
        async (
          /** @type {{ pipe(stage: { settle(): void }): void }} */ invocation,
          /** @type {() => Promise<void>} */ callNext,
        ) => {
          told.push({ at: "in", kind, plugin });
          await callNext();
          // A layer is round its call until the answer has been read to its end, and not just until `callNext` returns.
          invocation.pipe({ settle: () => void told.push({ at: "out", kind, plugin }) });
        },
      ]),
    ),
  }));
  const replies = [
    [{ type: /** @type {const} */ ("tool_call"), id: "1", name: "find_order", arguments: {} }],
    [{ type: /** @type {const} */ ("text"), content: "It has shipped." }],
  ];
  const agent = createAgent({
    name: "support",
    model: {
      name: "model",
      provider: "example",
      generate: async () => ({ message: { role: "assistant", parts: replies.shift() ?? [] } }),
      async *stream() {}, // a run that is not streamed asks for none
    },
    tools: [defineTool({ name: "find_order", execute: () => "shipped" })],
    plugins,
  });
  await agent.run("Where is my order?");
  await agent.close();
  return told;
}

/** The onion with its order: time goes from left to right, each layer is as wide as it is open. @param {import("./svg.mjs").Palette} palette */
export async function onion(palette) {
  const told = await steps();
  const [left, top, column, row] = [1, 40, 20, 22];
  const title = "One run: plugins [tracing, pii, audit], the first is outermost";
  const body = [label(0, 18, title, { size: 16, weight: 600 })];
  /** @type {{ kind: string, plugin: string, from: number }[]} */
  const open = [];
  let deepest = 0;
  for (const [index, { at, kind, plugin }] of told.entries()) {
    if (at === "in") {
      open.push({ kind, plugin, from: index });
      deepest = Math.max(deepest, open.length);
      continue;
    }
    const layer = open.pop();
    if (layer === undefined || layer.kind !== kind || layer.plugin !== plugin)
      throw new Error("The layers do not nest.");
    const x = left + layer.from * column;
    const y = top + open.length * row;
    const outermost = plugin === names[0];
    body.push(
      box(x, y, (index - layer.from + 1) * column - 4, row - 3, {
        fill: palette.panel,
        stroke: outermost ? palette.accent : palette.line,
        radius: 4,
      }),
    );
    const text = index - layer.from > 4 ? `${kind} · ${plugin}` : plugin;
    body.push(label(x + 6, y + 14, text, { size: 11, fill: outermost ? palette.text : palette.muted }));
  }
  const height = top + deepest * row + 30;
  const note =
    "Drawn from a run that called a tool. What is below is inside; a layer is open until the answer was read to its end.";
  body.push(label(0, height - 8, note, { size: 12, fill: palette.muted }));
  return picture({ width: Math.max(820, left + told.length * column + 8), height, title, palette }, body);
}
