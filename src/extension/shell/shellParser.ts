/*
 * Parses command lines before they run, and finds syntax errors in source code. The grammars are WebAssembly, loaded
 * once and not at activation. `analyse` frees the memory of a parse before it returns.
 */

import { Language, type Node, Parser } from 'web-tree-sitter';
import { t } from '../../protocol/language.ts';
import { escapeInvisibleText, hasInvisibleText } from '../base/hiddenText.ts';
import { once } from '../base/once.ts';
import { headOf } from '../base/text.ts';
import type { Diagnostic, GrammarName, SyntaxChecker } from '../platform/diagnostics.ts';
import { emptyFindings, type Findings, toAnalysis } from './bash/findings.ts';
import type { FolderScope } from './bash/folders.ts';
import { walkProgram } from './bash/walk.ts';
import type { CommandAnalysis } from './classify/analysis.ts';
import { walkPowerShell } from './powershell/walkPowerShell.ts';

type Shell = Extract<GrammarName, 'bash' | 'powershell'>;

export type GrammarFile = 'web-tree-sitter.wasm' | `tree-sitter-${GrammarName}.wasm`;

interface ShellParserPorts {
  /** Reads a file next to the bundle. If it rejects, `loadShellParser` rejects. */
  readonly readGrammar: (file: GrammarFile) => Promise<Uint8Array>;
  /** The folder that `~` expands to. */
  readonly home: string;
  /** The shells that run commands here. Commands of other shells are not understood. */
  readonly shells: readonly Shell[];
}

export interface ShellParser extends SyntaxChecker {
  /** Pure, synchronous, never throws. The analysis tells if the command was not understood and must be asked about. */
  analyse(command: string, shell: Shell): CommandAnalysis;
}

/** Longer commands are not parsed. Nobody reads them either. */
export const maxParsedLength = 100_000;

/** The library has a single instance, which a concurrent initialisation would replace while in use. */
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
  // The library never frees a grammar, so each is loaded once.
  const languages = new Map<GrammarName, () => Promise<Language>>();
  const makeParser = async (grammar: GrammarName) => {
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
  const found = emptyFindings();
  if (!parser) found.unparsed = () => t('Folio cannot check commands for {0}.', shell);
  else if (command.length > maxParsedLength) found.unparsed = () => t('It is too long to check.');
  else if (hasInvisibleText(command)) {
    found.unparsed = () =>
      t(
        'It contains invisible characters, or characters that change the text order: {0}',
        headOf(escapeInvisibleText(command), 500),
      );
  }
  if (!parser || command.length > maxParsedLength) return toAnalysis(found);
  try {
    if (shell === 'bash') walkBash(parser, found, command, home, 0, { path: '.' });
    else readPowerShell(parser, found, command, 0);
  } catch (error) {
    // Any error in here must lead to "ask" and never end the turn. Thousands of nested brackets, for example, overflow
    // the stack.
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

/** Deeper nesting has no legitimate use. */
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

/** More are usually consequences of the first. */
const maxSyntaxErrors = 10;

/**
 * A grammar accepts slightly less than its language, so the message allows for correct text. It does not quote the
 * text, which changes with each edit nearby and would turn an old error into a new one.
 */
function syntaxErrorsOf(root: Node): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node && found.length < maxSyntaxErrors; node = waiting.pop()) {
    if (!node.hasError) continue;
    const message = describeSyntaxError(node);
    // Inside of an error node, each word would be another error.
    if (message === undefined) waiting.push(...node.children.filter(child => child !== null).reverse());
    else found.push({ severity: 'error', line: node.startPosition.row + 1, message });
  }
  return found;
}

function describeSyntaxError(node: Node): string | undefined {
  if (node.isMissing) return `Probably "${node.type}" is missing.`;
  return node.isError ? 'This does not read as valid syntax.' : undefined;
}
