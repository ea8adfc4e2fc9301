/**
 * Units of text that are read: by the two methods that read them, and by expressions, from where one begins to look to
 * the end of its match, or of the text where there is none. `test`, `match`, `search` and `replace` go by way of `exec`.
 */
export function reads(run: () => void): number {
  const { charCodeAt, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  let count = 0;
  String.prototype.charCodeAt = function (at) {
    count++;
    return charCodeAt.call(this, at);
  };
  String.prototype.slice = function (from, to) {
    const part = slice.call(this, from, to);
    count += part.length;
    return part;
  };
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    // One that must match where it begins has looked no further than it could.
    if (match !== null) count += match.index + match[0].length - from;
    else if (!this.sticky && !this.source.startsWith("^")) count += text.length - from;
    return match;
  };
  try {
    run();
  } finally {
    Object.assign(String.prototype, { charCodeAt, slice });
    RegExp.prototype.exec = exec;
  }
  return count;
}
