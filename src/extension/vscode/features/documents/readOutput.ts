import { t } from '../../../../protocol/language.ts';
import type { CallItem, Item } from '../../../../protocol/state.ts';
import type { SubagentReport } from '../../../../protocol/values.ts';
import { headOf } from '../../../base/text.ts';
import type { FileSystem } from '../../../platform/fileSystem.ts';

/** Document name, from the title of the call. */
export function outputName(item: Item): string {
  const words = titleOf(item).replace(/[^\w.-]+/g, ' ');
  return `${headOf(words.trim(), 40)}.txt`;
}

/** @param item `undefined` if it no longer exists */
export async function readOutput(
  item: Item | undefined,
  files: Pick<FileSystem, 'readText'>,
): Promise<string> {
  if (item?.type === 'prompt' || item?.type === 'thought') return item.text;
  const report = item?.type === 'call' ? reportOf(item) : undefined;
  if (report) {
    const { reportMarkdown } = await import('../../../core/export/reportMarkdown.ts');
    return reportMarkdown(report, 0);
  }
  const source = item?.type === 'call' ? sourceOf(item) : undefined;
  if (!source) return t('The output of this call is not kept.');
  return source.path === undefined ? source.text : (await files.readText(source.path)).text;
}

function titleOf(item: Item): string {
  if (item.type === 'call') return item.title;
  return item.type === 'prompt' ? t('Prompt') : t('Thought');
}

function reportOf({ status }: CallItem): SubagentReport | undefined {
  const detail = status.kind === 'ended' ? status.display.detail : undefined;
  return detail?.kind === 'report' ? detail.report : undefined;
}

function sourceOf({ status }: CallItem): { readonly text: string; readonly path?: string } | undefined {
  if (status.kind === 'running') return { text: status.output };
  if (status.kind !== 'ended') return undefined;
  const { detail, summary } = status.display;
  if (detail?.kind === 'text') return { text: detail.text, path: detail.outputPath };
  if (detail?.kind === 'command') return { text: detail.output, path: detail.outputPath };
  return { text: summary };
}
