import * as z from 'zod';
import { inEnglish, type LocalizedMessage, plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { cutMiddle, oneLine } from '../base/text.ts';
import { wrapUntrusted } from '../base/untrusted.ts';
import { type CallContext, defineTool, type Tool, ToolFailure, type ToolResult } from '../core/tool.ts';
import { type Http, HttpError } from '../platform/http/http.ts';
import { askModel, listSources, type ToolModel } from './web/askModel.ts';
import { responseToText } from './web/webPage.ts';
import { findUrls, rawUrl, urlLimit } from './web/webUrls.ts';

const timeoutMs = 10_000;
const maxBytes = 10 * 1024 * 1024;
/** Characters of all pages together that are saved. */
const keptLimit = 250_000;
const fetchesAtOnce = 4;

export interface WebFetchPorts {
  readonly model: () => ToolModel;
  readonly http: Http;
  /** Characters of all pages together for the model. More is saved to a file. */
  readonly outputLimit: () => number;
}

const input = lazySchema(() =>
  z.object({
    prompt: z.string().describe(`Up to ${urlLimit} whole URLs and what to do with their content`),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

interface Plan {
  readonly urls: readonly string[];
}

export function webFetchTool(ports: WebFetchPorts): Tool<Input, Plan> {
  return defineTool({
    name: 'web_fetch',
    description:
      'Reads public web pages and answers about them. Not for local servers: use a shell command for those.',
    input,
    effect: 'fetch',
    title: ({ prompt }) => t('Fetch {0}', oneLine(prompt.match(/https?:\/\/[^\s<>"'`]+/i)?.[0] ?? prompt)),
    prepare: async ({ prompt }) => {
      const urls = findUrls(prompt);
      return { plan: { urls }, subject: { kind: 'fetch', urls }, target: { kind: 'urls', urls } };
    },
    run: ({ prompt }, { urls }, call) => fetchPages(ports, prompt, urls, call),
  });
}

async function fetchPages(
  ports: WebFetchPorts,
  prompt: string,
  urls: readonly string[],
  call: CallContext,
): Promise<ToolResult> {
  const answer = await askModel(ports.model(), 'urlContext', prompt, call.signal);
  // An answer without sources was invented, not read from the pages.
  if (answer.ok && answer.citations.length > 0) {
    const sources = listSources(answer.citations);
    return {
      // Titles are controlled by the pages' authors.
      text: wrapUntrusted('untrusted_content', `${answer.text}\n\nSources:\n${sources}`),
      display: {
        summary: () => plural(urls.length, 'one: Read {0} page | other: Read {0} pages'),
        detail: { kind: 'text', text: `${answer.text}\n\n${sources}` },
      },
    };
  }
  return describePages(await fetchAll(ports.http, urls, call.signal), ports.outputLimit(), call);
}

type Page =
  | { readonly ok: true; readonly url: string; readonly text: string }
  | { readonly ok: false; readonly url: string; readonly reason: LocalizedMessage };

async function fetchAll(http: Http, urls: readonly string[], signal: AbortSignal): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let from = 0; from < urls.length; from += fetchesAtOnce) {
    signal.throwIfAborted();
    const batch = urls.slice(from, from + fetchesAtOnce);
    pages.push(...(await Promise.all(batch.map(url => fetchPage(http, url, signal)))));
  }
  return pages;
}

async function fetchPage(http: Http, url: string, signal: AbortSignal): Promise<Page> {
  try {
    const response = await http.get({ url: rawUrl(url), timeoutMs, maxBytes }, signal);
    if (response.status < 200 || response.status > 299) {
      return { ok: false, url, reason: () => t('The server answered with status {0}.', response.status) };
    }
    const text = await responseToText(response);
    if (text !== undefined) return { ok: true, url, text };
    const type = oneLine(response.contentType, 80);
    return { ok: false, url, reason: () => t('It is not text but {0}.', type) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { ok: false, url, reason: () => error.say() };
  }
}

async function describePages(pages: readonly Page[], limit: number, call: CallContext): Promise<ToolResult> {
  const read = pages.filter(page => page.ok);
  const reasons = pages.flatMap(page => (page.ok ? [] : [() => `${page.url}: ${page.reason()}`]));
  const notRead = reasons.map(say => inEnglish(say)).join('\n');
  if (read.length === 0)
    throw new ToolFailure(`Nothing could be read.\n${notRead}`, () => oneLine(reasons[0]?.() ?? ''));
  const kept = writePages(read, keptLimit);
  const shown = writePages(read, Math.min(limit, keptLimit));
  const isCut = shown !== kept;
  const outputPath = isCut ? await call.saveOutput(kept) : undefined;
  const notes: string[] = [];
  const more = outputPath ? ` More of them is in ${outputPath}: read parts of it with read_file.` : '';
  if (isCut) notes.push(`Long pages are cut in the middle.${more}`);
  if (reasons.length > 0) notes.push(`Not read:\n${notRead}`);
  return {
    text: [wrapUntrusted('untrusted_content', shown), ...notes].join('\n'),
    display: {
      summary: () => {
        const readPages = plural(read.length, 'one: Read {0} page | other: Read {0} pages');
        return reasons.length > 0 ? t('{0}, {1} failed', readPages, reasons.length) : readPages;
      },
      detail: {
        kind: 'text',
        text: [cutMiddle(shown, 8_000, 0.8), ...notes].join('\n\n'),
        outputPath: outputPath || undefined,
      },
    },
    bounded: true,
  };
}

function writePages(
  pages: readonly { readonly url: string; readonly text: string }[],
  total: number,
): string {
  const shares = splitLimit(
    pages.map(page => page.text.length),
    total,
  );
  return pages
    .map(
      ({ url, text }, index) =>
        `${url}\n\n${cutMiddle(text, shares[index]!, 0.8) || '(The page holds no text.)'}`,
    )
    .join('\n\n---\n\n');
}

/**
 * Splits a limit among texts. Texts below an even share leave the rest to the others. The sum never exceeds `total`.
 */
export function splitLimit(lengths: readonly number[], total: number): readonly number[] {
  const shares = lengths.map(() => 0);
  const byNeed = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  let left = total;
  byNeed.forEach(({ length, index }, rank) => {
    const share = Math.min(length, Math.floor(left / (byNeed.length - rank)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
