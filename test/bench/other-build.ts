/**
 * Builds another commit of this repository in a folder of its own, which git then knows nothing of; the path of its
 * executable. Throws where there is no such commit, or where it can't be built.
 */
export async function buildOther(root: string, ref: string, folder: string): Promise<string> {
  const archive = `${folder}/source.tar`;
  await Bun.$`git archive --output=${archive} ${ref}`.cwd(root);
  const there = `${folder}/source`;
  await Bun.$`mkdir ${there} && tar -xf ${archive} -C ${there}`;
  await Bun.$`${process.execPath} install --frozen-lockfile`.cwd(there).quiet();
  await Bun.$`${process.execPath} .ci/build.ts`.cwd(there).quiet();
  return `${there}/dist/lurecheck`;
}
