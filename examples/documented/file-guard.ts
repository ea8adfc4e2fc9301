/** Files that a tool may read, checked before it runs, as the file validator of Ravi. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAgent, defineTool } from "@suite/agent";
import { files } from "@suite/guardrails";
import { readHead } from "@suite/guardrails/node";
import { scriptedModel } from "@suite/testkit";

writeFileSync("notes.txt", "Tea with Ada.");

// By place, name, size, and type by content: what does not fit is told to the model, and the tool does not run.
const plugins = [
  files({ paths: ["path"], roots: [process.cwd()], types: ["text/plain"], maxBytes: 1e6, read: readHead }),
];

const readFile = defineTool({ name: "read_file", execute: () => "Tea with Ada." });
const paths = [join(process.cwd(), "notes.txt"), "/etc/passwd"];
const toolCalls = paths.map((path) => ({ name: "read_file", arguments: { path } }));
const model = scriptedModel({ toolCalls }, "Read.");
const { messages } = await createAgent({ name: "reader", model, tools: [readFile], plugins }).run("Read both.");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
