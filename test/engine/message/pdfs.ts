import { deflateSync } from 'node:zlib';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

/** Objects of a document; a text is written as it is, and a stream behind its dictionary. */
export function pdf(...objects: readonly string[]): Uint8Array<ArrayBuffer> {
  return bytesOf(`%PDF-1.7\n${objects.map((one, at) => `${at + 1} 0 obj\n${one}\nendobj\n`).join('')}%%EOF`);
}

/** An action that opens an address, which is written as a string of either kind. */
export const link = (string: string) => `<< /Type /Annot /Subtype /Link /A << /S /URI /URI ${string} >> >>`;

/** A stream that is packed by Flate. */
export function packed(text: string, entries = ''): string {
  return stream(deflateSync(Buffer.from(text, 'latin1')).toString('latin1'), `${entries} /Filter /FlateDecode`);
}

/** A stream as it is. */
export const stream = (text: string, entries = '') =>
  `<< ${entries} /Length ${text.length} >>\nstream\n${text}\nendstream`;

/** A stream of objects, whose first one has this number. */
export function objectStream(number: number, objects: readonly string[], entries = '/Type /ObjStm'): string {
  let offset = 0;
  const head = objects.map((one, at) => {
    const place = `${number + at} ${offset}`;
    offset += one.length + 1;
    return place;
  });
  const first = `${head.join(' ')} `;
  return packed(first + objects.join('\n'), `${entries} /N ${objects.length} /First ${first.length}`);
}

/** A document of one page with this content (object 2); further objects begin with number 4. */
export function page(content: string, resources: string, further: readonly string[] = []): Uint8Array<ArrayBuffer> {
  const own = `<< /Type /Page /Parent 3 0 R /Contents 2 0 R /Resources << ${resources} >> >>`;
  return pdf(own, content, '<< /Type /Pages /Kids [1 0 R] /Count 1 >>', ...further);
}

/** Encodes by base 85 (ISO 32000-1 §7.4.3). */
export function ascii85(text: string): string {
  const groups = text.match(/[\s\S]{1,4}/g) ?? [];
  const digits = groups.map((group) => {
    let value = [...group.padEnd(4, '\0')].reduce((sum, one) => sum * 256 + one.charCodeAt(0), 0);
    const written = Array.from({ length: 5 }, () => {
      const digit = String.fromCharCode(33 + (value % 85));
      value = Math.floor(value / 85);
      return digit;
    });
    return written
      .toReversed()
      .join('')
      .slice(0, group.length + 1);
  });
  return `${digits.join('')}~>`;
}

/** Encodes by LZW (§7.4.4), with codes of nine bits. */
export function lzw(text: string): string {
  const codes: number[] = [256];
  const table = new Map<string, number>();
  let rest = text;
  while (rest !== '') {
    let length = 1;
    while (length < rest.length && table.has(rest.slice(0, length + 1))) length++;
    const known = rest.slice(0, length);
    codes.push(table.get(known) ?? known.charCodeAt(0));
    table.set(rest.slice(0, length + 1), 258 + table.size);
    rest = rest.slice(length);
  }
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  return (bits.match(/.{1,8}/g) ?? [])
    .map((byte) => String.fromCharCode(Number.parseInt(byte.padEnd(8, '0'), 2)))
    .join('');
}
