/** Files that the model may find and search, as `FilesystemFileSearchMiddleware` of LangChain. */
import { writeFileSync } from "node:fs";
import { createAgent } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";
import { fileSearch } from "@suite/tools/node";

writeFileSync("notes.md", "Tea with Ada.\nWater the plants.\n");

// Below this folder, and nowhere else: no "..", no link and no absolute path leads out.
const plugins = [fileSearch({ root: ".", maxFileBytes: 1_000_000 })];

const glob = { name: "glob", arguments: { pattern: "**/*.md" } };
const grep = { name: "grep", arguments: { pattern: "plants?", mode: "content" } };
const model = scriptedModel({ toolCalls: [glob, grep] }, "Found.");
const { messages } = await createAgent({ name: "worker", model, plugins }).run("Plants?");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
