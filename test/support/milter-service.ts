import { lurecheck } from './executable.ts';
import { type Service, startService } from './service.ts';

/** A running service with a milter, which blocks `evil.example` and allows `fine.example`. */
export interface MilterService {
  readonly service: Service;
  readonly port: number;
}

/** Starts it on a free port; see {@link startService}. */
export async function startMilterService(dataDir: string, args: readonly string[] = []): Promise<MilterService> {
  const data = ['--data-dir', dataDir];
  await lurecheck(['lists', 'add', 'ours', 'evil.example', '--action', 'block', ...data]);
  await lurecheck(['lists', 'add', 'fine', 'fine.example', '--action', 'allow', ...data]);
  const listen = args.includes('--milter-listen') ? [] : ['--milter-listen', '127.0.0.1:0'];
  const service = await startService(dataDir, [...listen, ...args]);
  const ready = service.events().find(({ event }) => event === 'server.listening');
  const [url] = Array.isArray(ready?.['milter_urls']) ? ready['milter_urls'] : [];
  return { service, port: Number(String(url).split(':').at(-1)) };
}

/** A mail in HTML with more headers. */
export function mailOf(body: string, headers: readonly string[] = []): string {
  const own = [
    'From: it@bank.example',
    'To: anna@office.example',
    'Subject: Hello',
    'Message-ID: <1@bank.example>',
    'Date: Tue, 24 Nov 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
  ];
  return `${[...own, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** Values of a header in a mail, in any case of letters. */
export function headersOf(mail: string, name: string): string[] {
  const head = (mail.split(/\r?\n\r?\n/, 1)[0] ?? '').replace(/\r?\n[ \t]+/g, ' ');
  return head.split(/\r?\n/).flatMap((line) => {
    const [key = '', ...value] = line.split(':');
    return key.toLowerCase() === name.toLowerCase() ? value.join(':').trim() : [];
  });
}
