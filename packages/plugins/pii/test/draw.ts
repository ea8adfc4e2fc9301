export { randomFractions as seeded } from "../../../../scripts/random.mjs";

type Draw = () => string;

/**
 * Draws texts that match an expression made of classes, groups, alternatives and counts: each character of a class is
 * as likely as the others, as in a token that a machine made.
 */
export function drawing({ source }: RegExp, random: () => number): Draw {
  const upTo = (count: number): number => Math.floor(random() * count);
  let at = 0;

  function alternatives(): Draw {
    const options: Draw[][] = [[]];
    while (at < source.length && source[at] !== ")") {
      if (source[at] === "|") {
        at++;
        options.push([]);
      } else options.at(-1)?.push(repeated(atom()));
    }
    return () => (options[upTo(options.length)] ?? []).map((part) => part()).join("");
  }

  function atom(): Draw {
    const rest = source.slice(at);
    const [text] = /^(?:\(\?:|\[(?:\\.|[^\]])*\]|\\.|.)/.exec(rest) ?? [""];
    at += text.length;
    if (text === "(?:") {
      const group = alternatives();
      at++;
      return group;
    }
    const characters = membersOf(text.startsWith("[") ? text.slice(1, -1) : text);
    return () => characters[upTo(characters.length)] ?? "";
  }

  function repeated(part: Draw): Draw {
    const [text, least, most] = /^(?:\{(\d+)(?:,(\d+))?\}|\?)/.exec(source.slice(at)) ?? [""];
    at += text.length;
    const low = text === "?" ? 0 : Number(least ?? 1);
    const high = text === "?" ? 1 : Number(most ?? low);
    return () => Array.from({ length: low + upTo(high - low + 1) }, part).join("");
  }

  return alternatives();
}

function membersOf(body: string): string {
  const plain = body.replaceAll("\\w", "0-9A-Za-z_").replaceAll("\\d", "0-9").replaceAll(/\\(.)/g, "$1");
  if (body.length < 2) return plain;
  return plain.replaceAll(/(.)-(.)/g, (_, first: string, last: string) => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
    return String.fromCharCode(...Array.from({ length: to - from + 1 }, (__, index) => from + index));
  });
}
