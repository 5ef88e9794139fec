import { expect, test } from 'bun:test';
import { WRITTEN } from './written-manual.ts';

test('has one section per alert rule of a release, in the same order', async () => {
  const rules = await Bun.file('.ci/packaging/monitoring/alerts.yml').text();
  const alerts = [...rules.matchAll(/^ *- alert: (\w+)$/gm)].map(([, name]) => name);
  const documented = [...(WRITTEN.get('alerts') ?? '').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(9);
  expect(documented).toEqual(alerts);
});

test('explains each alert first and then lists its remedies', () => {
  const [, ...parts] = (WRITTEN.get('alerts') ?? '').split(/^## /m);
  for (const part of parts) {
    const [name, ...rest] = part.trim().split('\n\n');
    const steps = rest.filter((piece) => /^(- |```)|`/.test(piece));
    expect([name, rest.length >= 2, steps.length >= 1]).toEqual([name, true, true]);
  }
});
