import { describe, expect, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { createTrustAnchors, findCertificatePath } from '#src/network/certificate/path.ts';
import { parseX509, type X509 } from '#src/network/certificate/x509.ts';
import {
  type CertificateAuthority,
  type CertificateOrder,
  createCertificateAuthority,
  createSelfSigned,
  type Issued,
} from '#test/support/certificate-authority.ts';
import { NOW_MS } from '#test/support/now.ts';

const root = createCertificateAuthority(NOW_MS);
const stranger = createCertificateAuthority(NOW_MS, { subject: 'Stranger' });

function read({ der }: Pick<Issued, 'der'>): X509 {
  const certificate = parseX509(der);
  if (!certificate) throw new Error('the certificate could not be read');
  return certificate;
}

/** Where a leaf leads with what a server sent: the subjects up to the end, what is trusted there, and whether a signature was broken. */
function follow(leaf: Issued, sent: readonly Issued[], roots: readonly { pem: string }[] = [root]) {
  const anchors = createTrustAnchors(roots.map(({ pem }) => pem));
  const { path, anchor, brokenSignature } = findCertificatePath(read(leaf), sent.map(read), anchors);
  return [path.map(({ subjectText }) => subjectText.slice(3)).join(' '), anchor !== null, brokenSignature];
}

function publicKeyOf({ privateKey }: Issued): Uint8Array {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
}

/** So many authorities below the root, each by the one before it. */
function ladder(count: number, top: CertificateAuthority = root): CertificateAuthority[] {
  const rungs = [top];
  for (let i = 0; i < count; i++) rungs.push((rungs.at(-1) ?? top).subordinate({ subject: `I${i}` }));
  return rungs.slice(1);
}

const leafBelow = (authority: CertificateAuthority, order: CertificateOrder = {}) =>
  authority.issue({ subject: 'leaf', ...order });

describe('a certificate path', () => {
  test('ends at the root that has the name of the issuer and signed the leaf', () => {
    expect(follow(leafBelow(root), [])).toEqual(['leaf Lab Root', true, false]);
  });

  test('uses intermediates that the server sent in any order, and ignores unrelated certificates', () => {
    const [a, b, c] = ladder(3) as [CertificateAuthority, CertificateAuthority, CertificateAuthority];
    const others = [stranger, ...ladder(2, stranger)];
    expect(follow(leafBelow(c), [others[0] ?? a, c, a, others[1] ?? a, b])).toEqual([
      'leaf I2 I1 I0 Lab Root',
      true,
      false,
    ]);
  });

  test('ends at a trusted certificate that was sent, even if its issuer is unknown', () => {
    const own = createSelfSigned(NOW_MS, { subject: 'leaf' });
    expect(follow(own, [], [own])).toEqual(['leaf', true, false]);
    const [a] = ladder(1, stranger) as [CertificateAuthority];
    expect(follow(leafBelow(a), [a], [a])).toEqual(['leaf I0', true, false]);
  });

  test('does not end at a certificate that only has the name of a root', () => {
    const double = createSelfSigned(NOW_MS, { subject: 'Lab Root' });
    expect(follow(double, [])).toEqual(['Lab Root', false, true]);
  });

  test('has at most seven authorities below the root', () => {
    const seven = ladder(7);
    expect(follow(leafBelow(seven[6] ?? root), seven)[1]).toBe(true);
    const eight = ladder(8);
    expect(follow(leafBelow(eight[7] ?? root), eight)).toEqual(['leaf I7 I6 I5 I4 I3 I2 I1', false, false]);
  });

  test('contains no loop', () => {
    const one = createCertificateAuthority(NOW_MS, { subject: 'One' });
    const two = createCertificateAuthority(NOW_MS, { subject: 'Two' });
    const twoByOne = one.subordinate({ subject: 'Two' });
    expect(follow(leafBelow(two), [twoByOne, two, one])[1]).toBe(false);
    expect(follow(leafBelow(one), [one, one])).toEqual(['leaf One', false, false]);
  });

  test('uses another authority of the same name if the first one does not reach a root', () => {
    const name = { subject: 'Twin' };
    const good = root.subordinate(name);
    const byStranger = stranger.subordinate(name);
    const leaf = leafBelow(good);
    // Of the two of one name, the leaf is signed by one; the other's signature does not fit, and is no broken one.
    expect(follow(leaf, [byStranger, good])).toEqual(['leaf Twin Lab Root', true, false]);
  });

  test('without a root is the first of the longest ones', () => {
    const name = { subject: 'Twin' };
    const first = stranger.subordinate(name);
    const key = { publicKey: publicKeyOf(first), signingKey: stranger.privateKey };
    const second = stranger.subordinate({ ...name, ...key });
    for (const sent of [
      [first, second],
      [second, first],
    ]) {
      const anchors = createTrustAnchors([]);
      const { path } = findCertificatePath(read(leafBelow(first)), sent.map(read), anchors);
      expect(path[1]?.der).toEqual(read(sent[0] ?? first).der);
    }
  });

  test('is searched with at most 48 signature checks', () => {
    const named = Array.from({ length: 60 }, () => stranger.subordinate({ subject: 'Twin' }));
    const good = root.subordinate({ subject: 'Twin' });
    const leaf = leafBelow(good);
    // The leaf's and the authority's own take two of 48.
    expect(follow(leaf, [...named.slice(0, 46), good])[1]).toBe(true);
    expect(follow(leaf, [...named.slice(0, 47), good])[1]).toBe(false);
  });
});

describe('an issuer', () => {
  test('must be an authority', () => {
    const noAuthority = root.subordinate({ subject: 'Site', isAuthority: false });
    expect(follow(leafBelow(noAuthority), [noAuthority])).toEqual(['leaf', false, false]);
  });

  test('must have a path length that permits the authorities below it', () => {
    const narrow = root.subordinate({ subject: 'Narrow', pathLength: 1 });
    const [below, lowest] = ladder(2, narrow) as [CertificateAuthority, CertificateAuthority];
    expect(follow(leafBelow(below), [below, narrow])[1]).toBe(true);
    expect(follow(leafBelow(lowest), [lowest, below, narrow])[1]).toBe(false);
  });

  test('must have signed the certificate', () => {
    const forged = leafBelow(root, { signingKey: stranger.privateKey });
    expect(follow(forged, [])).toEqual(['leaf', false, true]);
    const middle = root.subordinate({ subject: 'Middle' });
    const forgedBelow = leafBelow(middle, { signingKey: stranger.privateKey });
    expect(follow(forgedBelow, [middle])).toEqual(['leaf', false, true]);
  });
});

test('a public root that the operator also adds remains public', () => {
  const anchors = createTrustAnchors([root.pem], [root.pem]);
  expect(findCertificatePath(read(leafBelow(root)), [], anchors).anchor?.isPublic).toBe(true);
  expect(findCertificatePath(read(root), [], anchors).anchor?.isPublic).toBe(true);
});

test('finds the root that signed among several of the same name', () => {
  const double = createCertificateAuthority(NOW_MS);
  expect(follow(leafBelow(double), [], [root, double])).toEqual(['leaf Lab Root', true, false]);
  expect(follow(leafBelow(double), [], [root])).toEqual(['leaf', false, true]);
});
