import { counted } from '#src/base/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/base/foreign-text.ts';
import type { KnownNode } from '#src/store/postgres/read-nodes.ts';
import { type Command, choice } from '../command.ts';
import { DATABASE_OPTION, databaseOf } from '../database-option.ts';

const NODE_FORMATS = ['text', 'json'] as const;

/** `lurecheck nodes` */
export const nodesCommand: Command<'nodes'> = {
  name: 'nodes',
  operands: '',
  summary: 'lists the nodes that share a database: version, model, lists, last sign of life, and whose clock is wrong',
  options: {
    database: DATABASE_OPTION,
    format: { type: 'string', words: NODE_FORMATS, description: 'How to write them. Default: text.' },
  },
  examples: [
    {
      line: 'lurecheck nodes --database file:/etc/lurecheck/operator.url',
      purpose: 'Are all of one version, and alive?',
    },
    {
      line: "lurecheck nodes --database 'postgres://lurecheck_operator@/lurecheck?host=/run/postgresql' --format json",
      purpose: 'The same for a program.',
    },
  ],
  async run(invocation, io) {
    const format = choice(invocation, 'format', NODE_FORMATS) ?? 'text';
    const url = await databaseOf(invocation);
    const [{ onDatabase }, { readNodes }] = await Promise.all([
      import('#src/store/postgres/database-status.ts'),
      import('#src/store/postgres/read-nodes.ts'),
    ]);
    const nodes = await onDatabase(url, readNodes);
    await io.stdout.write(format === 'json' ? visibleJson(`${JSON.stringify(nodes)}\n`) : nodes.map(lineOf).join(''));
    return 0;
  },
};

function lineOf(node: KnownNode): string {
  const { name, version, model_version, lists_version, seen_at, ahead_seconds, waiting, set_aside } = node;
  const clock = `${ahead_seconds < 0 ? 'behind' : 'ahead'} by ${Math.abs(ahead_seconds).toFixed(3)} s`;
  const spool = waiting === 0 ? '' : `  ${counted(waiting, 'check')} not in the database yet`;
  const refused = set_aside === 0 ? '' : `  ${counted(set_aside, 'check')} set aside`;
  return `${visibleInTerminal(`${name}  ${version}  ${model_version || '–'}  lists ${lists_version || '–'}  seen ${seen_at}  clock ${clock}${spool}${refused}`)}\n`;
}
