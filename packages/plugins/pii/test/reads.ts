/** Units of text that are read, by way of the two methods that read them. */
export function reads(run: () => void): number {
  const { charCodeAt, slice } = String.prototype;
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
  try {
    run();
  } finally {
    Object.assign(String.prototype, { charCodeAt, slice });
  }
  return count;
}
