/**
 * The JSON in a model's answer: the whole text, or what is in its one code fence, or from its first bracket to its last.
 * Undefined where there is none.
 */
export function jsonIn(text: string): { readonly value: unknown; readonly json: string } | undefined {
  const whole = text.trim();
  return parsed(whole) ?? parsed(fenced(whole)) ?? parsed(bracketed(whole));
}

function parsed(json: string | undefined): { readonly value: unknown; readonly json: string } | undefined {
  if (json === undefined || json === "") return undefined;
  try {
    return { value: JSON.parse(json), json };
  } catch {
    return undefined;
  }
}

/** The content of a text's first code fence. */
function fenced(text: string): string | undefined {
  const open = text.indexOf("```");
  const begin = open < 0 ? -1 : text.indexOf("\n", open);
  const end = begin < 0 ? -1 : text.indexOf("```", begin);
  return end < 0 ? undefined : text.slice(begin + 1, end).trim();
}

function bracketed(text: string): string | undefined {
  const begin = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return begin < 0 || end <= begin ? undefined : text.slice(begin, end + 1);
}
