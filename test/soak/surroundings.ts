import { writeFileSync } from 'node:fs';
import { PUBLIC } from '#test/support/place.ts';
import { type Part, startPart } from './part.ts';
import { soakSites, type Temper } from './sites.ts';
import type { WorldReport } from './world.ts';

/** Everything around the service, in processes of their own. Disposing of it ends them. */
export interface Surroundings extends AsyncDisposable {
  /** URLs of the sites, by name and by what they do to a check. */
  readonly urls: Readonly<Record<string, string>>;
  readonly urlsBy: Readonly<Record<Temper, readonly string[]>>;
  /** Settings with which the service reaches them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The process that answers for all names; whoever kills it starts another. */
  resolver: Part;
  startResolver(): Promise<Part>;
}

/** @param scratch a folder for what the processes hand to each other. */
export async function startSurroundings(scratch: string): Promise<Surroundings> {
  await using started = new AsyncDisposableStack();
  const world = started.use(await startPart('world.ts'));
  started.use(await startPart('bare.ts'));
  const { zone, authority, urls }: WorldReport = JSON.parse(world.firstLine);
  const zonePath = `${scratch}/zone.json`;
  const authorityPath = `${scratch}/authority.pem`;
  writeFileSync(zonePath, JSON.stringify(zone));
  writeFileSync(authorityPath, authority);
  const startResolver = () => startPart('resolver.ts', [zonePath]);
  const named = Object.entries(soakSites(Date.now()));
  const urlsOf = (temper: Temper) =>
    named.filter(([, site]) => site.temper === temper).map(([name]) => urls[name] ?? '');
  const others = started.move();
  const surroundings: Surroundings = {
    urls,
    urlsBy: { honest: urlsOf('honest'), slow: urlsOf('slow'), hostile: urlsOf('hostile'), heavy: urlsOf('heavy') },
    settings: { network: 'full', 'dns-server': PUBLIC.resolver, 'egress-ca': authorityPath },
    resolver: await startResolver(),
    startResolver,
    async [Symbol.asyncDispose]() {
      await surroundings.resolver[Symbol.asyncDispose]();
      await others.disposeAsync();
    },
  };
  return surroundings;
}
