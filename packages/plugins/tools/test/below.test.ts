import { expect, it } from "@jest/globals";
import { namesBelow } from "../src/files/below.js";

it.each(["..", "../x", "a/../b", "a/..", "~", "~/x", "~root/x", "a\0b", "x".repeat(4097)])(
  "a path that leads upwards, or that a system may take for another, is none below the root: %j",
  (path) => {
    expect(namesBelow(path)).toBeUndefined();
  },
);

it.each([
  ["/", []],
  ["a/./b//c", ["a", "b", "c"]],
  ["...", ["..."]],
  ["a~/b", ["a~", "b"]],
])("the names of %j below the root are %j", (path, names) => {
  expect(namesBelow(path)).toEqual(names);
});
