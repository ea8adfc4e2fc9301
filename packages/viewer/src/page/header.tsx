import type { ComponentChildren, VNode } from "preact";

/** The properties of the header of a view. */
export interface HeaderProps {
  readonly title: ComponentChildren;
  /** The things beside the title: what can be done with what is looked at, say. */
  readonly children?: ComponentChildren;
}

/** The header of a view, with the way back to the list where there is no room for it beside. */
export function Header({ title, children }: HeaderProps): VNode {
  return (
    <header>
      <a class="back" href="#/">
        Runs
      </a>
      <h1>{title}</h1>
      {children}
    </header>
  );
}

/** The facts of a run or a session under its header; undefined is what it does not have. */
export function Summary({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }): VNode {
  return (
    <dl class="facts">
      {facts.map(([key, value]) =>
        value === undefined ? null : (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
