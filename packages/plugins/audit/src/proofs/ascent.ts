/**
 * The way from a node of a tree up to the root. It tells on which side the sibling stands that the next hash of a proof
 * is of (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
 */
export class Ascent {
  #node: number;
  #last: number;

  /** @param node a leaf, from 0. @param last the tree's last leaf */
  constructor(node: number, last: number) {
    this.#node = node;
    this.#last = last;
  }

  /** Whether there is no sibling any more. */
  get atRoot(): boolean {
    return this.#last === 0;
  }

  /** The first leaf of its level. */
  get atFirst(): boolean {
    return this.#node === 0;
  }

  /** Goes up to where the node is a left child: all that was passed is one complete subtree. */
  skipRightChildren(): void {
    while (this.#node % 2 === 1) this.#rise();
  }

  /** Goes up by one sibling; not at the root. True if the sibling stands to the left. */
  next(): boolean {
    const left = this.#node % 2 === 1 || this.#node === this.#last;
    // The last node of a level may have no sibling there: then it rises until it has one.
    while (left && this.#node % 2 === 0) this.#rise();
    this.#rise();
    return left;
  }

  #rise(): void {
    this.#node = Math.floor(this.#node / 2);
    this.#last = Math.floor(this.#last / 2);
  }
}
