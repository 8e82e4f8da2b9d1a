import { basename } from 'node:path';
import { plural } from '../../base/text.ts';
import type { Memory, MemoryBlock } from './memory.ts';

/** For the person, as Markdown: which files are loaded, and what they say. `ofFolders`: what came with results. */
export function describeMemory(memory: Memory, ofFolders: readonly MemoryBlock[]): string {
  const files = memory.blocks.length + ofFolders.length;
  const parts = ['# Memory', ''];
  parts.push(
    files === 0 ? 'No memory files are loaded.' : `${plural(files, 'file')}, general before particular.`,
  );
  for (const { path, text } of memory.blocks) parts.push('', `## ${path}`, '', text.trim());
  for (const { path, text } of ofFolders) {
    parts.push('', `## ${path}`, '', 'Told when the agent first worked in this folder.', '', text.trim());
  }
  if (memory.problems.length > 0)
    parts.push('', '## Not used', '', ...memory.problems.map(line => `- ${line}`));
  return `${parts.join('\n')}\n`;
}

/** The same without what the files say. */
export function listMemoryFiles({ blocks, problems }: Memory, ofFolders: readonly MemoryBlock[]): string {
  const paths = [...blocks, ...ofFolders].map(({ path }) => `- ${path}`);
  const lines = paths.length === 0 ? ['No memory files are loaded.'] : paths;
  const unused = problems.length === 0 ? [] : ['', '## Not used', '', ...problems.map(line => `- ${line}`)];
  return `${['# Memory files', '', ...lines, ...unused].join('\n')}\n`;
}

/** One sentence about what was read. */
export function describeLoaded(names: readonly string[], problems: number): string {
  const loaded =
    names.length === 0
      ? 'No memory files are loaded.'
      : `${plural(names.length, 'memory file')} loaded: ${names.map(shortened).join(', ')}.`;
  const unused = problems === 0 ? '' : ` ${plural(problems, 'file')} cannot be used.`;
  return `${loaded}${unused} Each prompt reads them anew.`;
}

/** A message has little room: what lies outside of the workspace is told by its name. */
function shortened(path: string): string {
  return path.length > 60 ? `…/${basename(path)}` : path;
}
