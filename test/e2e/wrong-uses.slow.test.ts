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
  ['chekc', 'there is no command "chekc"; did you mean check?'],
  ['help alerts --colour never', 'there is no flag --colour; did you mean --color?'],
  ['help chekc', 'there is no command or topic "chekc"; did you mean check?'],
  ['frobnicate', 'there is no command "frobnicate"'],
  [`--network none ${URL}`, 'the command comes first: lurecheck COMMAND --network'],
  [URL, `there is no command "${URL}"`],
  // Flags.
  [`check --formt tsv ${URL}`, 'there is no flag --formt; did you mean --format?'],
  [`check -f tsv ${URL}`, 'there is no flag -f'],
  [`check ${URL} --format`, '--format needs a value: text|json|ndjson|tsv'],
  [`check --format --quiet ${URL}`, '--format needs a value: text|json|ndjson|tsv'],
  [`check --format yaml ${URL}`, '--format takes text, json, ndjson, tsv, not "yaml"'],
  [`check --format= ${URL}`, '--format takes text, json, ndjson, tsv, not ""'],
  [`check --color sometimes ${URL}`, '--color takes auto, always, never, not "sometimes"'],
  [`check --quiet=very ${URL}`, '--quiet takes no value'],
  [`check --fail-on allow ${URL}`, '--fail-on takes warn, block, not "allow"'],
  [`check --trace --format tsv ${URL}`, '--trace has no column in tsv: take text, json or ndjson'],
  ['check --trace --observations SEEN', '--trace shows how a check goes, and with --observations none does'],
  [`check --record secret ${URL}`, '--record takes public, private, not "secret"'],
  ['service', 'service takes install, status or remove'],
  ['service start', 'service takes install, status or remove, not "start"'],
  ['service install here', 'service install takes no operand, and "here" is one'],
  ['service install --dry-run --root /nope', '--root is "/nope", and there is no such folder'],
  ['service install --dry-run --root FOLDER', 'neither systemd nor OpenRC runs it; name one with --manager'],
  ['service install --dry-run --manager upstart', '--manager takes systemd, openrc, not "upstart"'],
  ['upgrade', 'upgrade takes a file of a release'],
  ['upgrade --back', 'nothing was upgraded here'],
  ['upgrade nowhere', 'there is no file nowhere'],
  ['upgrade one two', 'upgrade takes one file, and "two" is another'],
  ['upgrade LIST --stop true', '--stop and --start belong together'],
  ['upgrade LIST --wait long', '--wait takes a number of seconds, not "long"'],
  ['upgrade LIST', 'cannot be verified: SHA256SUMS and SHA256SUMS.sig of its release must be in the same folder', 1],
  // Settings.
  [`check --network Full ${URL}`, '--network is "Full", but must be one of full, dns, none'],
  [`check --rate-limit 5 ${URL}`, '--rate-limit is for serve, not for check'],
  ['serve --rate-limit -1', '--rate-limit is "-1", but must be a whole number from 0'],
  ['serve --rate-limit many', '--rate-limit is "many", but must be a whole number from 0'],
  ['serve --rate-limit 5 --rate-limit 6', '--rate-limit is given 2 times, but takes one value'],
  ['serve --public-history yes', '--public-history is "yes", but must be either true or false'],
  ['serve --no-public-history=true', '--no-public-history takes no value'],
  ['serve --no-rate-limit', 'there is no flag --no-rate-limit'],
  ['serve --warn-threshold 0.9 --block-threshold 0.5', 'warn_threshold'],
  ['serve --listen nowhere', '--listen is "nowhere", but must be'],
  ['serve --trusted-proxy 10.0.0.1/8', '--trusted-proxy is "10.0.0.1/8", but must be a CIDR block'],
  ['serve here', 'serve takes no operand, and "here" is one'],
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
  ['check', 'name a URL to check, or - to read them from standard input'],
  ['check LIST', 'is a file: to check the URLs in it, write check - < '],
  ['check PAGE', 'is a file: to judge a saved page, write check --html '],
  [`check - ${URL}`, '- stands alone'],
  ['check --html PAGE -', '--html goes with one URL; use --input ndjson for many pages'],
  [`check --html PAGE ${URL} ${URL}`, '--html goes with one URL'],
  [`check --html /nope ${URL}`, '--html: there is no file /nope'],
  [`check --html FOLDER ${URL}`, '--html: there is no file '],
  [`check --input ndjson ${URL}`, '--input says how standard input is written, and goes with -'],
  ['check --input json -', '--input takes text, ndjson, not "json"'],
  [`check --observations SEEN ${URL}`, '--observations holds its URLs: name none'],
  ['check --observations /nope', '--observations: there is no file /nope'],
  ['check --observations LIST', 'does not hold what check --with-observations --format json prints'],
  ['check --observations -', 'standard input does not hold what check --with-observations', 2, { stdin: '{}' }],
  [`check --key /nope ${URL}`, '--key is shown to a service: name it with --server'],
  [`check --server box ${URL}`, '--server is "box", but must be an address such as https://box.example'],
  [`check --server https://a:b@box.example ${URL}`, 'but must be an address such as https://box.example'],
  [`check --server http://box.example --key LIST ${URL}`, 'where a key could be read on the way: write https://'],
  [`check --server https://box.example --key /nope ${URL}`, '--key is "/nope", which does not exist'],
  [`check --server https://box.example --key PAGE ${URL}`, 'holds no key as lurecheck key create prints it'],
  [`check --server https://box.example --html PAGE ${URL}`, '--html is a page that lies here'],
  [`check --server https://box.example --trace ${URL}`, '--trace shows what is done here'],
  ['check --server https://box.example --observations SEEN', '--observations are judged here'],
  // The log.
  ['log example.com', 'log takes no operand, and "example.com" is one'],
  ['log --limit 0', '--limit takes a whole number from 1, not "0"'],
  ['log --limit ten', '--limit takes a whole number from 1, not "ten"'],
  ['log --decision bad', '--decision takes allow, warn, block, not "bad"'],
  ['log --from yesterday', '--from takes 2026-01-31 or 2026-01-31T12:00:00Z, not "yesterday"'],
  ['log --until 2026-13-01', '--until takes 2026-01-31 or 2026-01-31T12:00:00Z, not "2026-13-01"'],
  ['log --follow --format json', '--follow has no end, and an array has: write --format ndjson'],
  ['log --data-dir FOLDER --id 7', 'There is no log at ', 1],
  // Brands.
  ['brand', 'write brand add NAME, brand remove NAME, brand test NAME, or brand list'],
  ['brand teach Nordwerk', 'brand takes add, remove, list or test, not "teach"'],
  ['brand add Nord werk --domain nordwerk.example', 'put the name in quotes: "Nord werk"'],
  ['brand add Nordwerk --data-dir FOLDER', 'the brand Nordwerk needs at least one domain: --domain example.com'],
  ['brand add Nordwerk --data-dir FOLDER --domain com', '"com" is a public suffix'],
  ['brand add Nordwerk --data-dir FOLDER --domain a.example --page /nope', '--page: there is no file /nope'],
  ['brand add Nordwerk --data-dir FOLDER --domain weebly.com', 'anyone can publish under weebly.com'],
  ['brand test Nordwerk --data-dir FOLDER', 'no brand "Nordwerk" was taught; see lurecheck brand list'],
  ['brand remove Nordwerk --data-dir FOLDER', 'no brand "Nordwerk" was taught; see lurecheck brand list'],
  ['brand list Nordwerk --data-dir FOLDER', 'brand list takes no name, and "Nordwerk" is one'],
  ['brand list --format tsv --data-dir FOLDER', '--format takes text, json, not "tsv"'],
  // The rest.
  ['train', 'train needs --data DIR, and --out DIR for the models or --facts DIR for the tables'],
  ['train --data /nope --out FOLDER', '--data: there is no folder /nope'],
  ['train --data FOLDER --out FOLDER --seed many', '--seed takes a whole number, not "many"'],
  ['evaluate', 'evaluate needs --data DIR for URLs, or --pages FILE for pages'],
  ['evaluate --pages /nope', '--pages: there is no file /nope'],
  ['model', 'write model list, model use, model rollback or model compare'],
  ['model pin a', 'write model list, model use, model rollback or model compare, not "pin"'],
  ['model use', 'model use takes a version, a folder, or shipped'],
  ['model use shiped --data-dir FOLDER', 'there is no model "shiped", and no such folder; did you mean shipped?'],
  ['model use FOLDER --data-dir FOLDER', 'it takes lexical.bin and fusion.json'],
  ['model use a b', 'model use takes one model, and "b" is another'],
  ['model list a', 'model list takes no model, and "a" is one'],
  ['model rollback --data-dir FOLDER', 'there is no choice to take back; see lurecheck model list'],
  ['model compare shipped --limit 0 --data-dir FOLDER', '--limit takes a whole number from 1, not "0"'],
  ['pack', 'write pack build, pack install, pack keys, pack list, pack remove,'],
  ['pack open a', 'pack verify, not "open"'],
  ['pack install', 'pack install takes an operand'],
  ['pack install a b', 'pack install takes one operand, and "b" is another'],
  ['pack install /nope --data-dir FOLDER', '/nope: it does not exist', 1],
  ['pack install PAGE --data-dir FOLDER', 'it is no pack of lurecheck', 1],
  ['pack list a', 'pack list takes no operand, and "a" is one'],
  ['pack build FOLDER', 'name the file to write: --output FILE'],
  ['pack build FOLDER --output /nope/a.pack', 'has no pack.json, which says what the pack is', 1],
  ['pack build FOLDER --output /nope/a.pack --key PAGE', 'the key cannot be read: it takes a private Ed25519 key', 1],
  ['pack sign PAGE', 'name the private key to sign with: --key FILE'],
  ['pack trust PAGE --name Acme --data-dir FOLDER', 'it is no pack of lurecheck', 1],
  ['pack revoke 0123456789abcdef --data-dir FOLDER', 'no one trusted key has a fingerprint that begins with'],
  ['pack remove acme --data-dir FOLDER', 'no pack "acme" is in force; see lurecheck pack list'],
  ['pack rollback --data-dir FOLDER', 'there is nothing to take back; see lurecheck pack list'],
  ['version now', 'version takes no operand, and "now" is one'],
  ['openapi --format yaml', 'there is no flag --format'],
  ['licenses --all', 'there is no flag --all'],
  ['verify', 'name the files of a release to verify'],
  ['completions', 'name one shell: bash, zsh, fish'],
  ['completions tcsh', 'name one shell: bash, zsh, fish'],
  ['healthcheck --listen 127.0.0.1:1', 'does not answer', 1],
];

test('there are at least fifty', () => {
  expect(new Set(WRONG_USES.map(([line, sentence]) => line + sentence)).size).toBeGreaterThanOrEqual(50);
});

test.each(WRONG_USES.map(([line, sentence, exitCode = 2, options = {}]) => ({ line, sentence, exitCode, options })))(
  '$line is answered by a sentence and $exitCode',
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
    if (see) expect((await lurecheck(see.replace('See: lurecheck ', '').split(' '))).exitCode).toBe(0);
  },
);

test('a file in this folder may be called like a host, and one at a path may not', async () => {
  await using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'list.zip'), `${URL}\n`);
  const said = async (operand: string) => (await lurecheck(['check', operand], { cwd: directory.path })).stderr;
  expect(await said('list.zip')).toContain('write check - < list.zip; a host of that name is http://list.zip\n');
  expect(await said('./list.zip')).toContain('write check - < ./list.zip\n');
});

test('a database that cannot be reached is named without the statement that was for it', async () => {
  const { exitCode, stderr } = await lurecheck(['nodes', '--database', 'postgres://a:b@127.0.0.1:1/x']);
  expect([exitCode, stderr]).toEqual([
    1,
    'lurecheck: The database cannot be used: the database cannot be reached (Failed to connect).\n',
  ]);
});
