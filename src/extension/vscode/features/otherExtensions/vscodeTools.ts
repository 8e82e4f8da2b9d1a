/* Tools that VS Code and its extensions offer to language models, adapted for Folio if the user allows it. */

import { createHash } from 'node:crypto';
import {
  CancellationTokenSource,
  LanguageModelDataPart,
  LanguageModelTextPart,
  type LanguageModelToolInformation,
  type LanguageModelToolResult,
  lm,
} from 'vscode';
import * as z from 'zod';
import type { Blob } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import { lazySchema } from '../../../../protocol/lazySchema.ts';
import { mediaLimitBytes } from '../../../../protocol/mediaLimit.ts';
import { abortable } from '../../../base/abort.ts';
import { messageOf } from '../../../base/errors.ts';
import { isRecord } from '../../../base/record.ts';
import { cutMiddle, headOf, oneLine, sanitiseLine } from '../../../base/text.ts';
import { sanitiseDescription, wrapUntrusted } from '../../../base/untrusted.ts';
import { type AnyTool, defineTool, ToolFailure, type ToolResult } from '../../../core/tool.ts';

type Args = Readonly<Record<string, unknown>>;

const maxDescriptionLength = 1_000;
const maxSchemaLength = 20_000;
const maxShownLength = 8_000;
/** Characters of all declarations together, since each request includes them. */
const maxSumLength = 60_000;

/** Opens a page in VS Code's own browser, if `workbench.browser.enableChatTools` is on. */
const openPageTool = 'open_browser_page';

export class VscodeTools {
  private readonly isAllowed: () => boolean;
  private readonly notify: (sentence: string) => void;
  private made: { readonly key: string; readonly list: readonly AnyTool[] } = { key: '[]', list: [] };

  constructor(isAllowed: () => boolean, notify: (sentence: string) => void) {
    this.isAllowed = isAllowed;
    this.notify = notify;
  }

  /**
   * Read before each request. Returns the same array while nothing changes. Drops the last tools if requests would get
   * too long, and reports that once.
   */
  readonly list = (): readonly AnyTool[] => {
    // Our own are included already.
    const offered = this.isAllowed() ? lm.tools.filter(({ name }) => !name.startsWith('folio_')) : [];
    const key = JSON.stringify(
      offered.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
    );
    if (key !== this.made.key) this.made = { key, list: withinBounds(offered.map(toTool), this.notify) };
    return this.made.list;
  };

  /** True if they include tools of VS Code's own browser. */
  get hasBrowser(): boolean {
    // Most windows have none, and reading the setting for the list takes VS Code longer.
    const isThere = lm.tools.some(({ name }) => name === openPageTool);
    return isThere && this.list().some(({ name }) => name === vscodeToolName(openPageTool));
  }
}

function withinBounds(tools: readonly AnyTool[], notify: (sentence: string) => void): readonly AnyTool[] {
  let length = 0;
  const list = tools.filter(({ name, description, schema }) => {
    const own = name.length + description.length + JSON.stringify(schema).length;
    if (length + own > maxSumLength) return false;
    length += own;
    return true;
  });
  if (list.length < tools.length)
    notify(
      `VS Code offers ${tools.length} tools, which are more than fit beside a prompt: Folio uses ${list.length} of them. Switch off extensions whose tools you do not need.`,
    );
  return list;
}

/** VS Code validates the arguments with the tool's own schema. */
const input = lazySchema(() => z.record(z.string(), z.unknown()));

function toTool(information: LanguageModelToolInformation): AnyTool {
  const { name, description } = information;
  const of = { kind: 'mcp', server: 'vscode', tool: name } as const;
  return defineTool<Args, undefined>({
    name: vscodeToolName(name),
    description: `${sanitiseDescription(description, maxDescriptionLength)} (Tool of VS Code.)`,
    schema: schemaOf(information),
    input,
    effect: 'run',
    of,
    title: args => sanitiseLine(`VS Code: ${name} ${JSON.stringify(args)}`, 200),
    prepare: async args => ({
      plan: undefined,
      subject: { kind: 'other', detail: describe(name, args) },
      target: of,
    }),
    run: (args, _plan, { signal }) => invoke(name, args, signal),
  });
}

/** Returns a unique name within the 64 characters that providers allow. */
function vscodeToolName(name: string): string {
  const plain = `vscode_${name.replace(/[^\w-]/g, '_')}`;
  if (plain.length <= 63 && plain === `vscode_${name}`) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${headOf(plain, 54)}_${hash}`;
}

function schemaOf({ inputSchema }: LanguageModelToolInformation): Args {
  const isUsable = isRecord(inputSchema) && JSON.stringify(inputSchema).length <= maxSchemaLength;
  return isUsable ? { properties: {}, ...inputSchema, type: 'object' } : { type: 'object', properties: {} };
}

function describe(name: string, args: Args): string {
  return `${name} of VS Code\n${cutMiddle(JSON.stringify(args, undefined, 2), maxShownLength, 0.7)}`;
}

async function invoke(name: string, input: Args, signal: AbortSignal): Promise<ToolResult> {
  const cancellation = new CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const invoking = lm.invokeTool(name, { input, toolInvocationToken: undefined }, cancellation.token);
    return toResult(await abortable(Promise.resolve(invoking), signal));
  } catch (error) {
    signal.throwIfAborted();
    const why = messageOf(error);
    throw new ToolFailure(
      `VS Code could not do it:\n${wrapUntrusted('untrusted_content', cutMiddle(why, maxShownLength))}`,
      () => oneLine(why, 200),
    );
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

function toResult({ content }: LanguageModelToolResult): ToolResult {
  const texts: string[] = [];
  const blobs: Blob[] = [];
  for (const part of content) {
    if (part instanceof LanguageModelTextPart) texts.push(part.value);
    else if (part instanceof LanguageModelDataPart) addData(part, texts, blobs);
    // Parts for another prompt renderer, or of a newer VS Code.
    else texts.push(textOfOther(part));
  }
  const text = texts.join('\n') || (blobs.length > 0 ? '(attached)' : '');
  return {
    text:
      text.trim() === '' ? 'The tool succeeded and gave nothing.' : wrapUntrusted('untrusted_content', text),
    blobs: blobs.length > 0 ? blobs : undefined,
    display: { summary: () => oneLine(text, 160) || t('Done'), detail: { kind: 'text', text } },
  };
}

function addData({ mimeType, data }: LanguageModelDataPart, texts: string[], blobs: Blob[]): void {
  if (/^text\/|json\b/.test(mimeType)) texts.push(new TextDecoder().decode(data));
  else if (/^image\/(png|jpeg|webp|gif)$/.test(mimeType) && data.length <= mediaLimitBytes)
    blobs.push({ mimeType, data: Buffer.from(data).toString('base64') });
  else texts.push(`[${mimeType}, ${data.length} bytes, which cannot be shown]`);
}

function textOfOther(part: unknown): string {
  const value = isRecord(part) ? part.value : undefined;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Cyclic data.
    return '[a part that cannot be read]';
  }
}
