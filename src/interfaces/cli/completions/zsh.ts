import type { Flag } from '../flags.ts';
import { HELP_COMMAND, helpTopics } from '../help-topics.ts';
import { type Completable, takesFile } from './subject.ts';

/** A file \`_lurecheck\` for a folder of zsh's \`fpath\`. */
export function zshCompletion(commands: readonly Completable[]): string {
  const names = [...commands.filter((one) => one.isListed), HELP_COMMAND];
  const listed = names.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`);
  const help = `    help) _describe command commands; compadd ${helpTopics([]).join(' ')} ;;`;
  return [HEADING, ...listed, CHOICE, help, ...commands.map(caseOf), ENDING].join('\n');
}

const HEADING = `#compdef lurecheck
# lurecheck completions zsh > ~/.zfunc/_lurecheck
_lurecheck() {
  local -a commands=(`;

const CHOICE = `  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in`;

const ENDING = `  esac
}
_lurecheck "$@"
`;

function caseOf({ name, flags, actions }: Completable): string {
  const operands = actions.length > 0 ? `'1:action:(${actions.join(' ')})' '*:operand:_files'` : "'*:operand:_files'";
  return `    ${name})
      _arguments -s \\
${flags.map((flag) => `        ${quoted(argumentOf(flag))} \\`).join('\n')}
        ${operands} ;;`;
}

/** Writes `*--flag[description]:value:completion of the value`. */
function argumentOf(flag: Flag): string {
  const { name, takes, words, description } = flag;
  const head = `*--${name}[${description.replaceAll(/[[\]:]/g, (mark) => `\\${mark}`)}]`;
  if (takes === null) return head;
  const how = words.length > 0 ? `(${words.join(' ')})` : takesFile(flag) ? '_files' : ' ';
  return `${head}:value:${how}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
