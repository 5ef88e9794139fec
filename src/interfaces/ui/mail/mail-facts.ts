import type { AuthenticationClaim } from '#src/engine/message/authentication-results.ts';
import type { AddressRelation, MailAddress } from '#src/engine/message/mail-head.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { decisionIcon } from '../elements/icons.ts';
import { foreign, literal } from '../elements/literal.ts';
import { facts } from '../result/facts.ts';
import type { MailLocale } from './mail-locale.ts';
import type { OpenedMail } from './opened-mail.ts';

/** Shows the sender and attachments of a mail, as stated in it; nothing of a message without a head. */
export function mailFacts({ head, attachments, unread }: OpenedMail, locale: MailLocale): Child {
  const { say, tell, format } = locale;
  if (head === null) return null;
  const { from, nameMismatch, replyTo, replyToIs, returnPath, returnPathIs, subject, date, authentication } = head;
  const mismatch =
    nameMismatch &&
    html(
      'p',
      { class: 'mismatch' },
      decisionIcon('warn'),
      html(
        'span',
        {},
        filled(tell('name'), (name) => literal(name === 'says' ? nameMismatch.says : nameMismatch.goesTo)),
      ),
    );
  return facts(
    subject === null ? null : [tell('subject'), html('strong', {}, foreign(subject))],
    [tell('from'), [addresses(from, say('dns.none')), mismatch]],
    replyTo.length === 0 ? null : [tell('replyTo'), [addresses(replyTo, ''), relation(replyToIs, locale)]],
    returnPath === null
      ? null
      : [
          tell('returnPath'),
          [literal(returnPath, 'mono'), returnPathIs === 'other_site' && relation(returnPathIs, locale)],
        ],
    date === null ? null : [tell('date'), foreign(format.moment(date))],
    [tell('auth'), claim(authentication, locale)],
    attachments.length === 0
      ? null
      : [
          tell('attachments'),
          html(
            'ul',
            { class: 'plain' },
            attachments
              .slice(0, MAX_ATTACHMENTS)
              .map(({ name, contentType, sizeBytes, risk }) =>
                html(
                  'li',
                  {},
                  foreign(name),
                  html('span', { class: 'note' }, literal(contentType), ' · ', format.bytes(sizeBytes)),
                  unread.includes(name) && html('span', { class: 'note differs' }, say('batch.unchecked')),
                  risk &&
                    html('p', { class: 'mismatch' }, decisionIcon('warn'), html('span', {}, tell(`file.risk.${risk}`))),
                ),
              ),
          ),
        ],
  );
}

const MAX_ATTACHMENTS = 50;

function addresses(all: readonly MailAddress[], none: string): Child {
  if (all.length === 0) return html('span', { class: 'muted' }, none);
  return html(
    'ul',
    { class: 'plain' },
    all.map(({ name, address }) => html('li', {}, name !== '' && [foreign(name), ' '], literal(address, 'mono'))),
  );
}

function relation(is: AddressRelation | null, { tell }: MailLocale): Child {
  if (is === null || is === 'same') return null;
  return html('span', { class: `note ${is === 'other_site' ? 'differs' : ''}` }, tell(`differs.${is}`));
}

function claim(authentication: AuthenticationClaim | null, { tell }: MailLocale): Child {
  if (authentication === null) return html('span', { class: 'muted' }, tell('auth.none'));
  const { server, results } = authentication;
  const stated = server === null ? tell('auth.unnamed') : filled(tell('auth.claim'), () => literal(server));
  return [
    html(
      'ul',
      { class: 'plain claims' },
      (['spf', 'dkim', 'dmarc'] as const).flatMap((method) => {
        const own = results.filter((one) => one.method === method);
        const name = html('strong', {}, method.toUpperCase());
        if (own.length === 0) return [html('li', {}, name, ' ', tell('auth.missing'))];
        return own.map(({ result, domain }) =>
          html('li', {}, name, ' ', literal(result, 'mono'), domain !== null && [' ', literal(domain, 'note mono')]),
        );
      }),
    ),
    html('span', { class: 'note' }, stated),
  ];
}
