import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readAuthorities } from '#src/network/egress/authorities.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const [first, second] = [createCertificateAuthority(Date.now()), createCertificateAuthority(Date.now())];
const DAMAGED = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

/** The certificates in a file with this text, or what is wrong with it. */
async function read(text: string): Promise<readonly string[] | string> {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'authorities.pem');
  await Bun.write(path, text);
  return await readAuthorities({ egress_ca: path }).catch((error: Error) => error.message);
}

describe('the authorities of the operator', () => {
  test('are all certificates in the file, with any text between them', async () => {
    const [a, b] = [first.pem.trim(), second.pem.trim()];
    expect(await read(`# ours\n${a}\n\n# theirs\n${b}\n`)).toEqual([a, b]);
  });

  test('are an empty list if no file is configured', async () => {
    expect(await readAuthorities({ egress_ca: null })).toEqual([]);
  });

  test('are refused if the file contains no certificate or a damaged one', async () => {
    expect(await read('')).toContain('no certificate in PEM form');
    expect(await read(`${first.pem}\n${DAMAGED}\n${second.pem}`)).toContain(
      'holds 3 in PEM form, of which number 2 is no certificate',
    );
    expect(await read(DAMAGED)).toContain('number 1 is no certificate');
  });

  test('are refused if the file cannot be read', async () => {
    await expect(readAuthorities({ egress_ca: '/nowhere/at/all.pem' })).rejects.toThrow('egress_ca');
  });
});
