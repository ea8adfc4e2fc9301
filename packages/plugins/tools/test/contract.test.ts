import { describe, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describePlugin } from "@suite/testkit";
import { toolEmulator } from "@suite/tools";
import { mcpTools } from "@suite/tools/mcp";
import { fileSearch, shell } from "@suite/tools/node";

describePlugin("fileSearch", { create: () => fileSearch({ root: "/" }) }, { describe, it });
describePlugin("shell", { create: () => shell({ policy: "host" }) }, { describe, it });
describePlugin("toolEmulator", { create: () => toolEmulator({ tools: ["never"] }) }, { describe, it });
describePlugin(
  "mcpTools",
  { create: () => mcpTools(new Client({ name: "desk", version: "1.0.0" })) },
  { describe, it },
);
