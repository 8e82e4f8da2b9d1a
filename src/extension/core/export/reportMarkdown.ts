/* Formats a subagent's report as Markdown: strings as text, everything else as lists by key. */

import {
  formatReportValue,
  labelOfKey,
  nonEmptyEntries,
  reportedPlaceOf,
  soleText,
} from '../../../protocol/panel/reports.ts';
import type { SubagentReport } from '../../../protocol/values.ts';
import { codeSpan, demoteHeadings, escapeInline, indent } from './markdownText.ts';

/** Deeper values are shown as plain data. */
const deepest = 4;

/** @param level of the heading above; empty if there is no report */
export function reportMarkdown(report: SubagentReport, level: number): string {
  const only = soleText(report);
  if (only !== undefined) return demoteHeadings(only, level);
  return nonEmptyEntries(report)
    .map(([key, value]) => entryMarkdown(key, value, level))
    .join('\n\n');
}

function entryMarkdown(key: string, value: unknown, level: number): string {
  const title = `**${escapeInline(labelOfKey(key))}**`;
  if (typeof value === 'string') return `${title}\n\n${demoteHeadings(value, level)}`;
  if (typeof value !== 'object' || value === null) return `${title}: ${lineOf(value)}`;
  return `${title}\n\n${listOf(value, 1)}`;
}

function listOf(value: object, depth: number): string {
  const label = (key: string) => (Array.isArray(value) ? '' : ` ${escapeInline(labelOfKey(key))}:`);
  return nonEmptyEntries(value)
    .map(([key, each]) => `-${label(key)}${itemOf(each, depth)}`)
    .join('\n');
}

function itemOf(value: unknown, depth: number): string {
  const place = reportedPlaceOf(value);
  if (place) {
    const beside = place.symbols.length > 0 ? ` (${place.symbols.map(codeSpan).join(', ')})` : '';
    return ` ${codeSpan(place.path)}${beside}${place.why === '' ? '' : `: ${lineOf(place.why)}`}`;
  }
  if (typeof value !== 'object' || value === null) return ` ${lineOf(value)}`;
  if (depth === deepest) return ` ${codeSpan(formatReportValue(value))}`;
  return `\n${indent(listOf(value, depth + 1))}`;
}

function lineOf(value: unknown): string {
  return escapeInline(formatReportValue(value));
}
