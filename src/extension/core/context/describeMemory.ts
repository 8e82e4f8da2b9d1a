import { basename } from 'node:path';
import { plural, t } from '../../../protocol/language.ts';
import type { Memory, MemoryBlock } from './memory.ts';

/** Lists the loaded instruction files with their content, as Markdown. `ofFolders`: files that came with results. */
export function describeMemory(memory: Memory, ofFolders: readonly MemoryBlock[]): string {
  const files = memory.blocks.length + ofFolders.length;
  const parts = [`# ${t('Memory')}`, ''];
  parts.push(
    files === 0
      ? t('No memory files are loaded.')
      : plural(
          files,
          'one: {0} file, general before particular. | other: {0} files, general before particular.',
        ),
  );
  for (const { path, text } of memory.blocks) parts.push('', `## ${path}`, '', text.trim());
  for (const { path, text } of ofFolders) {
    parts.push(
      '',
      `## ${path}`,
      '',
      t('Loaded when the agent first worked in this folder.'),
      '',
      text.trim(),
    );
  }
  if (memory.problems.length > 0)
    parts.push('', `## ${t('Not used')}`, '', ...memory.problems.map(line => `- ${line}`));
  return `${parts.join('\n')}\n`;
}

/** Lists the loaded instruction files without their content, as Markdown. */
export function listMemoryFiles({ blocks, problems }: Memory, ofFolders: readonly MemoryBlock[]): string {
  const paths = [...blocks, ...ofFolders].map(({ path }) => `- ${path}`);
  const lines = paths.length === 0 ? [t('No memory files are loaded.')] : paths;
  const unused =
    problems.length === 0 ? [] : ['', `## ${t('Not used')}`, '', ...problems.map(line => `- ${line}`)];
  return `${[`# ${t('Memory files')}`, '', ...lines, ...unused].join('\n')}\n`;
}

/** One sentence about what was read. */
export function describeLoaded(names: readonly string[], problems: number): string {
  const loaded =
    names.length === 0
      ? t('No memory files are loaded.')
      : plural(
          names.length,
          'one: {0} memory file loaded: {1}. | other: {0} memory files loaded: {1}.',
          names.map(shortened).join(', '),
        );
  const unused =
    problems > 0 && plural(problems, 'one: {0} file cannot be used. | other: {0} files cannot be used.');
  return [loaded, unused, t('Each prompt reads them again.')].filter(Boolean).join(' ');
}

/** Messages are short, so files outside the workspace are shown by name. */
function shortened(path: string): string {
  return path.length > 60 ? `…/${basename(path)}` : path;
}
