import { t } from '../../protocol/language.ts';
import type { FallbackDecision, ModelFailure } from '../../protocol/routing.ts';
import { denyKeys } from '../approval/decisionKeys.ts';
import { usePanel } from '../panel/panel.ts';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { focusPromptFromCard } from '../ui/keepFocus.ts';
import { acceptKeys } from '../ui/systemKeys.ts';
import { useMisclickGuard } from '../ui/useMisclickGuard.ts';
import { useModelName } from './modelNames.ts';

interface FallbackCardProps {
  readonly turnId: string;
  readonly failure: ModelFailure;
}

/** Asks how a turn continues after its model failed permanently. Same look and keys as other asks. */
export function FallbackCard({ turnId, failure }: FallbackCardProps) {
  const { act } = usePanel();
  const isHeld = useMisclickGuard(failure.askId ?? turnId);
  const name = useModelName();
  const { askId, model, kind, message, candidate } = failure;
  const title = t('{0} is not available', name(model));
  // Retrying helps least if the model is gone or its quota is used up.
  const isSwitchBest = candidate !== undefined && (kind === 'terminal' || kind === 'notFound');
  const decide = (decision: FallbackDecision) => {
    if (isHeld || askId === undefined) return;
    focusPromptFromCard();
    act({ type: 'fallback.decide', askId, decision });
  };
  const again = (
    <Button
      key="retry"
      kind={isSwitchBest ? 'secondary' : 'primary'}
      action={isSwitchBest ? undefined : 'accept'}
      keys={isSwitchBest ? undefined : acceptKeys}
      title={t('Asks {0} again', name(model))}
      onPress={() => decide('retry')}
    >
      {t('Try again')}
    </Button>
  );
  return (
    <Card
      class="ask fallback"
      name={t('{0}, needs your decision. {1}', title, message)}
      ask={turnId}
      held={isHeld}
    >
      <div class="ask-title">{title}</div>
      <p class="ask-why">{message}</p>
      <div class="buttons">
        {!isSwitchBest && again}
        {candidate !== undefined && (
          <Button
            key="switch"
            kind={isSwitchBest ? 'primary' : 'secondary'}
            action={isSwitchBest ? 'accept' : undefined}
            keys={isSwitchBest ? acceptKeys : undefined}
            title={t('{0} continues with this session, until you choose a model', name(candidate))}
            onPress={() => decide('switch')}
          >
            {t('Switch to {0} for this session', name(candidate))}
          </Button>
        )}
        {isSwitchBest && again}
        {kind === 'terminal' && (
          <Button
            key="upgrade"
            title={t('Ends the turn and shows where to get more quota')}
            onPress={() => decide('upgrade')}
          >
            {t('Upgrade')}
          </Button>
        )}
        <Button
          key="stop"
          action="reject"
          keys={denyKeys}
          title={t('Ends the turn')}
          onPress={() => decide('stop')}
        >
          {t('Stop')}
        </Button>
        <Button
          key="later"
          title={t('Ends the turn with the error. You can retry later')}
          onPress={() => decide('later')}
        >
          {t('Later')}
        </Button>
      </div>
    </Card>
  );
}
