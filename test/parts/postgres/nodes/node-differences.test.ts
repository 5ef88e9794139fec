import { describe, expect, test } from 'bun:test';
import { type DifferingNode, differing } from '#src/parts/postgres/nodes/read-nodes.ts';

const NODE: DifferingNode = {
  version: '1.0.0',
  model_version: 'model-1',
  lists_version: '',
  prints: { client_key: 'c1', keys: 'k1', brands: '', packs: '', settings: 's1' },
  started_at: '2026-01-01T00:00:00.000Z',
  is_alive: true,
};

describe('differences between nodes', () => {
  test('are relative to most of the nodes that are alive', () => {
    const other = { ...NODE, lists_version: 'l2', prints: { ...NODE.prints, keys: 'k2', client_key: 'c2' } };
    const nodes = [NODE, other, NODE, { ...other, is_alive: false }, { ...other, is_alive: false }];
    expect(nodes.map((node) => differing(node, nodes))).toEqual([[], ['lists', 'client_key', 'keys'], [], [], []]);
  });

  test('of two nodes are reported for the later one', () => {
    const later = { ...NODE, version: '1.1.0', started_at: '2026-02-01T00:00:00.000Z' };
    expect(differing(NODE, [later, NODE])).toEqual([]);
    expect(differing(later, [later, NODE])).toEqual(['version']);
  });

  test('are unknown for values that a node of an older version does not report', () => {
    const older = { ...NODE, prints: {} };
    expect(differing(older, [NODE, NODE, older])).toEqual([]);
  });
});
