import type { Ask, AskSubject } from '../../protocol/asks.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { Answer } from '../transcript/answer/answer.tsx';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { Menu } from '../ui/menu.tsx';
import { DecisionRow, useDecide } from './decisionRow.tsx';

interface PlanCardProps {
  readonly call: PanelCall;
  readonly ask: Ask;
  readonly subject: Extract<AskSubject, { kind: 'plan' }>;
}

/** The plan is a document: what is approved is what stands in its file, not what stands here. */
export function PlanCard({ call, ask, subject }: PlanCardProps) {
  const { act } = usePanel();
  const { decide, isHeld } = useDecide(call, ask);
  const approve = (mode: 'default' | 'autoEdit') => decide({ kind: 'plan', mode });
  return (
    <Card class="ask" name={`${call.title}, needs your decision. ${ask.reason}`} ask={call.id} held={isHeld}>
      <div class="ask-title plan-head">
        <span class="ellipsis" title={call.title}>
          {call.title}
        </span>
        <button type="button" class="link-button" onClick={() => act({ type: 'plan.open' })}>
          Open in editor
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long plan scrolls, also by key. */}
      <section class="plan-text" aria-label="Plan" tabIndex={0}>
        <Answer text={subject.text} />
      </section>
      <p class="quiet">{ask.reason} What you change in the editor counts: the file is what is approved.</p>
      <DecisionRow
        decide={decide}
        verb="Send back"
        label="Remarks, optional"
        placeholder="What the plan should change (optional)"
      >
        <span class="split-button">
          <Button
            kind="primary"
            action="accept"
            title="Approve, and ask before each edit"
            onPress={() => approve('default')}
          >
            Approve
          </Button>
          <Menu
            label="Ways to approve"
            icon="chevron-down"
            groups={[
              [
                { label: 'Approve, and ask before each edit', onPress: () => approve('default') },
                { label: 'Approve, and edit without asking', onPress: () => approve('autoEdit') },
              ],
            ]}
          />
        </span>
      </DecisionRow>
    </Card>
  );
}
