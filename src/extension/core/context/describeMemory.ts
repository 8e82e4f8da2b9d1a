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
