import type { Finding } from "./finding.js";

/** The maximum number of characters of an address. */
const longest = 2048;

/**
 * Finds links that could leak data: images, which load without a click, with a query or a placeholder; URLs that run
 * code; long queries.
 *
 * @param allowed trusted hosts, including their subdomains
 */
export function linksIn(text: string, allowed: readonly string[]): readonly Finding[] {
  const found: Finding[] = [];
  const look = (open: string, image: (at: number) => boolean): void => {
    let next = 0;
    for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, next)) {
      const start = at + open.length;
      const address = addressAt(text, start);
      next = start + address.length; // nothing is read twice
      const weight = weightOf(address, image(at), allowed);
      if (weight > 0) found.push({ type: "link", rule: "address", weight, start, end: start + address.length });
    }
  };
  look("](", (at) => isImage(text, at));
  look("src=", () => true);
  look("href=", () => false);
  look("url(", () => true);
  return found;
}

/** Returns true if the brackets that end here began with an exclamation mark. */
function isImage(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 500), at);
  const open = before.lastIndexOf("[");
  return open > 0 && before[open - 1] === "!";
}

/** The address that begins here: up to its quote, bracket or white space. */
function addressAt(text: string, at: number): string {
  const stop = Math.min(text.length, at + longest);
  const quoted = text[at] === '"' || text[at] === "'" || text[at] === "<";
  let end = at + (quoted ? 1 : 0);
  while (end < stop && !/["'>)\s]/.test(text[end] ?? "")) end++;
  return text.slice(at, end);
}

function weightOf(target: string, image: boolean, allowed: readonly string[]): number {
  const address = target.replace(/^["'<]/, "");
  if (/^(?:javascript|vbscript):|^data:text\/html/i.test(address)) return 0.6;
  const host = /^(?:https?:)?\/\/(?:[^/?#@\s]*@)?([^/?#:\s]+)/i.exec(address)?.[1]?.toLowerCase();
  if (host === undefined || allowed.some((each) => host === each || host.endsWith(`.${each}`))) return 0;
  const [, query = ""] = address.split(/\?(.*)/s);
  const gap = /\{[^}]{0,64}\}|\[[A-Z_ ]+\]?|<[A-Za-z_ ]*|%s|\$\{|%7B/.test(address);
  if (gap) return image ? 0.7 : 0.5;
  if (image && query !== "") return 0.35;
  return query.length > 300 ? 0.35 : 0;
}
