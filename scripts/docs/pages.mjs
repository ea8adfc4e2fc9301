/**
 * Copies the Markdown of the repository to the folder that VitePress builds, and turns links between files into links
 * between pages. Fails if a link leads to a file or a heading that does not exist.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { publishable, root } from "../workspaces.mjs";

const out = join(import.meta.dirname, ".cache/pages");

/** The id of a heading, as on GitHub. @param {string} heading */
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** The pages of the site, by their files in the repository. @returns {Map<string, string>} */
export function pages() {
  const guides = ["docs", "docs/stacks", "docs/backends"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  );
  return new Map([
    ["README.md", "index.md"],
    ["CONTRIBUTING.md", "contributing.md"],
    ...guides.map((path) => /** @type {const} */ ([path, path === "docs/README.md" ? "docs/index.md" : path])),
    ...[...publishable().map(({ dir }) => dir), "packages/bench"].map(
      (dir) => /** @type {const} */ ([`${dir}/README.md`, `packages/${dir.split("/").at(-1)}.md`]),
    ),
  ]);
}

/** Returns the text without its blocks of code. @param {string} text */
const prose = (text) => text.replaceAll(/^```.*?^```$/gms, "");

/** Returns the ids of all headings of a file. @param {string} file */
function slugs(file) {
  const headings = [...prose(readFileSync(join(root, file), "utf8")).matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading = ""]) => slugOf(heading.replaceAll(/\]\([^)]*\)/g, "]")));
}

/**
 * Returns a page with links for the site. A link to a file that is not a page becomes its text.
 *
 * @param {string} file @param {ReadonlyMap<string, string>} all @param {string[]} broken receives the links without a target
 */
function pageOf(file, all, broken) {
  const page = all.get(file) ?? "";
  const place = (/** @type {string} */ target) => `./${relative(dirname(page), target)}`;
  const text = readFileSync(join(root, file), "utf8").replaceAll(
    /((?:src|srcset)=")([^":]+\.(?:svg|png))(?=")/g,
    (_, attribute, path) => attribute + place(relative(root, resolve(root, dirname(file), path))),
  );
  return text.replaceAll(/^```.*?^```$|\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/gms, (whole, label, link) => {
    if (link === undefined || /^[a-z]+:/.test(link)) return whole;
    const [path = "", anchor] = link.split("#");
    const target = relative(root, path === "" ? join(root, file) : resolve(root, dirname(file), path));
    if (!existsSync(join(root, target))) {
      broken.push(`${file}: ${link}`);
      return whole;
    }
    const folder = statSync(join(root, target)).isDirectory();
    const source = [target, ...(folder ? [join(target, "README.md")] : [])].find((each) => all.has(each));
    if (source === undefined) return /\.(svg|png)$/.test(target) ? `[${label}](${place(target)})` : label;
    if (anchor !== undefined && !slugs(source).includes(anchor)) broken.push(`${file}: ${link}`);
    return `[${label}](${place(all.get(source) ?? "")}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

/** Writes all pages. @throws {Error} if a link has no target */
export function writePages() {
  rmSync(out, { recursive: true, force: true });
  /** @type {string[]} */
  const broken = [];
  const all = pages();
  for (const [file, page] of all) {
    mkdirSync(dirname(join(out, page)), { recursive: true });
    writeFileSync(join(out, page), pageOf(file, all, broken));
  }
  if (broken.length > 0) throw new Error(`Links without a target:\n${broken.join("\n")}`);
  cpSync(join(root, "docs/pictures"), join(out, "docs/pictures"), { recursive: true });
  const api = join(root, "docs/api");
  if (existsSync(api)) cpSync(api, join(out, "public/api"), { recursive: true });
}

if (process.argv[1] === import.meta.filename) writePages();
