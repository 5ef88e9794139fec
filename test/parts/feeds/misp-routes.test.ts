import { afterAll, describe, expect, test } from 'bun:test';
import type { ApiKey, Scope } from '#src/admin/keys/api-key.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { assessMessage } from '#src/engine/mail-verdict/assess-message.ts';
import { weighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { INPUT_TYPES, MispModulesSchema } from '#src/parts/feeds/misp/question.ts';
import { type MispAnswer, MispAnswerSchema } from '#src/parts/feeds/misp/verdict-object.ts';
import { resultOf, startServer } from '#test/service/server/running-server.ts';
import { MODELS } from '#test/support/models.ts';
import { parseAs } from '#test/support/parse-as.ts';

const KEYS: Readonly<Record<string, readonly Scope[]>> = { lck_check: ['check'], lck_feed: ['feed'] };

function find(secret: string): ApiKey | null {
  const scopes = KEYS[secret];
  if (scopes === undefined) return null;
  return { name: secret, secret_sha256: '', scopes: [...scopes], limit: null, created_at: '', expires_at: null };
}

const UUID = '5d9f1e2a-4c6b-4f6e-9c9e-7d1f5a0f3b11';
const ATTRIBUTE = {
  id: '7',
  event_id: '3',
  uuid: UUID,
  type: 'url',
  value: 'http://evil.example/x',
  category: 'Network activity',
};

function startMisp(options: Parameters<typeof startServer>[0] = {}) {
  const server = startServer({ misp: true, keys: { find }, ...options });
  const query = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const ask = async (body: unknown, headers: Record<string, string> = {}): Promise<MispAnswer> => {
    const response = await query(body, headers);
    expect(response.status).toBe(200);
    return parseAs(MispAnswerSchema, await response.json());
  };
  return { ...server, query, ask, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const shared = startMisp();
afterAll(() => shared[Symbol.asyncDispose]());
const { ask, query } = shared;

test('the module has all fields that MISP reads, for both families', async () => {
  const modules = await (await fetch(`${shared.url}/modules`)).json();
  expect(parseAs(MispModulesSchema, modules)).toMatchObject([
    {
      ...{ name: 'lurecheck', type: 'expansion' },
      mispattributes: { input: [...INPUT_TYPES], format: 'misp_standard' },
      meta: { 'module-type': ['expansion', 'hover', 'cortex'], config: ['key', 'visit'] },
    },
  ]);
});

describe('an attribute', () => {
  test('returns an object with the verdict, and nothing that breaks the hover', async () => {
    const { results } = await ask({ module: 'lurecheck', attribute: ATTRIBUTE, event_id: '3' });
    expect(Object.keys(results ?? {})).toEqual(['Object']);
    const [object] = results?.Object ?? [];
    expect(object).toMatchObject({ name: 'lurecheck-verdict', 'meta-category': 'network', template_version: '1' });
    const relations = object?.Attribute.map(({ object_relation }) => object_relation) ?? [];
    expect(relations.slice(0, 4)).toEqual(['decision', 'probability', 'coverage', 'url']);
    expect(relations.at(-1)).toBe('model');
    for (const one of object?.Attribute ?? []) {
      expect([one.type, one.value]).toEqual([expect.any(String), expect.any(String)]);
      const isUrl = one.object_relation === 'url';
      expect(one.disable_correlation).toBe(!isUrl);
      if (!isUrl) expect(one.to_ids).toBe(false);
    }
    expect(object?.ObjectReference).toEqual([
      expect.objectContaining({ object_uuid: object?.uuid, referenced_uuid: UUID, relationship_type: 'analyses' }),
    ]);
    // MISP's rule for UUIDs knows versions up to 5.
    expect(JSON.stringify(results).match(/"uuid":"[\da-f]{8}-[\da-f]{4}-[^1-5]/g)).toBeNull();
  });

  test.each<[string, object, string]>([
    ['of the older form', { url: 'http://evil.example/x' }, 'http://evil.example/x'],
    ['pinned by a hover', { persistent: 1, attribute: ATTRIBUTE }, 'http://evil.example/x'],
    ['that is a name', { attribute: { type: 'domain', value: 'evil.example' } }, 'http://evil.example'],
    ['that is a host', { attribute: { type: 'hostname', value: 'www.evil.example' } }, 'http://www.evil.example'],
    ['with an address', { attribute: { type: 'domain|ip', value: 'evil.example|192.0.2.7' } }, 'http://evil.example'],
    [
      'that is defanged',
      { attribute: { type: 'link', value: ' hxxps://evil[.]example/a|b ' } },
      'https://evil.example/a|b',
    ],
  ])('%s is checked', async (_, body, url) => {
    shared.requests.length = 0;
    expect((await ask({ module: 'lurecheck', ...body })).results).toBeDefined();
    expect(shared.requests).toMatchObject([{ target: { input: url }, visibility: 'private', visit: false }]);
  });

  test.each<[string, unknown, boolean]>([
    ['true', { visit: true }, true],
    ['a text', { visit: '1' }, true],
    ['false', { visit: 'false' }, false],
    ['what it is not', { visit: {} }, false],
    ['no settings', null, false],
  ])('is visited only if the setting of the module enables it: %s', async (_, config, visit) => {
    shared.requests.length = 0;
    await ask({ module: 'lurecheck', attribute: ATTRIBUTE, config });
    expect(shared.requests).toMatchObject([{ visit }]);
  });

  test('that is the header of a mail returns the verdict on it, without anything of the mail', async () => {
    await using mails = startMisp({
      readMail: async (bytes) => {
        const message = await readMessage(bytes, 'mail.eml');
        if (message === null) throw new Error('expected a mail');
        return {
          ...{ links: [], count: 0, unread: 0, isWhole: true },
          assess: () => assessMessage(weighedMessage(message), [], MODELS, { baseRate: 0.05 }),
        };
      },
    });
    const value = 'From: PayPal <x@evil-shop.top>\r\nSubject: Your account is limited\r\n';
    const { results } = await mails.ask({
      module: 'lurecheck',
      attribute: { type: 'email-header', value, uuid: UUID },
    });
    const [object] = results?.Object ?? [];
    const shown = object?.Attribute.map(({ object_relation, value }) => [object_relation, value]) ?? [];
    expect(shown).toContainEqual(['reason', 'sender.brand_in_name']);
    expect(new Set(shown.map(([relation]) => relation))).toEqual(
      new Set(['decision', 'probability', 'reason', 'model']),
    );
    expect(JSON.stringify(object)).not.toMatch(/paypal|evil-shop|limited/i);
    expect(object?.ObjectReference).toMatchObject([{ referenced_uuid: UUID }]);
    expect(mails.requests).toEqual([]);
  });

  test('is marked for intrusion detection only if the verdict is block', async () => {
    const toIds = async (decision: 'allow' | 'block') => {
      await using server = startMisp({ check: async (request) => ({ ...resultOf(request), decision }) });
      const { results } = await server.ask({ module: 'lurecheck', attribute: ATTRIBUTE });
      return results?.Object?.[0]?.Attribute.find(({ type }) => type === 'url')?.to_ids;
    };
    expect([await toIds('allow'), await toIds('block')]).toEqual([false, true]);
  });
});

describe('a query without a verdict returns 200 with an error sentence', () => {
  test.each<[string, unknown, string]>([
    ['an unknown module', { module: 'nobody', attribute: ATTRIBUTE }, 'The only module here is lurecheck.'],
    ['no module', {}, 'The only module here is lurecheck.'],
    ['no attribute', { module: 'lurecheck' }, 'The module takes an attribute of one of these types: url,'],
    [
      'the hash of a file',
      { module: 'lurecheck', attribute: { type: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' } },
      'The module takes an attribute of one of these types',
    ],
    ['a value that is no text', { module: 'lurecheck', attribute: { type: 'url', value: 5 } }, 'The module takes'],
    [
      'a value that is no link',
      { module: 'lurecheck', attribute: { type: 'url', value: 'ftp://a.example/' } },
      'The value ',
    ],
    ['an attribute that is none', { module: 'lurecheck', attribute: 'x' }, 'The module takes'],
    ['a body that is not JSON', '{', 'The body is not JSON.'],
    ['a body that is no object', '[]', 'The body must be a JSON object'],
    ['a body that is too large', ' '.repeat(40_000), 'The body must be at most 32768 bytes long.'],
  ])('%s', async (_, body, sentence) => {
    const answer = await ask(body);
    expect([answer.error?.startsWith(sentence), Object.keys(answer)]).toEqual([true, ['error']]);
  });

  test('a client over its limit', async () => {
    await using server = startMisp({ settings: { rate_limit: 1 } });
    await server.ask({ module: 'lurecheck', attribute: ATTRIBUTE });
    expect((await server.ask({ module: 'lurecheck', attribute: ATTRIBUTE })).error).toStartWith('At most 1 check');
  });

  test('a service that stops', async () => {
    await using server = startMisp({ check: () => Promise.reject(new UnavailableError('stopping', 'The end.', 3)) });
    expect(await server.ask({ module: 'lurecheck', attribute: ATTRIBUTE })).toEqual({ error: 'The end.' });
  });
});

describe('a key', () => {
  const body = (key?: string) => ({
    module: 'lurecheck',
    attribute: ATTRIBUTE,
    ...(key !== undefined && { config: { key } }),
  });

  test.each<[string, string | undefined, string | undefined, number, string]>([
    ['in neither place', undefined, undefined, 200, '127.0.0.1'],
    ['in the header, as Cortex', 'lck_check', undefined, 200, 'key lck_check'],
    ['in the settings, as Enrichment', undefined, 'lck_check', 200, 'key lck_check'],
    ['in both', 'lck_check', 'lck_wrong', 200, 'key lck_check'],
    ['that is empty in the settings', undefined, '', 200, '127.0.0.1'],
  ])('%s', async (_, header, setting, status, client) => {
    shared.requests.length = 0;
    const response = await query(body(setting), header === undefined ? {} : { authorization: `Bearer ${header}` });
    expect([response.status, shared.requests[0]?.client]).toEqual([status, client]);
    await response.arrayBuffer();
  });

  test.each<[string, string | undefined, string | undefined, number]>([
    ['wrong in the header', 'lck_wrong', undefined, 401],
    ['wrong in the settings', undefined, 'lck_wrong', 401],
    ['wrong in both', 'lck_wrong', 'lck_wrong', 401],
    ['wrong in the header, which decides', 'lck_wrong', 'lck_check', 401],
    ['of another scope', undefined, 'lck_feed', 403],
  ])('%s is refused', async (_, header, setting, status) => {
    shared.requests.length = 0;
    const response = await query(body(setting), header === undefined ? {} : { authorization: `Bearer ${header}` });
    expect([response.status, shared.requests]).toEqual([status, []]);
    await response.arrayBuffer();
  });
});

test('the module list is returned while slow checks are in progress', async () => {
  const release = Promise.withResolvers<void>();
  await using server = startMisp({
    async check(request) {
      await release.promise;
      return resultOf(request);
    },
  });
  const slow = Array.from({ length: 16 }, () => server.ask({ module: 'lurecheck', attribute: ATTRIBUTE }));
  while (server.requests.length < slow.length) await new Promise(setImmediate);
  expect((await fetch(`${server.url}/modules`)).status).toBe(200);
  release.resolve();
  expect((await Promise.all(slow)).every(({ results }) => results !== undefined)).toBe(true);
});

test('a disabled module returns 404', async () => {
  await using server = startMisp({ misp: false });
  for (const response of [await fetch(`${server.url}/modules`), await server.query({ module: 'lurecheck' })])
    expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'switched_off' })]);
});

test('a page of another site cannot query the module', async () => {
  expect((await query({ module: 'lurecheck' }, { origin: 'https://evil.example' })).status).toBe(403);
});
