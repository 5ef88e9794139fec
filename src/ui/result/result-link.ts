import type { CheckResult } from '#src/record/check-result.ts';

/** Beyond this length nothing takes a link, and the service does not verify it. */
const MAX_LENGTH = 32_000;

/** What a link to a result holds: the result, packed, and its signature. Null where that is too long for a link. */
export async function packResult(result: CheckResult, signature: string): Promise<string | null> {
  const packed = await throughStream(
    new TextEncoder().encode(JSON.stringify(result)),
    new CompressionStream('deflate-raw'),
  );
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const link = `${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}.${signature}`;
  return link.length > MAX_LENGTH ? null : link;
}

/** The result that a link holds, whoever made it; null where it holds none. */
export async function unpackResult(link: string): Promise<CheckResult | null> {
  try {
    const [packed = ''] = link.split('.', 1);
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
    const text = new TextDecoder().decode(await throughStream(bytes, new DecompressionStream('deflate-raw')));
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'analysis_details' in value ? (value as CheckResult) : null;
  } catch {
    return null; // It was cut on its way, or never was one.
  }
}

async function throughStream(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(stream)).bytes();
}
