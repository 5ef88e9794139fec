import { labSites } from '#test/lab/sites.ts';
import type { Op } from '#test/network/egress/script-server.ts';
import type { SitePlan } from '#test/support/internet.ts';
import { type Place, PUBLIC } from '#test/support/place.ts';
import vectors from '#test/vectors/http-server.json' with { type: 'json' };

/** What a site does to a check of it. */
export type Temper = 'honest' | 'slow' | 'hostile' | 'heavy';

export interface SoakSite extends SitePlan {
  readonly temper: Temper;
}

/** The site that answers after {@link PATIENT_ANSWER_MS}: what a good page far away takes. */
export const PATIENT_SITE = 'faraway.com';
export const PATIENT_ANSWER_MS = 250;

/** The place of the sites; the resolver that the service asks is another process, at `PUBLIC.resolver`. */
export const WORLD: Place = { ...PUBLIC, resolver: '93.184.0.9' };

/** Servers that build what they send anew for each visitor would be what the soak measures. */
const COSTLY = new Set(['bomb', 'zstdWindow', 'floodHex']);

/** Every site of the soak by name: the laboratory, the hostile servers of the vectors, and pages that cost to read. */
export function soakSites(nowMs: number): Readonly<Record<string, SoakSite>> {
  const lab = Object.entries(labSites('com', nowMs)).map(([name, site]) => [name, { ...site, temper: temperOf(site) }]);
  const scripted = vectors.vectors
    .filter(({ script }) => !script.some(({ op }) => COSTLY.has(op)))
    .map(({ id, script }) => [`v-${id.toLowerCase()}.com`, { temper: 'hostile', script: script as readonly Op[] }]);
  return Object.fromEntries([...lab, ...scripted, ...Object.entries(OWN_SITES)]);
}

function temperOf({ script, isStalling }: SitePlan & { readonly isStalling?: true }): Temper {
  if (isStalling) return 'slow';
  return script ? 'hostile' : 'honest';
}

const page = (body: string) => () => ({ body });

const OWN_SITES: Readonly<Record<string, SoakSite>> = {
  [PATIENT_SITE]: {
    temper: 'honest',
    scheme: 'http',
    answer: async () => {
      await Bun.sleep(PATIENT_ANSWER_MS);
      return { body: '<title>Far away</title><p>Nothing to see here.' };
    },
  },
  'title.com': {
    temper: 'heavy',
    scheme: 'http',
    answer: page(`<title>${'Sign in to PayPal: '.repeat(50_000)}</title>`),
  },
  'forms.com': {
    temper: 'heavy',
    scheme: 'http',
    answer: page(`<form action="https://a.example/${'x'.repeat(200)}"><input type=password></form>`.repeat(5000)),
  },
  'deep.com': { temper: 'heavy', scheme: 'http', answer: page('<div>'.repeat(200_000)) },
  'loop.com': {
    temper: 'hostile',
    scheme: 'http',
    answer: (path, url) => ({ status: 302, headers: { location: url('loop.com', `${path}/again`) } }),
  },
};
