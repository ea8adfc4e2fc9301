import { isDigit, unitAt } from "../../scan/characters.js";
import type { Joins } from "../../scan/recogniser.js";

/** The score of a host that names something else than a page: `url` finds it with a threshold of 0.3. */
export const identifier = 0.3;

const colon = 58;
const space = 32;
const letterV = 118;
/** More labels before the domain are of machines and services: `db-7.rack2.eu.example.com`. */
const mostLabels = 4;

/** The value of a key, or a string in code: `image: `, `"Service":"`, `"@type": "`, `driver=`, `import "`. */
const assigned = /(?:(?:^|\n)[ \t]*(?:- )?[\w.$@/-]+\s?[:=]\s{0,4}|["'`\])]\s?(?:=>|:|=)\s{0,4}|\w=|["'`])$/;
/** Characters of such names. A query, a fragment or a letter outside ASCII makes it an address. */
const plain = /^\w[\w.~:@/-]*$/;
/** Statements of Go, Docker and Java, and commands that take the name of a module or an image. */
const statement =
  /(?:^|\n)[ \t]*(?:require|replace|exclude|retract|module|import|package|from)\s+(?:\S+ )?$|\b(?:go (?:get|install|run)|(?:docker|podman|nerdctl|crane) (?:pull|push|run|tag|build)|helm (?:pull|push|install)|kubectl (?:get|describe|delete|explain))\s(?:\S+\s){0,3}$/i;
/** The tag or digest of an image of containers, and the name of a type of protocol buffers, at the end of a path. */
const named = /\/[^/]*(?::[\w.-]+|@sha256:[\da-f]*)$|\/[a-z]\w*(?:\.[a-z]\w*)*\.[A-Z]\w*$/;
const lineStart = /(?:^|\n)[ \t]*(?:- )?["']?$/;

/**
 * Returns the score of a host without a scheme in view of the units before it. It is lower if they mark it as an
 * identifier.
 */
export function weighName(score: number, before: string, value: string): number {
  if (score <= identifier || !plain.test(value) || /^www\.|:\/\//i.test(value)) return score;
  return assigned.test(before) || statement.test(before) || named.test(value) ? identifier : score;
}

/**
 * Returns `true` if a name is a module with its version, a label that is the key of a line, or the name of a machine.
 */
export function isIdentifier(text: string, start: number, host: number, end: number, to: number): boolean {
  if (end + 2 < to && isVersioned(text, end)) return true;
  // Labels of Kubernetes have a path. A key that is only a host names that host.
  if (end !== host && unitAt(text, end) === colon && lineStart.test(text.slice(Math.max(0, start - 24), start)))
    return true;
  return end === host && text.slice(start, host).split(".").length > mostLabels;
}

/** `golang.org/x/text v0.14.0` in `go.mod`, `go.sum` and the output of Go's commands. */
const isVersioned = (text: string, end: number): boolean =>
  unitAt(text, end) === space && unitAt(text, end + 1) === letterV && isDigit(unitAt(text, end + 2));

/** The space between a module and its version. */
export const versionJoins: readonly Joins[] = [
  {
    before: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    after: "v",
    inside: (text, start, end) =>
      (end + 1 >= text.length || isDigit(unitAt(text, end + 1))) &&
      /[./][\w.~/-]*$/.test(text.slice(Math.max(0, start - 48), start)),
  },
];
