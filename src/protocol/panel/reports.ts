/* How what a subagent handed in is read. Its keys are its own, and nothing in it is sure to be what it should be. */

import type { Report } from '../values.ts';
import type { PanelDetail } from './panelState.ts';

/** A file that bears on the question. */
export interface ReportedPlace {
  /** As the agent wrote it, perhaps with a line. */
  readonly path: string;
  readonly why: string;
  readonly symbols: readonly string[];
}

/**
 * An agent's report, read from the end of its call. Earlier versions recorded it as a text, one of several parts as
 * JSON; a text that was cut leaves nothing to read.
 */
export function reportedReport(detail: PanelDetail | undefined): Report | undefined {
  if (detail?.kind === 'report') return detail.report;
  if (detail?.kind !== 'text' || detail.cutLines !== undefined) return undefined;
  return parseReport(detail.text) ?? { result: detail.text };
}

function parseReport(text: string): Report | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A text that happens to begin so.
    return undefined;
  }
}

/** The entries of a report, a record or a list in it that hold something. */
export function entriesOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(([, each]) => !isNothing(each));
}

/** The only thing that was handed in, if that is a text. */
export function soleText(report: Report): string | undefined {
  const [first, ...more] = entriesOf(report);
  return more.length === 0 && typeof first?.[1] === 'string' ? first[1] : undefined;
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object') return value === undefined;
  return value === null || Object.values(value).every(isNothing);
}

/** `undefined`: it names no file, or says more of it than can be shown. */
export function placeOf(value: unknown): ReportedPlace | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { FilePath: path, Reasoning: why = '', KeySymbols: symbols = [] } = value as Report;
  if (typeof path !== 'string' || path.trim() === '' || typeof why !== 'string') return undefined;
  if (!Array.isArray(symbols) || !symbols.every(each => typeof each === 'string')) return undefined;
  return { path: path.trim(), why: why.trim(), symbols: symbols.filter(each => each.trim() !== '') };
}

/** `RelevantLocations`: Relevant locations; `open_questions`: Open questions. */
export function wordsOf(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A single value, or data that lies too deep to be shown as a list. */
export function plainValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
