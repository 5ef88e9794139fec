import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { SOFTWARE } from '#src/training/data/sign-in-paths.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const classify = (url: string) => {
  const nothing = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
  return assess(targetOf(url), nothing, MODELS, SETTINGS).decision;
};

/** Synthetic names of firms, clubs and practices. */
const FIRMS =
  'zahnarzt-berger.at oakridgeplumbing.com ferramenta-rossi.it tischlerei-kramer.com boulangerie-lefevre.fr harborviewdental.com kanzlei-vogt.de musikverein-aurach.org';

/** Synthetic names as phishing kits use them. */
const KITS =
  'secure-login-verify.com account-update-center.top wallet-restore-help.xyz webmail-quota-upgrade.online parcel-fee-payment.info';

const waysInto = (hosts: string) =>
  hosts
    .split(' ')
    .flatMap((host) =>
      SOFTWARE.flatMap(({ addresses }) =>
        addresses.map((address) =>
          address.endsWith('.') ? `https://${address}${host}/` : `https://${host}${address.replaceAll('{host}', host)}`,
        ),
      ),
    );

describe('a default sign-in path', () => {
  test('does not cause warnings for small firms', () => {
    const urls = waysInto(FIRMS);
    expect(urls.length).toBeGreaterThan(700);
    expect(urls.filter((url) => classify(url) === 'block')).toEqual([]);
    expect(urls.filter((url) => classify(url) !== 'allow').length).toBeLessThan(urls.length / 100);
  });

  test('does not clear suspicious hosts', () => {
    const urls = waysInto(KITS);
    expect(urls.filter((url) => classify(url) === 'allow').length).toBeLessThan(urls.length / 100);
  });
});
