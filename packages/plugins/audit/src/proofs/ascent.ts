/**
 * The path from a node of a tree up to the root. Returns on which side the sibling of the next hash of a proof is (RFC
 * 9162, sections 2.1.3.2 and 2.1.4.2).
 */
export class Ascent {
  #node: number;
  #last: number;

  /**
   * @param node a leaf, from 0
   * @param last the tree's last leaf
   */
  constructor(node: number, last: number) {
    this.#node = node;
    this.#last = last;
  }

  /** True if the node is the root, which has no sibling. */
  get atRoot(): boolean {
    return this.#last === 0;
  }

  /** True if the node is the first of its level. */
  get atFirst(): boolean {
    return this.#node === 0;
  }

  /** Moves up until the node is a left child. All passed nodes form one complete subtree. */
  skipRightChildren(): void {
    while (this.#node % 2 === 1) this.#rise();
  }

  /** Moves up by one sibling. Must not be called at the root. Returns true if the sibling is on the left. */
  next(): boolean {
    const isLeft = this.#node % 2 === 1 || this.#node === this.#last;
    // The last node of a level may have no sibling there. Then it moves up until it has one.
    while (isLeft && this.#node % 2 === 0) this.#rise();
    this.#rise();
    return isLeft;
  }

  #rise(): void {
    this.#node = Math.floor(this.#node / 2);
    this.#last = Math.floor(this.#last / 2);
  }
}
