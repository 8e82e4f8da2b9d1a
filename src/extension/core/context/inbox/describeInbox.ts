import { plural, t } from '../../../../protocol/language.ts';
import type { InboxEntry, InboxEvidence } from '../../../../protocol/panel/inbox.ts';
import { fenced } from '../../../base/text.ts';

/** Formats the inbox as Markdown: the text of each entry and its evidence. */
export function describeInbox(entries: readonly InboxEntry[]): string {
  const parts = [`# ${t('Memory inbox')}`, ''];
  if (entries.length === 0) parts.push(t('The inbox is empty. Sessions propose here what to remember.'));
  else
    parts.push(
      plural(entries.length, 'one: {0} entry waits. | other: {0} entries wait.'),
      t('Keep one with /memory inbox accept N, or drop it with /memory inbox drop N.'),
    );
  for (const entry of entries) parts.push('', ...describeEntry(entry));
  return `${parts.join('\n')}\n`;
}

function describeEntry(entry: InboxEntry): readonly string[] {
  const { number, text, evidence, session } = entry;
  const head =
    entry.kind === 'fact'
      ? [`## ${number}. ${text}`]
      : [`## ${number}. ${t('skill {0}', entry.name)}`, '', entry.description, '', fenced(text, 'markdown')];
  const warning =
    entry.kind === 'fact' && entry.onlyFromOutput
      ? [t('This comes only from the output of a tool. Anyone may have written it, so check it.'), '']
      : [];
  return [
    ...head,
    '',
    ...warning,
    ...evidence.map(each => `- ${describeEvidence(each)}`),
    '',
    t('Session: {0}', session),
  ];
}

function describeEvidence({ source, number, quote }: InboxEvidence): string {
  switch (source) {
    case 'prompt':
      return t('Your prompt {0}: {1}', number, quote);
    case 'call':
      return t('Call {0}, which succeeded: {1}', number, quote);
    case 'output':
      return t('Output of call {0}: {1}', number, quote);
  }
}
