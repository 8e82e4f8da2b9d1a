/* Checks a file's syntax with the parsers already included, chosen by file name. */

import { basename, extname, sep } from 'node:path';
import { isJson } from '../../base/canonicalJson.ts';
import { isRecord } from '../../base/record.ts';
import type { Diagnostic, FileCheck, GrammarName, SyntaxChecker } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import { parseTolerantJson } from '../files/tolerantJson.ts';

/** Bytes. Larger files are data, and parsing them twice per edit takes too long. */
const largest = 1_000_000;

export interface SyntaxPorts {
  readonly files: Pick<FileSystem, 'stat' | 'readText'>;
  /** Rejects if the grammars are missing. */
  readonly grammars: () => Promise<SyntaxChecker>;
}

export function syntaxCheck({ files, grammars }: SyntaxPorts): FileCheck {
  return {
    check: async path => {
      const parse = findParser(path, grammars);
      if (!parse) return [];
      const found = await files.stat(path);
      if (found?.kind !== 'file' || found.size > largest) return [];
      return parse((await files.readText(path)).text);
    },
  };
}

type Parse = (text: string) => Promise<readonly Diagnostic[]>;

const endings: Readonly<Record<GrammarName, string>> = {
  bash: '.sh .bash',
  'c-sharp': '.cs',
  go: '.go',
  java: '.java',
  javascript: '.js .mjs .cjs .jsx',
  php: '.php',
  powershell: '.ps1 .psm1',
  python: '.py .pyi',
  ruby: '.rb .rake .gemspec',
  rust: '.rs',
  tsx: '.tsx',
  typescript: '.ts .mts .cts',
};

const grammarOf: ReadonlyMap<string, GrammarName> = new Map(
  Object.entries(endings).flatMap(([grammar, list]) =>
    list.split(' ').map(ending => [ending, grammar as GrammarName] as const),
  ),
);

function findParser(path: string, grammars: SyntaxPorts['grammars']): Parse | undefined {
  const ending = extname(path).toLowerCase();
  const grammar = grammarOf.get(ending);
  if (grammar) return async text => (await grammars()).findSyntaxErrors(text, grammar);
  switch (ending) {
    case '.json':
    case '.jsonc':
      return text => findJsonProblems(text, path);
    case '.yaml':
    case '.yml':
      return async text => (await import('./yamlProblems.ts')).findYamlProblems(text);
    case '.toml':
      return findTomlProblems;
    default:
      return undefined;
  }
}

/** Always the same message for a file with comments, so that an edit does not make it a new problem. */
const notStrict = 'This is no strict JSON: it holds comments, a trailing comma or the like.';

async function findJsonProblems(text: string, path: string): Promise<readonly Diagnostic[]> {
  try {
    await parseTolerantJson(text);
  } catch (error) {
    return [{ severity: 'error', line: lineOf(error, 'lineNumber'), message: messageWithoutPlace(error) }];
  }
  return isJson(text) || mayHoldComments(path) ? [] : [{ severity: 'error', message: notStrict }];
}

/** True for files whose programs accept comments. */
function mayHoldComments(path: string): boolean {
  const name = basename(path).toLowerCase();
  const isEditors = /[\\/]\.(?:vscode|devcontainer|gemini)[\\/]/.test(path.split(sep).join('/'));
  return (
    isEditors || name.endsWith('.jsonc') || /^(?:[tj]sconfig.*|\.eslintrc|\.swcrc|biome)\.json$/.test(name)
  );
}

async function findTomlProblems(text: string): Promise<readonly Diagnostic[]> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    parse(text);
    return [];
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return [{ severity: 'error', line: lineOf(error, 'line'), message: error.message.split('\n')[0] ?? '' }];
  }
}

function lineOf(error: unknown, name: 'line' | 'lineNumber'): number | undefined {
  const line = isRecord(error) || error instanceof Error ? Reflect.get(error, name) : undefined;
  return typeof line === 'number' ? line : undefined;
}

/** Removes the position, because an added line above would otherwise turn an old problem into a new one. */
function messageWithoutPlace(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^JSON5: /, '').replace(/ at \d+:\d+$/, '');
}
