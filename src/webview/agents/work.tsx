/* A subagent's transcript: the rows of any other, without what can only be done to the session itself. */

import type { Item, SessionState } from '../../protocol/state.ts';
import { liveChapter } from '../../protocol/state.ts';
import { CompressionLine } from '../compression/compressionLine.tsx';
import { HookRow } from '../hooks/hookRow.tsx';
import { Answer } from '../transcript/answer/answer.tsx';
import { CallRow } from '../transcript/calls/callRow.tsx';
import { EndCard } from '../transcript/endCard.tsx';
import { Notice } from '../transcript/notice.tsx';
import { RowList } from '../transcript/rowList.tsx';
import { Thought } from '../transcript/thought.tsx';
import { WholeText } from '../transcript/wholeText.tsx';
import { memo } from '../ui/memo.ts';
import { isHandIn, settled } from './agentWork.ts';

export interface WorkProps {
  readonly session: SessionState;
  readonly isOver: boolean;
  /** What was handed in is shown outside of it. */
  readonly isReported: boolean;
}

export function Work({ session, isOver, isReported }: WorkProps) {
  return liveChapter(session).items.pages.map((items, index) => (
    <WorkPage key={index} items={items} isOver={isOver} isReported={isReported} />
  ));
}

const WorkPage = memo(function WorkPage(props: {
  readonly items: readonly Item[];
  readonly isOver: boolean;
  readonly isReported: boolean;
}) {
  const shown = props.isReported ? props.items.filter(item => !isHandIn(item)) : props.items;
  const items = props.isOver ? shown.map(settled) : shown;
  return (
    <div class="items">
      <RowList items={items} ItemRow={WorkRow} />
    </div>
  );
});

const WorkRow = memo(function WorkRow({ item }: { readonly item: Item }) {
  switch (item.type) {
    case 'prompt':
      return (
        <div class="agent-task">
          {item.text}
          <WholeText item={item} />
        </div>
      );
    case 'text':
      return <Answer text={item.text} />;
    case 'thought':
      return <Thought thought={item} />;
    case 'call':
      return <CallRow call={item} />;
    case 'notice':
      return <Notice notice={item} />;
    case 'hook':
      return item.status.kind === 'ended' && <HookRow hook={item} status={item.status} />;
    case 'end':
      return <EndCard item={item} />;
    case 'compression':
      return <CompressionLine item={item} />;
  }
});
