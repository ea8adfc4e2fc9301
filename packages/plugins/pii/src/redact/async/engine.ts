import { usable } from "../../patterns/answer.js";
import { functionWalker } from "../../patterns/function-walker.js";
import type { WindowMatch } from "../../patterns/window-walker.js";
import type { AsyncRecogniser } from "../../scan/async-recogniser.js";
import { compilePlan } from "../../scan/plan.js";
import type { CompiledRule } from "../../scan/rule.js";
import { Engine } from "../engine.js";
import { Answers } from "./answers.js";
import { Prepared, type Search } from "./prepared.js";

/** The minimum distance between the windows of a recogniser with a `maxLength`, since each window is a call. */
const leastStride = 1024;
/** The plan for rules that nothing triggers. */
const untriggered = compilePlan([]);

/** Prepares an engine with the findings of its async recognisers, for one value, request or stream. */
export function preparedEngine(engine: Engine, signal?: AbortSignal): Prepared<Engine> {
  if (engine.async.length === 0) return new Prepared(engine);
  const answers = new Answers();
  const search: Search = (collect) => {
    collect();
    return answers.request(signal);
  };
  const known = engine.with((rule) => {
    const { async } = rule;
    return async
      ? searching(rule, async, (text, ignored) => usable(answers.of(async, text), async.ignores, ignored))
      : rule;
  });
  const rules = engine.plan.rules.flatMap(({ denied: _, ...rule }) => {
    const { async } = rule;
    if (async === undefined) return [];
    const add: Find = (text, incomplete) => {
      answers.add(async, text);
      // What the text becomes now must not be remembered.
      incomplete();
      return [];
    };
    return [searching(rule, async, add)];
  });
  return new Prepared(known, [{ subject: new Engine({ ...untriggered, rules }), search }]);
}

type Find = (text: string, incomplete: () => void) => readonly WindowMatch[];

/** Returns the rule with a synchronous walker in place of its async recogniser. */
function searching(rule: CompiledRule, { maxLength }: AsyncRecogniser, find: Find): CompiledRule {
  const stride = Math.max(2 * (maxLength ?? 0), leastStride);
  return { ...rule, walker: (incomplete) => functionWalker((text) => find(text, incomplete), maxLength, stride) };
}
