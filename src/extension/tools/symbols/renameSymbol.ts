import * as z from 'zod';
import { changedFiles } from '../../../protocol/fold/fileCounts.ts';
import { plural } from '../../base/text.ts';
import {
  type AdmittedContext,
  type CallContext,
  defineTool,
  type Prepared,
  ToolFailure,
  type ToolResult,
} from '../../core/tool.ts';
import type { FileEdits } from '../../platform/languages.ts';
import { type EditPlan, proposeEdit, writeProposal } from '../edit/proposedEdit.ts';
import { readEditable } from '../files/editableFile.ts';
import { applyEdits } from './applyEdits.ts';
import { type SymbolPorts, serversOf } from './locateSymbol.ts';
import { locateSymbol } from './oneSymbol.ts';

const input = z.object({
  name: z.string().describe('Name, or Class.name'),
  new_name: z.string(),
  file_path: z.string().optional().describe('File that declares or uses it'),
});
type Input = z.infer<typeof input>;

interface FileRenaming {
  /** As it is shown. */
  readonly file: string;
  readonly places: number;
  readonly edit: EditPlan;
}

type RenamePlan = readonly FileRenaming[];

interface Written extends FileRenaming {
  readonly display: ToolResult['display'];
}

/** An editor takes its time for each file, mostly waiting. */
const writtenAtOnce = 16;

/** The person who allows it sees files, and no text yet. */
const aftermath = 'Each place waits for your review then.';

/** Files that the ask and the answer name. */
const namedFiles = 50;

export function renameSymbol(ports: SymbolPorts) {
  return defineTool({
    name: 'rename_symbol',
    description: 'Renames a symbol by meaning in all files that use it.',
    input,
    effect: 'edit',
    isOffered: () => ports.languages?.isThere ?? false,
    title: ({ name, new_name }: Input) => `Rename ${name} to ${new_name}`,
    prepare: (asked, call) => prepare(ports, asked, call),
    run: (asked, plan, call) => write(ports, asked, plan, call),
  });
}

async function prepare(
  ports: SymbolPorts,
  { name, new_name, file_path }: Input,
  { signal }: CallContext,
): Promise<Prepared<RenamePlan>> {
  if (file_path !== undefined) await refuseProtected(ports, file_path);
  const point = await locateSymbol(ports, name, file_path, signal);
  const renaming = await serversOf(ports).rename(point, new_name, signal);
  signal.throwIfAborted();
  if (renaming.kind === 'refused')
    throw new ToolFailure(`The language server does not rename ${name}: ${renaming.reason}`, 'Refused');
  const plan: FileRenaming[] = [];
  for (const file of renaming.files) plan.push(await planFile(ports, file));
  if (plan.length === 0)
    throw new ToolFailure(`The language server finds nothing to change for ${new_name}.`, 'No change');
  return {
    plan,
    subject: { kind: 'other', detail: `${placesOf(plan)}:\n${listFiles(plan)}\n${aftermath}` },
    target: { kind: 'paths', paths: plan.map(({ edit }) => edit.proposal.path), access: 'write' },
  };
}

/** Nobody was asked yet, and what is said of its symbols could already tell what a protected file holds. */
async function refuseProtected({ paths }: SymbolPorts, file: string): Promise<void> {
  const place = await paths.locate(file, 'read');
  if (place.kind === 'refused') throw new ToolFailure(place.reason, place.summary);
  if (place.protection)
    throw new ToolFailure(`${place.protection.why} Its symbols are not renamed.`, 'Protected');
}

async function planFile(ports: SymbolPorts, { path, edits }: FileEdits): Promise<FileRenaming> {
  const file = await readEditable(ports, path);
  const shown = await ports.paths.show(file.path);
  const after = file.before === null ? undefined : applyEdits(file.before, edits);
  if (after === undefined)
    throw new ToolFailure(`${shown} changed while the language server was asked. Try again.`, 'File changed');
  const { plan } = await proposeEdit(ports, file, after);
  return { file: shown, places: edits.length, edit: plan };
}

/** Writes some files at once. After one that cannot be written it begins no more, and says how far it came. */
async function write(
  { paths }: SymbolPorts,
  { name, new_name }: Input,
  plan: RenamePlan,
  call: AdmittedContext,
): Promise<ToolResult> {
  const written: Written[] = [];
  const failures: unknown[] = [];
  const waiting = [...plan];
  const writeNext = async () => {
    for (let next = waiting.shift(); next && failures.length === 0; next = waiting.shift()) {
      try {
        written.push({ ...next, display: (await writeProposal(paths, next.edit, call)).display });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: writtenAtOnce }, writeNext));
  if (failures.length > 0) throw describeFailure(failures[0], { name, new_name }, plan, written);
  const touched = written.flatMap(({ display }) => changedFiles({ outcome: 'ok', display }));
  return {
    text: `Renamed ${name} to ${new_name} in ${placesOf(plan)}:\n${listFiles(plan)}`,
    display: { summary: placesOf(plan), touched },
    wrote: plan[0]!.edit.proposal.path,
  };
}

function describeFailure(
  error: unknown,
  { name, new_name }: Input,
  plan: RenamePlan,
  written: RenamePlan,
): unknown {
  if (!(error instanceof ToolFailure) || written.length === 0) return error;
  const done = new Set(written.map(({ file }) => file));
  const rest = plan.filter(({ file }) => !done.has(file));
  return new ToolFailure(
    `${error.message} So ${name} is renamed to ${new_name} only in part.\nRenamed in ${placesOf(written)}:\n${listFiles(written)}\nNot renamed in ${placesOf(rest)}:\n${listFiles(rest)}`,
    `${written.length} of ${plural(plan.length, 'file')}`,
  );
}

function placesOf(plan: RenamePlan): string {
  const places = plan.reduce((sum, each) => sum + each.places, 0);
  return `${plural(places, 'place')} in ${plural(plan.length, 'file')}`;
}

function listFiles(plan: RenamePlan): string {
  const lines = plan.slice(0, namedFiles).map(({ file, places }) => `${file} (${places})`);
  if (plan.length > lines.length) lines.push(`… and ${plural(plan.length - lines.length, 'more file')}`);
  return lines.join('\n');
}
