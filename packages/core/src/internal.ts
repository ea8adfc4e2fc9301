/** Functions of this package that @suite/kit exports. Import them from `@suite/kit/options`. May change in any version. */
export * from "./members.js";
export * from "./options.js";
