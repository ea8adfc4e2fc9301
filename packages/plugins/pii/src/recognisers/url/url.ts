import { unitAt } from "../../scan/characters.js";
import type { Recogniser } from "../../scan/recogniser.js";
import { hostInto, inForeignPath } from "./foreign.js";
import { versionJoins, weighName } from "./identifiers.js";
import { keyJoins, lookName, mayEndKey } from "./name.js";
import { lookScheme } from "./scheme.js";

const colon = 58;

/**
 * Web addresses with a scheme (`http`, `https`, `ftp`, `ftps`, `sftp`, `ws`, `wss`; RFC 3986), with `www.` in front, and
 * hosts alone under a public suffix, up to the punctuation of the sentence. Not the names of modules, images, groups of APIs,
 * types and machines: those score 0.3.
 *
 * @example https://example.com/a
 */
export const url = {
  type: "url",
  triggers: ":.",
  // A dot between a letter and a letter or digit, or between a digit and a letter. `Site` explains the notation.
  sites: ["://", "l.m", "d.n"],
  reach: 2,
  labels: { url: 0.4 },
  alone: 0.35,
  joins: [...keyJoins, ...versionJoins],
  weigh: weighName,
  onlyLowers: true,
  bridged: '"`',
  bridges: (text, index) =>
    mayEndKey(text, index) || hostInto(text, index, "address") !== undefined || inForeignPath(text, index),
  look(text, at, from, to, report) {
    return unitAt(text, at) === colon ? lookScheme(text, at, from, to, report) : lookName(text, at, from, to, report);
  },
  normal: oneForm,
  mask(value) {
    const scheme = value.indexOf("://");
    if (scheme > 0) return `${value.slice(0, scheme)}://***`;
    return /^www\./i.test(value) ? "www.***" : "***";
  },
} as const satisfies Recogniser;

/**
 * The address as the URL standard writes it: scheme and host in small letters, no default port. A host alone gets no
 * scheme.
 */
function oneForm(value: string): string {
  const scheme = value.includes("://") ? "" : "http://";
  return URL.canParse(scheme + value) ? new URL(scheme + value).href.slice(scheme.length) : value;
}
