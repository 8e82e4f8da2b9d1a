/* Checks a file with the parsers that are there anyway, chosen by the file's name. */

import { basename, extname, sep } from 'node:path';
import { isRecord } from '../../base/record.ts';
import { parseTolerantly } from '../../node/files/tolerantJson.ts';
import type { Diagnostic } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ShellParser } from '../../shell/shellParser.ts';
import { isJson } from '../../tools/edit/wellFormed.ts';
import type { FileCheck } from './fileChecks.ts';

/** Bytes: what is longer is data, and parsing it twice for each edit takes too long. */
const largest = 1_000_000;

interface SyntaxPorts {
  readonly files: Pick<FileSystem, 'stat' | 'readText'>;
  /** Rejects where the grammars are missing. */
  readonly shellParser: () => Promise<Pick<ShellParser, 'findSyntaxErrors'>>;
}

export function syntaxCheck({ files, shellParser }: SyntaxPorts): FileCheck {
  return {
    check: async path => {
      const parse = findParser(path, shellParser);
      if (!parse || ((await files.stat(path))?.size ?? 0) > largest) return [];
      return parse((await files.readText(path)).text);
    },
  };
}

type Parse = (text: string) => Promise<readonly Diagnostic[]>;

function findParser(path: string, shellParser: SyntaxPorts['shellParser']): Parse | undefined {
  switch (extname(path).toLowerCase()) {
    case '.json':
    case '.jsonc':
      return text => findJsonProblems(text, path);
    case '.yaml':
    case '.yml':
      return async text => (await import('./yamlProblems.ts')).findYamlProblems(text);
    case '.toml':
      return findTomlProblems;
    case '.sh':
    case '.bash':
      return async text => (await shellParser()).findSyntaxErrors(text, 'bash');
    case '.ps1':
    case '.psm1':
      return async text => (await shellParser()).findSyntaxErrors(text, 'powershell');
    default:
      return undefined;
  }
}

/** A file with comments says so once: the same sentence before and after an edit is nothing new. */
const notStrict = 'This is no strict JSON: it holds comments, a trailing comma or the like.';

async function findJsonProblems(text: string, path: string): Promise<readonly Diagnostic[]> {
  try {
    await parseTolerantly(text);
  } catch (error) {
    return [{ severity: 'error', line: lineOf(error, 'lineNumber'), message: messageWithoutPlace(error) }];
  }
  return isJson(text) || mayHoldComments(path) ? [] : [{ severity: 'error', message: notStrict }];
}

/** Files whose programs read comments in them. */
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

/** The place would make an old problem a new one as soon as a line is added above it. */
function messageWithoutPlace(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^JSON5: /, '').replace(/ at \d+:\d+$/, '');
}
