import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { unobserved } from '#src/network/probes/observations.ts';
import { SOFTWARE } from '#src/training/data/sign-in-paths.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const judge = (url: string) => {
  const nothing = unobserved('disabled', { state: 'skipped', reason: 'disabled' });
  return assess(targetOf(url), nothing, MODELS, SETTINGS).decision;
};

/** Made-up names of firms, clubs and practices. */
const FIRMS =
  'zahnarzt-berger.at oakridgeplumbing.com ferramenta-rossi.it tischlerei-kramer.com boulangerie-lefevre.fr harborviewdental.com kanzlei-vogt.de musikverein-aurach.org';

/** Made-up names of the kind that kits are put up under. */
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

describe('where software has its users sign in', () => {
  test('is no ground to warn of a small firm', () => {
    const urls = waysInto(FIRMS);
    expect(urls.length).toBeGreaterThan(700);
    expect(urls.filter((url) => judge(url) === 'block')).toEqual([]);
    expect(urls.filter((url) => judge(url) !== 'allow').length).toBeLessThan(urls.length / 100);
  });

  test('is none to allow a host that nobody would trust', () => {
    const urls = waysInto(KITS);
    expect(urls.filter((url) => judge(url) === 'allow').length).toBeLessThan(urls.length / 100);
  });
});
