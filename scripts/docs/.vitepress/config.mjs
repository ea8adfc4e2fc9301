import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { root } from "../../workspaces.mjs";
import { pages, slugOf } from "../pages.mjs";

/** The entry of a page in the sidebar: its heading, without a part after a colon. */
const entry = ([file, page]) => {
  const heading = /^# (.*)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? page;
  return { text: heading.replaceAll("`", ""), link: `/${page.replace(/(index)?\.md$/, "")}` };
};

const all = [...pages()];
const under = (pattern) => all.filter(([, page]) => pattern.test(page)).map(entry);

export default defineConfig({
  title: "Suite",
  description: "Observability and guardrails for LLM agents in TypeScript",
  // Indented blocks of code are not in a box of the theme, and would cover the outline.
  head: [["style", {}, ".vp-doc pre { overflow-x: auto; }"]],
  srcDir: ".cache/pages",
  // The API reference is built by TypeDoc, and has READMEs among its files.
  srcExclude: ["public/**"],
  outDir: "../../docs/site",
  cacheDir: ".cache/vitepress",
  cleanUrls: false,
  ignoreDeadLinks: [/^\/api\//, /^http:\/\/localhost/],
  markdown: { anchor: { slugify: slugOf }, languageAlias: { capnp: "text" } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Stacks", link: "/docs/" },
      { text: "API", link: "/api/index.html", target: "_self" },
    ],
    sidebar: [
      {
        text: "Begin",
        items: [
          { text: "Overview", link: "/" },
          { text: "All pages", link: "/docs/" },
        ],
      },
      { text: "One page per stack", items: under(/^docs\/stacks\//) },
      { text: "Guides", items: under(/^docs\/(?!index)[\w-]+\.md$/) },
      { text: "Backends", collapsed: true, items: under(/^docs\/backends\//) },
      { text: "Packages", collapsed: true, items: under(/^packages\//) },
      { text: "Contribute", items: [{ text: "Contributing", link: "/contributing" }] },
    ],
  },
});
