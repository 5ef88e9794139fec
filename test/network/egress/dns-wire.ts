/** One record of a scripted answer; `@` stands for the asked name. */
export interface ScriptedRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: unknown;
}

/** How to answer one query. Members are those of the vector file. */
export interface ScriptedReply {
  readonly rcode?: string;
  readonly answers?: readonly ScriptedRecord[];
  readonly answersRepeat?: { readonly type: string; readonly base: string; readonly count: number };
  readonly authority?: readonly ScriptedRecord[];
  readonly tc?: boolean;
  readonly ad?: boolean;
  readonly qr?: number;
  readonly idDelta?: number;
  readonly question?: string;
  readonly questionType?: string;
  readonly noQuestion?: boolean;
  readonly rawExact?: string;
  readonly rawAnswer?: string;
}

const TYPES: Readonly<Record<string, number>> = { A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28, CAA: 257 };
const RCODES: Readonly<Record<string, number>> = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
};

/** The name and type of a query, as a server reads them. */
export function readQuery(query: Uint8Array): { name: string; type: string; hasEdns: boolean } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(Buffer.from(query.subarray(at + 1, at + 1 + length)).toString('latin1'));
    at += 1 + length;
  }
  const number = ((query[at + 1] ?? 0) << 8) | (query[at + 2] ?? 0);
  const type = Object.keys(TYPES).find((key) => TYPES[key] === number) ?? String(number);
  return { name: labels.join('.'), type, hasEdns: query[11] === 1 };
}

/** The octets of a scripted answer to a query. */
export function encodeReply(query: Uint8Array, reply: ScriptedReply): Buffer {
  if (reply.rawExact !== undefined) return Buffer.from(reply.rawExact, 'hex');
  const asked = readQuery(query);
  const rcode = RCODES[reply.rcode ?? 'NOERROR'] ?? 0;
  const id = (((query[0] ?? 0) << 8) | (query[1] ?? 0)) + (reply.idDelta ?? 0);
  const question = [...name(reply.question ?? asked.name), ...u16(TYPES[reply.questionType ?? asked.type] ?? 0), 0, 1];
  const answers = repeated(reply).map((record) => encodeRecord(record, asked.name));
  if (reply.rawAnswer) answers.push(Uint8Array.from(RAW_ANSWERS[reply.rawAnswer] ?? []));
  const authority = (reply.authority ?? []).map((record) => encodeRecord(record, asked.name));
  const opt = rcode > 15 ? [0, ...u16(41), ...u16(1232), rcode >> 4, 0, 0, 0, 0, 0] : [];
  const flags = ((reply.qr ?? 1) << 15) | 0x0180 | (reply.tc ? 0x0200 : 0) | (reply.ad ? 0x20 : 0) | (rcode & 15);
  return Buffer.concat([
    Uint8Array.from([
      ...u16(id),
      ...u16(flags),
      ...u16(reply.noQuestion ? 0 : 1),
      ...u16(answers.length),
      ...u16(authority.length),
      ...u16(opt.length > 0 ? 1 : 0),
      ...(reply.noQuestion ? [] : question),
    ]),
    ...answers,
    ...authority,
    Uint8Array.from(opt),
  ]);
}

/** A compression pointer to itself; data longer than the message. */
const RAW_ANSWERS: Readonly<Record<string, readonly number[]>> = {
  c00c_self: [0xc0, 0xff, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 1, 2, 3, 4],
  rdlong: [0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0x40, 0, 1, 2, 3, 4],
};

function repeated({ answers = [], answersRepeat }: ScriptedReply): readonly ScriptedRecord[] {
  if (!answersRepeat) return answers;
  const { type, base, count } = answersRepeat;
  return Array.from({ length: count }, (_, i) => ({ name: '@', type, ttl: 60, data: `${base}${i >> 8}.${i & 255}` }));
}

function encodeRecord(record: ScriptedRecord, asked: string): Uint8Array {
  const data = encodeData(record, asked);
  const owner = record.name === '@' ? asked : record.name;
  return Uint8Array.from([
    ...name(owner),
    ...u16(TYPES[record.type] ?? 0),
    ...u16(1),
    ...u16(record.ttl >>> 16),
    ...u16(record.ttl & 0xffff),
    ...u16(data.length),
    ...data,
  ]);
}

function encodeData({ type, data }: ScriptedRecord, asked: string): readonly number[] {
  const text = String(data);
  if (type === 'A') return text.split('.').map(Number).filter(Number.isFinite);
  if (type === 'AAAA') return ipv6(text);
  if (type === 'NS' || type === 'CNAME') return [...name(text === '@' ? asked : text)];
  if (type === 'TXT') {
    const strings = Array.isArray(data) ? data.map(String) : [text];
    return strings.flatMap((string) => [string.length, ...Buffer.from(string, 'latin1')]);
  }
  if (!data || typeof data !== 'object') throw new Error(`no way to encode ${type}`);
  const part = (key: string) => new Map(Object.entries(data)).get(key);
  if (type === 'MX') return [...u16(Number(part('preference'))), ...name(String(part('exchange')))];
  if (type === 'CAA') {
    const tag = String(part('tag'));
    return [Number(part('flags')), tag.length, ...Buffer.from(tag), ...Buffer.from(String(part('value')))];
  }
  const numbers = ['serial', 'refresh', 'retry', 'expire', 'minimum'].map((key) => Number(part(key)));
  return [
    ...name(String(part('primary'))),
    ...name(String(part('contact'))),
    ...numbers.flatMap((number) => [...u16(number >>> 16), ...u16(number & 0xffff)]),
  ];
}

function ipv6(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []).map((group) => Number.parseInt(group, 16));
  const missing = 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array<number>(tail === undefined ? 0 : missing).fill(0), ...groups(tail)].flatMap(u16);
}

function name(text: string): Uint8Array {
  const labels = text === '' ? [] : text.split('.');
  return Uint8Array.from([...labels.flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]), 0]);
}

function u16(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}
