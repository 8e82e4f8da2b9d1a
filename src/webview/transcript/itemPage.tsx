import { t } from '../../protocol/language.ts';
import type { PanelItem } from '../../protocol/panel/panelState.ts';
import type { TextItem } from '../../protocol/state.ts';
import { AgentCard } from '../agents/agentCard.tsx';
import { CompressionLine } from '../compression/compressionLine.tsx';
import { HookRow } from '../hooks/hookRow.tsx';
import { usePanel } from '../panel/panel.ts';
import { Icon } from '../ui/icon.tsx';
import { memo } from '../ui/memo.ts';
import { AnswerText } from './answer/answer.tsx';
import { CallRow } from './calls/callRow.tsx';
import { PinButton, useIsPinned } from './pinButton.tsx';
import { Prompt } from './prompt.tsx';
import { EndCard } from './rows/endCard.tsx';
import { Notice } from './rows/notice.tsx';
import { RowList } from './rows/rowList.tsx';
import { Thought } from './rows/thought.tsx';
import { itemHeight } from './unloadedItems.tsx';

/** One page of items. An event renders only its page and its item again. */
export const ItemPage = memo(function ItemPage(props: {
  readonly items: readonly PanelItem[];
  readonly isLast: boolean;
}) {
  const height = `auto ${props.items.length * itemHeight}px`;
  return (
    <div class={props.isLast ? 'items' : 'items settled'} style={{ containIntrinsicSize: height }}>
      <RowList items={props.items} ItemRow={ItemRow} />
    </div>
  );
});

const ItemRow = memo(function ItemRow({ item }: { readonly item: PanelItem }) {
  switch (item.type) {
    case 'prompt':
      return <Prompt prompt={item} />;
    case 'text':
      return <Said item={item} />;
    case 'thought':
      return <Thought thought={item} />;
    case 'call':
      return item.agent ? <AgentCard call={item} run={item.agent} /> : <CallRow call={item} />;
    case 'notice':
      return <Notice notice={item} />;
    case 'compression':
      return <CompressionLine item={item} />;
    case 'hook':
      return item.status.kind === 'ended' && <HookRow hook={item} status={item.status} />;
    case 'end':
      return <EndCard item={item} />;
  }
});

/** Answer with its actions. */
function Said({ item }: { readonly item: TextItem }) {
  const { act } = usePanel();
  const isPinned = useIsPinned(item.stepId);
  return (
    <div class="said">
      {isPinned && <Icon name="pinned" class="pin-mark" />}
      <span class="hover-actions">
        <button
          type="button"
          class="icon-button flat"
          title={t('Copy the answer')}
          aria-label={t('Copy the answer')}
          onClick={() => act({ type: 'text.copy', text: item.text })}
        >
          <Icon name="copy" />
        </button>
        <PinButton id={item.stepId} what="answer" />
      </span>
      <AnswerText text={item.text} />
    </div>
  );
}
