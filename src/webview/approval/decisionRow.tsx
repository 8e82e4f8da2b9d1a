import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { PanelDecision } from '../../protocol/messages.ts';
import { usePanel } from '../panel.ts';
import { Button } from '../ui/controls.tsx';
import { DenyField, type DenyFieldProps } from './denyField.tsx';

export interface DecisionRowProps extends Pick<DenyFieldProps, 'verb' | 'label' | 'placeholder'> {
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
        onCancel={() => {
          isDenying.value = false;
        }}
      />
    );
  return (
    <div class="buttons">
      {children}
      <Button
        action="reject"
        onPress={() => {
          isDenying.value = true;
        }}
      >
        {words.verb ?? 'Deny'}…
      </Button>
    </div>
  );
}

/** The card goes with the decision; who was on it with the keyboard can walk on from the transcript. */
export function useDecide(callId: string): Decide {
  const { act } = usePanel();
  return decision => {
    document.activeElement?.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true });
    act({ type: 'call.decide', callId, decision });
  };
}
