import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { visibleInTerminal } from '#src/base/foreign-text.ts';
import releaseKeys from '../../../.ci/release-keys.pem' with { type: 'text' };
import { type Command, UsageError } from '../command.ts';
import { type Authenticity, checkAgainstSums, SIGNATURE, type SignedSums, SUMS } from '../signed-sums.ts';

/** `lurecheck verify`: exit code 1 for a file that is not, or cannot be shown to be, as it was released. */
export const verifyCommand: Command<'verify'> = {
  name: 'verify',
  operands: 'FILE…',
  summary: 'tells whether files of a release are as they were signed, by the list beside them and the key inside',
  options: {},
  examples: [
    { line: 'lurecheck verify lurecheck-0.1.0-linux-x64.tar.gz', purpose: 'Is this file as it was released?' },
    { line: 'lurecheck verify *.tar.gz && echo genuine', purpose: 'Several at once, in a script.' },
  ],
  async run({ positionals }, io) {
    if (positionals.length === 0) throw new UsageError('name the files of a release to verify');
    let isGenuine = true;
    for (const path of positionals) {
      const found = await verifyReleased(path, releaseKeys);
      isGenuine &&= found.kind === 'genuine';
      const line = `${visibleInTerminal(path)}: ${'key' in found ? `as released (key ${found.key})` : REASONS[found.kind]}\n`;
      await (found.kind === 'genuine' ? io.stdout : io.stderr).write(line);
    }
    return isGenuine ? 0 : 1;
  },
};

type Doubt = Exclude<Authenticity['kind'], 'genuine'> | 'not_readable' | 'no_sums';

const REASONS: Readonly<Record<Doubt, string>> = {
  no_key: 'cannot be verified: this executable was built without the key of a release',
  not_signed: `is NOT to be trusted: no key that this executable knows has signed the ${SUMS} beside it`,
  not_listed: `is NOT to be trusted: the ${SUMS} beside it does not name it`,
  different: `is NOT to be trusted: it differs from the file that ${SUMS} names`,
  not_readable: 'cannot be read',
  no_sums: `cannot be verified: ${SUMS} and ${SIGNATURE} of its release must be in the same folder`,
};

/** What the signed list in its folder says of a file; `keys` as PEM. Never throws for what is there or not. */
export async function verifyReleased(path: string, keys: string): Promise<Authenticity | { readonly kind: Doubt }> {
  const signed = await readSums(dirname(path), keys);
  if (signed === null) return { kind: 'no_sums' };
  const sha256 = await digestOf(path).catch(() => null);
  return sha256 === null ? { kind: 'not_readable' } : checkAgainstSums(basename(path), sha256, signed);
}

async function readSums(folder: string, keys: string): Promise<SignedSums | null> {
  const [sums, signature] = await Promise.all([
    readFile(join(folder, SUMS), 'utf8').catch(() => null),
    readFile(join(folder, SIGNATURE)).catch(() => null),
  ]);
  return sums === null || signature === null ? null : { sums, signature, keys };
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
