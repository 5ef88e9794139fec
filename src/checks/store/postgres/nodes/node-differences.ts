import type { PRINTED } from './nodes.ts';

/** In what a node may differ from the others. */
export type NodeDifference = 'version' | 'model' | 'lists' | (typeof PRINTED)[number];

/** What is compared of a node. */
export interface DifferingNode {
  readonly version: string;
  readonly model_version: string;
  readonly lists_version: string;
  /** See `NodePrints`; a node of an older version has none. */
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
 * In what a node differs from most nodes that are alive. Of two equally frequent values, that of the node counts that has been
 * part of the fleet for longer. A node that has stopped differs in nothing.
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

/** The most frequent text, the first of several; undefined if there is none. */
function mostFrequent(texts: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}
