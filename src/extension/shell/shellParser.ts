/*
 * Reads command lines before they run, and finds errors in the syntax of source code. The grammars are WebAssembly, are not part of what is loaded at
 * activation, and are read once; what is left of a parse is freed before `analyse` returns.
 */

import { Language, type Node, Parser } from 'web-tree-sitter';
import { t } from '../../protocol/language.ts';
import { hasHiddenText, showHidden } from '../base/hiddenText.ts';
import { once } from '../base/once.ts';
import { headOf } from '../base/text.ts';
import type { Grammar, SyntaxErrors } from '../platform/diagnostics.ts';
import { type Findings, noFindings, toAnalysis } from './bash/findings.ts';
import type { FolderScope } from './bash/folders.ts';
import { walkProgram } from './bash/walk.ts';
import type { CommandAnalysis } from './classify/analysis.ts';
import { walkPowerShell } from './powershell/walkPowerShell.ts';
import { syntaxErrorsOf } from './syntaxErrors.ts';

type Shell = Extract<Grammar, 'bash' | 'powershell'>;

export type GrammarFile = 'web-tree-sitter.wasm' | `tree-sitter-${Grammar}.wasm`;

interface ShellParserPorts {
  /** Reads one of the files that lie beside the bundle. A failure makes `loadShellParser` fail. */
  readonly readGrammar: (file: GrammarFile) => Promise<Uint8Array>;
  /** The folder that `~` stands for. */
  readonly home: string;
  /** The shells that commands are run in here; a command of any other one is not understood. */
  readonly shells: readonly Shell[];
}

export interface ShellParser extends SyntaxErrors {
  /**
   * Pure, synchronous, never throws. The analysis says when a command is not understood, which must then be asked
   * about.
   */
  analyse(command: string, shell: Shell): CommandAnalysis;
}

/** Longer commands are not parsed: nobody reads them either. */
export const maxCommandLength = 100_000;

/** The library has one instance, which a second start at the same time would replace while it is in use. */
let starting: Promise<void> | undefined;

function startLibrary(readGrammar: ShellParserPorts['readGrammar']): Promise<void> {
  starting ??= readGrammar('web-tree-sitter.wasm')
    .then(wasmBinary => Parser.init({ wasmBinary }))
    .catch(error => {
      starting = undefined;
      throw error;
    });
  return starting;
}

export async function loadShellParser({ readGrammar, home, shells }: ShellParserPorts): Promise<ShellParser> {
  await startLibrary(readGrammar);
  // The library keeps every grammar until the process ends, so each is loaded once.
  const languages = new Map<Grammar, () => Promise<Language>>();
  const makeParser = async (grammar: Grammar) => {
    const load =
      languages.get(grammar) ??
      once(async () => Language.load(await readGrammar(`tree-sitter-${grammar}.wasm`)));
    languages.set(grammar, load);
    return new Parser().setLanguage(await load());
  };
  const parsers = new Map<Shell, Parser>();
  for (const shell of shells) parsers.set(shell, await makeParser(shell));
  return {
    analyse: (command, shell) => analyse(parsers.get(shell), shell, command, home),
    findSyntaxErrors: async (text, grammar) => {
      const parser = await makeParser(grammar);
      try {
        return walkTree(parser, text, syntaxErrorsOf);
      } finally {
        parser.delete();
      }
    },
  };
}

function analyse(parser: Parser | undefined, shell: Shell, command: string, home: string): CommandAnalysis {
  const found = noFindings();
  if (!parser) found.unparsed = () => t('Folio cannot check commands for {0}.', shell);
  else if (command.length > maxCommandLength) found.unparsed = () => t('It is too long to check.');
  else if (hasHiddenText(command)) {
    found.unparsed = () =>
      t(
        'It contains invisible characters, or characters that change the text order: {0}',
        headOf(showHidden(command), 500),
      );
  }
  if (!parser || command.length > maxCommandLength) return toAnalysis(found);
  try {
    if (shell === 'bash') walkBash(parser, found, command, home, 0, { path: '.' });
    else readPowerShell(parser, found, command, 0);
  } catch (error) {
    // On any error in here the answer must be "ask", never an end of the turn. The stack is too deep, for example,
    // when thousands of brackets are nested.
    found.unparsed ??= () =>
      t('It could not be checked ({0}).', error instanceof Error ? error.name : typeof error);
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

/** Deeper nesting has no honest use. */
const deepest = 8;

function readPowerShell(parser: Parser, found: Findings, source: string, depth: number): void {
  if (depth > deepest) found.unparsed ??= () => t('Its commands are nested too deeply to check.');
  else
    walkTree(parser, source, root =>
      walkPowerShell(found, source, root, script => readPowerShell(parser, found, script, depth + 1)),
    );
}

function walkTree<T>(parser: Parser, source: string, walk: (root: Node) => T): T {
  const tree = parser.parse(source);
  if (!tree) throw new Error('The grammar gave no tree.');
  try {
    return walk(tree.rootNode);
  } finally {
    tree.delete();
  }
}
