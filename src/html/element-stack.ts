import type { ElementTraits } from './element-traits.ts';

/** An element that is open, with what it means for everything inside. */
export interface OpenElement {
  readonly name: string;
  readonly traits: ElementTraits;
  /** Whether this element or one around it hides its content. */
  readonly hidden: boolean;
  /** Whether it belongs to a drawing or a formula. */
  readonly foreign: boolean;
  /** Called once when it ends, by its end tag or by an element around it. */
  readonly onEnd: (() => void) | null;
}

/** The open elements, at most `depth` of them; a deeper one takes the place of the one around it. */
export interface ElementStack {
  readonly top: OpenElement | undefined;
  /** Answers false where the innermost element had to end to make room. */
  push(element: OpenElement): boolean;
  /** Ends the innermost element of that name and everything inside it; nothing where there is none. */
  close(name: string): void;
  /** Ends the innermost elements for as long as `isMeant`. */
  closeWhile(isMeant: (element: OpenElement) => boolean): void;
  isOpen(name: string): boolean;
  closeAll(): void;
}

/** An empty stack. Every operation is constant in time, counted over the life of the stack. */
export function createElementStack(depth: number): ElementStack {
  const open: OpenElement[] = [];
  const openByName = new Map<string, number>();
  const flattenedByName = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  const pop = () => {
    const element = open.pop();
    if (!element) return undefined;
    add(openByName, element.name, -1);
    element.onEnd?.();
    return element;
  };
  return {
    get top() {
      return open.at(-1);
    },
    push(element) {
      const isFull = open.length >= depth;
      const ended = isFull ? pop() : undefined;
      if (ended) add(flattenedByName, ended.name, 1);
      open.push(element);
      add(openByName, element.name, 1);
      return !isFull;
    },
    close(name) {
      // The end tag of an element that made room must not end another one of its name further out.
      const madeRoom = flattenedByName.get(name) ?? 0;
      if (madeRoom > 0 && open.at(-1)?.name !== name) {
        flattenedByName.set(name, madeRoom - 1);
        return;
      }
      if ((openByName.get(name) ?? 0) <= 0) return;
      while (pop()?.name !== name);
    },
    closeWhile(isMeant) {
      for (let top = open.at(-1); top && isMeant(top); top = open.at(-1)) pop();
    },
    isOpen: (name) => (openByName.get(name) ?? 0) > 0,
    closeAll() {
      while (pop());
    },
  };
}
