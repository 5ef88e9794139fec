import type { ElementTraits } from './element-traits.ts';
import type { OpenForm } from './open-form.ts';

/** An element that is open, with what it means for everything inside. */
export interface OpenElement {
  readonly name: string;
  readonly traits: ElementTraits;
  /** True if this element or one around it hides its content. */
  readonly hidden: boolean;
  /** True if nothing but a style sheet hides it. */
  readonly isStyled?: boolean;
  /** True if it belongs to a drawing or a formula. */
  readonly foreign: boolean;
  /** Called once when it ends, by its end tag or by an element around it. */
  readonly onEnd: (() => void) | null;
  /** True if nothing inside can end what is around it: a template, a document within the document. */
  readonly isBoundary?: boolean;
  /** The form that the element is, or is in; absent if there is none. */
  readonly form?: OpenForm | null | undefined;
}

/** The open elements, about `depth` of them; a deeper one takes the place of the one around it. */
export interface ElementStack {
  readonly top: OpenElement | undefined;
  /** Answers false if the innermost element had to end to make room. */
  push(element: OpenElement): boolean;
  /**
   * Ends the innermost element of that name and everything inside it; does nothing if there is none up to the next
   * boundary.
   */
  close(name: string): void;
  /** Ends an open element and everything inside it, boundaries too. */
  closeThrough(element: OpenElement): void;
  /** Ends the innermost elements for as long as `isMeant`. */
  closeWhile(isMeant: (element: OpenElement) => boolean): void;
  /** Ends the element of a form, but none that is open inside it; does nothing if an element in between keeps it open. */
  closeForm(form: OpenForm): void;
  /** Returns true if an element of that name is open, up to the next boundary. */
  isOpen(name: string): boolean;
  /** Returns true if the innermost elements up to the next one of HTML are of a drawing or a formula, one of them of that name. */
  isForeignOpen(name: string): boolean;
  closeAll(): void;
}

/** The elements inside one boundary, counted by name. */
interface Region {
  readonly boundary: OpenElement | null;
  readonly open: Map<string, number>;
  readonly flattened: Map<string, number>;
}

const emptyRegion = (boundary: OpenElement | null): Region => ({ boundary, open: new Map(), flattened: new Map() });

/** An empty stack. Every operation but `closeForm` is constant in time, counted over the life of the stack. */
export function createElementStack(depth: number): ElementStack {
  const open: OpenElement[] = [];
  const outermost = emptyRegion(null);
  const regions: Region[] = [];
  const region = () => regions.at(-1) ?? outermost;
  const add = (counts: Map<string, number>, name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  const pop = () => {
    const element = open.pop();
    if (!element) return undefined;
    if (element.isBoundary) regions.pop();
    add(region().open, element.name, -1);
    element.onEnd?.();
    return element;
  };
  return {
    get top() {
      return open.at(-1);
    },
    push(element) {
      // Boundaries are never ended: their content must not contain the elements around them.
      const isFull = open.length >= depth && open.at(-1)?.isBoundary !== true;
      const ended = isFull ? pop() : undefined;
      if (ended) add(region().flattened, ended.name, 1);
      open.push(element);
      add(region().open, element.name, 1);
      if (element.isBoundary) regions.push(emptyRegion(element));
      return !isFull;
    },
    close(name) {
      const top = open.at(-1);
      const { boundary, open: openByName, flattened } = region();
      // The end tag of an element that made room must not end another one of its name further out.
      const madeRoom = flattened.get(name) ?? 0;
      if (madeRoom > 0 && top?.name !== name) {
        flattened.set(name, madeRoom - 1);
        return;
      }
      if ((openByName.get(name) ?? 0) > 0) {
        while (pop()?.name !== name);
        return;
      }
      if (boundary?.name !== name) return;
      while (pop() !== boundary);
    },
    closeThrough(element) {
      for (let ended = pop(); ended && ended !== element; ended = pop());
    },
    closeWhile(isMeant) {
      for (let top = open.at(-1); top && isMeant(top); top = open.at(-1)) pop();
    },
    closeForm(form) {
      const at = open.findLastIndex((element) => element.form === form && element.name === 'form');
      const inside = open.slice(at + 1);
      if (at === -1 || inside.some(({ traits, isBoundary }) => traits.isScope || isBoundary)) return;
      if (inside.every(({ traits }) => traits.isEndImplied)) {
        while (open.length > at) pop();
        return;
      }
      const [element] = open.splice(at, 1);
      add(region().open, 'form', -1);
      element?.onEnd?.();
    },
    isOpen: (name) => (region().open.get(name) ?? 0) > 0,
    isForeignOpen(name) {
      const html = open.findLastIndex(({ foreign }) => !foreign);
      return open.slice(html + 1).some((element) => element.name === name);
    },
    closeAll() {
      while (pop());
    },
  };
}
