import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck, type RunOptions } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const URL = 'http://example.com/';

/** A command line as somebody got it wrong, what stderr says of it, and the exit code. */
type WrongUse = readonly [line: string, sentence: string, exitCode?: 1 | 2, options?: RunOptions];

/** `SEEN` holds an answer with observations, `LIST` URLs, `PAGE` a page, `TOML` a setting that is none, `FOLDER` nothing. */
const WRONG_USES: readonly WrongUse[] = [
  // The command.
  ['chekc', 'unknown command "chekc"; did you mean check?'],
  ['help alerts --colour never', 'unknown flag --colour; did you mean --color?'],
  ['help chekc', 'unknown command or topic "chekc"; did you mean check?'],
  ['frobnicate', 'unknown command "frobnicate"'],
  [`--network none ${URL}`, 'expected a command before flags: lurecheck COMMAND --network'],
  [URL, `unknown command "${URL}"`],
  // Flags.
  [`check --formt tsv ${URL}`, 'unknown flag --formt; did you mean --format?'],
  [`check -f tsv ${URL}`, 'unknown flag -f'],
  [`check ${URL} --format`, '--format needs a value: text|json|ndjson|tsv'],
  [`check --format --quiet ${URL}`, '--format needs a value: text|json|ndjson|tsv'],
  [`check --format yaml ${URL}`, '--format takes text, json, ndjson, tsv, not "yaml"'],
  [`check --format= ${URL}`, '--format takes text, json, ndjson, tsv, not ""'],
  [`check --color sometimes ${URL}`, '--color takes auto, always, never, not "sometimes"'],
  [`check --quiet=very ${URL}`, '--quiet takes no value'],
  [`check --fail-on allow ${URL}`, '--fail-on takes warn, block, not "allow"'],
  [`check --trace --format tsv ${URL}`, '--trace cannot be written as tsv: use text, json or ndjson'],
  ['check --screenshot x.webp -', '--screenshot requires one URL'],
  ['check --screenshot x.webp http://a.example/', '--screenshot requires a browser: set browser'],
  ['check --window phone http://a.example/', '--window requires --screenshot'],
  ['check --trace --observations SEEN', '--trace does not apply to --observations: nothing is checked'],
  [`check --record secret ${URL}`, '--record takes public, private, not "secret"'],
  ['service', 'service takes install, status or remove'],
  ['service start', 'service takes install, status or remove, not "start"'],
  ['service install here', 'service install takes no operand: unexpected "here"'],
  ['service install --dry-run --root /nope', '--root: folder not found: "/nope"'],
  ['service install --dry-run --root FOLDER', 'neither systemd nor OpenRC found: choose one with --manager'],
  ['service install --dry-run --manager upstart', '--manager takes systemd, openrc, not "upstart"'],
  ['upgrade', 'upgrade requires a release file'],
  ['upgrade --back', 'there is no upgrade to roll back'],
  ['upgrade nowhere', 'file not found: nowhere'],
  ['upgrade one two', 'upgrade takes one file: unexpected "two"'],
  ['upgrade LIST --stop true', '--stop and --start must be given together'],
  ['upgrade LIST --wait long', '--wait takes a number of seconds, not "long"'],
  ['upgrade LIST', 'cannot be verified: SHA256SUMS and SHA256SUMS.sig of its release must be in the same folder', 1],
  // Settings.
  [`check --network Full ${URL}`, '--network is "Full", but must be one of full, dns, none'],
  [`check --rate-limit 5 ${URL}`, '--rate-limit is for serve, not for check'],
  ['serve --rate-limit -1', '--rate-limit is "-1", but must be a whole number from 0'],
  ['serve --rate-limit many', '--rate-limit is "many", but must be a whole number from 0'],
  ['serve --rate-limit 5 --rate-limit 6', '--rate-limit is given 2 times, but takes one value'],
  ['serve --public-history yes', '--public-history is "yes", but must be true or false'],
  ['serve --no-public-history=true', '--no-public-history takes no value'],
  ['serve --no-rate-limit', 'unknown flag --no-rate-limit'],
  ['serve --warn-threshold 0.9 --block-threshold 0.5', 'warn_threshold'],
  ['serve --listen nowhere', '--listen is "nowhere", but must be'],
  ['serve --trusted-proxy 10.0.0.1/8', '--trusted-proxy is "10.0.0.1/8", but must be a CIDR block'],
  ['serve here', 'serve takes no operand: unexpected "here"'],
  ['serve --config /nope.toml', 'which does not exist'],
  ['serve --config TOML', 'rate_limt'],
  ['serve --block-list /nope.txt', '/nope.txt'],
  [
    `check ${URL}`,
    'LURECHECK_RATELIMIT is not a setting; did you mean rate_limit?',
    2,
    { environment: { LURECHECK_RATELIMIT: '3' } },
  ],
  [
    `check ${URL}`,
    'LURECHECK_NETWORK is "off", but must be one of full, dns, none',
    2,
    { environment: { LURECHECK_NETWORK: 'off' } },
  ],
  // What is checked.
  ['check', 'expected a URL to check, or - to read URLs from standard input'],
  ['check LIST', 'is a file: to check the URLs in it, use check - < '],
  ['check PAGE', 'is a file: to classify a saved page, use check --html '],
  [`check - ${URL}`, '- must be the only operand'],
  ['check --html PAGE -', '--html requires one URL; use --input ndjson for many pages'],
  [`check --html PAGE ${URL} ${URL}`, '--html requires one URL'],
  [`check --html /nope ${URL}`, '--html: file not found: /nope'],
  [`check --html FOLDER ${URL}`, '--html: file not found: '],
  [`check --html /dev/zero ${URL}`, '--html: /dev/zero is a device; expected a file, or /dev/stdin with a pipe'],
  ['check --message /dev/zero', '--message: /dev/zero is a device'],
  [`check --input ndjson ${URL}`, '--input requires -: it sets the format of standard input'],
  ['check --input json -', '--input takes text, ndjson, not "json"'],
  [`check --observations SEEN ${URL}`, '--observations contains the URLs: no operand expected'],
  ['check --observations /nope', '--observations: file not found: /nope'],
  ['check --observations /dev/zero', '--observations: /dev/zero is a device'],
  ['check --observations LIST', 'does not hold what check --with-observations --format json prints'],
  ['check --observations -', 'standard input does not hold what check --with-observations', 2, { stdin: '{}' }],
  [`check --key /nope ${URL}`, '--key requires --server'],
  [`check --server box ${URL}`, '--server must be a URL such as https://lurecheck.example, not "box"'],
  [`check --server https://a:b@box.example ${URL}`, '--server must be a URL such as https://lurecheck.example'],
  [`check --server http://lurecheck.example --key LIST ${URL}`, 'a key must not be sent over plain http; use https://'],
  [`check --server https://lurecheck.example --key /nope ${URL}`, '--key is "/nope", which does not exist'],
  [
    `check --server https://lurecheck.example --key PAGE ${URL}`,
    'does not contain a key as printed by lurecheck key create',
  ],
  [`check --server https://lurecheck.example --html PAGE ${URL}`, '--html does not apply to --server'],
  [`check --server https://lurecheck.example --trace ${URL}`, '--trace does not apply to --server'],
  ['check --server https://lurecheck.example --observations SEEN', '--observations does not apply to --server'],
  // The log.
  ['log example.com', 'log takes no operand: unexpected "example.com"'],
  ['log --limit 0', '--limit takes a whole number from 1, not "0"'],
  ['log --limit ten', '--limit takes a whole number from 1, not "ten"'],
  ['log --decision bad', '--decision takes allow, warn, block, not "bad"'],
  ['log --from yesterday', '--from must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, not "yesterday"'],
  ['log --until 2026-13-01', '--until must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, not "2026-13-01"'],
  ['log --follow --format json', '--follow cannot write a JSON array: use --format ndjson'],
  ['log --data-dir FOLDER --id 7', 'No log at ', 1],
  // Brands.
  ['brand', 'expected brand add NAME, brand remove NAME, brand test NAME or brand list'],
  ['brand teach Nordwerk', 'brand takes add, remove, list or test, not "teach"'],
  ['brand add Nord werk --domain nordwerk.example', 'a name with spaces must be quoted: "Nord werk"'],
  ['brand add Nordwerk --data-dir FOLDER', 'the brand Nordwerk needs at least one domain: --domain example.com'],
  ['brand add Nordwerk --data-dir FOLDER --domain com', '"com" is a public suffix'],
  ['brand add Nordwerk --data-dir FOLDER --domain a.example --page /nope', '--page: file not found: /nope'],
  ['brand add Nordwerk --data-dir FOLDER --domain a.example --page /dev/zero', '--page: /dev/zero is a device'],
  ['brand add Nordwerk --data-dir FOLDER --domain weebly.com', 'anyone can publish under weebly.com'],
  ['brand test Nordwerk --data-dir FOLDER', 'brand not found: "Nordwerk"; see lurecheck brand list'],
  ['brand remove Nordwerk --data-dir FOLDER', 'brand not found: "Nordwerk"; see lurecheck brand list'],
  ['brand list Nordwerk --data-dir FOLDER', 'brand list takes no name: unexpected "Nordwerk"'],
  ['brand list --format tsv --data-dir FOLDER', '--format takes text, json, not "tsv"'],
  // The rest.
  ['train', 'train needs --data DIR, and --out DIR for the models or --facts DIR for the tables'],
  ['train --data /nope --out FOLDER', '--data: folder not found: /nope'],
  ['train --data FOLDER --out FOLDER --seed many', '--seed takes a whole number, not "many"'],
  ['evaluate', 'evaluate needs one of --data DIR for URLs, --pages FILE for pages, --busy-hosts FILE'],
  ['evaluate --pages /nope', '--pages: file not found: /nope'],
  ['model', 'expected model list, model use, model rollback or model compare'],
  ['model pin a', 'expected model list, model use, model rollback or model compare, not "pin"'],
  ['model use', 'model use takes a version, a folder, or shipped'],
  ['model use shiped --data-dir FOLDER', 'model or folder not found: "shiped"; did you mean shipped?'],
  ['model use FOLDER --data-dir FOLDER', 'expected lexical.bin and fusion.json'],
  ['model use a b', 'model use takes one model: unexpected "b"'],
  ['model list a', 'model list takes no model: unexpected "a"'],
  ['model rollback --data-dir FOLDER', 'there is no selection to roll back; see lurecheck model list'],
  ['model compare shipped --limit 0 --data-dir FOLDER', '--limit takes a whole number from 1, not "0"'],
  ['pack', 'expected pack build, pack install, pack keys, pack list, pack remove,'],
  ['pack open a', 'pack verify, not "open"'],
  ['pack install', 'pack install takes an operand'],
  ['pack install a b', 'pack install takes one operand: unexpected "b"'],
  ['pack install /nope --data-dir FOLDER', '/nope: it does not exist', 1],
  ['pack install PAGE --data-dir FOLDER', 'it is not a pack of lurecheck', 1],
  ['pack list a', 'pack list takes no operand: unexpected "a"'],
  ['pack build FOLDER', '--output FILE is required'],
  ['pack build FOLDER --output /nope/a.pack', 'has no pack.json, which describes the pack', 1],
  ['pack build FOLDER --output /nope/a.pack --key PAGE', 'the key cannot be read: expected a private Ed25519 key', 1],
  ['pack sign PAGE', '--key FILE is required: the private key that signs'],
  ['pack trust PAGE --name Acme --data-dir FOLDER', 'it is not a pack of lurecheck', 1],
  ['pack revoke 0123456789abcdef --data-dir FOLDER', 'no single trusted key begins with "0123456789abcdef"'],
  ['pack remove acme --data-dir FOLDER', 'pack not found: "acme"; see lurecheck pack list'],
  ['pack rollback --data-dir FOLDER', 'there is nothing to roll back; see lurecheck pack list'],
  ['version now', 'version takes no operand: unexpected "now"'],
  ['openapi --format yaml', 'unknown flag --format'],
  ['licenses --all', 'unknown flag --all'],
  ['verify', 'expected release files to verify'],
  ['completions', 'expected one shell: bash, zsh, fish'],
  ['completions tcsh', 'expected one shell: bash, zsh, fish'],
  ['healthcheck --listen 127.0.0.1:1', 'does not answer', 1],
];

/** Exit code of each help that is referred to. */
const seen = new Map<string, Promise<number>>();
const helpExitCode = async (see: string) => (await lurecheck(see.replace('See: lurecheck ', '').split(' '))).exitCode;

test('the table contains at least fifty wrong uses', () => {
  expect(new Set(WRONG_USES.map(([line, sentence]) => line + sentence)).size).toBeGreaterThanOrEqual(50);
});

test.each(WRONG_USES.map(([line, sentence, exitCode = 2, options = {}]) => ({ line, sentence, exitCode, options })))(
  '$line is refused in one sentence, with exit code $exitCode',
  async ({ line, sentence, exitCode, options }) => {
    await using directory = temporaryDirectory();
    const place = (name: string) => join(directory.path, name);
    writeFileSync(place('LIST'), `${URL}\n`);
    writeFileSync(place('PAGE.html'), '<p>');
    writeFileSync(place('TOML'), 'rate_limt = 3\n');
    writeFileSync(place('SEEN'), '[]');
    mkdirSync(place('FOLDER'));
    const args = line.split(' ').map((word) => {
      if (word === 'PAGE') return place('PAGE.html');
      return ['LIST', 'TOML', 'SEEN', 'FOLDER'].includes(word) ? place(word) : word;
    });
    const run = await lurecheck(args, { cwd: directory.path, ...options });
    expect(run).toMatchObject({ exitCode, stdout: '' });
    const [said = '', ...more] = run.stderr.trimEnd().split('\n');
    expect(said).toStartWith('lurecheck: ');
    expect(said).toContain(sentence);
    // One sentence, and at most where to read on: no stack, no source, and no marks of a README.
    expect(more.filter((each) => !/^See: lurecheck help( [a-z]+)?$/.test(each))).toEqual([]);
    expect(run.stderr).not.toContain('`');
    const [see] = more;
    if (see) expect(await seen.getOrInsertComputed(see, helpExitCode)).toBe(0);
  },
);

test('the error about a file suggests the host of the same name, and the error about a path does not', async () => {
  await using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'list.zip'), `${URL}\n`);
  const said = async (operand: string) => (await lurecheck(['check', operand], { cwd: directory.path })).stderr;
  expect(await said('list.zip')).toContain('use check - < list.zip; a host of that name is http://list.zip\n');
  expect(await said('./list.zip')).toContain('use check - < ./list.zip\n');
});

test('the error about an unreachable database does not contain the statement', async () => {
  const { exitCode, stderr } = await lurecheck(['nodes', '--database', 'postgres://a:b@127.0.0.1:1/x']);
  expect([exitCode, stderr]).toEqual([
    1,
    'lurecheck: The database cannot be used: the database cannot be reached (Failed to connect).\n',
  ]);
});
