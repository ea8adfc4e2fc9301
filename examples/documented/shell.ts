/** A shell for the model, one session a run, as `ShellToolMiddleware` of LangChain. */
import { createAgent } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";
import { shell } from "@suite/tools/node";

// In a sandbox, or else a container, where the machine has one; in a new folder, with nothing of this environment.
const plugins = [shell({ startup: ["GREETING=hello"], timeout: 5000, maxLines: 100 })];

const run = (command: string) => ({ toolCalls: [{ name: "shell", arguments: { command } }] });
const model = scriptedModel(run("mkdir tea && cd tea"), run('echo "$GREETING from $(basename "$PWD")"'), "Done.");
const { messages } = await createAgent({ name: "worker", model, plugins }).run("Say hello.");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
