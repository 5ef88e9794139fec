import { isLoopbackHost } from '#src/core/base/addresses/ip.ts';
import { namedFileProblem, readNamedFile } from '#src/core/base/files/named-file.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { UsageError } from '../command.ts';

/** Address of a service, and the credentials for it. */
export interface ServiceAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** Bearer token; null if there is none. */
  readonly key: string | null;
}

/** The options by which a service is named. */
export interface NamedService {
  readonly server: string;
  readonly keyFile: string | undefined;
}

const KEY = /^[\w~+/.=-]+$/;

/**
 * Parses the address of a service, and reads its key.
 *
 * @throws UsageError for an invalid address, or one that would expose the key on the network; SettingsError for an
 *   invalid key   file
 */
export async function readServiceAddress({ server, keyFile }: NamedService): Promise<ServiceAddress> {
  const url = URL.parse(server);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ''
  ) {
    throw new UsageError(`--server must be a URL such as https://lurecheck.example, not "${server}"`);
  }
  if (keyFile !== undefined && url.protocol === 'http:' && !isLoopbackHost(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
    throw new UsageError(`--server is "${server}": a key must not be sent over plain http; use https://`);
  }
  return { url: url.href.replace(/(?<!\/)\/+$/, ''), key: keyFile === undefined ? null : await readKey(keyFile) };
}

async function readKey(path: string): Promise<string> {
  const text = (await readNamedFile('--key', path)).trim();
  if (KEY.test(text)) return text;
  throw new SettingsError([
    namedFileProblem('--key', path, 'does not contain a key as printed by lurecheck key create'),
  ]);
}
