import type { Redactor, ReplaceValue } from "@suite/core";
import { asyncRedactorOf } from "./async/redactor.js";
import { isClean } from "./clean.js";
import { CleanTexts } from "./clean-texts.js";
import { CleanValues } from "./clean-value.js";
import type { Engine, Treatment } from "./engine.js";
import { type PiiRedactor, redactorOf, refuseUnstreamable } from "./redactor.js";
import { rememberingText } from "./remembering.js";
import { Tally } from "./tally.js";
import { treatValue } from "./value.js";

/** The text that is emitted in place of something that could not be looked through. */
const withheld = "[REDACTED]";

/**
 * The redactor for what leaves through telemetry and audit: it never blocks and never throws. It cannot wait, either: of a
 * rule whose recogniser is async, nothing but the `deny` list counts here, unless `redactAsync` and its like are called.
 */
export function telemetryRedactor(engine: Engine): PiiRedactor {
  const sync = withoutAsync(engine);
  const clean = new CleanTexts();
  const cleanValues =
    sync.async.length > 0
      ? undefined
      : new CleanValues((text, before) => clean.has(text, before) || isClean(sync.plan, text, before));
  const replacing = (replace?: ReplaceValue): Redactor => {
    const text = rememberingText(sync, clean, new Tally(), undefined, replace);
    return {
      redact: (original) => String(orWithheld(() => text(original))),
      value: (value) => (cleanValues?.has(value) ? value : orWithheld(() => treatValue(value, text))),
    };
  };
  return {
    ...redactorOf(sync, treatment),
    ...asyncRedactorOf(engine, treatment, () => refuseUnstreamable(engine)),
    ...replacing(),
    replacing,
  };
}

const treatment: Treatment = { onBlock: "redact" };

/** The engine without rules that have to be waited for, but for their `deny` lists. */
export function withoutAsync(engine: Engine): Engine {
  if (engine.async.length === 0) return engine;
  return engine.with((rule) => {
    if (rule.async === undefined) return rule;
    const { async: _, walker: __, ...rest } = rule;
    return rest.denied && rest;
  });
}

function orWithheld<T>(treat: () => T): T | string {
  try {
    return treat();
  } catch {
    return withheld;
  }
}
