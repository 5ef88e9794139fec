import { type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, orNone, plainText, secret, textOf } from '#src/core/base/settings/setting-kind.ts';

/** Key of a webhook's signatures. */
interface WebhookSecret {
  readonly key: Buffer;
}

/** Length of a key in bytes, by the Standard Webhooks specification. */
const KEY_BYTES = { least: 24, most: 64 } as const;

const webhookUrl = plainText('an http or https URL without a password', (text) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.username === '' && url.password === '' && url.hash === '' ? url.href : null;
});

const webhookSecret = secret(
  textOf<WebhookSecret>(
    'whsec_ and 24 to 64 bytes in base64, as printed by: echo "whsec_$(openssl rand -base64 32)"',
    (text) => {
      const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
      const key = Buffer.from(encoded, 'base64');
      return key.length >= KEY_BYTES.least && key.length <= KEY_BYTES.most ? { key } : null;
    },
    () => '***',
  ),
);

/** An address that sendmail accepts, and which cannot be a flag, a second address or a second header. */
const mailAddress = plainText('an e-mail address', (text) =>
  /^[A-Za-z0-9][A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}@[A-Za-z0-9.-]{1,253}$/.test(text) ? text : null,
);

/** Settings of notifications. */
export const NOTIFICATION_SETTINGS = {
  webhook_url: setting(
    ['serve'],
    orNone(webhookUrl),
    null,
    'URL that receives a POST on each blocked check, feedback report and alert. Needs webhook_secret.',
  ),
  webhook_secret: setting(
    ['serve'],
    orNone(webhookSecret),
    null,
    'Key of the signature of each POST (HMAC-SHA256, Standard Webhooks).',
  ),
  mail_to: setting(
    ['serve'],
    listOf(mailAddress),
    [],
    "Recipients of a mail on blocked checks, feedback reports and alerts, at most one per minute, sent by the host's sendmail.",
  ),
};

/** The values of {@link NOTIFICATION_SETTINGS}. */
type NotificationSettings = SettingValues<typeof NOTIFICATION_SETTINGS>;

/** A receiver must be able to distinguish our requests from those of others. */
export const WEBHOOK_RULE: SettingRule<NotificationSettings> = {
  between: ['webhook_url', 'webhook_secret'],
  problem: ({ webhook_url: url, webhook_secret: key }) => {
    if ((url === null) === (key === null)) return null;
    return url === null
      ? 'webhook_secret is set, but webhook_url is not'
      : 'webhook_url is set, but webhook_secret is not';
  },
};
