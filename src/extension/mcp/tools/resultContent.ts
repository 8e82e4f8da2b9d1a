import { inEnglish, plural, t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { type CallContext, ToolFailure, type ToolResult } from '../../core/tool.ts';
import { addBlock, type ContentParts, emptyParts } from '../content/contentParts.ts';

/** Converts the answer to `tools/call`. Throws a `ToolFailure` if the server reports an error. */
export async function toToolResult(
  result: Readonly<Record<string, unknown>>,
  call: Pick<CallContext, 'saveOutput'>,
  forScript?: true,
): Promise<ToolResult> {
  const parts = emptyParts();
  for (const block of blocksOf(result)) addBlock(parts, block);
  // A script reads the structured data; the text version is for a model.
  if (forScript && result.structuredContent !== undefined && result.isError !== true) dropTexts(parts);
  addStructured(parts, result.structuredContent);
  if (result.isError === true) {
    const say = () => parts.texts.join('\n\n') || t('It gave no reason.');
    throw new ToolFailure(wrapUntrusted('untrusted_content', inEnglish(say)), () => oneLine(say(), 200));
  }
  return await partsToResult(parts, call);
}

/** Keeps the texts if they describe attachments. */
function dropTexts(parts: ContentParts): void {
  if (parts.others.length === 0) parts.texts.length = 0;
}

/** Some servers send one block instead of a list. The first protocol version used `toolResult`. */
function blocksOf({ content, toolResult }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const given = content ?? toolResult;
  return Array.isArray(given) ? given : [given];
}

/** Fences the text, and saves content that no model can read to files. */
export async function partsToResult(
  parts: ContentParts,
  call: Pick<CallContext, 'saveOutput'>,
): Promise<ToolResult> {
  const { texts, blobs, others } = parts;
  for (const { place, label, base64 } of others) {
    const path = await call.saveOutput(base64);
    texts[place] = path === undefined ? `[${label}]` : `[${label}; as Base64 in ${path}]`;
  }
  const text = texts.join('\n\n');
  return {
    text:
      text.trim() === ''
        ? 'The call succeeded, and the server answered with nothing.'
        : wrapUntrusted('untrusted_content', text),
    blobs: blobs.length > 0 ? blobs : undefined,
    display: { summary: () => summarise(texts, blobs.length), detail: { kind: 'text', text } },
  };
}

/** Adds structured content (any JSON), unless the text already repeats it, as the protocol recommends. */
function addStructured({ texts }: ContentParts, structured: unknown): void {
  if (structured === undefined) return;
  try {
    const json = JSON.stringify(structured);
    if (texts.some(text => sameJson(text, json))) return;
    texts.push(JSON.stringify(structured, undefined, 1));
  } catch {
    // Too deep to serialise without a stack overflow.
    texts.push('[structured content that is nested too deeply to be read]');
  }
}

function sameJson(text: string, json: string): boolean {
  // Skips the parser for most texts.
  if (text.trimStart()[0] !== json[0]) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    // The text only looks like JSON.
    return false;
  }
}

function summarise(texts: readonly string[], blobs: number): string {
  const first = oneLine(texts[0] ?? '', 160);
  if (first !== '') return first;
  return blobs > 0 ? plural(blobs, 'one: {0} attachment | other: {0} attachments') : t('Done');
}
