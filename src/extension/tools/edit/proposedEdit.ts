import type { DiffHunk, FileDiff } from '../../../protocol/asks.ts';
import { describeCounts, shortCounts } from '../../../protocol/changes.ts';
import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import { formatQuantity } from '../../base/text.ts';
import {
  type EditProposal,
  type PrepareResult,
  ToolFailure,
  type ToolResult,
  type ToolRunContext,
} from '../../core/tool.ts';
import { findNotebookFault, isNotebookPath } from '../../notebooks/findFault.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { convertFileErrors } from '../files/convertFileErrors.ts';
import type { EditableFile, FilePorts } from '../files/editableFile.ts';
import { formatDiff } from '../files/formatDiff.ts';

/** The content that an edit tool will write, and remarks. */
export interface EditPlan {
  readonly proposal: EditProposal;
  readonly note?: string;
  /** A short remark for the user, after the counts. */
  readonly remark?: LocalizedMessage;
}

type EditRemarks = Pick<EditPlan, 'note' | 'remark'>;

/** Maximal number of lines around a change that the model sees. */
const maxShownLines = 100;

export async function proposeEdit(
  { files, paths }: FilePorts,
  file: EditableFile,
  after: string,
  remarks: EditRemarks = {},
): Promise<PrepareResult<EditPlan>> {
  const shown = await paths.show(file.path);
  if (!after.isWellFormed()) {
    throw new ToolFailure(() =>
      t('The new text contains half of a character (a lone surrogate). Send complete characters.'),
    );
  }
  refuseBrokenNotebook(file.path, file.before, after);
  // Fails before the user is asked. UTF-8 encodes every character.
  if (file.format.encoding !== 'utf8')
    await convertFileErrors(shown, files.encode(shown, after, file.format));
  const proposal: EditProposal = { path: file.path, before: file.before, after, format: file.format };
  return {
    plan: { proposal, ...remarks },
    subject: { kind: 'edit', diff: fileDiff(shown, file.before, after, { apart: true }) },
    target: { kind: 'paths', paths: [file.path], access: 'write' },
    proposal,
  };
}

/**
 * Writes the proposal as the user accepted it, unless the file changed meanwhile.
 * @param amid as in `FileSystem.writeText`
 */
export async function writeProposal(
  { paths, seen }: Pick<FilePorts, 'paths' | 'seen'>,
  plan: EditPlan,
  call: ToolRunContext,
  amid?: 'many',
): Promise<ToolResult> {
  const proposal = call.proposal ?? plan.proposal;
  const { path, before, after, format } = proposal;
  const shown = await paths.show(path);
  // While the user was asked, a parent folder may have become a link to elsewhere.
  if ((await paths.resolve(path, 'write')) !== path) {
    throw new ToolFailure(`${shown} leads to another place now, so nothing was written.`, () =>
      t('Path changed'),
    );
  }
  // The accepted text may be only part of the proposed one.
  refuseBrokenNotebook(path, before, after);
  call.signal.throwIfAborted();
  await convertFileErrors(shown, call.files.writeText(path, after, format, before, amid));
  seen?.changed(path, before, after);
  const diff = fileDiff(shown, before, after);
  const parts = [headline(diff, after)];
  if (plan.note) parts.push(plan.note);
  if (before !== null)
    parts.push(...changedRegions(fileDiff(shown, before, after, { maxLines: maxShownLines })));
  if (proposal.agentText !== undefined && proposal.agentText !== after) {
    parts.push(
      userChange(fileDiff(shown, proposal.agentText, after, { context: 1, maxLines: maxShownLines })),
    );
  }
  return {
    text: parts.join('\n'),
    display: {
      summary: () => [shortCounts(diff), plan.remark?.()].filter(Boolean).join(', '),
      detail: { kind: 'diff', diff },
    },
    wrote: path,
  };
}

function headline(diff: FileDiff, after: string): string {
  if (diff.change === 'created') return `Created ${diff.path} with ${sizeOf(diff)}.`;
  if (diff.hunks.length === 0) return `${diff.path} stands as before.`;
  const emptied = after === '' ? ' The file is empty now.' : '';
  return `Changed ${diff.path}: ${inEnglish(() => describeCounts(diff))}.${emptied}`;
}

function sizeOf({ added, cells }: FileDiff): string {
  return cells === undefined ? formatQuantity(added, 'line') : formatQuantity(cells, 'cell');
}

function changedRegions(diff: FileDiff): readonly string[] {
  const regions = diff.hunks.flatMap(describeRegion);
  if (diff.hiddenLines > 0)
    regions.push(`(${formatQuantity(diff.hiddenLines, 'more line')} of the change not shown)`);
  return regions;
}

function describeRegion(hunk: DiffHunk): readonly string[] {
  const lines = hunk.lines.filter(line => line.kind !== 'removed').map(line => line.text);
  if (lines.length === 0) return [];
  const last = hunk.newStart + lines.length - 1;
  return [hunk.place ? `${hunk.place}:` : `Lines ${hunk.newStart}-${last} now read:`, ...lines];
}

function userChange(diff: FileDiff): string {
  const lines = [...formatDiff(diff)];
  if (diff.hiddenLines > 0) lines.push(`(${formatQuantity(diff.hiddenLines, 'more line')} not shown)`);
  return [
    'The user changed your proposal before accepting it. Keep these changes (- yours, + theirs):',
    ...lines,
  ].join('\n');
}

/** Throws if the change would make a notebook invalid. An invalid one may be repaired in steps. */
function refuseBrokenNotebook(path: string, before: string | null, after: string): void {
  if (!isNotebookPath(path) || before === null) return;
  const fault = findNotebookFault(after);
  if (fault === undefined || findNotebookFault(before) !== undefined) return;
  throw new ToolFailure(
    `Nothing was written, since the result would be no valid notebook: ${fault}. Change its cells with edit_notebook, or send the change so that the JSON of the notebook stays whole.`,
    () => t('No valid notebook'),
  );
}
