/* What the page gets of one item. The bounds are a little above what its components ever show. */

import type { FileDiff } from '../../../protocol/asks.ts';
import type { Attachment, Display, DisplayDetail } from '../../../protocol/events.ts';
import { iterate, lastItem, pagesOf } from '../../../protocol/pages.ts';
import type { AgentRun, CallItem, Chapter, Item } from '../../../protocol/state.ts';

/** Characters of a prompt or thought, which a person reads in the page. */
const textLimit = 20_000;

/** Characters of an output; of a longer one the page gets lines of the beginning and of the end, as it shows. */
const outputLimit = 6_000;
const headLines = 10;
const tailLines = 20;
const lineLimit = 300;

/** Changed lines; the page shows a dozen, the diff editor all. */
const diffLimit = 24;

/** All items of a chapter as the page shows them. */
export function itemsForPage(chapter: Chapter): readonly Item[] {
  const last = chapter.status === 'live' ? lastItem(chapter.items) : undefined;
  // What may still grow stays whole, or the next piece would be added to a part.
  const growing = last?.type === 'thought' ? last : undefined;
  return [...iterate(chapter.items)].map(item => (item === growing ? item : itemForPage(item)));
}

export function itemForPage(item: Item): Item {
  switch (item.type) {
    case 'prompt':
      return { ...item, ...cutText(item.text), attachments: item.attachments.map(attachmentForPage) };
    case 'thought':
      return item.text.length > textLimit ? { ...item, ...cutText(item.text) } : item;
    case 'call':
      return callForPage(item);
    case 'text':
    case 'notice':
    case 'compression':
    case 'hook':
    case 'end':
      return item;
  }
}

/** Of what was sent the page shows the name. */
export function attachmentForPage(attachment: Attachment): Attachment {
  switch (attachment.kind) {
    case 'image':
      return { ...attachment, blob: { ...attachment.blob, data: '' } };
    case 'selection':
      return { ...attachment, text: '' };
    case 'file':
      return attachment;
  }
}

export function displayForPage(display: Display): Display {
  return display.detail ? { ...display, detail: detailForPage(display.detail) } : display;
}

function callForPage(call: CallItem): CallItem {
  const { status, agent } = call;
  const sent = agent ? { ...call, agent: agentForPage(agent) } : call;
  // An ask is decided by the very hunks that are shown.
  if (status.kind !== 'ended' || !status.display.detail) return sent;
  return { ...sent, status: { ...status, display: displayForPage(status.display) } };
}

/** The session of a subagent lies inside of its call. */
function agentForPage({ name, session }: AgentRun): AgentRun {
  const chapters = session.chapters.map(each => ({ ...each, items: pagesOf(itemsForPage(each)) }));
  // What it was summarised to is the model's; that it was stands in its chapter.
  return { name, session: { ...session, chapters, compressions: [] } };
}

function cutText(text: string): { readonly text: string; readonly cut?: true } {
  return text.length > textLimit ? { text: text.slice(0, textLimit), cut: true } : { text };
}

function detailForPage(detail: DisplayDetail): DisplayDetail {
  switch (detail.kind) {
    case 'text': {
      const { text, cutLines } = cutOutput(detail.text);
      return cutLines === undefined || detail.cutLines !== undefined ? detail : { ...detail, text, cutLines };
    }
    case 'command': {
      const { text: output, cutLines } = cutOutput(detail.output);
      return cutLines === undefined || detail.cutLines !== undefined
        ? detail
        : { ...detail, output, cutLines };
    }
    case 'diff':
      return { ...detail, diff: cutDiff(detail.diff) };
    case 'todos':
    // An answer, of which half would be another one.
    case 'report':
      return detail;
  }
}

function cutOutput(text: string): { readonly text: string; readonly cutLines?: number } {
  if (text.length <= outputLimit) return { text };
  const lines = text.split('\n');
  const cutLines = Math.max(0, lines.length - headLines - tailLines);
  const shown = cutLines > 0 ? [...lines.slice(0, headLines), ...lines.slice(-tailLines)] : lines;
  return { text: shown.map(shortLine).join('\n'), cutLines };
}

/** Of a line that was written over, the last state. */
function shortLine(line: string): string {
  if (line.length <= lineLimit) return line;
  const last = line.slice(line.lastIndexOf('\r', line.length - 2) + 1);
  return last.length > lineLimit ? `${last.slice(0, lineLimit)}…` : last;
}

function cutDiff(diff: FileDiff): FileDiff {
  let left = diffLimit;
  const hunks = diff.hunks.map(hunk => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length === hunk.lines.length ? hunk : { ...hunk, lines };
  });
  const count = (all: FileDiff['hunks']) => all.reduce((sum, { lines }) => sum + lines.length, 0);
  const hidden = count(diff.hunks) - count(hunks);
  if (hidden === 0) return diff;
  const kept = hunks.filter(({ lines }) => lines.length > 0);
  return { ...diff, hunks: kept, hiddenLines: diff.hiddenLines + hidden };
}
