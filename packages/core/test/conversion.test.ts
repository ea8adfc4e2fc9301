import { describe, expect, it } from "@jest/globals";
import { message } from "@suite/core";
import { rememberConversion } from "@suite/core/adapter";

interface Theirs {
  who: string;
  what: string | object;
}
const counting = () => {
  const counter = { conversions: 0 };
  const convert = rememberConversion(
    (theirs: Theirs) => {
      counter.conversions++;
      return message("user", `${theirs.who}: ${JSON.stringify(theirs.what)}`);
    },
    ({ who, what }) => [who, what],
  );
  return { counter, convert };
};

describe("a remembered conversion", () => {
  it("converts an unchanged object once, and gives the same message again", () => {
    const { convert, counter } = counting();
    const theirs = { who: "ada", what: "hello" };
    const first = convert(theirs);
    expect(convert(theirs)).toBe(first);
    expect(counter.conversions).toBe(1);
  });

  it("converts a history that grows only where it grew", () => {
    const { convert, counter } = counting();
    const history: Theirs[] = [];
    for (let round = 0; round < 10; round++) {
      history.push({ who: "ada", what: `${round}` });
      history.map(convert);
    }
    expect(counter.conversions).toBe(10);
  });

  it("converts again an object that was changed in place, and then remembers that", () => {
    const { convert, counter } = counting();
    const theirs: Theirs = { who: "ada", what: "hello" };
    const first = convert(theirs);
    theirs.what = "bye";
    const second = convert(theirs);
    expect(second).not.toEqual(first);
    expect(convert(theirs)).toBe(second);
    expect(counter.conversions).toBe(2);
  });

  it("notices an object that took the place of an equal one", () => {
    const { convert, counter } = counting();
    const theirs: Theirs = { who: "ada", what: {} };
    convert(theirs);
    theirs.what = {};
    convert(theirs);
    expect(counter.conversions).toBe(2);
  });

  it("compares as Object.is, so that NaN is no change, and notices a watched list that grew", () => {
    let conversions = 0;
    const convert = rememberConversion(
      (list: number[]) => {
        conversions++;
        return list.length;
      },
      (list) => list,
    );
    const list = [Number.NaN];
    convert(list);
    convert(list);
    expect(conversions).toBe(1);
  });

  it("notices that what is watched became longer or shorter", () => {
    let conversions = 0;
    const convert = rememberConversion(
      (list: readonly number[]) => {
        conversions++;
        return list.length;
      },
      (list) => [...list],
    );
    const list = [1];
    expect([convert(list), convert(list)]).toEqual([1, 1]);
    list.push(2);
    expect(convert(list)).toBe(2);
    list.length = 0;
    expect([convert(list), conversions]).toEqual([0, 3]);
  });

  it("of equal but different objects is made for each", () => {
    const { convert, counter } = counting();
    convert({ who: "ada", what: "hello" });
    convert({ who: "ada", what: "hello" });
    expect(counter.conversions).toBe(2);
  });

  it("that throws is not remembered", () => {
    let attempts = 0;
    const convert = rememberConversion(
      (_theirs: Theirs) => {
        if (attempts++ === 0) throw new Error("once");
        return "converted";
      },
      () => [],
    );
    const theirs = { who: "ada", what: "hello" };
    expect(() => convert(theirs)).toThrow("once");
    expect(convert(theirs)).toBe("converted");
  });
});
