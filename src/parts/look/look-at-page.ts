import type { ConfigFor } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { ownPictureName } from '#src/checks/store/pictures/own-picture.ts';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Target } from '#src/core/url/target.ts';
import { printPicture } from '#src/engine/looks/decode-pixels.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageLook, PageVisit } from '#src/network/probes/page-visit.ts';
import type { SeenPage } from '#src/parts/tuning/brands/change-brands.ts';

/** A visit of an own page. */
export interface OwnVisit extends SeenPage {
  /** Null if the page did not answer. */
  readonly visit: PageVisit | null;
}

const NOTHING: SeenPage = { looks: [], icons: [], pictures: new Map() };

/** Window of the pictures that are compared, and the quality and largest size of one that is kept. */
const WINDOW = { width: 1280, height: 800 } as const;
const QUALITY = 70;
const MAX_BYTES = 200_000;
/** Largest difference of proportions from those of the window. */
const MOST_SKEW = 0.1;
/** Minimum number of cells with an edge in a picture that says something. */
const LEAST_EDGES = 24;
/** Larger pictures are not decoded. */
const MAX_PIXELS = 24_000_000;

/** Visits an own page as a check does, with the browser if one is configured. */
export async function visitOwnPage(target: Target, config: ConfigFor<'check'>, logger: Logger): Promise<OwnVisit> {
  await using opened = new AsyncDisposableStack();
  const engine = opened.use(await openEngine(config, { store: STORE_NONE, logger }));
  engine.useIcons();
  const taken: Uint8Array[] = [];
  const picture = {
    isOn: true,
    hold: (_visibility: string, _sha256: string, webp: Uint8Array) => void taken.push(webp),
  };
  if (config.browser !== null) {
    const { openBrowser } = await import('#src/parts/browser/open-browser.ts');
    const running = () => ({ ...config, browser_when: 'always' as const });
    opened.use(openBrowser({ engine, running, pictures: picture, logger }));
  }
  const seen: Observations[] = [];
  await engine.checkWith(STORE_NONE).check({
    ...{ target, visibility: 'private', via: 'cli', client: null },
    ...{ requestId: createRequestId(systemClock.now()), startedAtMs: systemClock.now() },
    onObserved: (observations) => void seen.push(observations),
  });
  const page = seen[0]?.page;
  if (page?.state !== 'observed') return { ...NOTHING, visit: null };
  const { look: shown, icon } = page.value;
  const look = shown && isTelling(shown) ? shown : null;
  const webp = taken.at(-1);
  const name = webp === undefined ? null : ownPictureName(webp);
  return {
    visit: page.value,
    looks: look ? [{ ...look, picture: name }] : [],
    icons: icon ? [icon] : [],
    pictures: new Map(look && webp && name !== null ? [[name, webp]] : []),
  };
}

/** Returns the configuration in which a check reaches a page on loopback, and sends nothing else for it. */
export function forPageAt(port: number, config: ConfigFor<'check'>): ConfigFor<'check'> {
  const loopback = parseCidr('127.0.0.1/32');
  if (typeof loopback === 'string') throw new TypeError(loopback);
  return {
    ...config,
    ...{ egress_allow: [...config.egress_allow, loopback], egress_port: [...config.egress_port, port] },
    ...{ egress_proxy: null, probe_off: ['dns', 'registration', 'certificate'] },
  };
}

/** Reads a picture of an own page; null for another file, and a predicate for one that cannot be used. */
export async function lookAtPicture(file: Uint8Array): Promise<SeenPage | { readonly problem: string } | null> {
  try {
    const { width, height } = await new Bun.Image(file, { maxPixels: MAX_PIXELS }).metadata();
    const skew = (width * WINDOW.height) / (height * WINDOW.width);
    if (Math.abs(skew - 1) > MOST_SKEW) {
      return { problem: `has ${width} by ${height} pixels; take it in a window of 1280 by 800` };
    }
    const sized = new Bun.Image(file, { maxPixels: MAX_PIXELS }).resize(WINDOW.width, WINDOW.height, { fit: 'fill' });
    const webp = await sized.webp({ quality: QUALITY }).bytes();
    const print = await printPicture(webp);
    if (print === null) return null;
    if (!isTelling(print)) return { problem: 'shows too little to be compared' };
    const name = webp.length > MAX_BYTES ? null : ownPictureName(webp);
    return {
      looks: [{ ...WINDOW, fields: [], buttons: [], ...print, picture: name }],
      icons: [],
      pictures: new Map(name === null ? [] : [[name, webp]]),
    };
  } catch {
    return null;
  }
}

function isTelling({ edges }: Pick<PageLook, 'edges'>): boolean {
  const cells = Uint8Array.fromHex(edges).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
  return cells >= LEAST_EDGES;
}
