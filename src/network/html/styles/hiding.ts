/** Properties of a style that decide if text is seen: true if the value hides it, false if it shows it. */
export type HidingProperties = ReadonlyMap<string, boolean>;

const FAR_AWAY = /^-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|%|vw|vh)?$/;
const NOTHING = /^0(?:\.0+)?(?:px|pt|em|rem|%|vw|vh)?$/;
const SLIVER = /^[01](?:\.0+)?(?:px|pt|em|rem|%)?$/;

/** Values that hide, by property. */
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none$/,
  visibility: /^(?:hidden|collapse)$/,
  opacity: NOTHING,
  'font-size': NOTHING,
  'text-indent': FAR_AWAY,
  left: FAR_AWAY,
  right: FAR_AWAY,
  top: FAR_AWAY,
  bottom: FAR_AWAY,
  'margin-left': FAR_AWAY,
  'margin-top': FAR_AWAY,
  clip: /^rect\((?:[01](?:px)?[,\s]*){4}\)$/,
  'clip-path': /^(?:inset\((?:50|100)%\)|circle\(0(?:px|%)?\)|polygon\((?:0(?:px|%)?[,\s]*){1,12}\))$/,
  transform: /^scale[xy]?\(0(?:,0)?\)$/,
  'content-visibility': /^hidden$/,
};

/** Each property with the expression that finds its value in a block. */
const PROPERTIES = Object.entries(HIDING).map(([name, hiding]) => ({ name, hiding, value: valueExpression(name) }));

const OVERFLOW = valueExpression('overflow');
/** Sizes that hide together with `overflow`. */
const SIZES = ['height', 'max-height', 'width', 'max-width'].map(valueExpression);

/** Letters that a style could not hide without. */
const MAY_HIDE = /none|hidden|collapse|opacity|font-size|clip|-\d{3}|scale/i;

/** Returns the properties of a block of declarations, in any order and spelling. */
export function hidingProperties(block: string): HidingProperties {
  const found = new Map<string, boolean>();
  if (block === '') return found;
  const text = block.toLowerCase();
  for (const { name, hiding, value } of PROPERTIES) {
    const declared = text.includes(name) ? read(text, value) : null;
    // What begins invisible and is animated appears.
    if (declared !== null) found.set(name, hiding.test(declared) && !text.includes('animation'));
  }
  const overflow = text.includes('overflow') ? read(text, OVERFLOW) : null;
  if (overflow !== null)
    found.set('size', overflow !== 'visible' && SIZES.some((size) => SLIVER.test(read(text, size) ?? '')));
  return found;
}

/** Returns the last value of a property, without importance; null if it is not declared. */
function read(block: string, expression: RegExp): string | null {
  let value: string | null = null;
  for (const match of block.matchAll(expression)) value = match[1] ?? '';
  return value === null
    ? null
    : value
        .replace('!important', '')
        .replace(/,\s{1,9}/g, ',')
        .trim();
}

function valueExpression(name: string): RegExp {
  return new RegExp(`(?:^|[;\\s])${name}\\s{0,9}:([^;]{0,200})`, 'g');
}

/** Returns true if an inline style may hide; cheap, since most do not. */
export function mayHide(style: string): boolean {
  return MAY_HIDE.test(style);
}

/** Returns true if a block makes typed characters unreadable, as in a password field. */
export function masksText(block: string): boolean {
  return /text-security\s{0,20}:\s{0,20}(?:disc|circle|square)/i.test(block);
}

/** Returns true if an inline style hides its element. */
export function hides(style: string): boolean {
  return mayHide(style) && [...hidingProperties(style).values()].includes(true);
}
