import { Glob } from 'bun';

/** One import of a file. */
export interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  /** True if it runs at build time, and the program gets its result. */
  readonly isMacro: boolean;
  /** Whether it is loaded when a function runs, by `import()`. */
  readonly isDynamic: boolean;
}

/** One file of the program, with what it imports. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?([^'";]*?\sfrom\s+)?['"]([^'"]+)['"]( with \{ type: 'macro' \})?|import\(\s*['"]([^'"]+)['"]/g;

/** Every file below `src`. */
export async function readSources(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const path of new Glob('**/*.ts').scan('src')) {
    const text = await Bun.file(`src/${path}`).text();
    const imports = [...text.matchAll(IMPORT)].map(([, , typeKeyword, names, specifier, macro, dynamic]) => ({
      specifier: specifier ?? dynamic ?? '',
      isType: typeKeyword !== undefined || everyNameIsType(names),
      isMacro: macro !== undefined,
      isDynamic: dynamic !== undefined,
    }));
    files.push({ path, text, imports });
  }
  return files;
}

/** `import { type A, type B } from` imports no value either. */
function everyNameIsType(names: string | undefined): boolean {
  const list = /\{([^}]*)\}/.exec(names ?? '')?.[1];
  return list?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) ?? false;
}
