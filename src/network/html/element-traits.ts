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
