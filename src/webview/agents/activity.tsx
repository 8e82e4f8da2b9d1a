import { t } from '../../protocol/language.ts';
import type { PanelItem } from '../../protocol/panel/panelState.ts';
import { tailOf } from '../../protocol/words/cutText.ts';
import { describeTurnEnd } from '../../protocol/words/turnEnd.ts';
import { summarizeHooks } from '../hooks/hookWords.ts';
import { callViewOf, viewWords } from '../transcript/calls/callStatus.ts';
import { type Row, summarizeReadCalls } from '../transcript/rows/rows.ts';
import { newestThoughtTitle } from '../transcript/rows/thought.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';

/** The newest actions of a subagent, one line each. */
export function AgentActivity({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <ul class="agent-activity quiet">
      {rows.map(row => {
        const { icon, text } = wordsOf(row);
        return (
          <li key={row.kind === 'item' ? row.item.id : row.id}>
            {icon && <Icon name={icon} class={icon === 'loading' ? 'spin' : ''} />}
            <span class="ellipsis">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface Words {
  readonly icon?: IconName;
  readonly text: string;
}

function wordsOf(row: Row): Words {
  switch (row.kind) {
    case 'readers':
      return { icon: 'check', text: summarizeReadCalls(row.calls) };
    case 'hooks':
      return { icon: 'zap', text: summarizeHooks(row.hooks) };
    case 'item':
      return wordsOfItem(row.item);
  }
}

function wordsOfItem(item: PanelItem): Words {
  switch (item.type) {
    case 'call':
      return { icon: viewWords()[callViewOf(item.status)].icon, text: item.title };
    case 'thought':
      return { icon: 'lightbulb', text: newestThoughtTitle(item.text) };
    case 'text':
      return { text: lastLine(item.text) };
    case 'notice':
      return { icon: item.level, text: item.text };
    case 'hook':
      return { icon: 'zap', text: item.name };
    case 'end':
      return { icon: 'circle-slash', text: describeTurnEnd(item.end) };
    case 'prompt':
      return { text: item.text };
    case 'compression':
      return { icon: 'fold', text: t('Summarised') };
  }
}

/** Returns the last line of the growing text, without Markdown. */
function lastLine(text: string): string {
  const lines = tailOf(text, 500).trim().split('\n');
  return (lines.at(-1) ?? '').replace(/^[#>*\-\s]+|[*_`]/g, '');
}
