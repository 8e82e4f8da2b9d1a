/*
 * Reads command lines before they run. The grammars are WebAssembly, are not part of what is loaded at
 * activation, and are read once; what is left of a parse is freed before `analyse` returns.
 */

import { Language, type Node, Parser } from 'web-tree-sitter';
import { hasHiddenText, showHidden } from '../base/hiddenText.ts';
import type { Diagnostic } from '../platform/diagnostics.ts';
import { type Findings, noFindings, toAnalysis } from './bash/findings.ts';
import type { FolderScope } from './bash/folders.ts';
import { walkProgram } from './bash/walk.ts';
import type { CommandAnalysis } from './judge/analysis.ts';
import { walkPowerShell } from './powershell/walkPowerShell.ts';
import { findSyntaxErrors } from './syntaxErrors.ts';

type Shell = 'bash' | 'powershell';

export type GrammarFile = 'web-tree-sitter.wasm' | 'tree-sitter-bash.wasm' | 'tree-sitter-powershell.wasm';

export interface ShellParserPorts {
  /** Reads one of the files that lie beside the bundle. A failure makes `loadShellParser` fail. */
  readonly readGrammar: (file: GrammarFile) => Promise<Uint8Array>;
  /** What `~` stands for. */
  readonly home: string;
  /** The shells that commands are run in here; a command of any other one is not understood. */
  readonly shells: readonly Shell[];
}

export interface ShellParser {
  /** Pure, synchronous, never throws. What is not understood says so, and must then be asked about. */
  analyse(command: string, shell: Shell): CommandAnalysis;
  /** Where a script does not read as one of its language. Rejects where the grammar is missing. */
  findSyntaxErrors(script: string, shell: Shell): Promise<readonly Diagnostic[]>;
}

/** Longer commands are not parsed: nobody reads them either. */
export const longestCommand = 100_000;

const grammars = { bash: 'tree-sitter-bash.wasm', powershell: 'tree-sitter-powershell.wasm' } as const;

export async function loadShellParser({ readGrammar, home, shells }: ShellParserPorts): Promise<ShellParser> {
  await Parser.init({ wasmBinary: await readGrammar('web-tree-sitter.wasm') });
  const load = async (shell: Shell) =>
    new Parser().setLanguage(await Language.load(await readGrammar(grammars[shell])));
  const loaded = new Map<Shell, Parser>();
  for (const shell of shells) loaded.set(shell, await load(shell));
  return {
    analyse: (command, shell) => analyse(loaded.get(shell), shell, command, home),
    findSyntaxErrors: async (script, shell) => {
      // A script may be one for another shell than that of this machine.
      const parser = loaded.get(shell) ?? (await load(shell));
      let found: readonly Diagnostic[] = [];
      walkTree(parser, script, root => {
        found = findSyntaxErrors(root);
      });
      if (!loaded.has(shell)) parser.delete();
      return found;
    },
  };
}

function analyse(parser: Parser | undefined, shell: Shell, command: string, home: string): CommandAnalysis {
  const found = noFindings();
  if (!parser) found.unparsed = `Commands for ${shell} cannot be understood here.`;
  else if (command.length > longestCommand) found.unparsed = 'It is too long to be checked.';
  else if (hasHiddenText(command)) {
    found.unparsed = `It holds characters that cannot be seen or change the order of others: ${showHidden(command).slice(0, 500)}`;
  }
  if (!parser || command.length > longestCommand) return toAnalysis(found);
  try {
    if (shell === 'bash') walkBash(parser, found, command, home, 0, { path: '.' });
    else walkTree(parser, command, root => walkPowerShell(found, command, root));
  } catch (error) {
    // Whatever goes wrong in here, the answer must be "ask", never an end of the turn. The stack is too deep,
    // for example, when thousands of brackets are nested.
    found.unparsed ??= `It could not be checked (${error instanceof Error ? error.name : 'unknown trouble'}).`;
  }
  return toAnalysis(found);
}

function walkBash(
  parser: Parser,
  found: Findings,
  source: string,
  home: string,
  depth: number,
  folder: FolderScope,
): void {
  const walkScript = (script: string, level: number, scope: FolderScope) =>
    walkBash(parser, found, script, home, level, scope);
  walkTree(parser, source, root => walkProgram({ source, found, depth, home, walkScript }, root, folder));
}

function walkTree(parser: Parser, source: string, walk: (root: Node) => void): void {
  const tree = parser.parse(source);
  if (!tree) throw new Error('The grammar gave no tree.');
  try {
    walk(tree.rootNode);
  } finally {
    tree.delete();
  }
}
