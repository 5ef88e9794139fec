import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Command, UsageError } from '../command.ts';
import { DOUBTS, RELEASE_KEYS, verifyReleased } from '#src/admin/upgrade/released-file.ts';

/** `lurecheck verify`: exit code 1 for a file that is not, or cannot be shown to be, as it was released. */
export const verifyCommand: Command<'verify'> = {
  name: 'verify',
  operands: 'FILE…',
  summary: 'tells whether files of a release are as they were signed, by the list beside them and the key inside',
  options: {},
  examples: [
    { line: 'lurecheck verify lurecheck-0.1.0-linux-x64.tar.xz', purpose: 'Is this file as it was released?' },
    { line: 'lurecheck verify *.tar.xz && echo genuine', purpose: 'Several at once, in a script.' },
  ],
  async run({ positionals }, io) {
    if (positionals.length === 0) throw new UsageError('name the files of a release to verify');
    let isGenuine = true;
    for (const path of positionals) {
      const found = await verifyReleased(path, RELEASE_KEYS);
      isGenuine &&= found.kind === 'genuine';
      const line = `${visibleInTerminal(path)}: ${'key' in found ? `as released (key ${found.key})` : DOUBTS[found.kind]}\n`;
      await (found.kind === 'genuine' ? io.stdout : io.stderr).write(line);
    }
    return isGenuine ? 0 : 1;
  },
};
