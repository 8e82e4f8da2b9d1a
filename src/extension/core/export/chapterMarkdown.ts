import type { TurnEnd } from '../../../protocol/events.ts';
import type { Attachment } from '../../../protocol/intentions.ts';
import { plural, t } from '../../../protocol/language.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type {
  Chapter,
  CompressionItem,
  HookItem,
  Item,
  NoticeItem,
  PromptItem,
  SessionState,
} from '../../../protocol/state.ts';
import { formatNumber } from '../../../protocol/words/numbers.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { callMarkdown } from './callMarkdown.ts';
import { codeSpan, demoteHeadings, escapeInline, heading, quoteBlock } from './markdownText.ts';
import { type ModelLines, modelLinesByItem } from './turnModels.ts';
import { describeTotals, listChangedFiles } from './workTotals.ts';

/** Formats one chapter as a document with masked secrets. */
export function chapterMarkdown(chapter: Chapter, state: SessionState): string {
  const title = chapter.title || state.title || untitled();
  const blocks = chapterBlocks(chapter, title, 1, modelLinesByItem(state, [chapter]));
  return `${maskSecrets(blocks.join('\n\n'))}\n`;
}

/** The heading of a session's opening without a title. */
export const untitled = () => t('Untitled');

/** Returns blocks to join with empty lines. Secrets are not masked yet. */
export function chapterBlocks(
  chapter: Chapter,
  title: string,
  level: number,
  models: ModelLines,
): readonly string[] {
  const head = [
    heading(level, escapeInline(title)),
    describeTotals(chapter),
    listChangedFiles(chapter.files),
    models.get(chapter.id) ?? '',
    chapter.summary ? quoteBlock(escapeInline(chapter.summary)) : '',
  ];
  return [...head, ...itemBlocks(chapter, level, models)].filter(block => block !== '');
}

/** Joins consecutive calls to one list. */
function itemBlocks(chapter: Chapter, level: number, models: ModelLines): string[] {
  const blocks: string[] = [];
  let calls: string[] = [];
  const endList = () => {
    if (calls.length > 0) blocks.push(calls.join('\n').trimEnd());
    calls = [];
  };
  for (const item of iterate(chapter.items)) {
    if (item.type === 'call') {
      const line = callMarkdown(item);
      if (line !== undefined) calls.push(line);
      continue;
    }
    const block = itemBlock(item, level);
    if (block === '') continue;
    endList();
    blocks.push(block);
    const model = models.get(item.id);
    if (model) blocks.push(model);
  }
  endList();
  return blocks;
}

function itemBlock(item: Exclude<Item, { type: 'call' }>, level: number): string {
  switch (item.type) {
    case 'prompt':
      return promptBlock(item);
    case 'text':
      return demoteHeadings(item.text, level);
    // Thoughts are internal to the model.
    case 'thought':
      return '';
    case 'hook':
      return hookLine(item);
    case 'notice':
      return noticeBlock(item);
    case 'compression':
      return compressionLine(item);
    case 'end':
      return endLine(item.end);
  }
}

function endLine(end: TurnEnd): string {
  const words = escapeInline(describeTurnEnd(end));
  return `*${end.kind === 'failed' ? t('Failed: {0}', words) : words}*`;
}

function promptBlock({ text, attachments, mentions = [] }: PromptItem): string {
  const named = [
    ...attachments.map(attachmentName),
    ...mentions.filter(({ outcome }) => outcome === 'read' || outcome === 'cut').map(each => each.text),
  ];
  const unique = [...new Set(named)].map(name => codeSpan(name));
  const with_ = unique.length > 0 ? `\n\n${t('With {0}', unique.join(', '))}` : '';
  return quoteBlock(`**${t('Prompt')}**\n\n${demoteHeadings(text, 6)}${with_}`);
}

function attachmentName(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'selection':
      return `${attachment.path}:${attachment.startLine}-${attachment.endLine}`;
    case 'file':
      return attachment.path;
    case 'image':
      return attachment.name;
  }
}

/** GitHub renders these quotes as alerts. */
function noticeBlock({ level, text }: NoticeItem): string {
  const kind = { info: 'NOTE', warning: 'WARNING', error: 'CAUTION' }[level];
  return `> [!${kind}]\n${quoteBlock(escapeInline(text))}`;
}

function compressionLine({ chapters, tokens, trigger, undone }: CompressionItem): string {
  const by =
    trigger === 'automatic' ? t('The context was compressed') : t('The context was compressed manually');
  const part =
    chapters > 0
      ? plural(chapters, 'one: {0} chapter summarised | other: {0} chapters summarised')
      : t('the beginning summarised');
  const size = t('{0} tokens before, {1} after', formatNumber(tokens.before), formatNumber(tokens.after));
  return `*${by}: ${part}, ${size}${undone ? `; ${t('undone later')}` : ''}.*`;
}

/** Omits hooks without effect. */
function hookLine({ event, name, status }: HookItem): string {
  if (status.kind !== 'ended' || status.outcome === 'passed') return '';
  return `*${t('Hook {0} ({1}): {2}', escapeInline(name), event, escapeInline(status.summary))}*`;
}
