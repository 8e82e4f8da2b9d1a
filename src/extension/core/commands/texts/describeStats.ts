import { allTokens } from '../../../../protocol/fold/spending.ts';
import { iterate } from '../../../../protocol/pages.ts';
import { autoModel } from '../../../../protocol/routing.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import { describeUncounted } from '../../../../protocol/words/modelWords.ts';
import { plural } from '../../../base/text.ts';
import { describeCost, describeDuration, describeMoney, sessionFacts } from '../../export/facts.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';

/** Describes a session's use of time, tokens and money so far, as Markdown. */
export function describeStats(state: SessionState): string {
  const { calls, files, usage, cost, activeMs } = sessionFacts(state);
  const { saved = 0, cacheLosses, unpriced } = state;
  const { prompt, cached, output, thoughts } = usage;
  const prompts = state.chapters.reduce((sum, { items }) => sum + countPrompts(items), 0);
  const rows: readonly (readonly [string, string])[] = [
    ['Prompts', count(prompts)],
    ['Calls of tools', count(calls)],
    ['Files changed', count(files.length)],
    ['Time at work', activeMs > 0 ? describeDuration(activeMs) : 'none yet'],
    ['Tokens sent', count(prompt)],
    [
      'of which the cache had',
      prompt > 0 ? `${count(cached)} (${Math.round((cached / prompt) * 100)} %)` : '0',
    ],
    ['Tokens written', count(output + thoughts)],
    ['of which thoughts', count(thoughts)],
    ['Newest request and answer', `${count(state.contextTokens)} tokens`],
    [
      'Cost',
      cost === undefined ? 'price unknown' : `${unpriced ? 'at least' : 'about'} ${describeCost(cost)}`,
    ],
    ['Saved by the cache', cost === undefined ? 'price unknown' : describeCost(Math.max(0, saved))],
    ['Times that the cache was lost', count(cacheLosses?.count ?? 0)],
    ['Model', describeModel(state)],
  ];
  const table = ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
  const parts = ['# Statistics of this session', '', escapeInline(state.title), '', ...table];
  const chapters = state.chapters.filter(({ number }) => number > 0);
  if (chapters.length > 0) {
    parts.push('', '## Chapters', '', '| chapter | calls | tokens | cost | time |', '|---|---|---|---|---|');
    for (const chapter of chapters) {
      const cells = [
        `${chapter.number}. ${escapeInline(chapter.title)}`,
        count(chapter.calls),
        count(allTokens(chapter.usage)),
      ];
      parts.push(`| ${[...cells, describeMoney(chapter), describeDuration(chapter.activeMs)].join(' | ')} |`);
    }
  }
  const uncounted = describeUncounted(state);
  if (uncounted) parts.push('', uncounted);
  const { compressions } = state;
  if (compressions.length > 0)
    parts.push('', `${plural(compressions.length, 'compression')} stand in for older messages.`);
  return `${parts.filter((line, index) => line !== '' || parts[index - 1] !== '').join('\n')}\n`;
}

function describeModel({ model, routed }: SessionState): string {
  const chosen = model === autoModel ? 'Auto' : codeSpan(model || 'none');
  return routed && routed.model !== model ? `${chosen}, newest turn by ${codeSpan(routed.model)}` : chosen;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function countPrompts(items: SessionState['chapters'][number]['items']): number {
  let prompts = 0;
  for (const item of iterate(items)) if (item.type === 'prompt') prompts++;
  return prompts;
}
