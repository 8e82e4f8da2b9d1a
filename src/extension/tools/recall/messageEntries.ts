/* Formats messages of a chapter for a model, within a budget. */

import type { Message, Part } from '../../../protocol/events.ts';
import { cutMiddle, oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';

export interface MessageEntry {
  readonly label: string;
  readonly text: string;
  /** From a file, a command or the web: goes between tags. */
  readonly isUntrusted: boolean;
}

type Estimate = (text: string) => number;

/** Characters of arguments and results in an overview. */
const shortLength = 300;

/** Characters of a passage, the unit of search. */
const passageLength = 1_000;

/** @param detail `overview` includes only the beginnings of arguments and results */
export function toMessageEntries(
  messages: readonly Message[],
  detail: 'overview' | 'whole',
): readonly MessageEntry[] {
  return messages.flatMap(message => message.parts.flatMap(part => readPart(part, message, detail)));
}

function readPart(part: Part, message: Message, detail: 'overview' | 'whole'): readonly MessageEntry[] {
  const shown = (text: string) => (detail === 'overview' ? oneLine(text, shortLength) : text);
  switch (part.kind) {
    case 'text':
      if (part.text.trim() === '') return [];
      return [{ ...speakerOf(part, message), text: part.text }];
    case 'thought':
      return [];
    case 'call':
      return [{ label: `Call of ${part.name}`, text: shown(JSON.stringify(part.args)), isUntrusted: false }];
    case 'result': {
      const label = `Result of ${part.name}${part.ok ? '' : ', failed'}`;
      return [{ label, text: shown(withoutFences(part.text)), isUntrusted: true }];
    }
    case 'blob':
      return [{ label: 'Attached', text: part.blob.mimeType, isUntrusted: false }];
  }
}

/** The last text of a prompt is the user's own. Those before are attached files and similar. */
function speakerOf(part: Part, { role, parts }: Message): Omit<MessageEntry, 'text'> {
  if (role === 'model') return { label: 'Agent', isUntrusted: false };
  const isOwn = part === parts.findLast(({ kind }) => kind === 'text');
  return isOwn ? { label: 'User', isUntrusted: false } : { label: 'Given with it', isUntrusted: true };
}

/** Shortens long entries if all exceed the budget, then drops entries in the middle. */
export function fitEntries(entries: readonly MessageEntry[], budget: number, estimate: Estimate): string {
  let shown = entries.map(render);
  for (const limit of [4_000, 1_000, 300]) {
    if (sizeOf(shown, estimate) <= budget) break;
    shown = entries.map(entry => render({ ...entry, text: cutMiddle(entry.text, limit, 0.5) }));
  }
  if (sizeOf(shown, estimate) <= budget) return shown.join('\n\n');
  return withoutMiddle(shown, budget, estimate);
}

/** The begin and end of a chapter matter most: the request and the outcome. */
function withoutMiddle(shown: readonly string[], budget: number, estimate: Estimate): string {
  let [start, end, left] = [0, shown.length, budget];
  while (start < end) {
    const isHead = start <= shown.length - end;
    const cost = estimate(shown[isHead ? start : end - 1]!) + 1;
    if (cost > left) break;
    left -= cost;
    if (isHead) start++;
    else end--;
  }
  const gap = `[${end - start} entries left out: ask again with a query]`;
  return [...shown.slice(0, start), gap, ...shown.slice(end)].join('\n\n');
}

interface Passage extends MessageEntry {
  /** Index of its entry. */
  readonly entry: number;
  readonly score: number;
}

/** Returns the passages with the most query words, with context, in order. `left`: further matches that did not fit. */
export function bestPassages(
  entries: readonly MessageEntry[],
  query: string,
  budget: number,
  estimate: Estimate,
): { readonly text: string; readonly count: number; readonly left: number } {
  const terms = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [query.toLowerCase().trim()])];
  const passages = entries.flatMap((entry, index) => splitEntry(entry, index, terms));
  const ranked = passages
    .map((passage, index) => ({ index, score: passage.score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.index - a.index);
  const chosen = new Set<number>();
  let [room, count] = [budget, 0];
  for (const { index } of ranked) {
    const around = [index, index - 1, index + 1].filter(at => passages[at] && !chosen.has(at));
    for (const at of around) {
      const cost = estimate(render(passages[at]!)) + 4;
      if (cost > room) continue;
      room -= cost;
      chosen.add(at);
    }
    if (!chosen.has(index)) break;
    count++;
  }
  const left = ranked.filter(({ index }) => !chosen.has(index)).length;
  return { text: joinPassages(passages, chosen), count, left };
}

/** Joins adjacent passages of an entry. */
function joinPassages(passages: readonly Passage[], chosen: ReadonlySet<number>): string {
  const joined: (Passage & { readonly first: number; readonly last: number })[] = [];
  for (const at of [...chosen].sort((a, b) => a - b)) {
    const passage = passages[at]!;
    const before = joined.at(-1);
    if (before?.last === at - 1 && before.entry === passage.entry) {
      joined[joined.length - 1] = { ...before, text: before.text + passage.text, last: at };
    } else {
      joined.push({ ...passage, first: at, last: at });
    }
  }
  return joined
    .map((passage, index) => {
      const follows = index === 0 || joined[index - 1]!.last === passage.first - 1;
      return `${follows ? '' : '…\n\n'}${render(passage)}`;
    })
    .join('\n\n');
}

function splitEntry(entry: MessageEntry, index: number, terms: readonly string[]): readonly Passage[] {
  return piecesOf(entry.text).map(text => ({ ...entry, text, entry: index, score: scoreOf(text, terms) }));
}

/** Splits at line ends if possible. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const line = text.lastIndexOf('\n', start + passageLength);
    const isLast = text.length - start <= passageLength;
    const end = isLast ? text.length : line > start ? line + 1 : start + passageLength;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** Another word scores higher than more occurrences of the same. */
function scoreOf(text: string, terms: readonly string[]): number {
  const lower = text.toLowerCase();
  return terms.reduce((score, term) => {
    const times = lower.split(term).length - 1;
    return times > 0 ? score + 10 + Math.min(times, 5) : score;
  }, 0);
}

function render({ label, text, isUntrusted }: MessageEntry): string {
  const body = text.toWellFormed();
  return isUntrusted ? `${label}:\n${wrapUntrusted('untrusted_content', body)}` : `${label}: ${body}`;
}

/** Tags of tools could be cut in half. */
function withoutFences(text: string): string {
  return text.replace(/<\/?untrusted_\w+>\n?/g, '');
}

function sizeOf(shown: readonly string[], estimate: Estimate): number {
  return shown.reduce((sum, text) => sum + estimate(text) + 1, 0);
}
