import { usable } from "../../patterns/answer.js";
import { functionWalker } from "../../patterns/function-walker.js";
import type { WindowMatch } from "../../patterns/window-walker.js";
import type { AsyncRecogniser } from "../../scan/async-recogniser.js";
import { compilePlan } from "../../scan/plan.js";
import type { Walker } from "../../scan/recogniser.js";
import type { CompiledRule } from "../../scan/rule.js";
import { Engine } from "../engine.js";
import { Answers } from "./answers.js";

/** The minimum distance between the windows of a recogniser with a `maxLength`, since each window is a call. */
const leastStride = 1024;
/** The plan for rules that nothing triggers. */
const untriggered = compilePlan([]);

/**
 * Treats a text in two passes for rules with async recognisers. The readers are synchronous, so the text is read twice:
 * once to collect the questions, and once with the answers.
 */
export class TwoPasses {
  /** Finds nothing and collects the questions. */
  readonly trial: Engine;
  /** Finds matches by means of the answers. */
  readonly answered: Engine;
  readonly #answers = new Answers();
  readonly #signal: AbortSignal | undefined;

  constructor(engine: Engine, signal?: AbortSignal) {
    this.#signal = signal;
    const rules = engine.plan.rules.flatMap((rule) => (rule.async ? [this.#trial(rule, rule.async)] : []));
    this.trial = new Engine({ ...untriggered, rules }, undefined, true);
    this.answered = engine.with((rule) => (rule.async ? this.#answered(rule, rule.async) : rule));
  }

  /**
   * Asks the questions that the second pass will need. Returns `undefined` if there is nothing to wait for. Rejects
   * with the signal's reason when it aborts.
   *
   * @param look Reads with the trial engine the text that the answered engine will read. Its errors are dropped, since
   *   they occur again in the second pass.
   */
  prepare(look: () => void): Promise<void> | undefined {
    try {
      look();
    } catch {
      // See above.
    }
    return this.#answers.ask(this.#signal);
  }

  #trial({ denied: _, ...rule }: CompiledRule, recogniser: AsyncRecogniser): CompiledRule {
    const find = (text: string): readonly WindowMatch[] => {
      this.#answers.want(recogniser, text);
      return [];
    };
    return { ...rule, walker: () => walkerOf(find, recogniser) };
  }

  #answered(rule: CompiledRule, recogniser: AsyncRecogniser): CompiledRule {
    const walker = (ignored: () => void): Walker =>
      walkerOf((text) => usable(this.#answers.of(recogniser, text), recogniser.ignores, ignored), recogniser);
    return { ...rule, walker };
  }
}

const walkerOf = (find: (text: string) => readonly WindowMatch[], { maxLength = 0 }: AsyncRecogniser): Walker =>
  functionWalker(find, maxLength === 0 ? undefined : maxLength, Math.max(2 * maxLength, leastStride));
