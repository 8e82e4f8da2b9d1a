import * as z from 'zod';
import { t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { defineTool, noChange, ToolFailure } from '../core/tool.ts';
import { intendedContent } from './edit/overEscaped.ts';
import { findPlaceholder } from './edit/placeholders.ts';
import { proposeEdit, writeProposal } from './edit/proposedEdit.ts';
import { replaceRanges, toLf } from './edit/textLines.ts';
import { type FilePorts, readEditable } from './files/editableFile.ts';
import type { NotebookPresence } from './files/notebookPresence.ts';
import { shortPath } from './files/shortPath.ts';

const input = lazySchema(() =>
  z.object({
    file_path: z.string().describe('File to create or overwrite'),
    content: z.string().describe('Complete content, nothing elided'),
  }),
);

export interface WriteFilePorts extends FilePorts {
  /** Notified of files that are written. */
  readonly notebooks?: Pick<NotebookPresence, 'saw'>;
}

export function writeFileTool(ports: WriteFilePorts) {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a whole file and makes missing folders. Line endings and encoding of an existing file stay. For a small change use replace.',
    input,
    effect: 'edit',
    title: ({ file_path }) => t('Write {0}', shortPath(file_path)),

    async prepare({ file_path, content }, call) {
      const file = await readEditable(ports, file_path);
      call.signal.throwIfAborted();
      const { text, note } = intendedContent(file.path, content.replace(/^\ufeff/, ''), 'content');
      const after = withEndingsOf(file.before ?? '', text);
      // Done first: an aborted write may have taken effect, and the model then knows the file anyway.
      if (after === file.before) {
        ports.seen?.note(file.path, after);
        throw new ToolFailure(
          `${file_path} has exactly this content already, so there is no change.`,
          noChange,
        );
      }
      await ports.seen?.refuseChanged(file, ports.paths);
      const placeholder = findPlaceholder(content, file.before ?? '');
      if (placeholder !== undefined) {
        throw new ToolFailure(
          `content leaves code out at "${placeholder}". Give the complete file, or change a part with replace.`,
          () => t('Code left out'),
        );
      }
      return proposeEdit(ports, file, after, { note });
    },

    async run(_input, plan, call) {
      ports.notebooks?.saw(plan.proposal.path);
      const result = await writeProposal(ports, plan, call);
      const { path, after } = call.proposal ?? plan.proposal;
      ports.seen?.note(path, after);
      return result;
    },
  });
}

function withEndingsOf(before: string, content: string): string {
  return replaceRanges(before, [{ start: 0, end: toLf(before).length, text: toLf(content) }]);
}
