import { t } from '../../../protocol/language.ts';
import type { PanelCall } from '../../../protocol/panel/panelState.ts';
import { describeClassified } from '../../../protocol/words/askWords.ts';
import { AskCard } from '../../approval/askCard.tsx';
import { AppSlot } from '../../mcp/appSlot.tsx';
import { usePanel } from '../../panel/panel.ts';
import { hasPathArgument, usePathLabels } from '../../panel/pathLabels.ts';
import { LastingPermissionNote } from '../../permissions/lastingPermissionNote.tsx';
import { DiffCard } from '../../review/diffCard.tsx';
import { Card, CardRow } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { memo } from '../../ui/memo.ts';
import { useCardOpen } from '../../ui/useCardOpen.ts';
import { MiddleCut } from '../../ui/words.tsx';
import { CallDetail, hasDetail, isAnswered } from './callDetail.tsx';
import { CallFileChanges } from './callFileChanges.tsx';
import { CallPicture } from './callPicture.tsx';
import { callViewOf, isFailedCommand, viewWords } from './callStatus.ts';
import { outcomeOf } from './outcome.ts';

/** Row of a call. Asks, diffs, and running or failed commands unfold automatically. */
export const CallRow = memo(function CallRow({ call: reported }: { readonly call: PanelCall }) {
  const call = { ...reported, title: usePathLabels().titleOf(reported) };
  const { status } = call;
  if (status.kind === 'asking') return <AskCard call={call} ask={status.ask} />;
  if (status.kind === 'ended' && status.outcome === 'ok' && status.display.detail?.kind === 'diff')
    return <DiffCard call={call} diff={status.display.detail.diff} />;
  return <CallCard call={call} />;
});

function CallCard({ call }: { readonly call: PanelCall }) {
  const { status } = call;
  const [isOpen, toggle] = useCardOpen(call.id, showsAutomatically(call));
  const { summary, reason } = outcomeOf(call);
  const { icon, word } = viewWords()[callViewOf(status)];
  const name = [call.title, word, summary, reason].filter(Boolean).join(', ');
  const canOpen = hasDetail(call);
  // Does not repeat answers that are shown below.
  const result = isOpen && isAnswered(call) ? '' : summary;
  return (
    <Card class={`call ${callViewOf(status)}`} name={name}>
      <CardRow isOpen={canOpen ? isOpen : undefined} toggle={toggle} title={call.title}>
        <Icon name={icon} class={icon === 'loading' ? 'spin' : 'row-status'} />
        <CallTitle call={call} />
        {result && (
          <span class="row-summary ellipsis" title={result}>
            {result}
          </span>
        )}
      </CardRow>
      {(status.kind === 'running' || status.kind === 'ended') && status.waits && (
        <Waiting call={call} startedBy={status.startedBy} />
      )}
      <LastingPermissionNote call={call} />
      {call.judged?.answer === 'allow' && <p class="call-note">{describeClassified(call.judged)}</p>}
      {status.kind === 'ended' && status.display.picture && (
        <CallPicture call={call} picture={status.display.picture} />
      )}
      {status.kind === 'ended' && status.display.app && (
        <AppSlot callId={call.id} server={status.display.app.server} />
      )}
      {isOpen && canOpen && <CallDetail call={call} />}
      {status.kind === 'running' && status.canRestart && <Restart call={call} />}
      {status.kind === 'ended' && <CallFileChanges call={call} status={status} />}
    </Card>
  );
}

interface WaitingProps {
  readonly call: PanelCall;
  /** Call that owns the terminal. Absent: this call. */
  readonly startedBy: string | undefined;
}

/** Alert that a command waits for input of the user. */
function Waiting({ call: { id, title, tool }, startedBy: callId = id }: WaitingProps) {
  const { act } = usePanel();
  if (tool.startsWith('browser_'))
    return (
      <div class="call-waits" role="alert">
        <span>{t('You are using the page')}</span>
        <LinkButton onClick={() => act({ type: 'page.takeOver' })}>{t('Show Page')}</LinkButton>
        <LinkButton onClick={() => act({ type: 'page.giveBack' })}>{t('Give Back')}</LinkButton>
      </div>
    );
  return (
    <div class="call-waits" role="alert">
      <span>{t('Waits for you')}</span>
      <LinkButton
        aria-label={t('Answer in the terminal: {0}', title)}
        onClick={() => act({ type: 'command.answer', callId })}
      >
        {t('Answer in the terminal')}
      </LinkButton>
    </div>
  );
}

/** Button that restarts a command in a terminal, which a running process cannot get. */
function Restart({ call: { id: callId, title } }: { readonly call: PanelCall }) {
  const { act } = usePanel();
  return (
    <div class="call-waits">
      <LinkButton
        aria-label={t('Restart in terminal: {0}', title)}
        title={t('Stops the command and runs it again in a terminal so you can type. It starts over.')}
        onClick={() => act({ type: 'command.restart', callId })}
      >
        {t('Restart in terminal')}
      </LinkButton>
    </div>
  );
}

function showsAutomatically(call: PanelCall): boolean {
  const { status, effect } = call;
  if (isAnswered(call)) return true;
  if (status.kind === 'running') return effect === 'run';
  return status.kind === 'ended' && status.outcome !== 'cancelled' && isFailedCommand(status);
}

/** Title of a call. A title with a path is cut in the middle, which keeps the end of the file name. */
function CallTitle({ call }: { readonly call: Pick<PanelCall, 'title' | 'args'> }) {
  const part = usePathLabels().pathIn(call);
  return hasPathArgument(call) ? (
    <MiddleCut class="row-title" text={call.title} part={part} />
  ) : (
    <span class="row-title ellipsis">{call.title}</span>
  );
}
