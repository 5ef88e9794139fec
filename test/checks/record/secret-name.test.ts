import { expect, test } from 'bun:test';
import { announcementOf, isRoute, kindOfName } from '#src/checks/record/redact/secret-name.ts';

test.each([
  [
    'password',
    ['password', 'userPassword', 'user[pwd]', 'PW', 'Kennwort', 'mot_de_passe', 'contraseña', 'ｐｗｄ', 'пароль'],
  ],
  ['secret', ['token', 'access_token', 'ACCESS-TOKEN', 'X-Amz-Signature', 'PHPSESSID', 'sig', 'oobCode', 'emailAddr']],
  ['secret', ['login', 'uid', 'user', 'date_of_birth', 'verification_code', 'tоken', 'to\u200bken']],
  ['code', ['code', 'state', 'confirm']],
  ['letter', ['c', 'k']],
  ['maybe', ['key', 'sort_key', 'cookieName', 'sid', 'productCode', 'response_code']],
  ['initial', ['e', 'd', 'p']],
  ['record', ['passenger', 'order', 'case_id', 'ticketno', 'order_ref', 'appointment']],
  ['name', ['name', 'displayName', 'patient_name']],
  ['address', ['street', 'billingAddress', 'hausnummer']],
  ['place', ['lat', 'longitude', 'start_lat']],
  ['position', ['loc', 'center', 'pickup']],
  ['telephone', ['number', 'destination_number']],
  ['published', ['client_id', 'appId']],
  [
    'plain',
    ['page', 'lang', 'keyword', 'assigned', 'utm_source', 'passage', 'description', 'q', 'id', '', '%', '日本語'],
  ],
] as const)('%s: %j', (kind, names) => {
  expect(names.filter((name) => kindOfName(name) !== kind)).toEqual([]);
});

test('a path segment announces a secret only if it contains little else', () => {
  const announcing = ['otp', 'reset-password', 'verifyEmail', 'token', 'magic-link', 'passwordless', 'zurücksetzen'];
  expect(announcing.filter((segment) => announcementOf(segment) !== 'secret')).toEqual([]);
  const others = ['blog', 'formal-verification-tools', 'how-to-reset-it', 'dynadot-token', 'x', ''];
  expect(others.filter((segment) => announcementOf(segment) === 'secret')).toEqual([]);
  // One letter is the name of a parameter, and of a folder as well.
  expect(['c', 'k', ''].map(announcementOf)).toEqual([null, null, null]);
  expect(['commit', 'blob', 'isbn'].map(announcementOf)).toEqual(['published', 'published', 'published']);
});

test('route words of a site after an announcement are not secrets', () => {
  expect(['password', 'index.html', 'success', 'verify-email', 'v2'].filter((segment) => !isRoute(segment))).toEqual(
    [],
  );
  expect(['swordfish', 'abc123', 'correct-horse'].filter(isRoute)).toEqual([]);
});
