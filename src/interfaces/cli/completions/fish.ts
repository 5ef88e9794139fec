import { HELP_COMMAND, helpTopics } from '../help-topics.ts';
import { type Completable, takesFile } from './subject.ts';

/** A file \`lurecheck.fish\` for fish's folder of completions. */
export function fishCompletion(commands: readonly Completable[]): string {
  const all = [...commands.filter((one) => one.isListed), HELP_COMMAND];
  const lines = [
    '# fish completion for lurecheck: lurecheck completions fish > ~/.config/fish/completions/lurecheck.fish',
    'complete -c lurecheck -f',
    ...all.map(
      ({ name, summary }) => `complete -c lurecheck -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    `complete -c lurecheck -n '__fish_seen_subcommand_from help' -a ${quoted(helpTopics(all.map(({ name }) => name)).join(' '))}`,
    ...commands.flatMap(linesOf),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf({ name, flags, actions }: Completable): string[] {
  const here = `complete -c lurecheck -n '__fish_seen_subcommand_from ${name}'`;
  return [
    actions.length > 0 ? `${here} -a ${quoted(actions.join(' '))}` : `${here} -F`,
    ...flags.map((flag) => {
      const short = flag.short === null ? '' : ` -s ${flag.short}`;
      const value = flag.takes === null ? '' : takesFile(flag) ? ' -r -F' : ' -x';
      const words = flag.words.length === 0 ? '' : ` -a ${quoted(flag.words.join(' '))}`;
      return `${here} -l ${flag.name}${short}${value}${words} -d ${quoted(flag.description)}`;
    }),
  ];
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
