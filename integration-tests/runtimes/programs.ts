import { join } from "node:path";
import { build } from "esbuild";
import { entriesOf, root } from "../../scripts/workspaces.mjs";

/** The program that every runtime runs: it loads the built packages, all of core's subpaths, and has `report(suite)` and `auditVerdicts(suite.audit)` for `then`. */
export function programOf(then: string): string {
  const from = (path: string): string => JSON.stringify(join(root, path));
  const entries = entriesOf("packages/core");
  return `
    ${entries.map((entry, index) => `import * as core${index} from ${from(entry)};`).join("\n    ")}
    import * as pii from ${from("packages/plugins/pii/dist/index.js")};
    import * as audit from ${from("packages/plugins/audit/dist/verify.js")};
    import { auditVerdicts } from ${from("integration-tests/runtimes/audit-verdicts.mjs")};
    import { report } from ${from("integration-tests/runtimes/report.mjs")};
    const suite = { core: { ${entries.map((_, index) => `...core${index}`).join(", ")} }, pii, audit };
    ${then}
  `;
}

/** The program of a runtime bundled into one file, by esbuild with its defaults. */
export async function bundled(then: string): Promise<string> {
  const stdin = { contents: programOf(then), resolveDir: root };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm" });
  return outputFiles[0]?.text ?? "";
}
