import { copyText } from '#src/interfaces/ui/elements/clipboard.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { CreatedKey, KeyRow } from '#src/parts/console/answers/console-answers.ts';
import type { Items } from '#src/parts/console-elements/api/console-api.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { action, returnFocus } from '#src/parts/console-elements/elements/action.ts';
import { dateOf, endOfLocalDay, momentOr, timeAgo } from '#src/parts/console-elements/elements/dates.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';

/** Scopes in the order in which they are offered. */
const SCOPES = [
  'admin',
  'lists',
  'feedback',
  'history',
  'history.private',
  'check',
  'batch',
  'stats',
  'metrics',
  'feed',
];

/** The keys: who may do what, created and revoked here. */
export function keysScreen(parts: ConsoleParts): Child {
  const { tell } = parts;
  return [
    section(
      tell('keys.all'),
      loadedFrom<Items<KeyRow>>(parts, 'api/admin/keys', ({ items }) => keyTable(items, parts)),
    ),
    section(tell('keys.create'), createForm(parts)),
  ];
}

function keyTable(items: readonly KeyRow[], parts: ConsoleParts): Child {
  const { tell, locale, api } = parts;
  const place = html('div', { class: 'in-place' });
  const revoke = ({ name, etag }: KeyRow) =>
    action(
      {
        label: tell('keys.revoke'),
        of: name,
        question: tell(name === parts.session.key ? 'keys.revoke.own' : 'keys.revoke.ask', { name }),
        async run() {
          const self = name === parts.session.key;
          await api.change({ method: 'DELETE', path: routeAddress(['admin', 'keys', name], { self }), etag });
          if (self) return await parts.leave();
          parts.note(tell('keys.revoked', { name }));
          parts.reload();
        },
      },
      parts,
    );
  const edit = (key: KeyRow) =>
    html(
      'button',
      { type: 'button', 'aria-label': `${tell('keys.edit')}: ${key.name}`, click: () => open(key) },
      tell('keys.edit'),
    );
  function open(key: KeyRow): void {
    const giveBack = returnFocus();
    const form = limitForm(key, parts, () => {
      replaceChildren(place);
      giveBack();
    });
    replaceChildren(place, html('h3', {}, literal(key.name, 'mono')), form);
    form.querySelector('input')?.focus();
  }
  const rows = table<KeyRow>(
    tell('screen.keys'),
    tell('none'),
    [
      { label: tell('name'), cell: ({ name }) => literal(name, 'mono') },
      { label: tell('keys.scopes'), look: 'wide', cell: ({ scopes }) => literal(scopes.join(', '), 'mono') },
      { label: tell('keys.limit'), look: 'number', cell: ({ limit }) => limitWords(limit, parts) },
      { label: tell('keys.used'), cell: ({ last_used_at: at }) => (at ? timeAgo(at, locale) : tell('keys.unused')) },
      {
        label: tell('expires'),
        cell: ({ expires_at: at, expired }) => [
          momentOr(at, tell('never'), locale),
          expired && [' ', html('span', { class: 'complaint' }, tell('keys.expired'))],
        ],
      },
      { label: '', look: 'acts', cell: (key) => [edit(key), revoke(key)] },
    ],
    items,
  );
  return [rows.element, place];
}

function limitWords(limit: number | null, { tell, locale }: ConsoleParts): string {
  if (limit === null) return tell('keys.limit.default');
  return limit === 0 ? tell('none') : locale.format.number(limit);
}

const limitOf = (text: string) => (text === '' ? null : Number(text));

function limitForm({ name, limit, expires_at, etag }: KeyRow, parts: ConsoleParts, close: () => void): HTMLElement {
  const { tell, api } = parts;
  return consoleForm(
    {
      id: `key-${name}`,
      fields: [
        {
          name: 'limit',
          kind: 'number',
          label: tell('keys.limit'),
          hint: tell('keys.limit.hint'),
          value: limit === null ? '' : String(limit),
        },
        {
          name: 'expires',
          kind: 'date',
          label: tell('expires'),
          value: dateOf(expires_at),
          hint: tell('expires.hint'),
        },
      ],
      submit: tell('save'),
      cancel: close,
      async send(entered, _result, sent) {
        const body = { limit: limitOf(entered.text('limit')), expires_at: endOfLocalDay(entered.text('expires')) };
        await api.change({ method: 'PATCH', path: routeAddress(['admin', 'keys', name]), body, etag });
        sent();
        parts.note(tell('done'));
        parts.reload();
      },
    },
    parts,
  );
}

function createForm(parts: ConsoleParts): HTMLElement {
  const { tell, api } = parts;
  return consoleForm(
    {
      id: 'key-new',
      fields: [
        { name: 'name', label: tell('name'), isRequired: true },
        { name: 'limit', kind: 'number', label: tell('keys.limit'), hint: tell('keys.limit.hint') },
        { name: 'expires', kind: 'date', label: tell('expires'), hint: tell('expires.hint') },
        {
          name: 'scopes',
          kind: 'checks',
          label: tell('keys.scopes'),
          value: 'check',
          options: SCOPES.map((scope) => [scope, `${scope} – ${tell.maybe(`scope.${scope}`, scope)}`]),
        },
      ],
      submit: tell('keys.create'),
      async send(entered, result, sent) {
        const body = {
          name: entered.text('name'),
          scopes: entered.text('scopes').split(',').filter(Boolean),
          ...(entered.text('limit') !== '' && { limit: limitOf(entered.text('limit')) }),
          ...(entered.text('expires') !== '' && { expires_at: endOfLocalDay(entered.text('expires')) }),
        };
        const made = await api.change<CreatedKey>({
          method: 'POST',
          path: 'api/admin/keys',
          body,
        });
        sent();
        replaceChildren(result, secretBox(made.name, made.secret, parts));
        result.querySelector<HTMLElement>('h3')?.focus();
      },
    },
    parts,
  );
}

/** The secret of a new key, which is shown this once. */
function secretBox(name: string, secret: string, parts: ConsoleParts): HTMLElement {
  const { tell, locale } = parts;
  const said = html('span', { role: 'status', class: 'muted' });
  const copy = async () => {
    said.textContent = (await copyText(secret)) ? locale.say('result.copied') : '';
  };
  return html(
    'div',
    { class: 'preview secret' },
    html('h3', { tabindex: -1 }, tell('keys.created', { name })),
    html('p', {}, tell('keys.once')),
    html('p', { class: 'secret-text' }, html('code', {}, literal(secret, 'mono'))),
    html(
      'div',
      { class: 'buttons' },
      html('button', { type: 'button', class: 'primary', click: () => void copy() }, tell('copy')),
      html('button', { type: 'button', click: parts.reload }, tell('keys.stored')),
      said,
    ),
  );
}
