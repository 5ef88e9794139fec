/**
 * Hands positions to the style sheet as custom properties, each a share of the whole in [0, 1]. A `style` attribute
 * would need a weaker content security policy; the object model does not.
 */
export function position<E extends HTMLElement>(element: E, shares: Readonly<Record<string, number>>): E {
  for (const [name, share] of Object.entries(shares)) {
    element.style.setProperty(`--${name}`, `${(Math.min(Math.max(share, 0), 1) * 100).toFixed(2)}%`);
  }
  return element;
}
