import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { type Command, UsageError } from '#src/interfaces/cli/command.ts';
import { REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import type { KnownNode, NodeDifference } from '#src/parts/postgres/nodes/read-nodes.ts';
import { DATABASE_OPTION, databaseOf } from './database.ts';

/** `lurecheck nodes` */
export const nodesCommand: Command<'nodes'> = {
  name: 'nodes',
  operands: '[remove NAME]',
  summary: 'list the nodes that share a database, and which of them differ',
  options: {
    database: DATABASE_OPTION,
    format: REPORT_FORMAT,
  },
  examples: [
    {
      line: 'lurecheck nodes --database file:/etc/lurecheck/operator.url',
      purpose: 'Show version and heartbeat of each node.',
    },
    {
      line: "lurecheck nodes --database 'postgres://lurecheck_operator@/lurecheck?host=/run/postgresql' --format json",
      purpose: 'The same for a program.',
    },
    {
      line: 'lurecheck nodes remove node-3 --database file:/etc/lurecheck/operator.url',
      purpose: 'Remove a decommissioned node; after a week without heartbeat it is removed automatically.',
    },
  ],
  async run(invocation, io) {
    const [action, name, extra] = invocation.positionals;
    if ((action !== undefined && action !== 'remove') || (action === 'remove') !== (name !== undefined) || extra)
      throw new UsageError('expected nodes, or nodes remove NAME');
    const isJson = wantsJson(invocation);
    const url = await databaseOf(invocation);
    const [{ onDatabase, usableDatabase }, { readNodes, removeNode }] = await Promise.all([
      import('#src/parts/postgres/examine-server.ts'),
      import('#src/parts/postgres/nodes/read-nodes.ts'),
    ]);
    if (name !== undefined) {
      const outcome = await onDatabase(url, (connection) => removeNode(connection, name), usableDatabase);
      const said = REMOVAL[outcome];
      await (outcome === 'removed' ? io.stdout : io.stderr).write(`${visibleInTerminal(`${name}: ${said}`)}\n`);
      return outcome === 'removed' ? 0 : 1;
    }
    const nodes = await onDatabase(url, readNodes, usableDatabase);
    await io.stdout.write(isJson ? visibleJson(`${JSON.stringify(nodes)}\n`) : nodes.map(lineOf).join(''));
    return 0;
  },
};

const REMOVAL = {
  removed: 'removed; its checks remain in the statistics',
  unknown: 'node not found; see lurecheck nodes',
  alive: 'not removed: it sent a heartbeat within the last minute; stop it first',
} as const;

/** Names of the differences in the text output. */
const DIFFERENCES: Readonly<Record<NodeDifference, string>> = {
  version: 'version',
  model: 'model',
  lists: 'lists',
  client_key: 'client key',
  keys: 'keys',
  brands: 'brands',
  packs: 'packs',
  settings: 'settings',
};

function lineOf(node: KnownNode): string {
  const { name, version, model_version, lists_version, seen_at, ahead_seconds, waiting, set_aside, differs } = node;
  const clock = `${ahead_seconds < 0 ? 'behind' : 'ahead'} by ${Math.abs(ahead_seconds).toFixed(3)} s`;
  const spool = waiting === 0 ? '' : `  ${counted(waiting, 'check')} in the spool`;
  const refused = set_aside === 0 ? '' : `  ${counted(set_aside, 'check')} set aside`;
  const differ = differs.length === 0 ? '' : `  differs: ${differs.map((what) => DIFFERENCES[what]).join(', ')}`;
  return `${visibleInTerminal(`${name}  ${version}  ${model_version || '–'}  lists ${lists_version || '–'}  seen ${seen_at}  clock ${clock}${spool}${refused}${differ}`)}\n`;
}
