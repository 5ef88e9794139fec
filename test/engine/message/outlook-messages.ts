import PACKED_RTF from '#src/engine/message/outlook/packed-rtf.json';

const { dictionary: FIRST_DICTIONARY } = PACKED_RTF;

/** A storage: streams and storages by their names. */
export interface Folder {
  readonly [name: string]: Uint8Array | Folder;
}

const SECTOR = 512;
const MINI = 64;
const END = 0xfffffffe;
const FREE = 0xffffffff;

/** Writes a compound file (MS-CFB) whose streams below 4,096 bytes are in the small sectors, as Outlook writes them. */
export function compoundFile(root: Folder): Uint8Array<ArrayBuffer> {
  const mini: number[] = [];
  const miniFat: number[] = [];
  const sectors: Buffer[] = [];
  const fat: number[] = [];
  const entries: Buffer[] = [];
  const put = (content: Uint8Array) => {
    const first = sectors.length;
    for (let at = 0; at < content.length; at += SECTOR) {
      sectors.push(Buffer.concat([content.subarray(at, at + SECTOR), Buffer.alloc(SECTOR)]).subarray(0, SECTOR));
      fat.push(at + SECTOR < content.length ? sectors.length : END);
    }
    return content.length === 0 ? END : first;
  };
  const putMini = (content: Uint8Array) => {
    const first = miniFat.length;
    for (let at = 0; at < content.length; at += MINI) {
      mini.push(...Buffer.concat([content.subarray(at, at + MINI), Buffer.alloc(MINI)]).subarray(0, MINI));
      miniFat.push(at + MINI < content.length ? miniFat.length + 1 : END);
    }
    return content.length === 0 ? END : first;
  };
  const entry = (name: string, kind: number) => {
    const bytes = Buffer.alloc(128);
    bytes.write(name, 'utf16le');
    bytes.writeUInt16LE(2 * name.length + 2, 64);
    bytes[66] = kind;
    for (const at of [68, 72, 76]) bytes.writeUInt32LE(FREE, at);
    entries.push(bytes);
    return bytes;
  };
  const fill = (folder: Folder, parent: Buffer) => {
    let before: Buffer | null = null;
    for (const [name, content] of Object.entries(folder)) {
      const isStream = content instanceof Uint8Array;
      const own = entry(name, isStream ? 2 : 1);
      (before ?? parent).writeUInt32LE(entries.length - 1, before ? 72 : 76);
      before = own;
      if (isStream) {
        own.writeUInt32LE(content.length < 4096 ? putMini(content) : put(content), 116);
        own.writeUInt32LE(content.length, 120);
      } else fill(content, own);
    }
  };
  const top = entry('Root Entry', 5);
  fill(root, top);
  top.writeUInt32LE(put(Uint8Array.from(mini)), 116);
  top.writeUInt32LE(mini.length, 120);
  const directory = put(Buffer.concat(entries));
  const miniTable = put(wordsOf(miniFat));
  const own = Math.ceil((fat.length + 2) / (SECTOR / 4 - 1));
  const fatStart = sectors.length;
  for (let at = 0; at < own; at++) fat.push(0xfffffffd);
  const table = wordsOf(fat, FREE, (own * SECTOR) / 4);
  const header = Buffer.alloc(SECTOR, 0xff);
  header.fill(0, 0, 76);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(own, 44);
  header.writeUInt32LE(directory, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(miniTable, 60);
  header.writeUInt32LE(END, 68);
  for (let at = 0; at < own; at++) header.writeUInt32LE(fatStart + at, 76 + 4 * at);
  return new Uint8Array(Buffer.concat([header, ...sectors, table]));
}

function wordsOf(words: readonly number[], filler = 0, length = words.length): Buffer {
  const bytes = Buffer.alloc(4 * length);
  for (let at = 0; at < length; at++) bytes.writeUInt32LE(words[at] ?? filler, 4 * at);
  return bytes;
}

/** Properties of a storage by their number and type, such as `0037001F`. */
export function properties(of: Readonly<Record<string, string | Uint8Array>>, header = 32): Folder {
  const streams = Object.entries(of).map(([name, value]) => {
    const isWide = name.endsWith('001F');
    const bytes = typeof value === 'string' ? Buffer.from(value, isWide ? 'utf16le' : 'latin1') : value;
    return [`__substg1.0_${name}`, bytes] as const;
  });
  return { ...Object.fromEntries(streams), '__properties_version1.0': Buffer.alloc(header) };
}

/** Packs a text as programs do that find no repetitions, but for its begin in the dictionary (MS-OXRTFCP). */
export function packRtf(text: string): Uint8Array {
  const begin = '{\\rtf1\\ansi';
  if (!text.startsWith(begin)) throw new TypeError('another begin');
  const tokens: number[][] = [[...wordOf((FIRST_DICTIONARY.indexOf(begin) << 4) | (begin.length - 2))]];
  for (const one of text.slice(begin.length)) tokens.push([one.charCodeAt(0)]);
  tokens.push([...wordOf(((FIRST_DICTIONARY.length + text.length) % 4096) << 4)]);
  const packed: number[] = [];
  for (let at = 0; at < tokens.length; at += 8) {
    const run = tokens.slice(at, at + 8);
    packed.push(
      run.reduce((bits, token, bit) => bits | (token.length === 2 ? 1 << bit : 0), 0),
      ...run.flat(),
    );
  }
  const header = Buffer.alloc(16);
  header.writeUInt32LE(packed.length + 12, 0);
  header.writeUInt32LE(text.length, 4);
  header.write('LZFu', 8);
  return Buffer.concat([header, Uint8Array.from(packed)]);
}

const wordOf = (value: number) => [value >> 8, value & 0xff] as const;
