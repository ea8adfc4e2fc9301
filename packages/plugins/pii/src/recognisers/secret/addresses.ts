import { isAlpha, isBreak } from "../../scan/characters.js";
import { likely } from "./checks.js";
import { isPlaceholder, standsForNone } from "./placeholders.js";

/** A stretch that is a secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** Addresses that let everybody who knows them post: host, and path up to the end of the secret in it. */
const webhooks = [
  // Slack
  /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[\w+/]{20,120}/,
  // Discord
  /(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/[\w-]{60,80}/,
  // Microsoft Teams
  /(?:[\w-]{1,63}\.webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook)\/[\w@-]{36,80}\/IncomingWebhook\/[\w/-]{32,160}/,
  // Zapier
  /hooks\.zapier\.com\/hooks\/(?:catch|standard)\/[\w/]{10,60}/,
  // IFTTT
  /maker\.ifttt\.com\/trigger\/\w{1,60}\/(?:json\/)?with\/key\/[\w-]{20,64}/,
  // Tines
  /[\w-]{1,63}\.tines\.com\/webhook\/[\da-z]{32}\/[\da-z]{32}/,
  // Feishu, Lark
  /open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/[\da-f-]{36}/,
  // DingTalk
  /oapi\.dingtalk\.com\/robot\/send\?access_token=[\da-f]{64}/,
  // WeCom
  /qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[\da-f-]{36}/,
];
const webhook = new RegExp(webhooks.map(({ source }) => source).join("|"), "y");

const longestScheme = 16;
const shortestPassword = 4;

/**
 * The secret in the address whose `://` is at `at`, before `to`: all of a webhook's, or the password of
 * `user:password@host`.
 */
export function secretInAddress(text: string, at: number, to: number): Span | undefined {
  webhook.lastIndex = at + 3;
  if (webhook.test(text)) {
    const end = webhook.lastIndex;
    return { start: schemeStart(text, at), end, score: isPlaceholder(text.slice(at, end)) ? 0 : 1 };
  }
  const last = userEnd(text, at + 3, to);
  if (last === at + 3) return undefined;
  const user = text.slice(at + 3, last);
  const colon = user.indexOf(":");
  const password = user.slice(colon + 1);
  if (colon < 0 || password.length < shortestPassword) return undefined;
  if (standsForNone(password) || password === user.slice(0, colon)) return undefined;
  const start = at + 3 + colon + 1;
  return { start, end: start + password.length, score: likely };
}

function schemeStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < longestScheme && isAlpha(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Returns the end of `user:password`, before the last `@` of host and user, or `from` if it is absent. */
function userEnd(text: string, from: number, to: number): number {
  let end = from;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 47 || code === 63 || code === 35 || code === 92 || isBreak(code)) break;
    if (code === 64) end = at;
  }
  return end;
}
