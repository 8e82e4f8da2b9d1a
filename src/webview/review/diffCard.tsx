import type { FileDiff } from '../../protocol/asks.ts';
import { describeCounts } from '../../protocol/changes.ts';
import { undoneWord } from '../../protocol/fold/fileCounts.ts';
import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { usePathLabels } from '../panel/pathLabels.ts';
import { LastingPermissionNote } from '../permissions/lastingPermissionNote.tsx';
import { Card, CardRow } from '../ui/card.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { MiddleCut } from '../ui/words.tsx';
import { ChangeCounts } from './changeCounts.tsx';
import { DiffLines } from './diffLines.tsx';
import { UndoneMark } from './undoneMark.tsx';

/** Card of a written change, with a few lines of its diff. */
export function DiffCard({ call, diff }: { readonly call: PanelCall; readonly diff: FileDiff }) {
  const { act } = usePanel();
  const labels = usePathLabels();
  const path = labels.shown(diff.path);
  const [isOpen, toggle] = useCardOpen(call.id, true);
  const edited = call.decided?.decision === 'edited' ? `, ${t('with your changes')}` : '';
  const undone = undoneWord(call);
  const name = `${call.title}, ${describeCounts(diff)}${edited}${undone && `, ${undone}`}`;
  return (
    <Card class="call ok diff-card" name={name}>
      <div class="row-with-action">
        <CardRow isOpen={isOpen} toggle={toggle} title={path}>
          <Icon name="check" class="row-status" />
          <MiddleCut class="row-title" text={call.title} part={labels.pathIn(call)} />
          <ChangeCounts {...diff} />
          <UndoneMark call={call} />
        </CardRow>
        <LinkButton
          title={t('Open the diff of {0}', path)}
          onClick={() => act({ type: 'diff.open', callId: call.id })}
        >
          {t('Review')}
        </LinkButton>
      </div>
      <LastingPermissionNote call={call} />
      {call.decided?.decision === 'hunks' && <p class="call-note">{t('You accepted a part of this edit')}</p>}
      {isOpen && <DiffLines diff={diff} limit={12} />}
    </Card>
  );
}
