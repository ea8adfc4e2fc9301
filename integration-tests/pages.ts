import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { publishable, root } from "../scripts/workspaces.mjs";

/** The pages of the documentation with examples, relative to the root. */
export function pages(): readonly string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?!api\/|site\/|stacks\/|node_modules\/).+\.md$/.test(file))
    .map((file) => join("docs", file));
  const readmes = publishable().map(({ dir }) => join(dir, "README.md"));
  return ["README.md", ...docs, ...readmes].filter((path) => existsSync(join(root, path)));
}
