import { totalTokens } from '../../../../protocol/fold/spending.ts';
import { plural, t } from '../../../../protocol/language.ts';
import { iterate } from '../../../../protocol/pagedList.ts';
import { autoModel } from '../../../../protocol/routing.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import { describeUnpriced } from '../../../../protocol/words/modelWords.ts';
import { formatNumber } from '../../../../protocol/words/numbers.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';
import { describeCost, describeDuration, describeMoney, sessionTotals } from '../../export/workTotals.ts';

/** Describes a session's time, tokens and cost so far, as Markdown. */
export function describeStats(state: SessionState): string {
  const { calls, files, usage, cost, activeMs } = sessionTotals(state);
  const { saved = 0, cacheLosses, unpriced } = state;
  const { prompt, cached, output, thoughts } = usage;
  const prompts = state.chapters.reduce((sum, { items }) => sum + countPrompts(items), 0);
  const rows: readonly (readonly [string, string])[] = [
    [t('Prompts'), count(prompts)],
    [t('Calls of tools'), count(calls)],
    [t('Files changed'), count(files.length)],
    [t('Time at work'), activeMs > 0 ? describeDuration(activeMs) : t('none yet')],
    [t('Tokens sent'), count(prompt)],
    [
      t('of these from the cache'),
      prompt > 0 ? `${count(cached)} (${Math.round((cached / prompt) * 100)} %)` : '0',
    ],
    [t('Tokens written'), count(output + thoughts)],
    [t('of which thoughts'), count(thoughts)],
    [t('Newest request and answer'), t('{0} tokens', count(state.contextTokens))],
    [
      t('Cost'),
      cost === undefined
        ? t('price unknown')
        : unpriced
          ? t('at least {0}', describeCost(cost))
          : t('about {0}', describeCost(cost)),
    ],
    [t('Saved by the cache'), cost === undefined ? t('price unknown') : describeCost(Math.max(0, saved))],
    [t('Cache losses'), count(cacheLosses?.count ?? 0)],
    [t('Model'), describeModel(state)],
  ];
  const table = ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
  const parts = [`# ${t('Statistics of this session')}`, '', escapeInline(state.title), '', ...table];
  const chapters = state.chapters.filter(({ number }) => number > 0);
  if (chapters.length > 0) {
    parts.push(
      '',
      `## ${t('Chapters')}`,
      '',
      `| ${[t('chapter'), t('calls'), t('tokens'), t('cost'), t('time')].join(' | ')} |`,
      '|---|---|---|---|---|',
    );
    for (const chapter of chapters) {
      const cells = [
        `${chapter.number}. ${escapeInline(chapter.title)}`,
        count(chapter.calls),
        count(totalTokens(chapter.usage)),
      ];
      parts.push(`| ${[...cells, describeMoney(chapter), describeDuration(chapter.activeMs)].join(' | ')} |`);
    }
  }
  const uncounted = describeUnpriced(state);
  if (uncounted) parts.push('', uncounted);
  const { compressions } = state;
  if (compressions.length > 0)
    parts.push(
      '',
      plural(
        compressions.length,
        'one: {0} compression stands in for older messages. | other: {0} compressions stand in for older messages.',
      ),
    );
  return `${parts.filter((line, index) => line !== '' || parts[index - 1] !== '').join('\n')}\n`;
}

function describeModel({ model, routed }: SessionState): string {
  const chosen = model === autoModel ? t('Auto') : codeSpan(model || t('none'));
  return routed && routed.model !== model
    ? t('{0}, newest turn by {1}', chosen, codeSpan(routed.model))
    : chosen;
}

function count(value: number): string {
  return formatNumber(value);
}

function countPrompts(items: SessionState['chapters'][number]['items']): number {
  let prompts = 0;
  for (const item of iterate(items)) if (item.type === 'prompt') prompts++;
  return prompts;
}
