/** The expression for one character of a name. */
const inName = "[^/]";

/**
 * Converts a glob to an expression: `*` and `?` within a name, `**` across folders, `[a-z]` and `[!a-z]`, `{a,b}`, and
 * `\` to escape a character. Returns `undefined` if a bracket is not closed.
 */
export function globSource(glob: string): string | undefined {
  let source = "";
  let open = 0;
  for (let at = 0; at < glob.length; ) {
    const character = glob[at] as string;
    const folders = /^\*\*(\/|$)/.exec(glob.slice(at, at + 3));
    if (folders !== null && (at === 0 || glob[at - 1] === "/")) {
      source += folders[1] === "/" ? `(?:${inName}+/)*` : ".+";
      at += folders[0].length;
    } else if (character === "*") {
      source += `${inName}*`;
      while (glob[at] === "*") at++;
    } else if (character === "?") {
      source += inName;
      at++;
    } else if (character === "[") {
      const set = /^\[([!^]?)((?:\\.|[^\]\\/])(?:\\.|[^\]\\/])*)\]/s.exec(glob.slice(at));
      if (set === null) return undefined;
      source += `[${set[1] === "" ? "" : "^/"}${setSource(set[2] as string)}]`;
      at += set[0].length;
    } else if (character === "{") {
      source += "(?:";
      open++;
      at++;
    } else if (character === "}" && open > 0) {
      source += ")";
      open--;
      at++;
    } else if (character === "," && open > 0) {
      source += "|";
      at++;
    } else {
      const escaped = character === "\\" && at + 1 < glob.length;
      const literal = String.fromCodePoint(glob.codePointAt(escaped ? at + 1 : at) as number);
      source += quoted(literal);
      at += literal.length + (escaped ? 1 : 0);
    }
  }
  return open === 0 ? source : undefined;
}

/** Converts the inside of a set: ranges stay, everything else is literal. */
const setSource = (inside: string): string =>
  inside.replaceAll(/\\(.)|[[\]^&~|]/gs, (match, next) => quotedInSet(next ?? match));

const quotedInSet = (character: string): string => (/[\w\s]/.test(character) ? character : `\\${character}`);

const quoted = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
