import { mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { readFacts } from '../../fact-file.ts';
import linkWrappersFile from './link-wrappers.json' with { type: 'json' };

/** Service that puts an address of its own before the link of somebody else. */
export interface LinkWrapper {
  /**
   * `protector`: the receiver's mail filter; `tracker`: the sender's mail service; `redirector`: any other host that forwards
   * to a URL in its own.
   */
  readonly kind: 'protector' | 'tracker' | 'redirector';
  /** Name for people; the listed host if the service has none. */
  readonly service: string;
  /** Listed host; `name.*` under any country's suffix, `*-name.example` at the end of a label. */
  readonly domain: string;
  /** Beginning of the paths that forward; empty if all do. */
  readonly path: string;
}

/** Finds the wrapper that a host and path belong to. */
export type WrapperTable = (host: string, path: string) => LinkWrapper | null;

/** Parses hosts with or without a path, separated by one space. */
export function readWrappers(kind: LinkWrapper['kind'], service: string | null, places: string): LinkWrapper[] {
  return places.split(' ').map((place) => {
    const slash = place.indexOf('/');
    const domain = slash === -1 ? place : place.slice(0, slash);
    return { kind, service: service ?? domain, domain, path: slash === -1 ? '' : place.slice(slash) };
  });
}

/** Suffixes under which the owner of a name such as `google` has it: registrars sell most others to anybody. */
const COUNTRY = /^(?:[a-z]{2}|com|com?\.[a-z]{2})$/;

/** Longest name that DNS can hold; the names above it are looked up. */
const MAX_NAME = 253;

/** Makes the table. It remembers its latest answer, because five rules ask about the same URL. */
export function wrapperTable(wrappers: readonly LinkWrapper[]): WrapperTable {
  const byDomain = Map.groupBy(wrappers, ({ domain }) => domain);
  const find: WrapperTable = (host, path) => {
    for (let name = host.slice(-MAX_NAME); name !== ''; ) {
      const dot = name.indexOf('.');
      const label = name.slice(0, Math.max(dot, 0));
      const above = dot === -1 ? '' : name.slice(dot + 1);
      const found =
        match(byDomain.get(name), path) ??
        (COUNTRY.test(above) ? match(byDomain.get(`${label}.*`), path) : null) ??
        (label.includes('-') ? match(byDomain.get(`*${name.slice(label.lastIndexOf('-'))}`), path) : null);
      if (found) return found;
      name = above;
    }
    return null;
  };
  let latest = { host: '', path: '', found: find('', '') };
  return (host, path) => {
    if (latest.path !== path || latest.host !== host) latest = { host, path, found: find(host, path) };
    return latest.found;
  };
}

function match(wrappers: readonly LinkWrapper[] | undefined, path: string): LinkWrapper | null {
  return wrappers?.find((one) => startsWith(path, one.path)) ?? null;
}

/** Returns true if a path is `start` or lies under it; `/url` is not the start of `/urlaub`. */
function startsWith(path: string, start: string): boolean {
  if (!path.startsWith(start)) return false;
  return start === '' || start.endsWith('/') || path.length === start.length || /[/;]/.test(path[start.length] ?? '');
}

const isServices = mapWith(textLike(/^[!-~]+(?: [!-~]+)*$/));
const isKinds = objectWith({ protector: isServices, tracker: isServices, redirector: isServices });

const { protector, tracker, redirector } = readFacts('link-wrappers.json', linkWrappersFile, isKinds);

/** Services that put themselves before the links of mails: link protection, click trackers, and a few redirectors. */
export const LINK_WRAPPERS: readonly LinkWrapper[] = Object.entries({ protector, tracker, redirector }).flatMap(
  ([kind, services]) =>
    Object.entries(services).flatMap(([service, places]) => readWrappers(kind as LinkWrapper['kind'], service, places)),
);

/** Finds the service before a link of a mail. */
export const mailWrapperOf: WrapperTable = wrapperTable(LINK_WRAPPERS);
