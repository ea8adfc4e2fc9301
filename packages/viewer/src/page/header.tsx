import type { ComponentChildren, VNode } from "preact";

/** The properties of the header of a view. */
export interface HeaderProps {
  readonly title: ComponentChildren;
  /** Further elements next to the title, such as actions. */
  readonly children?: ComponentChildren;
}

/** The header of a view. On a narrow screen, it has a link to the list. */
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

/** The facts of a run or a session under its header. A fact without a value is left out. */
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
