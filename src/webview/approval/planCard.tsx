import type { Ask, AskSubject } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { AnswerText } from '../transcript/answer/answer.tsx';
import { Card } from '../ui/card.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Menu } from '../ui/menu.tsx';
import { useScrollTabStop } from '../ui/output.tsx';
import { acceptKeys } from '../ui/systemKeys.ts';
import { DecisionRow, useDecide } from './decisionRow.tsx';

interface PlanCardProps {
  readonly call: PanelCall;
  readonly ask: Ask;
  readonly subject: Extract<AskSubject, { kind: 'plan' }>;
}

/** Card of a plan, with the present text of its file, since that is what approval covers. */
export function PlanCard({ call, ask, subject }: PlanCardProps) {
  const { act, store } = usePanel();
  const edited = store.plan.value;
  const { decide, isHeld } = useDecide(call, ask);
  const approve = (mode: 'default' | 'autoEdit') => decide({ kind: 'plan', mode });
  return (
    <Card
      class="ask"
      name={t('{0}, needs your decision. {1}', call.title, ask.reason)}
      ask={call.id}
      held={isHeld}
    >
      <div class="ask-title plan-head">
        <span class="two-lines" title={call.title}>
          {call.title}
        </span>
        <LinkButton onClick={() => act({ type: 'plan.open' })}>{t('Open in editor')}</LinkButton>
      </div>
      <section ref={useScrollTabStop<HTMLElement>()} class="plan-text" aria-label={t('Plan')}>
        <AnswerText text={edited?.path === subject.path ? edited.text : subject.text} />
      </section>
      <p class="quiet">
        {ask.reason} {t('You can edit the plan in the editor. What it says then is what gets approved.')}
      </p>
      <DecisionRow
        decide={decide}
        verb={t('Send back')}
        label={t('Remarks, optional')}
        placeholder={t('What the plan should change (optional)')}
      >
        <span class="split-button">
          <Button
            kind="primary"
            action="accept"
            keys={acceptKeys}
            title={t('Approves the plan. Folio asks before each edit and command.')}
            onPress={() => approve('default')}
          >
            {t('Approve, ask each time')}
          </Button>
          <Menu
            label={t('Ways to approve')}
            icon="chevron-down"
            groups={[
              [
                { label: t('Approve, ask each time'), onPress: () => approve('default') },
                { label: t('Approve, and edit without asking'), onPress: () => approve('autoEdit') },
              ],
            ]}
          />
        </span>
      </DecisionRow>
    </Card>
  );
}
