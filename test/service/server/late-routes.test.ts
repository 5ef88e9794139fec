import { expect, test } from 'bun:test';
import { LATE_CONSOLE } from '#src/service/server/admin/console-heads.ts';

test('late routes are declared by exactly the methods and paths that they have', async () => {
  const { routes } = await LATE_CONSOLE.load();
  expect([...LATE_CONSOLE.heads]).toEqual(routes.map(({ method, path }) => `${method} ${path}`));
});
