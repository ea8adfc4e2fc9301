import { usable } from "../patterns/answer.js";
import { functionWalker } from "../patterns/function-walker.js";
import type { WindowMatch } from "../patterns/window-walker.js";
import type { Walker } from "../recognisers/recogniser.js";
import { Engine } from "../redactor/engine.js";
import type { CompiledRule } from "../rules/rule.js";
import { compilePlan } from "../scan/plan.js";
import { Answers } from "./answers.js";
import type { LaterRecogniser } from "./later-recogniser.js";

/** How far apart at least are the windows in which a recogniser with a `maxLength` is asked: each is a call. */
const leastStride = 1024;
/** For rules that nothing triggers. */
const untriggered = compilePlan([]);

/**
 * The reading of a text on its way through rules that have to be waited for. Everything that reads is synchronous, so it reads twice: once
 * to see what will be asked, and once with the answers.
 */
export class Reading {
  /** Finds nothing, and notes what it would ask. */
  readonly looking: Engine;
  /** Finds what was answered. */
  readonly answering: Engine;
  readonly #answers = new Answers();
  readonly #signal: AbortSignal | undefined;

  constructor(engine: Engine, signal?: AbortSignal) {
    this.#signal = signal;
    const rules = engine.plan.rules.flatMap((rule) => (rule.later ? [this.#looking(rule, rule.later)] : []));
    this.looking = new Engine({ ...untriggered, rules }, undefined, true);
    this.answering = engine.with((rule) => (rule.later ? this.#answering(rule, rule.later) : rule));
  }

  /**
   * Asks what will be asked. Undefined where there is nothing to wait for. Throws the signal's reason, once it aborts.
   *
   * @param look reads with the looking engine what the answering one will read. What it throws is dropped: that happens
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

  #looking({ denied: _, ...rule }: CompiledRule, later: LaterRecogniser): CompiledRule {
    const find = (text: string): readonly WindowMatch[] => {
      this.#answers.want(later, text);
      return [];
    };
    return { ...rule, walker: () => walkerOf(find, later) };
  }

  #answering(rule: CompiledRule, later: LaterRecogniser): CompiledRule {
    const walker = (ignored: () => void): Walker =>
      walkerOf((text) => usable(this.#answers.of(later, text), later.ignores, ignored), later);
    return { ...rule, walker };
  }
}

const walkerOf = (find: (text: string) => readonly WindowMatch[], { maxLength = 0 }: LaterRecogniser): Walker =>
  functionWalker(find, maxLength === 0 ? undefined : maxLength, Math.max(2 * maxLength, leastStride));
