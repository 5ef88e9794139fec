import { openModelFiles } from '#src/admin/active/installed-models.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { fileOf, pathKind } from '#src/interfaces/cli/named-paths.ts';
import { openPack, verifyMembers } from '#src/parts/packs/packs/open-pack.ts';
import { readContents } from '#src/parts/packs/packs/pack-contents.ts';
import { readPackFolder } from '#src/parts/packs/packs/pack-folder.ts';
import { readSeal } from '#src/parts/packs/packs/seal.ts';
import { readPrivateKey, signPack, writePack } from '#src/parts/packs/packs/write-pack.ts';
import { sealText } from './pack-text.ts';

/** Runs `lurecheck pack build DIR --key FILE --output FILE`; without a key, the pack is signed later. */
export async function buildPack(invocation: Invocation, folder: string, io: Io): Promise<ExitCode> {
  const output = invocation.text('output');
  if (output === undefined) throw new UsageError('--output FILE is required');
  if ((await pathKind(folder)) !== 'folder') throw new UsageError(`folder not found: ${folder}`);
  const key = await keyOf(invocation);
  const { about, members } = await readPackFolder(folder, systemClock.now());
  await writePack(output, about, members, key);
  const sealed = await readSeal(output);
  // The publisher, not the operators who trust the pack, learns of content that no host can use.
  await readContents(openPack(sealed), await openKnowledge(), openModelFiles);
  await io.stderr.write(`lurecheck: ${visibleInTerminal(output)} is ${sealText(sealed.signer)}\n`);
  return 0;
}

/** `lurecheck pack sign FILE --key FILE` */
export async function resignPack(invocation: Invocation, path: string, io: Io): Promise<ExitCode> {
  const key = await keyOf(invocation);
  if (key === null) throw new UsageError('--key FILE is required: the private key that signs');
  const sealed = await readSeal(path);
  await verifyMembers(openPack(sealed));
  await signPack(sealed, key);
  await io.stderr.write(`lurecheck: ${visibleInTerminal(path)} is ${sealText((await readSeal(path)).signer)}\n`);
  return 0;
}

async function keyOf(invocation: Invocation) {
  const path = await fileOf(invocation, 'key');
  return path === undefined ? null : readPrivateKey(await Bun.file(path).text());
}
