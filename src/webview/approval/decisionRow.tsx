import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Ask } from '../../protocol/asks.ts';
import type { PanelDecision } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { Button } from '../ui/controls.tsx';
import { leaveCard } from '../ui/keepFocus.ts';
import { useHold } from '../ui/useHold.ts';
import { denyKeys } from './decisionKeys.ts';
import { DenyField, type DenyFieldProps } from './denyField.tsx';

interface DecisionRowProps extends Pick<DenyFieldProps, 'verb' | 'label' | 'placeholder'> {
  /** Ways to say yes. */
  readonly children: ComponentChildren;
  readonly decide: Decide;
}

export type Decide = (decision: PanelDecision) => void;

/** The buttons of a card that asks; who says no may say why. */
export function DecisionRow({ children, decide, ...words }: DecisionRowProps) {
  const isDenying = useSignal(false);
  if (isDenying.value)
    return (
      <DenyField
        {...words}
        onDeny={reason => decide(reason ? { kind: 'deny', reason } : { kind: 'deny' })}
        onCancel={() => (isDenying.value = false)}
      />
    );
  return (
    <div class="buttons">
      {children}
      <Button
        action="reject"
        keys={denyKeys}
        onPress={() => (isDenying.value = true)}
        onCommand={() => decide({ kind: 'deny' })}
      >
        {words.verb ?? t('Deny')}…
      </Button>
    </div>
  );
}

export interface Deciding {
  /**
   * False when it does not count.
   * @param isSeen the user has put something in on this card, so that they know it however short it is here
   */
  readonly decide: (decision: PanelDecision, isSeen?: boolean) => boolean;
  /** The ask has only just come: a press was meant for what stood there before. */
  readonly isHeld: boolean;
}

export function useDecide({ id: callId }: PanelCall, { id: askId }: Ask): Deciding {
  const { act } = usePanel();
  const isHeld = useHold(askId ?? callId);
  const decide = (decision: PanelDecision, isSeen = false) => {
    // A user who wrote a reason on this card has seen it, however quickly.
    const isWritten = decision.kind === 'deny' && decision.reason !== undefined;
    // The user who pressed here did not see the next ask of the same call. Old asks without an id wait no more.
    if ((isHeld && !isWritten && !isSeen) || askId === undefined) return false;
    leaveCard();
    act({ type: 'call.decide', callId, askId, decision });
    return true;
  };
  return { decide, isHeld };
}
