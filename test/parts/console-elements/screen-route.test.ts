import { expect, test } from 'bun:test';
import { hrefOfScreen, screenIn } from '#src/parts/console-elements/screen-route.ts';

test('reads screen and object of an address as they were written', () => {
  for (const subject of ['', 'feed', 'a/b?c#d', 'ä %']) {
    const path = hrefOfScreen('lists', subject).replace('#/console/', '');
    expect(screenIn(path)).toEqual({ name: 'lists', subject });
  }
  expect(hrefOfScreen('history', '', { decision: 'block' })).toBe('#/console/history?decision=block');
});

test('reads what is no encoded text as it is', () => {
  expect(screenIn('keys/%')).toEqual({ name: 'keys', subject: '%' });
});
