/* The user's own call that brings the changes of a worktree home: its writes are reviewed and can be taken back. */

import * as z from 'zod';
import { plural, t } from '../../../protocol/language.ts';
import { later } from '../../../protocol/later.ts';
import { defineTool, type Tool, ToolFailure } from '../tool.ts';
import { type BroughtFile, type Homecoming, type HomecomingRequest, isDone } from './homecoming.ts';

const input = later(() =>
  z.object({ paths: z.array(z.string()).readonly().optional(), again: z.boolean().optional() }),
);

/** @param report gets the outcome for each file */
export function bringHome(
  homecoming: Homecoming,
  report: (files: readonly BroughtFile[]) => void,
): Tool<HomecomingRequest, undefined> {
  return defineTool({
    name: 'bring_home',
    description: 'Brings the changes of the worktree into the working tree that it was made from.',
    input,
    effect: 'edit',
    title: () => t('Bring Home'),
    prepare: async () => ({ plan: undefined }),
    run: async (request, _plan, { files, signal }) => {
      const brought = await homecoming.bring(request, files, signal);
      report(brought);
      if (brought.length === 0) throw new ToolFailure(() => t('There is nothing to bring home.'));
      const text = brought.map(describeBrought).join('\n');
      return { text, display: { summary: () => summarise(brought), detail: { kind: 'text', text } } };
    },
  });
}

function summarise(brought: readonly BroughtFile[]): string {
  const done = brought.filter(({ result }) => isDone(result)).length;
  const left = brought.length - done;
  const said = done > 0 ? [plural(done, 'one: {0} file brought home | other: {0} files brought home')] : [];
  const kept = left > 0 ? [plural(left, 'one: {0} left as it is | other: {0} left as they are')] : [];
  return [...said, ...kept].join(', ');
}

/** One line. */
function describeBrought({ path, result, why }: BroughtFile): string {
  switch (result) {
    case 'created':
      return t('{0}: created', path);
    case 'changed':
      return t('{0}: changed', path);
    case 'merged':
      return t('{0}: merged with what changed here', path);
    case 'deleted':
      return t('{0}: deleted', path);
    case 'same':
      return t('{0}: was the same already', path);
    case 'conflict':
      return t('{0}: left as it is, both sides changed the same lines', path);
    case 'unsaved':
      return t('{0}: left as it is, an editor holds unsaved changes; save it first', path);
    case 'protected':
      return t('{0}: left as it is, it is protected; name it to bring it', path);
    case 'failed':
      return t('{0}: left as it is. {1}', path, why?.() ?? '');
  }
}
