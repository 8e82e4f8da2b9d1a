/* The transcript of a subagent, without actions that apply to the session. */

import { useEffect } from 'preact/hooks';
import { plural } from '../../protocol/language.ts';
import type { PanelItem, PanelState } from '../../protocol/panel/panelState.ts';
import { newestChapter } from '../../protocol/state.ts';
import { CompressionLine } from '../compression/compressionLine.tsx';
import { HookRow } from '../hooks/hookRow.tsx';
import { usePanel } from '../panel/panel.ts';
import { AnswerText } from '../transcript/answer/answer.tsx';
import { CallRow } from '../transcript/calls/callRow.tsx';
import { EndCard } from '../transcript/rows/endCard.tsx';
import { Notice } from '../transcript/rows/notice.tsx';
import { RowList } from '../transcript/rows/rowList.tsx';
import { Thought } from '../transcript/rows/thought.tsx';
import { memo } from '../ui/memo.ts';
import { WholeTextButton } from '../ui/wholeTextButton.tsx';
import { endInterruptedCall, isReportCall } from './agentWork.ts';

interface WorkProps {
  readonly callId: string;
  readonly session: PanelState;
  readonly isOver: boolean;
  /** True if the report is shown elsewhere. */
  readonly isReported: boolean;
  /** True if the task is the code of a script. */
  readonly isScript: boolean;
}

export function AgentTranscript({ callId, session, isOver, isReported, isScript }: WorkProps) {
  const { act } = usePanel();
  const { items, unloaded } = newestChapter(session);
  const isMissing = unloaded !== undefined;
  useEffect(() => {
    if (isMissing) act({ type: 'items.load', of: callId });
  }, [act, callId, isMissing]);
  if (isMissing)
    return <p class="quiet">{plural(unloaded, 'one: Loading {0} entry | other: Loading {0} entries')}</p>;
  return items.pages.map((page, index) => (
    <WorkPage key={index} items={page} isOver={isOver} isReported={isReported} isScript={isScript} />
  ));
}

const WorkPage = memo(function WorkPage(props: {
  readonly items: readonly PanelItem[];
  readonly isOver: boolean;
  readonly isReported: boolean;
  readonly isScript: boolean;
}) {
  const shown = props.isReported ? props.items.filter(item => !isReportCall(item)) : props.items;
  const items = props.isOver ? shown.map(endInterruptedCall) : shown;
  return (
    <div class="items">
      <RowList items={items} ItemRow={props.isScript ? ScriptRow : WorkRow} />
    </div>
  );
});

/** Longer than any run of backticks in a script. */
const fence = '`'.repeat(12);

const ScriptRow = memo(function ScriptRow({ item }: { readonly item: PanelItem }) {
  if (item.type !== 'prompt') return <WorkRow item={item} />;
  return (
    <>
      <AnswerText text={`${fence}js\n${item.text}\n${fence}`} />
      <WholeTextButton item={item} />
    </>
  );
});

const WorkRow = memo(function WorkRow({ item }: { readonly item: PanelItem }) {
  switch (item.type) {
    case 'prompt':
      return (
        <div class="agent-task quiet">
          {item.text}
          <WholeTextButton item={item} />
        </div>
      );
    case 'text':
      return <AnswerText text={item.text} />;
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
