/* The shell command line that runs all or some tests of a project. */

import { relative, sep } from 'node:path';
import { inEnglish, t } from '../../../protocol/language.ts';
import { escapeRegExp } from '../../base/text.ts';
import { fillShellPlaceholders, quoteArgument } from '../../core/commands/template/quoteArgument.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { RunArguments } from './runners.ts';
import type { TestProject } from './testProject.ts';

export interface TestRequest {
  /** Absolute and real; absent for all. */
  readonly file?: string;
  readonly name?: string;
  readonly isList: boolean;
}

/** @param report absolute path for the report, if the program can write one */
export function testCommandLine(
  project: TestProject,
  wanted: TestRequest,
  report: string,
  platform: string,
): string {
  const { runner, options, operands, folder, script } = project;
  const quote = (word: string) => quoteWord(word, platform);
  const { file, name } = wanted;
  const words: RunArguments = {
    file: file === undefined ? undefined : quote(inside(folder, file)),
    name: name === undefined ? undefined : quote(name),
    namePattern: name === undefined ? undefined : quote(escapeRegExp(name)),
    report: quote(report),
    options,
    operands,
  };
  if (wanted.isList) {
    if (!runner.list)
      throw new ToolFailure(`${runner.name} cannot list tests. Search the test files.`, () => t('No list'));
    return runner.list(words).join(' ');
  }
  return (script && runner.more ? [...script, ...runner.more(words)] : runner.run(words)).join(' ');
}

/** Fills in `{file}` and `{name}` of the user's own command. */
export function fillTestCommand(
  command: string,
  folder: string,
  { file, name }: TestRequest,
  platform: string,
): string {
  const words = { file: file === undefined ? undefined : inside(folder, file), name };
  const filled = fillShellPlaceholders(command, words, platform);
  if (filled.kind === 'refused')
    throw new ToolFailure(
      `The setting folio.testCommand cannot be filled in: the value ${inEnglish(filled.why)}. Tell the user to write {file} and {name} without quotes.`,
      () => t('Setting not usable'),
    );
  return filled.text.trim();
}

/** A relative path that works on every system and cannot be an option. */
function inside(folder: string, file: string): string {
  const path = relative(folder, file).split(sep).join('/');
  return path.startsWith('-') ? `./${path}` : path;
}

function quoteWord(word: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const quoted = quoteArgument(word, '', platform);
  if (quoted.kind === 'refused')
    throw new ToolFailure(`“${word}” ${inEnglish(quoted.why)}.`, () => t('The name cannot be quoted'));
  return quoted.text;
}
