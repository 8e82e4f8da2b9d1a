import type { FallbackDecision, ModelFailure } from '../../protocol/routing.ts';
import { usePanel } from '../panel/panel.ts';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { useHold } from '../ui/useHold.ts';
import { useModelName } from './modelNames.ts';

interface FallbackCardProps {
  readonly turnId: string;
  readonly failure: ModelFailure;
}

/** The model failed for good: the person decides how the turn goes on. Looks and is walked like any ask. */
export function FallbackCard({ turnId, failure }: FallbackCardProps) {
  const { act } = usePanel();
  const isHeld = useHold(failure.askId ?? turnId);
  const name = useModelName();
  const { askId, model, kind, message, candidate } = failure;
  const title = `${name(model)} is not available`;
  // To ask the same model again helps least where it said that it is gone or used up.
  const isSwitchBest = candidate !== undefined && (kind === 'terminal' || kind === 'notFound');
  const decide = (decision: FallbackDecision) => {
    if (isHeld || askId === undefined) return;
    // The card goes with the decision; who was on it can walk on from the transcript.
    document.activeElement?.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true });
    act({ type: 'fallback.decide', askId, decision });
  };
  const again = (
    <Button
      key="retry"
      kind={isSwitchBest ? 'secondary' : 'primary'}
      action={isSwitchBest ? undefined : 'accept'}
      title={`Asks ${name(model)} once more`}
      onPress={() => decide('retry')}
    >
      Try again
    </Button>
  );
  return (
    <Card class="ask fallback" name={`${title}, needs your decision. ${message}`} ask={turnId} held={isHeld}>
      <div class="ask-title">{title}</div>
      <p class="ask-why">{message}</p>
      <div class="buttons">
        {!isSwitchBest && again}
        {candidate !== undefined && (
          <Button
            key="switch"
            kind={isSwitchBest ? 'primary' : 'secondary'}
            action={isSwitchBest ? 'accept' : undefined}
            title={`${name(candidate)} goes on with this session, until you choose a model`}
            onPress={() => decide('switch')}
          >
            Switch to {name(candidate)} for this session
          </Button>
        )}
        {isSwitchBest && again}
        <Button key="stop" action="reject" title="Ends the turn" onPress={() => decide('stop')}>
          Stop
        </Button>
        <Button
          key="later"
          title="Leaves the turn as failed; Retry goes on with it"
          onPress={() => decide('later')}
        >
          Later
        </Button>
      </div>
    </Card>
  );
}
