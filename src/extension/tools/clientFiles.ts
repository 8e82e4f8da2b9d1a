/*
 * File access of a third-party agent through its client: exact text, without the limits and hints for a model. Shares
 * paths, ignore rules, diffs and reviews with `read_file` and `write_file`.
 */

import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { defineReadTool, defineTool, noChange, ToolFailure } from '../core/tool.ts';
import { proposeEdit, writeProposal } from './edit/proposedEdit.ts';
import { convertFileErrors } from './files/convertFileErrors.ts';
import { type FilePorts, readEditable } from './files/editableFile.ts';
import { refuseAgentIgnored } from './files/ignoreFiles.ts';
import { shortPath } from './files/shortPath.ts';

const named = lazySchema(() => z.object({ file_path: z.string() }));
const written = lazySchema(() => z.object({ file_path: z.string(), content: z.string() }));

type WriteListener = (before: string | null, after: string) => void;

const maxBytes = 20 * 1024 * 1024;

/** @param platform whose shell runs the commands */
export function clientFileAccess(ports: FilePorts, platform: string) {
  return {
    platform,
    read: (take: (text: string | null) => void) => readForClient(ports, take),
    write: (heard: WriteListener) => writeForClient(ports, heard),
  };
}

/** @param take gets the exact, complete text; `null` if there is no file */
function readForClient(ports: FilePorts, take: (text: string | null) => void) {
  return defineReadTool({
    name: 'read_file',
    description: '',
    input: named,
    title: ({ file_path }) => t('Read {0}', shortPath(file_path)),
    target: ({ file_path }) => ({ kind: 'paths', paths: [file_path], access: 'read' }),
    run: async ({ file_path }) => {
      const { files, paths, seen } = ports;
      const path = await paths.resolve(file_path, 'read');
      const stat = await files.stat(path);
      if (!stat) take(null);
      if (stat?.kind !== 'file') throw new ToolFailure(() => t('There is no file {0}.', file_path));
      if (stat.size > maxBytes)
        throw new ToolFailure(`${file_path} is larger than 20 MB.`, () => t('Too large'));
      await refuseAgentIgnored(ports, path, 'file');
      const { text } = await convertFileErrors(file_path, files.readText(path));
      seen?.note(path, text);
      take(text);
      const lines = text.split('\n').length;
      return { text: '', display: { summary: () => plural(lines, 'one: {0} line | other: {0} lines') } };
    },
  });
}

/** @param heard gets the texts. Nothing is written if they are equal. */
function writeForClient(ports: FilePorts, heard: WriteListener) {
  return defineTool({
    name: 'write_file',
    description: '',
    input: written,
    effect: 'edit',
    title: ({ file_path }) => t('Write {0}', shortPath(file_path)),

    async prepare({ file_path, content }, call) {
      const file = await readEditable(ports, file_path);
      call.signal.throwIfAborted();
      const { seen, paths } = ports;
      heard(file.before, content);
      if (content === file.before) {
        seen?.note(file.path, content);
        throw new ToolFailure(noChange);
      }
      // The agent may have read the file without its client, so only changes after a reading through it count.
      if (seen?.textOf(file.path) !== undefined) await seen.refuseChanged(file, paths);
      return proposeEdit(ports, file, content);
    },

    async run(_input, plan, call) {
      const { path, after } = call.proposal ?? plan.proposal;
      const result = await writeProposal(ports, plan, call).catch(async (error: unknown) => {
        // Some agents also write the file themselves.
        const now = await ports.files.readText(path).catch(() => undefined);
        if (now?.text !== after) throw error;
        return { text: '', display: { summary: noChange } };
      });
      ports.seen?.note(path, after);
      return result;
    },
  });
}
