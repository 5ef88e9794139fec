import { join } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { isImportDeclaration, isTypeNode } from 'typescript/unstable/ast/is';
import { API, type APIOptions } from 'typescript/unstable/async';
import { type Edit, editsAt, isProse } from './operators.ts';

/** One small change of one source file. */
export interface Mutant {
  /** Of the file, from the root of the repository. */
  readonly path: string;
  /** Of the change's beginning, from 1. */
  readonly line: number;
  readonly column: number;
  /** The whole lines that change, and what becomes of them. */
  readonly before: string;
  readonly after: string;
  /** The whole file. */
  readonly text: string;
}

const compiler = new Bun.Transpiler({ loader: 'ts' });

/**
 * All mutants of the files of a project, in order, but those that no compiler takes and those that a compiler takes for one
 * another. The files are read by the compiler that checks them; of its interfaces this is the one that works under Bun.
 */
export async function mutantsIn(root: string, paths: readonly string[], fs?: APIOptions['fs']): Promise<Mutant[]> {
  const compiler = new API({ cwd: root, ...(fs && { fs }) });
  try {
    const snapshot = await compiler.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] });
    const mutants: Mutant[] = [];
    for (const path of paths) {
      const file = await snapshot.getProjects()[0]?.program.getSourceFile(join(root, path));
      if (!file) throw new Error(`the compiler does not know ${path}`);
      mutants.push(...mutantsOf(path, file));
    }
    return mutants;
  } finally {
    await compiler.close();
  }
}

function mutantsOf(path: string, file: SourceFile): Mutant[] {
  const original = compiled(file.text);
  const mutants = new Map<string | null, Mutant>();
  for (const edit of file.statements.flatMap((statement) => editsIn(statement, file))) {
    const mutant = mutantOf(path, file.text, edit);
    const code = compiled(mutant.text);
    if (code !== null && code !== original && !mutants.has(code)) mutants.set(code, mutant);
  }
  return [...mutants.values()];
}

function editsIn(node: Node, file: SourceFile): Edit[] {
  if (isImportDeclaration(node) || isTypeNode(node) || isProse(node, file)) return [];
  const edits = [...editsAt(node, file)];
  node.forEachChild((child) => {
    edits.push(...editsIn(child, file));
  });
  return edits;
}

function mutantOf(path: string, original: string, { start, end, text }: Edit): Mutant {
  const from = original.lastIndexOf('\n', start - 1) + 1;
  const until = (original.indexOf('\n', end) + 1 || original.length + 1) - 1;
  return {
    path,
    line: original.slice(0, start).split('\n').length,
    column: start - from + 1,
    before: original.slice(from, until),
    after: `${original.slice(from, start)}${text}${original.slice(end, until)}`,
    text: `${original.slice(0, start)}${text}${original.slice(end)}`,
  };
}

/** The program that a compiler sees, without its layout; null where it sees none. */
function compiled(text: string): string | null {
  try {
    return compiler.transformSync(text);
  } catch {
    return null;
  }
}
