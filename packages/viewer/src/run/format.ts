/** Formats a duration: `12 ms`, `1.4 s`, `2 min 5 s`, `3 h 20 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds <= 0) return "0 ms";
  if (milliseconds < 0.995) return `${milliseconds.toFixed(2)} ms`;
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(milliseconds < 9_950 ? 2 : 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const times = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Formats the time of day. */
export const clock = (milliseconds: number): string => times.format(milliseconds);

/** Formats the date and the time. */
export const date = (milliseconds: number): string => dates.format(milliseconds);

const numbers = new Intl.NumberFormat();

/** Formats a number with separators. */
export const count = (value: number): string => numbers.format(value);

/** Formats a number of tokens, which may be unknown. */
export const tokens = (value: number | undefined): string => (value === undefined ? "unknown" : count(value));

/** Formats a number with its noun: `1 span`, `3 spans`. */
export const plural = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? "" : "s"}`;

const costs = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** Formats a cost, in the currency of the prices. */
export const money = (value: number): string => costs.format(value);

/** Formats a value as text: a string unchanged, JSON indented, any other value as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, undefined, 2) ?? "";
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), undefined, 2);
  } catch {
    return value;
  }
}

/** Returns a name, or a placeholder for a name without visible characters. */
export const named = (name: string): string => (name.trim() === "" ? "unnamed" : name);
