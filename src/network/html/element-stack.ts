import type { OpenForm } from './open-form.ts';

/** Effects of elements on the document, with the names of the elements. */
const NAMES = {
  /** Has no content, and no end tag. */
  isVoid: 'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
  /** Begins and ends a line. */
  isBlock:
    'address article aside blockquote body br button center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option p pre section select summary table tbody td tfoot th thead tr ul',
  /** Ends an open one of the same name right around it. */
  endsSibling: 'p li option tr td th dt dd a button',
  /** Has text that a browser shows nowhere in the page. */
  isSilent: 'script style title noembed noframes noscript iframe textarea datalist option',
  /** Has text alone for content, in which no tag is one. */
  isRaw: 'script style title textarea xmp iframe noembed noframes noscript plaintext',
  /** Has raw text that is shown unchanged. */
  isListing: 'xmp plaintext',
  /** Begins a drawing or a formula. */
  isForeignRoot: 'svg math',
  /** Ends a drawing around it (HTML standard, "parsing tokens in foreign content"). */
  breaksOut:
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby ' +
    's small span strong strike sub sup table tt u ul var',
  /** Prevents a `form` end tag inside from ending a form around it (HTML standard, "has an element in scope"). */
  isScope: 'applet caption html table td th marquee object select template',
  /** Ends where an element around it does (HTML standard, "generate implied end tags"). */
  isEndImplied: 'dd dt li optgroup option p rb rp rt rtc',
  /** Elements that cannot have a form as a child: one that begins there is empty, and its fields are outside it. */
  isTablePart: 'table tbody tfoot thead tr',
  /** Elements that are allowed in the head of a page; any other element begins its body. */
  isOfHead: 'base basefont bgsound head html link meta noframes noscript script style template title',
  /** Prevents a `frameset` from replacing the body (HTML standard, "frameset-ok flag"). */
  keepsBody:
    'applet area body br button dd dt embed hr iframe img input keygen li listing marquee object pre select table textarea wbr xmp',
  /** Holds HTML again inside a drawing or a formula. */
  holdsHtml: 'foreignobject desc title annotation-xml mi mo mn ms mtext',
} as const;

type Trait = keyof typeof NAMES;

/** The traits of an element. */
export type ElementTraits = Readonly<Record<Trait, boolean>>;

const traits = Object.keys(NAMES) as Trait[];

const ORDINARY = Object.fromEntries(traits.map((trait) => [trait, false])) as ElementTraits;

const TABLE = new Map<string, ElementTraits>();
for (const trait of traits) {
  for (const name of NAMES[trait].split(' ')) TABLE.set(name, { ...traitsOf(name), [trait]: true });
}

/** The traits of the elements of a name, which is in lower case. */
export function traitsOf(name: string): ElementTraits {
  return TABLE.get(name) ?? ORDINARY;
}

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
