import { html } from '#src/interfaces/ui/elements/dom.ts';

/** Returns links of which one is chosen. */
export function choices(
  label: string,
  options: readonly (readonly [words: string, href: string, isChosen: boolean])[],
): HTMLElement {
  return html(
    'nav',
    { class: 'toggle', 'aria-label': label },
    options.map(([words, href, isChosen]) =>
      html('a', { class: 'button', href, 'aria-current': isChosen ? 'true' : null }, words),
    ),
  );
}

/** Returns the name that the address gives if there is such a one, else the usual one. */
export function nameIn<Name extends string>(
  names: Readonly<Record<Name, unknown>>,
  given: string | undefined,
  usual: Name,
): Name {
  return (Object.keys(names) as Name[]).find((name) => name === given) ?? usual;
}
