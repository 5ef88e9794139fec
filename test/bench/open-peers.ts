import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';
import texts from '#test/support/mail-texts.json' with { type: 'json' };
import { untilSeen } from '#test/support/until.ts';
import { bodyOf } from './contest.ts';
import { runLoad } from './load.ts';
import { urlOf } from './load-urls.ts';
import { familyMicros, processMicros } from './process-figures.ts';
import { startProgram } from './running-server.ts';

/** A service under load, or a library. */
export interface Peer {
  readonly name: string;
  readonly does: string;
  /** Share of the requests that it is asked for: fewer of a slow one. */
  readonly share: number;
  /** Checks so many URLs or mails, from the n-th on, and resolves with the last answer. */
  ask(first: number, count: number): Promise<void>;
  /** Processor time so far, in microseconds. */
  micros(): Promise<number>;
}

const CONNECTIONS = 64;
/** Mails at a time: processes of `spamd`. */
const MAILS_AT_A_TIME = 4;
const LINKS_PER_MAIL = 3;

const PYTHON = '/usr/bin/python3';
const SPAMD = '/usr/sbin/spamd';
const DETECTOR = 'eth-phishing-detect@1.2.0';

/** Opens lurecheck and the peers that are installed; prints a line for each other one. */
export async function openPeers(program: string, folder: string, opened: AsyncDisposableStack): Promise<Peer[]> {
  const { pid, port } = opened.use(await startProgram(program, join(folder, 'data')));
  const micros = () => processMicros(pid);
  return [
    {
      ...{ name: 'lurecheck', share: 1, micros },
      does: 'URL over HTTP; verdict with reasons, logged on disk',
      ask: (first, count) => post(port, '/api/check-url', CONNECTIONS, count, (n) => bodyOf(urlOf(first + n))),
    },
    ...(await openFastApi(opened)),
    ...(await openDetector(folder)),
    {
      ...{ name: 'lurecheck', share: 0.2, micros },
      does: `mail with ${LINKS_PER_MAIL} links over HTTP; verdict on the mail and each link, logged on disk`,
      ask: (first, count) =>
        post(port, '/api/check-message', MAILS_AT_A_TIME, count, (n) =>
          JSON.stringify({ source: mailOf(first + n), private_mode: false }),
        ),
    },
    ...(await openSpamAssassin(folder, opened)),
  ];
}

async function post(port: number, path: string, connections: number, requests: number, body: (n: number) => string) {
  await runLoad({ port, path, connections, requests, perSecond: null, body });
}

/** Starts a program that ends with the bench. */
function start(command: string[], cwd: string, opened: AsyncDisposableStack): Bun.Subprocess {
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' });
  opened.defer(async () => {
    child.kill('SIGTERM');
    await child.exited;
  });
  return child;
}

async function openFastApi(opened: AsyncDisposableStack): Promise<Peer[]> {
  const asked = 'import fastapi, sklearn, uvicorn; print(fastapi.__version__, sklearn.__version__)';
  const { exitCode, stdout } = await Bun.$`${PYTHON} -c ${asked}`.quiet().nothrow();
  if (exitCode !== 0) return leaveOut('FastAPI with scikit-learn', 'apt-get install python3-fastapi python3-sklearn');
  const [fastapi, sklearn] = stdout.toString().trim().split(' ');
  const port = await freePort();
  const { pid } = start([PYTHON, 'peer-fastapi.py', String(port)], import.meta.dir, opened);
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/openapi.json`)
      .then(() => true)
      .catch(() => false);
  await untilSeen('the FastAPI service', isUp);
  return [
    {
      name: `FastAPI ${fastapi} with scikit-learn ${sklearn}`,
      does: 'URL over HTTP; probability by character n-grams and logistic regression, no log',
      share: 0.2,
      micros: () => familyMicros(pid),
      ask: (first, count) => post(port, '/check', CONNECTIONS, count, (n) => JSON.stringify({ url: urlOf(first + n) })),
    },
  ];
}

/** Its licence is not one that this project may depend on, so that it is installed only for as long as the bench runs. */
async function openDetector(folder: string): Promise<Peer[]> {
  await Bun.write(join(folder, 'package.json'), '{}');
  const { exitCode } = await Bun.$`${process.execPath} add --ignore-scripts ${DETECTOR}`.cwd(folder).quiet().nothrow();
  if (exitCode !== 0) return leaveOut(DETECTOR, 'connect this machine to the npm registry');
  const source = join(folder, 'node_modules/eth-phishing-detect/src');
  const { default: Detector } = await import(join(source, 'detector.js'));
  const config = await Bun.file(join(source, 'config.json')).json();
  const detector = new Detector(config);
  return [
    {
      name: DETECTOR.replace('@', ' '),
      does: `host, in a loop; lookup in a list of ${config.blacklist.length.toLocaleString('en')} and edit distance, no log`,
      share: 1,
      micros: () => {
        const { user, system } = process.cpuUsage();
        return Promise.resolve(user + system);
      },
      ask(first, count) {
        for (let n = first; n < first + count; n++) detector.check(new URL(urlOf(n)).hostname);
        return Promise.resolve();
      },
    },
  ];
}

async function openSpamAssassin(folder: string, opened: AsyncDisposableStack): Promise<Peer[]> {
  if (!existsSync(SPAMD)) return leaveOut('SpamAssassin', 'apt-get install spamassassin spamd');
  const version = /version ([\d.]+)/.exec(await Bun.$`${SPAMD} --version`.text())?.[1];
  const socket = join(folder, 'spamd.sock');
  const processes = ['--min-children', '--max-children'].flatMap((flag) => [flag, String(MAILS_AT_A_TIME)]);
  // The processor time of a process that was replaced would be missing.
  processes.push('--max-conn-per-child', '1000000');
  // As root, it must have the name of another user.
  const user = process.getuid?.() === 0 ? ['--username', 'nobody'] : [];
  const command = [SPAMD, '--local', '--nouser-config', '--socketpath', socket, ...processes, ...user];
  const { pid } = start(command, folder, opened);
  await untilSeen('spamd', () => existsSync(socket));
  return [
    {
      name: `SpamAssassin ${version}`,
      does: `the same mails, by \`spamd --local\`; score by its rules, no verdict on links`,
      share: 0.02,
      micros: () => familyMicros(pid),
      async ask(first, count) {
        let next = first;
        const turns = Array.from({ length: MAILS_AT_A_TIME }, async () => {
          while (next < first + count) await askSpamd(socket, mailOf(next++));
        });
        await Promise.all(turns);
      },
    },
  ];
}

/** Asks as `spamc` does. Throws Error without a score. */
async function askSpamd(unix: string, mail: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let answer = '';
  await Bun.connect({
    unix,
    socket: {
      open: (socket) => {
        socket.write(`CHECK SPAMC/1.5\r\nContent-length: ${Buffer.byteLength(mail)}\r\n\r\n${mail}`);
      },
      data: (_, chunk) => {
        answer += chunk.toString();
      },
      close: () => (/^Spam: /m.test(answer) ? resolve() : reject(new Error(`spamd: ${answer}`))),
    },
  });
  await promise;
}

const TEXTS = Object.values(texts).flatMap((kinds) => Object.values(kinds).flatMap((kind) => Object.values(kind)));

/** Returns the n-th mail, whose links no other mail has. */
function mailOf(n: number): string {
  const [subject = '', text = ''] = TEXTS[n % TEXTS.length] ?? [];
  const links = Array.from({ length: LINKS_PER_MAIL }, (_, i) => urlOf(n * LINKS_PER_MAIL + i));
  const html = `<p>${text}</p>${links.map((url) => `<p><a href="${url}">${new URL(url).hostname}</a></p>`).join('')}`;
  return [
    'Received: from mail.sender.example (192.0.2.7) by mx.example.org with ESMTPS; Mon, 23 Nov 2026 10:00:00 +0000',
    'From: Anna Berg <anna@sender.example>',
    'To: maria@example.org',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    'Date: Mon, 23 Nov 2026 10:00:00 +0000',
    `Message-ID: <${n}@sender.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '',
  ].join('\r\n');
}

/** Reports a peer that is not measured. */
function leaveOut(name: string, remedy: string): Peer[] {
  process.stdout.write(`left out: ${name} is not installed; ${remedy}\n`);
  return [];
}
