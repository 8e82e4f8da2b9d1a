/* Facts for a bug report, without private data: keys, URLs, paths and content of the session. */

import { iterate } from '../../../../protocol/pagedList.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import { oneLine } from '../../../base/text.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';

interface ReportFacts {
  /** The user's words; may be empty. */
  readonly title: string;
  readonly version: string;
  /** The program that Folio runs in. */
  readonly host: string;
  readonly system: string;
  readonly provider: string;
  readonly trusted: boolean;
  /** Settings that differ from their defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly state: SessionState;
  /** Absolute. */
  readonly home: string;
}

const newestErrors = 5;

/** Formats Markdown for the user to complete and send. */
export function formatBugReport(facts: ReportFacts): string {
  const { title, version, host, system, provider, trusted, settings, state } = facts;
  const lines = [
    `# ${title === '' ? 'A problem with Folio' : escapeInline(hide(title, facts))}`,
    '',
    '## What happened',
    '',
    '',
    '## What you expected',
    '',
    '',
    '## Facts',
    '',
    'Read them before you send them on.',
    '',
    `- Folio ${version}`,
    `- ${host}`,
    `- ${system}`,
    `- Provider: ${provider}, model: ${codeSpan(state.model || 'none')}, mode: ${state.mode}`,
    `- Workspace: ${trusted ? 'trusted' : 'restricted'}, folders: ${state.folders.length}`,
    `- Session: ${state.seq} events, chapters: ${state.chapters.length}`,
    '',
    '## Settings that differ',
    '',
    ...listOr(
      'None.',
      Object.entries(settings).map(([name, value]) => `${codeSpan(name)}: ${shownValue(value)}`),
    ),
    '',
    '## Newest errors',
    '',
    ...listOr(
      'None in this session.',
      errorsOf(state).map(text => codeSpan(hide(text, facts))),
    ),
  ];
  return `${maskSecrets(lines.join('\n'))}\n`;
}

function listOr(none: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [none] : items.map(item => `- ${item}`);
}

/** Strings may be URLs, project names or paths, so only their presence is shown. */
function shownValue(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return /^[a-z][A-Za-z]{0,19}$/.test(value) ? codeSpan(value) : 'set';
  return Array.isArray(value) ? `${value.length} entries` : 'set';
}

function errorsOf({ chapters }: SessionState): readonly string[] {
  const errors: string[] = [];
  for (const { items } of chapters) {
    for (const item of iterate(items)) {
      if (item.type === 'notice' && item.level !== 'info') errors.push(item.text);
      if (item.type === 'end' && item.end.kind === 'failed') errors.push(item.end.trouble.message);
    }
  }
  return errors.slice(-newestErrors);
}

function hide(text: string, { home, state }: ReportFacts): string {
  const places = [...state.folders.map(folder => [folder, '<workspace>'] as const), [home, '~'] as const];
  const plain = places.reduce((rest, [place, name]) => (place ? rest.replaceAll(place, name) : rest), text);
  return oneLine(plain.replace(/\bhttps?:\/\/[^\s"'<>)]+/gi, '<address>'), 300);
}
