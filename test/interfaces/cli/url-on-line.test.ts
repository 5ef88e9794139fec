import { expect, test } from 'bun:test';
import { describeNotes, inputOfLine, urlOnLine } from '#src/interfaces/cli/check/check-input.ts';
import { cpuMs } from '#test/support/cpu-time.ts';

const URL_ALONE = 'https://bad-path.example/login.php';

test.each([
  [`${URL_ALONE}\tseen`, '', 'seen'],
  [`${URL_ALONE} - seen in mail`, '', '- seen in mail'],
  [`${URL_ALONE} # note`, '', '# note'],
  [`"${URL_ALONE}","phish"`, '', 'phish'],
  [`"${URL_ALONE}";1;"x, y"`, '', '1;"x, y'],
  [`'${URL_ALONE}' 'x'`, '', 'x'],
  [`${URL_ALONE},phish`, '', 'phish'],
  [`${URL_ALONE};x`, '', 'x'],
  [`${URL_ALONE}|phish|2026`, '', 'phish|2026'],
  [`${URL_ALONE}, https://b.example/`, '', 'https://b.example/'],
  [`${URL_ALONE},https://b.example/`, '', 'https://b.example/'],
  [`- ${URL_ALONE}`, '-', ''],
  [`* ${URL_ALONE}`, '*', ''],
  [`• ${URL_ALONE}`, '•', ''],
  [`12. ${URL_ALONE}`, '12.', ''],
  [`3) ${URL_ALONE}`, '3)', ''],
  [`> ${URL_ALONE}`, '>', ''],
  [`>> - ${URL_ALONE} seen`, '>> -', 'seen'],
  [`phish,${URL_ALONE}`, 'phish', ''],
  [`"phish","${URL_ALONE}","x"`, 'phish', 'x'],
  [`2026-01-03 10:00 ${URL_ALONE}`, '2026-01-03 10:00', ''],
  [`${URL_ALONE},`, '', ''],
  [`"${URL_ALONE}",`, '', ''],
  [`<${URL_ALONE}>`, '', ''],
  [`${URL_ALONE}"`, '', ''],
])('%s has one URL', (line, before, behind) => {
  const found = urlOnLine(line);
  expect([found.before, found.behind]).toEqual([before, behind]);
  const [input] = inputOfLine({ text: line, number: 7 }, { format: 'text', isForPeople: true });
  expect(input?.target).toMatchObject({ url: URL_ALONE });
  const [strict] = inputOfLine({ text: line, number: 7 }, { format: 'text', isForPeople: false });
  const isAlone = before === '' && behind === '';
  expect(strict?.target).toMatchObject(isAlone ? { url: URL_ALONE } : { code: 'invalid_url' });
});

test.each([
  'https://a.example/x,y',
  'https://a.example/@48.1,11.5,15z',
  'https://news.example/artikel,1234.html',
  'https://a.example/a;jsessionid=1',
  'https://a.example/?a=1,2;b=3',
  'https://a.example/a,b/c',
  "https://a.example/it's",
  'https://a.example/#note',
  'https://a.example/a|b',
  'https://a.example/?q=x,phish',
  'hxxps[://]a[.]example/x',
  'hxxp : // evil [.] example',
  'evil dot example',
  'evil.example',
  'localhost:8080/x',
  'two words',
  '0.0.0.0 evil.example',
  '',
])('%s is left whole', (line) => {
  expect(urlOnLine(line)).toEqual({ url: line, before: '', behind: '' });
});

test('a host or a defanged URL is found as well', () => {
  expect(urlOnLine('evil.example - seen')).toEqual({ url: 'evil.example', before: '', behind: '- seen' });
  expect(urlOnLine('- hxxp://evil[.]example/x seen')).toEqual({
    url: 'hxxp://evil[.]example/x',
    before: '-',
    behind: 'seen',
  });
});

test('says what was left out, or what stands behind the URL', () => {
  const line = { text: `${URL_ALONE}\tseen`, number: 3 };
  const [input] = inputOfLine(line, { format: 'text', isForPeople: true });
  expect(input && describeNotes([input])).toBe(
    `lurecheck: line 3: the URL has "seen" behind it; checking ${URL_ALONE}\n`,
  );
  expect(inputOfLine(line, { format: 'text', isForPeople: false })[0]?.target).toEqual({
    code: 'invalid_url',
    problem: 'the URL has "seen" behind it: expected one URL per line',
  });
});

test('takes a long line apart in linear time', () => {
  const units = [',', ' ', '"', '//a', '/,a', '.ab,', '- ', '> ', 'a,https://', '|'];
  const read = () => units.map((unit) => urlOnLine(`https://a.example/${unit.repeat(8000)}`));
  expect(cpuMs(read, 1000)).toBeLessThan(1000);
});
