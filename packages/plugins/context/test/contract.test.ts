import { describe, it } from "@jest/globals";
import {
  ContextError,
  clearToolUses,
  contentLimit,
  contextEditing,
  dynamicContext,
  historyLimit,
  promptCache,
  summarization,
  taskReminder,
  todoList,
  tokenLimit,
  toolSearch,
  toolSelector,
} from "@suite/context";
import { describePlugin, type PluginAct } from "@suite/testkit";

const refuses: PluginAct = {
  name: "refuses what cannot fit",
  kind: "model",
  after: 0,
  by: "error",
  is: (error) => ContextError.is(error) && error.code === "ERR_CONTEXT_TOO_LARGE",
  create: () => tokenLimit({ tokens: 1 }),
  monitor: () => tokenLimit({ tokens: 1, mode: "monitor" }),
};

describePlugin("historyLimit", { create: () => historyLimit({ messages: 1000 }) }, { describe, it });
describePlugin("tokenLimit", { create: () => tokenLimit({ tokens: 1e9 }), acts: [refuses] }, { describe, it });
describePlugin(
  "contentLimit",
  { create: () => contentLimit({ partCharacters: 1_000_000, characters: 1e9 }) },
  { describe, it },
);
describePlugin("contextEditing", { create: () => contextEditing({ edits: [clearToolUses()] }) }, { describe, it });
describePlugin("summarization", { create: () => summarization({ trigger: { messages: 1000 } }) }, { describe, it });
describePlugin("todoList", { create: () => todoList() }, { describe, it });
describePlugin("taskReminder", { create: () => taskReminder() }, { describe, it });
describePlugin("dynamicContext", { create: () => dynamicContext(() => "Now.") }, { describe, it });
describePlugin("toolSelector", { create: () => toolSelector({ maxTools: 100 }) }, { describe, it });
describePlugin("toolSearch", { create: () => toolSearch({ maxTools: 100 }) }, { describe, it });
describePlugin("promptCache", { create: () => promptCache() }, { describe, it });
