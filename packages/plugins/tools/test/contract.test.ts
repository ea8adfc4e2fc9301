import { describe, it } from "@jest/globals";
import { describePlugin } from "@suite/testkit";
import { toolEmulator } from "@suite/tools";
import { fileSearch, shell } from "@suite/tools/node";

describePlugin("fileSearch", { create: () => fileSearch({ root: "/" }) }, { describe, it });
describePlugin("shell", { create: () => shell({ policy: "host" }) }, { describe, it });
describePlugin("toolEmulator", { create: () => toolEmulator({ tools: ["never"] }) }, { describe, it });
