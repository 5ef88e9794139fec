import type { Site, SiteAnswer } from './trick.ts';

/** Sites by host name. */
export type Sites = ReadonlyMap<string, Site>;

/** Returns the bytes with which a host answers a request; the connection ends behind them. */
export function answerOf(sites: Sites, address: string, head: string): Buffer {
  const host = /^host: *([^\r:]*)/im.exec(head)?.[1] ?? '';
  const [path = '', query = ''] = address.split('?');
  const site = sites.get(host);
  const cookie = /^cookie: *(.*)$/im.exec(head)?.[1]?.trim() ?? '';
  const missing = { status: '404 Not Found', body: '' };
  let answer: SiteAnswer = site?.[`//${host}${path}`] ?? site?.[path] ?? missing;
  while (typeof answer === 'function') answer = answer({ query, cookie, head });
  const { status = '200 OK', headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer;
  const bytes = Buffer.from(body);
  const fields = {
    'Content-Type': 'text/html; charset=utf-8',
    ...headers,
    'Content-Length': String(bytes.length),
    Connection: 'close',
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (name === 'Content-Type' && one === '' ? [] : [`${name}: ${one}`])),
  );
  return Buffer.concat([Buffer.from([`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n'), 'latin1'), bytes]);
}
