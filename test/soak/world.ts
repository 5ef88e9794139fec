import { startInternet } from '#test/support/internet.ts';
import { soakSites, WORLD } from './sites.ts';

/** What the world says of itself once it runs. */
export interface WorldReport {
  readonly zone: readonly (readonly [name: string, entry: unknown])[];
  /** PEM of the authority that vouches for its sites. */
  readonly authority: string;
  readonly urls: Readonly<Record<string, string>>;
}

/** Runs in the namespace, as a process of its own: every site and registry of the soak. Prints its report, and runs until it is killed. */
if (import.meta.main) {
  const sites = soakSites(Date.now());
  const { zone, authority, url } = await startInternet(sites, WORLD);
  const report: WorldReport = {
    zone: [...zone],
    authority: authority.pem,
    urls: Object.fromEntries(Object.keys(sites).map((name) => [name, url(name)])),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
