/**
 * Other detectors for personal data: their code if it can be installed, otherwise their regular expressions, run in the
 * same way.
 */
import { detectCreditCard, detectEmail, detectIP, detectMacAddress, detectUrl } from "langchain";

/** Searches a string. */
export type Detector = (text: string) => unknown;

/** LangChain's middleware: five detectors, one after another. */
export const langChain: Detector = (text) => [
  detectEmail(text),
  detectCreditCard(text),
  detectIP(text),
  detectMacAddress(text),
  detectUrl(text),
];

/** Four of those of `PIIDetector` in `@mastra/core` 1.71 (Apache-2.0); it has none for MAC addresses. The package needs Node 22. */
const ofMastra: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["email", /[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}/g],
  ["credit-card", /\b(?:\d{4}[-\s]?){3}\d{4}\b/g],
  ["ip-address", /\b(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\b/g],
  ["url", /https?:\/\/[^\s<>"']+/gi],
];

export const mastra: Detector = (text) =>
  ofMastra.flatMap(([type, pattern]) => {
    const found: { type: string; value: string; start: number }[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      found.push({ type, value: match[0], start: match.index });
    }
    return found;
  });

/** The four of `redact-pii` 3.4 (MIT) for these types; it has none for MAC addresses. It installs a hundred packages, of a service that it can ask. */
const ofRedactPii = [
  /\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}|\d{4}[ -]?\d{6}[ -]?\d{4}\d?/g,
  /(\d{1,3}(\.\d{1,3}){3}|[0-9A-F]{4}(:[0-9A-F]{4}){5}(::|(:0000)+))/gi,
  /([a-z0-9_\-.+]+)@\w+(\.\w+)*/gi,
  /([^\s:/?#]+):\/\/([^/?#\s]*)([^?#\s]*)(\?([^#\s]*))?(#([^\s]*))?/g,
];

export const redactPii: Detector = (text) =>
  ofRedactPii.reduce((redacted, pattern) => redacted.replace(pattern, "REDACTED"), text);

/** The detectors of OpenRedaction for these types; it lacks one for URLs. It caches no results. */
export async function openRedaction(): Promise<Detector> {
  const { OpenRedaction } = await import("@openredaction/core");
  const patterns = ["EMAIL", "CREDIT_CARD", "IPV4", "IPV6", "MAC_ADDRESS"];
  const detector = new OpenRedaction({ patterns, enableCache: false });
  return (text) => detector.detect(text);
}
