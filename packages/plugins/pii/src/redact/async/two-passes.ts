import { usable } from "../../patterns/answer.js";
import { functionWalker } from "../../patterns/function-walker.js";
import type { WindowMatch } from "../../patterns/window-walker.js";
import type { AsyncRecogniser } from "../../scan/async-recogniser.js";
import { compilePlan } from "../../scan/plan.js";
import type { Walker } from "../../scan/recogniser.js";
import type { CompiledRule } from "../../scan/rule.js";
import { Engine } from "../engine.js";
import { Answers } from "./answers.js";

/** The least distance between the windows in which a recogniser with a `maxLength` is asked: each is a call. */
const leastStride = 1024;
/** The plan for rules that nothing triggers. */
const untriggered = compilePlan([]);

/**
 * Two passes of a text on its way through rules that have to be waited for. Everything that reads is synchronous, so it is read twice: once
 * to see what will be asked, and once with the answers.
 */
export class TwoPasses {
  /** Finds nothing, and notes what it would ask. */
  readonly trial: Engine;
  /** Finds what was answered. */
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
   * Asks what will be asked. Undefined where there is nothing to wait for. Throws the signal's reason, once it aborts.
   *
   * @param look reads with the trial engine what the answered one will read. What it throws is dropped: that happens
   * again when it counts.
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
