/* Edits of many files by a language server: planned, listed, written. */

import { dirname } from 'node:path';
import { filesChangedByCall } from '../../../protocol/fold/fileCounts.ts';
import { inEnglish, plural, t } from '../../../protocol/language.ts';
import { type PrepareResult, ToolFailure, type ToolResult, type ToolRunContext } from '../../core/tool.ts';
import type { CodeEdit, FileEdits } from '../../platform/languages.ts';
import { type EditPlan, proposeEdit, writeProposal } from '../edit/proposedEdit.ts';
import { readEditable } from '../files/editableFile.ts';
import type { SymbolPorts } from './findDeclarations.ts';

interface FileChangePlan {
  /** Display path. */
  readonly file: string;
  readonly places: number;
  readonly isOpen: boolean;
  readonly edit: EditPlan;
}

export type FileChangePlans = readonly FileChangePlan[];

interface Written extends FileChangePlan {
  readonly display: ToolResult['display'];
}

/** Phrases for the result. */
interface ChangeWords {
  /** Such as `Renamed a to b`. */
  readonly done: string;
  /** Such as `a is renamed to b`. */
  readonly state: string;
  /** Such as `renamed`. */
  readonly verb: string;
}

/** An editor mostly waits for each file, and handles concurrent writes together. */
const writtenAtOnce = 64;
/** Beyond this number, closed files are not opened in an editor, which would take most of the time. */
const maxOpened = 50;

/** Files that the ask and the answer list. */
const namedFiles = 50;

/** Refuses a protected or outside file. */
export async function refuseProtected(
  { paths }: SymbolPorts,
  file: string,
  consequence: string,
): Promise<void> {
  // Nobody was asked yet, and its symbols could already reveal a protected file's content.
  const place = await paths.locate(file, 'read');
  if (place.kind === 'refused') throw new ToolFailure(inEnglish(place.reason), place.summary);
  if (place.protection)
    throw new ToolFailure(`${inEnglish(place.protection.why)} ${consequence}`, () => t('Protected'));
}

export function planChanges(ports: SymbolPorts, files: readonly FileEdits[]): Promise<FileChangePlans> {
  return Promise.all(files.map(file => planFile(ports, file)));
}

async function planFile(
  ports: SymbolPorts,
  { path, edits, isOpen = false }: FileEdits,
): Promise<FileChangePlan> {
  const file = await readEditable(ports, path);
  const shown = await ports.paths.show(file.path);
  const after = file.before === null ? undefined : applyEdits(file.before, edits);
  if (after === undefined)
    throw new ToolFailure(`${shown} changed while the language server was asked. Try again.`, () =>
      t('File changed'),
    );
  const { plan } = await proposeEdit(ports, file, after);
  return { file: shown, places: edits.length, isOpen, edit: plan };
}

/** The ask lists files, but no text yet. */
export function prepareChanges(plan: FileChangePlans): PrepareResult<FileChangePlans> {
  return {
    plan,
    subject: {
      kind: 'other',
      detail: `${placesOf(plan)}:\n${listFiles(plan)}\n${t('You then review each change.')}`,
    },
    target: { kind: 'paths', paths: plan.map(({ edit }) => edit.proposal.path), access: 'write' },
  };
}

/** Writes files in parallel. After a failure it starts no more, and reports how far it got. */
export async function writeChanges(
  ports: SymbolPorts,
  words: ChangeWords,
  plan: FileChangePlans,
  call: ToolRunContext,
): Promise<ToolResult> {
  const written: Written[] = [];
  const failures: unknown[] = [];
  const amid = plan.length > maxOpened ? 'many' : undefined;
  const writeNext = async (waiting: FileChangePlan[]) => {
    for (let next = waiting.shift(); next && failures.length === 0; next = waiting.shift()) {
      try {
        written.push({ ...next, display: (await writeProposal(ports, next.edit, call, amid)).display });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  for (const part of inParts(plan, amid)) {
    const waiting = [...part];
    await Promise.all(Array.from({ length: writtenAtOnce }, () => writeNext(waiting)));
  }
  if (failures.length > 0) throw describeFailure(failures[0], words, plan, written);
  const { path } = plan[0]!.edit.proposal;
  const touched = written.flatMap(({ display }) => filesChangedByCall({ outcome: 'ok', display }));
  return {
    text: inEnglish(() => `${words.done} in ${placesOf(plan)}:\n${listFiles(plan)}`),
    display: { summary: () => placesOf(plan), touched },
    // Language tools learn of closed files late, so their reports are not meaningful yet.
    wrote: amid === undefined ? path : undefined,
    folders: [dirname(path)],
  };
}

/** An editor saves slowly while many files change underneath, so open files come first. */
function inParts(plan: FileChangePlans, amid: 'many' | undefined): readonly FileChangePlans[] {
  if (amid === undefined) return [plan];
  return [plan.filter(({ isOpen }) => isOpen), plan.filter(({ isOpen }) => !isOpen)];
}

function describeFailure(
  error: unknown,
  { state, verb }: ChangeWords,
  plan: FileChangePlans,
  written: FileChangePlans,
): unknown {
  if (!(error instanceof ToolFailure) || written.length === 0) return error;
  const done = new Set(written.map(({ file }) => file));
  const rest = plan.filter(({ file }) => !done.has(file));
  const first = `${verb[0]!.toUpperCase()}${verb.slice(1)}`;
  const partly = () =>
    `${first} in ${placesOf(written)}:\n${listFiles(written)}\nNot ${verb} in ${placesOf(rest)}:\n${listFiles(rest)}`;
  return new ToolFailure(`${error.message} So ${state} only in part.\n${inEnglish(partly)}`, () =>
    plural(plan.length, 'one: {1} of {0} file | other: {1} of {0} files', written.length),
  );
}

function placesOf(plan: FileChangePlans): string {
  const places = plan.reduce((sum, each) => sum + each.places, 0);
  return t(
    '{0} in {1}',
    plural(places, 'one: {0} place | other: {0} places'),
    plural(plan.length, 'one: {0} file | other: {0} files'),
  );
}

function listFiles(plan: FileChangePlans): string {
  const lines = plan.slice(0, namedFiles).map(({ file, places }) => `${file} (${places})`);
  if (plan.length > lines.length)
    lines.push(plural(plan.length - lines.length, 'one: … and {0} more file | other: … and {0} more files'));
  return lines.join('\n');
}

/** Returns the edited text; `undefined` if the edits do not fit. Preserves line endings. */
export function applyEdits(text: string, edits: readonly CodeEdit[]): string | undefined {
  const lines = lineStarts(text);
  const offset = ({ line, column }: CodeEdit['from']) => {
    const start = lines[line - 1];
    return start === undefined ? Number.NaN : start + column - 1;
  };
  const spans = edits
    .map(edit => ({ from: offset(edit.from), to: offset(edit.to), text: edit.text }))
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  let after = '';
  let at = 0;
  for (const span of spans) {
    if (!(at <= span.from && span.from <= span.to && span.to <= text.length)) return undefined;
    after += text.slice(at, span.from) + span.text;
    at = span.to;
  }
  return after + text.slice(at);
}

function lineStarts(text: string): readonly number[] {
  const ends = [...text.matchAll(/\r\n|\r|\n/g)];
  return [0, ...ends.map(({ index, 0: end }) => index + end.length)];
}
