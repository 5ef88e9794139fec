import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { Glob } from 'bun';
import { SETTINGS } from '#src/app/config.ts';
import { apiDocument } from '#src/app/parts/api-document.ts';
import { variableOf } from '#src/core/base/settings/setting-source.ts';
import { completablesOf } from '#src/interfaces/cli/completions/subject.ts';
import { helpTopics } from '#src/interfaces/cli/help-topics.ts';
import { allCommands } from '#src/interfaces/cli/registry.ts';
import { BLOCK_FORMATS } from '#src/parts/export/blocked/block-format.ts';
import { findTopic } from '#src/service/manual/find-topic.ts';
import { PARTS } from '#src/service/manual/parts.ts';
import { readSources } from '#test/support/source-files.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { codeIn, WRITTEN, type WrittenCode } from './written-manual.ts';

const WORD = /[A-Za-z][A-Za-z_]{2,}/g;

const commands = new Map(completablesOf(await allCommands()).map((command) => [command.name, command]));
const settings = new Set(Object.keys(SETTINGS));
/** Kubernetes sets the last one for a service of this name. */
const variables = new Set([...[...settings, 'config'].map(variableOf), 'LURECHECK_PORT']);
const flags = new Set([...commands.values()].flatMap((command) => command.flags.map(({ name }) => `--${name}`)));
const routes = new Set([
  ...Object.keys((await apiDocument('')).paths),
  ...Object.keys(PARTS).map((name) => `/help/${name}`),
  ...BLOCK_FORMATS.map((name) => `/feeds/${name}`),
  // A view of the page.
  '/#/console',
  '/metrics',
]);
/** Symbols that the rule for rspamd sets. */
const symbols: readonly string[] =
  (await Bun.file('.ci/packaging/rspamd/lurecheck.lua').text()).match(/\bLURECHECK_[A-Z_]+/g) ?? [];
const sources = (await readSources()).map(({ text }) => text).join('\n');
/** Every word of the program and its packaging. */
const vocabulary = new Set(
  `${sources}\n${await textOf('.ci/packaging/**/*')}\n${await textOf('.ci/release/*')}`.match(WORD),
);

/** Returns the names and texts of all files of a pattern. */
async function textOf(pattern: string): Promise<string> {
  const texts: string[] = [];
  for await (const path of new Glob(pattern).scan({ dot: true })) texts.push(path, await Bun.file(path).text());
  return texts.join('\n');
}

/** Other programs. */
const OTHERS =
  /^(?:systemctl|systemd-\w+|journalctl|curl|df|du|ls|top|uptime|vmstat|dig|lscpu|runuser|install|docker|apk|apt|dpkg|rc-\w+|tar|openssl|sha256sum|head|cat|chmod|chown|nginx|haproxy|caddy|createuser|createdb|cut|useradd|usermod|sh|rm|cp|mv|watch|promtool|grep|echo|adduser|ip|for|done|export|printf|sudo|umount|mount|mkdir|gpg|rc-service|rc-update|logread|squid)\b/;

/** Words of other programs and of protocols. */
const FOREIGN =
  /^(?:oom-kill|client_request_buffer_max_size \d+ MB|(?:Enrichment|Cortex)_(?:services_(?:enable|url|port)|authkey)|release-key\.pub|SHA256SUMS\.minisig|chroot|fsync|unixsocketperm|Strict-Transport-Security|X-Forwarded-Proto|X-Auth-Request-User|\$upstream_http_\w+|maxmemory-policy volatile-ttl|Sec-Fetch-Dest|HTTPS?_PROXY|NO_PROXY|(?:db|redis)\.crt|archive_(?:mode|command)|pg_basebackup|max_connections|~lure:\*.*|SupplementaryGroups=\w+|si|so|Started|Stopped|(?:code=killed, )?(?:status=)?\d+(?:\/[A-Z]+)?)$/;

/** Returns the error in a call of the program, such as `lurecheck check --format json`; null if it has none. */
function wrongCall(words: readonly string[]): string | null {
  const [name = 'help', ...rest] = words;
  if (name === 'help')
    return rest[0] === undefined || helpful.includes(rest[0]) || findTopic(rest[0]) !== null ? null : 'no help';
  const command = commands.get(name);
  if (command === undefined) return `no command ${name}`;
  const unknown = rest
    .map((word) => /^(--[a-z-]+)/.exec(word)?.[1])
    .find((flag) => flag !== undefined && !command.flags.some(({ name: known }) => `--${known}` === flag));
  if (unknown !== undefined) return `no flag ${unknown} of ${name}`;
  const [action = ''] = rest;
  const takesAction = command.actions.length > 0 && /^[a-z]+$/.test(action);
  return takesAction && !command.actions.includes(action) ? `no ${action} of ${name}` : null;
}

const helpful = helpTopics([...commands.keys()]);

/** Returns the calls of the program in shell lines, each as its words. */
function callsIn(text: string): string[][] {
  const lines = text.replaceAll('\\\n', ' ');
  const calls = lines.matchAll(/(?:^ *|[|;&(] *| -- |\/bin\/)lurecheck +([a-z][^\n|;&>#)]*)/gm);
  return [...calls].map(([, words = '']) => words.trim().split(/\s+/));
}

/** Returns the names of this program in a piece of code that do not exist. */
function wrongIn({ text, language }: Pick<WrittenCode, 'text' | 'language'>): string[] {
  const isShell = language === null || language === 'sh';
  const wrong = (isShell ? callsIn(text) : []).flatMap((words) => wrongCall(words) ?? []);
  const named = [...text.matchAll(/\bLURECHECK_[A-Z_]+/g)]
    .map(([name]) => name)
    .filter((name) => !variables.has(name) && !symbols.includes(name));
  const metrics = [...text.matchAll(/\b(lurecheck_[a-z_]+)/g)]
    .map(([, name = '']) => name.replace(/_(?:bucket|sum|count)$/, ''))
    .filter((name) => !sources.includes(name));
  const keys = language === 'toml' ? [...text.matchAll(/^([a-z_]+) *=/gm)].map(([, key = '']) => key) : [];
  return [...wrong, ...named, ...metrics, ...keys.filter((key) => !settings.has(key))];
}

/** Returns true if an inline code span names something that exists. */
function isKnown(span: string): boolean {
  if (/^lurecheck /.test(span) || OTHERS.test(span) || FOREIGN.test(span)) return true;
  if (variables.has(span.replace(/=.*$/, '')) || symbols.includes(span) || existsSync(span)) return true;
  const [, script] = /^bun run (\S+)(?: .*)?$/.exec(span) ?? [];
  if (script !== undefined) return Object.hasOwn(manifest.scripts, script);
  const [, file] = /^bun (\S+\.ts)$/.exec(span) ?? [];
  if (file !== undefined) return existsSync(file);
  if (/^--[a-z-]+/.test(span)) return flags.has(/^--(?:no-)?[a-z-]+/.exec(span)?.[0] ?? '') || flags.has(span);
  if (/^\/(?:etc|var|usr|run|proc|dev|tmp|media|srv)\//.test(span)) return true;
  if (span.startsWith('/')) return routes.has(span.replace(/\?.*$/, ''));
  const [, key] = /^([a-z]+(?:_[a-z]+)+)(?: = .+)?$/.exec(span) ?? [];
  if (key !== undefined && settings.has(key)) return true;
  // A family of names is written as `beginning_…`.
  const isWord = (word: string) => vocabulary.has(word) || (word.endsWith('_') && sources.includes(word));
  return (span.match(WORD) ?? []).every(isWord);
}

const all = [...WRITTEN].flatMap(([part, text]) => codeIn(part, text));

test('the manual names only existing commands, flags, variables, metrics and settings', () => {
  expect(all.length).toBeGreaterThan(50);
  expect(all.flatMap((code) => wrongIn(code).map((wrong) => `${code.part}: ${wrong}`))).toEqual([]);
});

test('names in sentences of the manual exist in the program or in a listed other program', () => {
  const spans = all.filter(({ language }) => language === null);
  expect(spans.filter(({ text }) => !isKnown(text)).map(({ part, text }) => `${part}: ${text}`)).toEqual([]);
});

describe('detects names that do not exist', () => {
  test.each([
    ['lurecheck bakcup create x', 'sh'],
    ['lurecheck backup make x', 'sh'],
    ['runuser -u lurecheck -- lurecheck log --data-dirs /x', 'sh'],
    ['lurecheck serve \\\n  --listne x', 'sh'],
    ['lurecheck help proxie', null],
    ['LURECHECK_LISTN=1', 'sh'],
    ['lurecheck_chekcs_total', null],
    ['listn = "x"', 'toml'],
  ] as const)('%p in %p', (text, language) => {
    expect(wrongIn({ text, language })).not.toEqual([]);
  });

  test.each(['/readz', '/help/proxie', '--data-dirs', 'retention_day', 'log.database_awy', 'public.sqllite'])(
    '%p in a sentence',
    (span) => expect(isKnown(span)).toBe(false),
  );
});
