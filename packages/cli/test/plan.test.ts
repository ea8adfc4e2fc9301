import { describe, expect, it } from "@jest/globals";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { diff, edited } from "../src/init/edits.js";
import { plan } from "../src/init/plan.js";
import { type Target, targets } from "../src/init/targets.js";

const target = (framework: string): Target => targets.find((each) => each.framework === framework) as Target;
const file = (code: string, more = {}) => ({ code, isTypeScript: false, isJsx: false, setup: "./suite.js", ...more });

/** The file as the plan for a framework leaves it; what the plan is where it is no edits. */
function changed(framework: string, code: string, more = {}): string | undefined {
  const found = plan(file(code, more), target(framework));
  return typeof found === "object" ? edited(code, found) : found;
}

const two = (adapter: string, setup = "./suite.js") =>
  `import { withPlugins } from "${adapter}";\nimport { plugins } from "${setup}";\n`;

describe("a program of a framework whose module is wrapped", () => {
  it("takes its functions from the wrapped module, and all else from the module", () => {
    expect(
      changed("ai", 'import { generateText, tool, type ModelMessage } from "ai";\n\nawait generateText({});\n'),
    ).toBe(
      `import { tool, type ModelMessage } from "ai";\nimport * as ai from "ai";\n${two("@suite/ai-sdk")}\nconst { generateText } = withPlugins(ai, plugins);\n\nawait generateText({});\n`,
    );
  });

  it("keeps its own names, its quotes, its line ends, and a statement without a semicolon", () => {
    expect(
      changed(
        "langchain",
        "import { createAgent as make } from 'langchain'\r\nimport x from './x.js' // x\r\nmake()\r\n",
      ),
    ).toBe(
      "import * as langchain from 'langchain'\r\nimport { withPlugins } from '@suite/langchain'\r\nimport { plugins } from './suite.js'\r\nimport x from './x.js' // x\r\n\r\nconst { createAgent: make } = withPlugins(langchain, plugins)\r\nmake()\r\n",
    );
  });

  it("has no name twice", () => {
    const found = changed(
      "@openai/agents",
      'import { Agent, run } from "@openai/agents";\nconst plugins = 1, agents = 2, withPlugins = 3;\n',
    );
    expect(found).toContain('import * as agentsModule from "@openai/agents";');
    expect(found).toContain("const { run } = suiteWithPlugins(agentsModule, suitePlugins);");
    expect(found).toContain('import { Agent } from "@openai/agents";');
  });

  it("that imports the module whole has it wrapped under its name", () => {
    expect(changed("ai", 'import * as ai from "ai";\nai.streamText({});\n')).toBe(
      `import * as aiModule from "ai";\n${two("@suite/ai-sdk")}\nconst ai = withPlugins(aiModule, plugins);\nai.streamText({});\n`,
    );
  });

  it("of CommonJS has the module wrapped where it is required", () => {
    expect(changed("ai", '"use strict";\nconst { generateText } = require("ai");\n', { setup: "./suite.cjs" })).toBe(
      '"use strict";\nconst { withPlugins } = require("@suite/ai-sdk");\nconst { plugins } = require("./suite.cjs");\nconst { generateText } = withPlugins(require("ai"), plugins);\n',
    );
  });
});

describe("a program that makes a client, a server or an agent", () => {
  it.each([
    ["openai", 'import OpenAI from "openai";', `new OpenAI({ apiKey: \`)\${1}\` })`],
    ["openai", 'import { toFile, OpenAI as Client } from "openai";', "new Client()"],
    ["@anthropic-ai/sdk", 'import Anthropic from "@anthropic-ai/sdk";', "new Anthropic(/[)]/)"],
    [
      "@modelcontextprotocol/sdk",
      'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";',
      'new McpServer({ name: ")" })',
    ],
    ["@suite/agent", 'import { createAgent } from "@suite/agent";', 'createAgent({ name: "x" })'],
  ])("has it wrapped where it is made: %s", (framework, line, made) => {
    const code = `${line}\n// ${made}\nexport const it = ${made};\n`;
    expect(changed(framework, code)).toBe(
      `${two(target(framework).adapter)}${line}\n// ${made}\nexport const it = withPlugins(${made}, plugins);\n`,
    );
  });

  it("has each of several wrapped, deep in functions too", () => {
    const code =
      'import OpenAI from "openai";\nconst a = new OpenAI();\nclass B { c = () => ({ d: new OpenAI() }); }\n';
    expect(changed("openai", code)?.match(/withPlugins\(new OpenAI\(\), plugins\)/g)).toHaveLength(2);
  });
});

describe("what is not plain is left", () => {
  it.each([
    ["ai", 'import { tool } from "ai";\n'],
    ["ai", 'import type { generateText } from "ai";\n'],
    ["ai", 'const { generateText } = await import("ai");\n'],
    ["ai", '// import { generateText } from "ai";\nconst x = `import { generateText } from "ai";`;\n'],
    ["ai", 'export { generateText } from "ai";\n'],
    ["ai", 'import { generateText } from "ai";\nimport { streamText } from "ai";\n'],
    ["openai", 'import OpenAI from "openai";\nexport function make(Client = OpenAI) { return new Client(); }\n'],
    ["openai", 'import type OpenAI from "openai";\nlet x: OpenAI;\n'],
    ["openai", 'import OpenAI from "openai";\nconst x = new OpenAI;\n'],
  ])("%s: %j", (framework, code) => {
    expect(changed(framework, code)).toBeUndefined();
  });

  it("a class that TypeScript uses as a type, and a module whose name it takes types from", () => {
    const types = { isTypeScript: true };
    const code = 'import { ToolLoopAgent } from "ai";\nlet a: ToolLoopAgent;\n';
    expect(changed("ai", code, types)).toBeUndefined();
    expect(changed("ai", code.replace("let a:", "const a = new"), types)).toContain(
      "const { ToolLoopAgent } = withPlugins",
    );
    expect(changed("ai", 'import * as ai from "ai";\nlet a: ai.ModelMessage;\n', types)).toBeUndefined();
  });

  it.each([
    ["ai", 'import * as ai from "ai";\nimport { withPlugins } from "@suite/ai-sdk";\n'],
    ["openai", 'import OpenAI from "openai";\nimport { fetchWithPlugins } from "@suite/fetch";\nnew OpenAI();\n'],
    ["@suite/agent", 'import { createAgent } from "@suite/agent";\ncreateAgent({ plugins: [] });\n'],
  ])("and where the plugins are, nothing is to be done: %s", (framework, code) => {
    expect(changed(framework, code)).toBe("done");
  });
});

describe("the diff", () => {
  it("shows what changes, with three lines round it, and where", () => {
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`);
    const code = `${lines.join("\n")}\n`;
    const at = (text: string) => code.indexOf(text);
    const edits = [
      { start: at("line 2\n"), end: at("line 2\n") + 6, text: "two\nand a half" },
      { start: at("line 17"), end: at("line 17"), text: "new " },
    ];
    expect(diff("x.js", code, edits)).toBe(
      "--- x.js\n+++ x.js\n@@ -1,6 +1,7 @@\n line 0\n line 1\n-line 2\n+two\n+and a half\n line 3\n line 4\n line 5\n@@ -15,6 +16,6 @@\n line 14\n line 15\n line 16\n-line 17\n+new line 17\n line 18\n line 19",
    );
  });
});

describe("whatever a program is", () => {
  const oddities = [
    "// new OpenAI() and 'a quote\n",
    "/* import { generateText } from 'ai' */\n",
    `const text = \`new OpenAI(\${[1].map((n) => \`}\${n}\`)})\`;\n`,
    "const pattern = /[/'\"`({]new OpenAI\\(/g;\n",
    "const half = 4 / 2 / 1;\n",
    "class A { #x = 1; get() { return this.#x; } }\n",
    "label: for (;;) { break label; }\n",
    'const quoted = "it\'s \\" new OpenAI(";\n',
    "export const more = async () => ({ ...(await import('node:fs')) });\n",
  ];
  const programs = targets.map((each): readonly [Target, string, string] => {
    const [source = "", [name = ""] = []] = Object.entries(each.from)[0] ?? [];
    const isDefault = name === "default";
    const local = isDefault ? "Client" : name;
    const made =
      each.wraps === "module" ? "" : `const it = ${each.adapter === each.framework ? "" : "new "}${local}({ a: 1 });\n`;
    return [each, `import ${isDefault ? local : `{ ${local} }`} from "${source}";\n`, made];
  });

  it("what it was is all there after the change, it is still a program, and a second time changes nothing", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...programs),
        fc.subarray(oddities.map((each, index) => [each, index] as const)),
        fc.boolean(),
        ([framework, line, made], chosen, crlf) => {
          const odd = chosen.map(([each]) => each);
          const middle = Math.floor(odd.length / 2);
          const lf = `${line}import path from "node:path";\n${odd.slice(0, middle).join("")}${made}${odd.slice(middle).join("")}`;
          const code = crlf ? lf.replaceAll("\n", "\r\n") : lf;
          const found = plan(file(code), framework);
          if (typeof found !== "object") throw new Error("No place was found.");
          const now = edited(code, found);
          transformSync(now, { format: "esm" });
          for (const each of odd) expect(now.replaceAll("\r\n", "\n")).toContain(each);
          expect(now.match(/withPlugins\(/g)).toHaveLength(1);
          expect(/(?<!\r)\n/.test(now)).toBe(!crlf);
          expect(plan(file(now), framework)).toBe("done");
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
