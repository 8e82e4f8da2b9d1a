/* Cuts an item for the page. The limits are slightly above what its components ever show. */

import type { DisplayDetail, FileDiff } from '../../../protocol/asks.ts';
import type { Display } from '../../../protocol/events.ts';
import type { Attachment } from '../../../protocol/intentions.ts';
import type { PanelCall, PanelDetail, PanelDisplay, PanelItem } from '../../../protocol/panel/panelState.ts';
import type { CallItem, Item } from '../../../protocol/state.ts';
import { headOf } from '../../base/text.ts';

/** Characters of a prompt or thought that the page shows. */
const textLimit = 20_000;

/** Characters of an output. Of a longer one the page gets the first and last lines, which it shows. */
const outputLimit = 6_000;
const headLines = 10;
const tailLines = 20;
const lineLimit = 300;

/** Changed lines. The page shows a dozen, the diff editor all. */
const diffLimit = 24;

/** A call without a subagent's work, which is sent separately. */
export function cutItem(item: CallItem): PanelCall;
export function cutItem(item: Item): PanelItem;
export function cutItem(item: Item): PanelItem {
  switch (item.type) {
    case 'prompt':
      return { ...item, ...cutText(item.text), attachments: item.attachments.map(nameOnly) };
    case 'thought':
      return item.text.length > textLimit ? { ...item, ...cutText(item.text) } : item;
    case 'call':
      return cutCall(item);
    case 'text':
    case 'notice':
    case 'compression':
    case 'hook':
    case 'end':
      return item;
  }
}

/** The page shows only the name of an attachment. */
function nameOnly(attachment: Attachment): Attachment {
  switch (attachment.kind) {
    case 'image':
      return { ...attachment, blob: { ...attachment.blob, data: '' } };
    case 'selection':
      return { ...attachment, text: '' };
    case 'file':
      return attachment;
  }
}

/** The page has a single title, the user's. */
function cutCall({ agent, work, status, said, ...rest }: CallItem): PanelCall {
  const call = said === undefined ? rest : { ...rest, title: said };
  // The user decides an ask by exactly the hunks shown.
  if (status.kind !== 'ended') return { ...call, status };
  return { ...call, status: { ...status, display: cutDisplay(status.display) } };
}

export function cutDisplay({ detail, ...display }: Display): PanelDisplay {
  return detail ? { ...display, detail: cutDetail(detail) } : display;
}

function cutText(text: string): { readonly text: string; readonly cut?: true } {
  return text.length > textLimit ? { text: headOf(text, textLimit), cut: true } : { text };
}

function cutDetail(detail: DisplayDetail): PanelDetail {
  switch (detail.kind) {
    case 'text':
      return { ...detail, ...cutOutput(detail.text) };
    case 'command': {
      const { text: output, cutLines } = cutOutput(detail.output);
      return { ...detail, output, cutLines };
    }
    case 'diff':
      return { ...detail, diff: cutDiff(detail.diff) };
    case 'todos':
    // A partial answer would mean something else.
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

/** If a line was overwritten, its last state counts. */
function shortLine(line: string): string {
  if (line.length <= lineLimit) return line;
  const last = line.slice(line.lastIndexOf('\r', line.length - 2) + 1);
  return last.length > lineLimit ? `${headOf(last, lineLimit)}…` : last;
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
