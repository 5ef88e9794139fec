import { helpTopics } from '../help-topics.ts';
import { type Completable, takesFile } from './subject.ts';

/** A script that bash sources, by which it completes lurecheck. */
export function bashCompletion(commands: readonly Completable[]): string {
  const names = commands.filter((one) => one.isListed).map(({ name }) => name);
  return [
    HEADING,
    `    COMPREPLY=($(compgen -W '${[...names, 'help'].join(' ')}' -- "$word"))`,
    CHOICE,
    `    help) COMPREPLY=($(compgen -W '${helpTopics(names).join(' ')}' -- "$word")) ;;`,
    ...commands.map(caseOf),
    ENDING,
  ].join('\n');
}

const HEADING = `# source <(lurecheck completions bash)
_lurecheck() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then`;

const CHOICE = `    return
  fi
  case $command in`;

const ENDING = `  esac
}
complete -F _lurecheck lurecheck
`;

function caseOf({ name, flags, actions }: Completable): string {
  const values = flags
    .filter(({ words }) => words.length > 0)
    .map((flag) => `        --${flag.name}) COMPREPLY=($(compgen -W '${flag.words.join(' ')}' -- "$word")); return ;;`);
  const files = flags.filter(takesFile).map((flag) => `--${flag.name}`);
  const texts = flags.filter((flag) => flag.takes !== null && flag.words.length === 0 && !takesFile(flag));
  return `    ${name})
      case $before in
${[
  ...values,
  files.length > 0 ? `        ${files.join('|')}) COMPREPLY=($(compgen -f -- "$word")); return ;;` : '',
  texts.length > 0 ? `        ${texts.map((flag) => `--${flag.name}`).join('|')}) return ;;` : '',
]
  .filter((line) => line !== '')
  .join('\n')}
      esac
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W '${flags.map((flag) => `--${flag.name}`).join(' ')}' -- "$word"))
      else
        COMPREPLY=($(compgen ${actions.length > 0 ? `-W '${actions.join(' ')}'` : '-f'} -- "$word"))
      fi ;;`;
}
