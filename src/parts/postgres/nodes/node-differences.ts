import type { PRINTED } from './nodes.ts';

/** Properties in which a node may differ from others. */
export type NodeDifference = 'version' | 'model' | 'lists' | (typeof PRINTED)[number];

/** Compared properties of a node. */
export interface DifferingNode {
  readonly version: string;
  readonly model_version: string;
  readonly lists_version: string;
  /** See `NodePrints`; empty for a node of an older version. */
  readonly prints: Readonly<Record<string, string>>;
  /** ISO 8601, so that the texts sort by time. */
  readonly started_at: string;
  readonly is_alive: boolean;
}

const COMPARED: Readonly<Record<NodeDifference, (node: DifferingNode) => string | undefined>> = {
  version: ({ version }) => version,
  model: ({ model_version: model }) => model,
  lists: ({ lists_version: lists }) => lists,
  client_key: ({ prints }) => prints['client_key'],
  keys: ({ prints }) => prints['keys'],
  brands: ({ prints }) => prints['brands'],
  packs: ({ prints }) => prints['packs'],
  settings: ({ prints }) => prints['settings'],
};

/**
 * Returns in what a node differs from most live nodes. Of two equally frequent values, the one of the node that has run
 * for longer wins. A stopped node differs in nothing.
 */
export function differing(node: DifferingNode, nodes: readonly DifferingNode[]): NodeDifference[] {
  if (!node.is_alive) return [];
  const alive = nodes.filter((one) => one.is_alive).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
  const names = Object.keys(COMPARED) as NodeDifference[];
  return names.filter((name) => {
    const read = COMPARED[name];
    const own = read(node);
    return own !== undefined && own !== mostFrequent(alive.map(read));
  });
}

/** Returns the most frequent text, the first of several; undefined if there is none. */
function mostFrequent(texts: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}
