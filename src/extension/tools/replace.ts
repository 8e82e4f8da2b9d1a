import * as z from 'zod';
import { t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { formatQuantity } from '../base/text.ts';
import { type AskCheapModel, defineTool, noChange, type PrepareResult, ToolFailure } from '../core/tool.ts';
import { isNotebookPath } from '../notebooks/findFault.ts';
import { correctEdit, type FailedEdit } from './edit/correctEdit.ts';
import type { MatchKind } from './edit/match.ts';
import {
  type EditTexts,
  intendedContent,
  unescapedNote,
  withoutExtraEscaping,
  withoutHabitualEscapes,
} from './edit/overEscaped.ts';
import { findPlaceholder } from './edit/placeholders.ts';
import { type EditPlan, proposeEdit, writeProposal } from './edit/proposedEdit.ts';
import { type ReplaceResult, replaceText } from './edit/replaceText.ts';
import { toLf } from './edit/textLines.ts';
import { describeMissingFile } from './files/describeMissingFile.ts';
import { type EditableFile, type FilePorts, readEditable } from './files/editableFile.ts';
import { shortPath } from './files/shortPath.ts';

const input = lazySchema(() =>
  z.object({
    file_path: z.string().describe('File to change'),
    instruction: z.string().optional().describe('What for, one sentence'),
    old_string: z.string().describe('Exact text, with enough lines around to be unique; empty: new file'),
    new_string: z.string().describe('What takes its place, nothing elided'),
    allow_multiple: z.boolean().optional().describe('Replace every match'),
    expected_replacements: z.int().min(1).optional(),
  }),
);

export interface ReplacePorts extends FilePorts {
  /** Asks a model what an edit means whose text is not in the file. */
  readonly sideQuery?: AskCheapModel | undefined;
}

export function replaceTool(ports: ReplacePorts) {
  return defineTool({
    name: 'replace',
    description: 'Replaces one piece of a text file. Read the file first.',
    input,
    effect: 'edit',
    title: ({ file_path }) => t('Edit {0}', shortPath(file_path)),

    async prepare({ file_path, instruction, old_string, new_string, ...count }, call) {
      const placeholder = findPlaceholder(new_string, old_string);
      if (placeholder !== undefined) throw elided(placeholder);
      const file = await readEditable(ports, file_path);
      call.signal.throwIfAborted();
      if (old_string === '') return proposeNew(ports, file, file_path, new_string);
      const { before } = file;
      if (before === null) throw await describeMissingFile(ports, file.path);
      const given = { search: toLf(old_string), replacement: toLf(new_string) };
      const plain = withoutExtraEscaping(toLf(before), given);
      const places = count.expected_replacements ?? (count.allow_multiple ? 'any' : 1);
      const asGiven = replaceText(before, { ...(plain ?? given), places });
      const closer = plain ? undefined : findCloser(before, asGiven, given, places);
      const result = closer ?? asGiven;
      if (result.ok) {
        const notes = [
          (plain ?? closer) && unescapedNote('old_string and new_string'),
          describeMatch(result),
        ];
        return proposeEdit(ports, file, result.text, { note: notes.filter(Boolean).join(' ') || undefined });
      }
      const edit = { path: file.path, file: toLf(before), instruction, ...given };
      const corrected = result.isMissing && (await findCorrected(ports, file_path, edit, call.signal));
      if (corrected) return corrected;
      const instead = isNotebookPath(file.path) ? `\n${byCell}` : '';
      throw new ToolFailure(`${file_path}: ${result.reason}${instead}`, result.summary);
    },

    run: (_input, plan, call) => writeProposal(ports, plan, call),
  });
}

const strictness: readonly MatchKind[] = ['exact', 'whitespace', 'tokens', 'similar'];

/**
 * Matches the texts without superfluous escapes, if that is stricter than matching them as given: a lenient match would
 * write the escapes into the file.
 */
function findCloser(
  before: string,
  asGiven: ReplaceResult,
  given: EditTexts,
  places: number | 'any',
): ReplaceResult | undefined {
  if (!asGiven.ok && !asGiven.isMissing) return undefined;
  const limit = asGiven.ok ? strictness.indexOf(asGiven.kind) : strictness.length;
  const results = withoutHabitualEscapes(given).map(texts => replaceText(before, { ...texts, places }));
  return results.find(result => result.ok && strictness.indexOf(result.kind) < limit);
}

/** The text of a notebook that read_file shows is not the file's text. */
const byCell = 'This is the JSON of a notebook: change its cells with edit_notebook.';

/** Returns the intended edit if it is beyond doubt. */
async function findCorrected(
  ports: ReplacePorts,
  path: string,
  edit: FailedEdit,
  signal: AbortSignal,
): Promise<PrepareResult<EditPlan> | undefined> {
  // A file that needs approval to be read must not be sent to another model either.
  const isFree = (await ports.paths.unprotected([edit.path])).length > 0;
  const corrected = ports.sideQuery && isFree ? await correctEdit(edit, ports.sideQuery, signal) : undefined;
  if (!corrected) return undefined;
  const file = await readEditable(ports, path);
  // The answer is valid only for the text that was sent.
  if (file.before === null || toLf(file.before) !== edit.file) return undefined;
  const result = replaceText(file.before, { ...corrected, places: 1 });
  if (!result.ok || result.kind !== 'exact') return undefined;
  const note =
    'old_string was not in the file. Another model corrected both texts to what stands there; check the result.';
  return proposeEdit(ports, file, result.text, { note, remark: () => t('corrected') });
}

function elided(line: string): ToolFailure {
  return new ToolFailure(
    `new_string leaves code out at "${line}". Give the complete text, or a smaller old_string.`,
    () => t('Code left out'),
  );
}

async function proposeNew(
  ports: FilePorts,
  file: EditableFile,
  path: string,
  content: string,
): Promise<PrepareResult<EditPlan>> {
  refuseOverwriting(file, path, content);
  const { text, note } = intendedContent(file.path, toLf(content), 'new_string');
  return proposeEdit(ports, file, text, { note });
}

function refuseOverwriting(file: EditableFile, path: string, content: string): void {
  if (file.before === null) return;
  if (file.before !== '') {
    throw new ToolFailure(`${path} exists already. Give the text to replace as old_string.`, () =>
      t('File exists'),
    );
  }
  if (content === '') throw new ToolFailure(`${path} is empty already, so there is no change.`, noChange);
}

function describeMatch({ kind, count }: Extract<ReplaceResult, { ok: true }>): string | undefined {
  const how: Record<MatchKind, string | undefined> = {
    exact: undefined,
    whitespace: 'old_string differed from the file in whitespace; new_string was re-indented to fit.',
    tokens: 'old_string differed from the file in spacing or line breaks; new_string was re-indented to fit.',
    similar: 'old_string was not exact; the one place much like it was replaced. Check the result.',
  };
  const many = count > 1 ? `${formatQuantity(count, 'place')} replaced.` : undefined;
  return [many, how[kind]].filter(part => part !== undefined).join(' ') || undefined;
}
