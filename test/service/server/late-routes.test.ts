import { expect, test } from 'bun:test';
import { ALL_PARTS } from '#src/app/parts.ts';
import type { LateRoutes } from '#src/service/server/late-routes.ts';
import { RARE_ROUTES } from '#src/service/server/routes.ts';

const LATE = [RARE_ROUTES, ...ALL_PARTS.flatMap(({ routes }): readonly LateRoutes[] => routes)];

test.each(LATE.map((late) => [late.heads[0] ?? '', late] as const))(
  'late routes are declared by exactly the methods and paths that they have: %s',
  async (_, { heads, load }) => {
    const { routes } = await load();
    expect([...heads]).toEqual(routes.map(({ method, path }) => `${method} ${path}`));
  },
);
