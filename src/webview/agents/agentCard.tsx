import { useSignal } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import type { PanelAgent, PanelCall } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { CallResult, UndoChangesButton } from '../transcript/calls/callDetail.tsx';
import { CallFileChanges } from '../transcript/calls/callFileChanges.tsx';
import { CallRow } from '../transcript/calls/callRow.tsx';
import { callViewOf, viewWords } from '../transcript/calls/callStatus.ts';
import { outcomeOf } from '../transcript/calls/outcome.ts';
import { AgentReport } from '../transcript/calls/report.tsx';
import { Card, CardRow } from '../ui/card.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { memo } from '../ui/memo.ts';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { Facts } from '../ui/words.tsx';
import { AgentActivity } from './activity.tsx';
import { AgentTranscript } from './agentTranscript.tsx';
import {
  agentFacts,
  callsThatAsk,
  describeRetry,
  isScript,
  newestRows,
  reportOf,
  taskOf,
} from './agentWork.ts';

interface AgentCardProps {
  readonly call: PanelCall;
  readonly run: PanelAgent;
}

/**
 * Card of a subagent. Folded it shows current activity or result, unfolded its transcript. Its asks are always open.
 */
export const AgentCard = memo(function AgentCard({ call, run }: AgentCardProps) {
  const { status } = call;
  const [isOpen, toggle] = useCardOpen(call.id, false);
  const view = callViewOf(status);
  const { icon, word } = viewWords()[view];
  const { summary, reason } = outcomeOf(call);
  const task = taskOf(call);
  const isOver = status.kind === 'ended';
  const report = isOpen ? reportOf(call) : undefined;
  const hasChanged = run.session.chapters.some(({ files }) => files.length > 0);
  const title = isScript(call) ? t('Script: {0}', task) : t('Agent {0}: {1}', run.name, task);
  const name = [title, word, summary, reason].filter(Boolean).join(', ');
  const shortName = isScript(call) ? t('Script') : run.name;
  return (
    <Card class={`call agent agent-${view}`} name={name}>
      <div class="row-with-action">
        <CardRow isOpen={isOpen} toggle={toggle} title={task}>
          <Icon name={icon} class={icon === 'loading' ? 'spin' : 'row-status'} />
          <span class="agent-name ellipsis">{shortName}</span>
          <span class="row-title ellipsis">{task}</span>
        </CardRow>
        {!isOver && <StopButton callId={call.id} agent={shortName} />}
      </div>
      <div class="agent-work">
        <CardFacts call={call} />
        {isOpen ? (
          <AgentTranscript
            callId={call.id}
            session={run.session}
            isOver={isOver}
            isReported={report !== undefined}
            isScript={isScript(call)}
          />
        ) : (
          !isOver && <Glance run={run} />
        )}
        {isOver && summary && <p class="agent-summary">{summary}</p>}
        {isOver &&
          isOpen &&
          (report ? <AgentReport callId={call.id} report={report} /> : <CallResult call={call} />)}
        {isOver && isOpen && hasChanged && (
          <UndoChangesButton callId={call.id} title={t('Agent {0}', run.name)} />
        )}
        {isOver && <CallFileChanges call={call} status={status} />}
      </div>
    </Card>
  );
});

/** A separate component, since it renders each second. */
function CardFacts({ call }: { readonly call: PanelCall }) {
  const { store } = usePanel();
  const now = call.status.kind === 'running' ? store.now.value : 0;
  const facts = agentFacts(call, now);
  return (
    facts.length > 0 && (
      <p class="agent-facts quiet">
        <Facts facts={facts} />
      </p>
    )
  );
}

function Glance({ run }: { readonly run: PanelAgent }) {
  const { store } = usePanel();
  const isRetrying = run.session.activity.status === 'retrying';
  const retry = isRetrying && describeRetry(run, store.now.value);
  return (
    <>
      {retry ? <p class="quiet">{retry}</p> : <AgentActivity rows={newestRows(run)} />}
      {callsThatAsk(run).map(asked => (
        <CallRow key={asked.id} call={asked} />
      ))}
    </>
  );
}

function StopButton({ callId, agent }: { readonly callId: string; readonly agent: string }) {
  const { act } = usePanel();
  const isStopping = useSignal(false);
  return (
    <LinkButton
      aria-disabled={isStopping.value}
      aria-label={t('Stop {0}', agent)}
      title={t('Stop {0}: what it has found goes to the model', agent)}
      onClick={() => {
        if (isStopping.value) return;
        isStopping.value = true;
        act({ type: 'agent.stop', callId });
      }}
    >
      {isStopping.value ? t('Stopping') : t('Stop')}
    </LinkButton>
  );
}
