/*
 * Prompts of actions elsewhere in VS Code. Texts of tools and files are quoted as code, in which `@` mentions nothing.
 */

import { fenced, fenceTicks, formatQuantity, sanitiseLine } from '../../../base/text.ts';

export interface Problem {
  /** `Error` or another severity of VS Code. */
  readonly severity: string;
  readonly message: string;
  /** Source and code of the problem: `ts 2322`. */
  readonly found: string;
  /** From 1. */
  readonly line: number;
  readonly related: readonly RelatedPlace[];
}

interface RelatedPlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** Characters of one message: some tools print whole types. */
const messageLimit = 1500;
/** Problems, and related places of one problem, in a prompt. */
const listLimit = 20;

export function fixPrompt(path: string, problems: readonly Problem[]): string {
  const what = problems.length === 1 ? 'this problem' : `these ${problems.length} problems`;
  return `Fix ${what} in ${path}:\n\n${list(problems)}`;
}

export function explainPrompt(path: string, problems: readonly Problem[]): string {
  const what = problems.length === 1 ? 'this problem' : `these ${problems.length} problems`;
  return `Explain ${what} in ${path}: what causes it, and how it could be mended. Change nothing.\n\n${list(problems)}`;
}

function list(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, listLimit)
    .flatMap(({ severity, message, found, line, related }) => [
      `- Line ${line}: ${severity.toLowerCase()}${found === '' ? '' : ` (${sanitiseLine(found, 60)})`}: ${asCode(message)}`,
      ...related
        .slice(0, listLimit)
        .map(place => `  - ${place.path}, line ${place.line}: ${asCode(place.message)}`),
    ]);
  const more = problems.length - listLimit;
  return [...lines, ...(more > 0 ? [`- and ${formatQuantity(more, 'more problem')}`] : [])].join('\n');
}

export const selectionPrompts = {
  explain: 'Explain the selected code.',
  test: "Write tests for the selected code, in the way of this project's tests, and run them.",
  document: 'Document the selected code, in the way of this project. Change nothing but comments and docs.',
} as const;

/** Returns a prompt about a command that failed in a terminal. `@terminal` attaches its output. */
export function fixCommandPrompt(command: string, exitCode: number | undefined): string {
  const end =
    exitCode === undefined || exitCode === 0 ? 'did not do what it should' : `ended with ${exitCode}`;
  return `The command ${asCode(command)} ${end}. Find out why, and fix it. @terminal`;
}

/** Formats selected terminal text for the composer. */
export function terminalSelectionSnippet(name: string, selected: string): string {
  return `In the terminal “${sanitiseLine(name, 60)}”:\n${fenced(selected.trimEnd())}\n`;
}

export const reviewPrompt =
  'Review my changes that are not committed: mistakes first, then what is missing, such as tests and docs. Name file and line each time. Change nothing. @diff';

/** The two sides of a conflict, with the names that Git wrote into the file. */
interface ConflictSides {
  readonly count: number;
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Returns `undefined` if the text has no conflict. */
export function findConflicts(text: string): ConflictSides | undefined {
  const named = (marker: RegExp) => [
    ...new Set([...text.matchAll(marker)].map(([, name]) => name?.trim() ?? '')),
  ];
  const count = [...text.matchAll(/^<{7}(?= |\r?$)/gm)].length;
  if (count === 0 || !/^>{7}(?: |\r?$)/m.test(text)) return undefined;
  return { count, ours: named(/^<{7} ?(.*)$/gm), theirs: named(/^>{7} ?(.*)$/gm) };
}

export function resolveConflictPrompt(
  files: readonly (ConflictSides & { readonly mention: string })[],
): string {
  const side = (names: readonly string[]) => names.map(asCode).join(', ');
  const lines = files.map(
    ({ mention, count, ours, theirs }) =>
      `- ${mention} has ${formatQuantity(count, 'conflict')} between ${side(ours)} and ${side(theirs)}.`,
  );
  return `Resolve these merge conflicts. Find out from the history what each side wanted, and keep both; where they contradict each other, ask me. Do not commit.\n\n${lines.join('\n')}`;
}

export interface FailedTest {
  readonly name: string;
  /** Location of the failure, else of the test, if known. */
  readonly place?: { readonly path: string; readonly line: number };
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

export function fixTestPrompt({ name, place, message, expected, actual }: FailedTest): string {
  const where = place ? ` (${place.path}, line ${place.line})` : '';
  const facts = [
    message === '' ? undefined : asCode(message),
    expected === undefined ? undefined : `Expected: ${asCode(expected)}`,
    actual === undefined ? undefined : `Actual: ${asCode(actual)}`,
  ].filter(fact => fact !== undefined);
  const reported = facts.length === 0 ? '' : `\n\n${facts.map(fact => `- ${fact}`).join('\n')}`;
  return `The test ${asCode(name)}${where} fails. Find out whether the test or the code is wrong, and fix that.${reported}`;
}

export interface StoppedProgram {
  /** Empty at a breakpoint, or if unknown. */
  readonly exception: string;
  /** Newest first. `path` is empty without source. */
  readonly frames: readonly { readonly name: string; readonly path: string; readonly line: number }[];
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

export function stoppedProgramPrompt({ exception, frames, variables }: StoppedProgram): string {
  const what =
    exception === ''
      ? 'The program stands still in the debugger. Find out whether something is wrong here, and fix it.'
      : `The program has stopped at ${asCode(exception)}. Find out why, and fix it.`;
  const stack = frames.map(({ name, path, line }) =>
    path === '' ? `- ${asCode(name)}` : `- ${asCode(name)} in ${asCode(path)}, line ${line}`,
  );
  const values = variables.map(({ name, value }) => `- ${asCode(name)} is ${asCode(value)}`);
  const reported =
    values.length === 0 ? '' : `\n\nVariables in the frame that I look at:\n${values.join('\n')}`;
  return `${what}\n\nThe stack:\n${stack.join('\n')}${reported}`;
}

function asCode(text: string): string {
  const line = sanitiseLine(text, messageLimit);
  const ticks = fenceTicks(line, 1);
  return ticks === '`' ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}
