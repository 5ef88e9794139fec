import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Command, UsageError } from '#src/interfaces/cli/command.ts';
import { RELEASE_KEYS, VERIFICATION_ERRORS, verifyReleased } from '#src/parts/host/upgrade/released-file.ts';

/** `lurecheck verify`: exit code 1 if a file is not authentic or cannot be verified. */
export const verifyCommand: Command<'verify'> = {
  name: 'verify',
  operands: 'FILE…',
  summary: 'verify the signature of release files, offline',
  options: {},
  examples: [
    { line: 'lurecheck verify lurecheck-0.2.0-linux-x64.tar.xz', purpose: 'Verify a release file.' },
    { line: 'lurecheck verify *.tar.xz && echo genuine', purpose: 'Accept several in a script.' },
  ],
  async run({ positionals }, io) {
    if (positionals.length === 0) throw new UsageError('expected release files to verify');
    let isGenuine = true;
    for (const path of positionals) {
      const found = await verifyReleased(path, RELEASE_KEYS);
      isGenuine &&= found.kind === 'genuine';
      const line = `${visibleInTerminal(path)}: ${'key' in found ? `authentic (key ${found.key})` : VERIFICATION_ERRORS[found.kind]}\n`;
      await (found.kind === 'genuine' ? io.stdout : io.stderr).write(line);
    }
    return isGenuine ? 0 : 1;
  },
};
