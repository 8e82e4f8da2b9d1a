/* Reads the report of a subagent, whose keys and values are unchecked. */

import type { SubagentReport } from '../values.ts';
import type { PanelDetail } from './panelState.ts';

/** A file that a report names. */
export interface ReportedPlace {
  /** As the agent wrote it, possibly with a line number. */
  readonly path: string;
  readonly why: string;
  readonly symbols: readonly string[];
}

/**
 * Reads the report from the end of an agent's call. Earlier versions recorded a string, or JSON for several parts;
 * JSON that was cut cannot be read.
 */
export function readAgentReport(detail: PanelDetail | undefined): SubagentReport | undefined {
  if (detail?.kind === 'report') return detail.report;
  if (detail?.kind !== 'text' || detail.cutLines !== undefined) return undefined;
  return parseReport(detail.text) ?? { result: detail.text };
}

function parseReport(text: string): SubagentReport | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A text that begins like JSON.
    return undefined;
  }
}

/** Returns the entries of a record or list, without empty ones. */
export function nonEmptyEntries(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(([, each]) => !isNothing(each));
}

/** Returns the only entry of a report if it is a string. */
export function soleText(report: SubagentReport): string | undefined {
  const [first, ...more] = nonEmptyEntries(report);
  return more.length === 0 && typeof first?.[1] === 'string' ? first[1] : undefined;
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object') return value === undefined;
  return value === null || Object.values(value).every(isNothing);
}

/** Returns the file that an entry names; `undefined` if it names none or holds more than can be shown. */
export function reportedPlaceOf(value: unknown): ReportedPlace | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { FilePath: path, Reasoning: why = '', KeySymbols: symbols = [] } = value as SubagentReport;
  if (typeof path !== 'string' || path.trim() === '' || typeof why !== 'string') return undefined;
  if (!Array.isArray(symbols) || !symbols.every(each => typeof each === 'string')) return undefined;
  return { path: path.trim(), why: why.trim(), symbols: symbols.filter(each => each.trim() !== '') };
}

/** Turns a key into a label: `RelevantLocations` into `Relevant locations`, `open_questions` into `Open questions`. */
export function labelOfKey(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats a single value, or data nested too deep for a list. */
export function formatReportValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
