/** A way through documents, each of which leads to the next one. */
export interface RequestWay {
  /** `http` for a redirect by status, `refresh` for a `meta` element; a `file` for a script by its address. */
  readonly how: readonly ('http' | 'refresh' | 'script' | 'frame' | 'file')[];
  /** One more than {@link how}. */
  readonly origins: readonly string[];
}

const SITE = 'www.bakery-lane.com';
const SIBLING = 'login.bakery-lane.com';
const OTHER = 'harbour-mill.com';

/** Names of the hosts; each has an address of its own. */
export const WAY_HOSTS = [SITE, SIBLING, OTHER] as const;

const from =
  (...origins: readonly string[]) =>
  (...how: RequestWay['how']): RequestWay => ({ how, origins });

/** By name. Each begins as a person opens a link. */
export const REQUEST_WAYS: Readonly<Record<string, RequestWay>> = {
  'http, opened': from(`http://${SITE}`)(),
  'https, opened': from(`https://${SITE}`)(),
  'http, redirected': from(`http://${SITE}`, `http://${SITE}`)('http'),
  'http, redirected to another site': from(`http://${SITE}`, `http://${OTHER}`)('http'),
  'http, redirected to https': from(`http://${SITE}`, `https://${SITE}`)('http'),
  'https, redirected': from(`https://${SITE}`, `https://${SITE}`)('http'),
  'https, redirected to another site': from(`https://${SITE}`, `https://${OTHER}`)('http'),
  'https, redirected to http': from(`https://${SITE}`, `http://${SITE}`)('http'),
  'http, refreshed': from(`http://${SITE}`, `http://${SITE}`)('refresh'),
  'http, refreshed to a subdomain': from(`http://${SITE}`, `http://${SIBLING}`)('refresh'),
  'http, refreshed to https': from(`http://${SITE}`, `https://${SITE}`)('refresh'),
  'https, refreshed': from(`https://${SITE}`, `https://${SITE}`)('refresh'),
  'https, refreshed to a subdomain': from(`https://${SITE}`, `https://${SIBLING}`)('refresh'),
  'https, refreshed to another site': from(`https://${SITE}`, `https://${OTHER}`)('refresh'),
  'https, refreshed to http': from(`https://${SITE}`, `http://${SITE}`)('refresh'),
  'https, refreshed, then redirected': from(`https://${SITE}`, `https://${SITE}`, `https://${SITE}`)('refresh', 'http'),
  'https, refreshed to another site and redirected back': from(
    `https://${SITE}`,
    `https://${OTHER}`,
    `https://${SITE}`,
  )('refresh', 'http'),
  'https, redirected, then refreshed': from(
    `https://${OTHER}`,
    `https://${SITE}`,
    `https://${SITE}`,
  )('http', 'refresh'),
  'http, sent on by script': from(`http://${SITE}`, `http://${OTHER}`)('script'),
  'https, sent on by script': from(`https://${SITE}`, `https://${SITE}`)('script'),
  'http, in a frame': from(`http://${SITE}`, `http://${SITE}`)('frame'),
  'https, in a frame': from(`https://${SITE}`, `https://${SITE}`)('frame'),
  'https, in a frame of another site': from(`https://${SITE}`, `https://${OTHER}`)('frame'),
  'http, a script of the site': from(`http://${SITE}`, `http://${SITE}`)('file'),
  'https, a script of the site': from(`https://${SITE}`, `https://${SITE}`)('file'),
  'https, a script of a subdomain': from(`https://${SITE}`, `https://${SIBLING}`)('file'),
  'https, in a frame that is redirected to another site': from(
    `https://${SITE}`,
    `https://${SITE}`,
    `https://${OTHER}`,
  )('frame', 'http'),
};

/** Returns the URLs of a way. The path of each holds where it leads. */
export function urlsOf({ how, origins }: RequestWay): string[] {
  let next = '';
  const urls = origins.toReversed().map((origin, fromEnd) => {
    const step = how[how.length - fromEnd];
    next = `${origin}/${step === undefined ? 'end' : `${step}/${Buffer.from(next).toString('hex')}`}`;
    return next;
  });
  return urls.toReversed();
}

/** Returns the answer to a path that {@link urlsOf} made, in HTTP/1.1. */
export function answerTo(path: string): string {
  const [, how = '', hex = ''] = path.split('/');
  const next = Buffer.from(hex, 'hex').toString();
  if (how === 'http') return `HTTP/1.1 302 Found\r\nLocation: ${next}\r\nContent-Length: 0\r\n\r\n`;
  const bodies: Readonly<Record<string, string>> = {
    refresh: `<meta http-equiv=refresh content="0;url=${next}">`,
    script: `<script>location.href="${next}"</script>`,
    file: `<script src="${next}"></script>`,
    frame: `<iframe src="${next}"></iframe>`,
  };
  const body = bodies[how] ?? '<title>The end</title>';
  return `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
