import { expect, test } from 'bun:test';
import { WRITTEN } from './written-manual.ts';

test('each alert of a release has its part, in the order of the rules, and each part its alert', async () => {
  const rules = await Bun.file('.ci/packaging/monitoring/alerts.yml').text();
  const alerts = [...rules.matchAll(/^ *- alert: (\w+)$/gm)].map(([, name]) => name);
  const told = [...(WRITTEN.get('alerts') ?? '').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(9);
  expect(told).toEqual(alerts);
});

test('of each alert is told what it means, and then what to do', () => {
  const [, ...parts] = (WRITTEN.get('alerts') ?? '').split(/^## /m);
  for (const part of parts) {
    const [name, ...rest] = part.trim().split('\n\n');
    const steps = rest.filter((piece) => /^(- |```)|`/.test(piece));
    expect([name, rest.length >= 2, steps.length >= 1]).toEqual([name, true, true]);
  }
});
