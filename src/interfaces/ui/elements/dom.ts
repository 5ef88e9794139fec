/** Content of an element. Strings become text, never markup. */
export type Child = Node | string | number | null | undefined | false | readonly Child[];

type AttributeValue = string | number | boolean | null | undefined | ((event: Event) => void);

/** Attributes by name; a function is a listener for the event of that name, `true` an empty attribute, null none at all. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

const SVG = 'http://www.w3.org/2000/svg';

/** An HTML element. There is no other way in this page to make one, and none that reads markup. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Replaces the children of an element. */
export function replaceChildren(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...nodes(children));
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return [child instanceof Node ? child : String(child)];
  });
}
