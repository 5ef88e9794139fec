import { type Command, UsageError } from '../../command.ts';
import { bashCompletion } from '../../completions/bash.ts';
import { fishCompletion } from '../../completions/fish.ts';
import { type Completable, completablesOf } from '../../completions/subject.ts';
import { zshCompletion } from '../../completions/zsh.ts';

/** Supported shells with the generators of their scripts. */
const SHELLS: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `lurecheck completions` */
export const completionsCommand: Command<'completions'> = {
  name: 'completions',
  operands: 'bash | zsh | fish',
  summary: 'print a shell completion script',
  options: {},
  examples: [
    { line: 'source <(lurecheck about completions bash)', purpose: 'Load completion into this bash.' },
    {
      line: 'lurecheck about completions fish > ~/.config/fish/completions/lurecheck.fish',
      purpose: 'Install completion for fish.',
    },
  ],
  async run({ positionals, allCommands }, io) {
    const [shell = '', ...more] = positionals;
    const script = Object.hasOwn(SHELLS, shell) && more.length === 0 ? SHELLS[shell] : undefined;
    if (!script) throw new UsageError(`expected one shell: ${Object.keys(SHELLS).join(', ')}`);
    await io.stdout.write(script(completablesOf(await allCommands())));
    return 0;
  },
};
