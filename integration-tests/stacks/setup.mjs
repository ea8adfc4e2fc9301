import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack, withOwn } from "../../scripts/pack.mjs";

const FLAGS = ["--no-save", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];

/** The folders with a lock file, and the packages of the suite that their pages use. */
const folders = {
  ".": "ai-sdk approval fetch langchain mcp openai-agents pii store-postgres store-redis tracing",
  strands: "fetch pii tracing",
  voltagent: "ai-sdk pii tracing",
};

/** Installs the packed tarballs next to the frameworks, as a user of a stack has them. */
export default function setup() {
  const packed = mkdtempSync(join(tmpdir(), "stacks-"));
  try {
    const tarballs = new Map(pack(packed).map(({ name, tarball }) => [name, tarball]));
    for (const [folder, names] of Object.entries(folders)) {
      const list = withOwn(names.split(" ").map((name) => `@suite/${name}`)).map((name) => tarballs.get(name) ?? name);
      const cwd = join(import.meta.dirname, folder);
      execFileSync("npm", ["install", ...FLAGS, ...list], { cwd, stdio: ["ignore", "ignore", "inherit"] });
    }
  } finally {
    rmSync(packed, { recursive: true });
  }
}
