import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Ask } from '../../protocol/asks.ts';
import type { PanelDecision } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { Button } from '../ui/controls.tsx';
import { focusPromptFromCard } from '../ui/keepFocus.ts';
import { useMisclickGuard } from '../ui/useMisclickGuard.ts';
import { denyKeys } from './decisionKeys.ts';
import { DenyField, type DenyFieldProps } from './denyField.tsx';

interface DecisionRowProps extends Pick<DenyFieldProps, 'verb' | 'label' | 'placeholder'> {
  /** Buttons that accept. */
  readonly children: ComponentChildren;
  readonly decide: DecideAsk;
}

export type DecideAsk = (decision: PanelDecision) => void;

/** Buttons of an ask. Denying may take a reason. */
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

export interface AskDecider {
  /**
   * Returns false if the decision is ignored.
   * @param isSeen the user has entered something on this card, so has seen it however new it is
   */
  readonly decide: (decision: PanelDecision, isSeen?: boolean) => boolean;
  /** True while the ask is so new that a press may be meant for the previous element. */
  readonly isHeld: boolean;
}

export function useDecide({ id: callId }: PanelCall, { id: askId }: Ask): AskDecider {
  const { act } = usePanel();
  const isHeld = useMisclickGuard(askId ?? callId);
  const decide = (decision: PanelDecision, isSeen = false) => {
    // A user who wrote a reason has seen the card.
    const isWritten = decision.kind === 'deny' && decision.reason !== undefined;
    // The press was for this ask, not for the next one of the call. Asks without an id are old and closed.
    if ((isHeld && !isWritten && !isSeen) || askId === undefined) return false;
    focusPromptFromCard();
    act({ type: 'call.decide', callId, askId, decision });
    return true;
  };
  return { decide, isHeld };
}
