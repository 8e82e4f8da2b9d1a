import { useComputed } from '@preact/signals';
import type { RewindTarget } from '../../protocol/intentions.ts';
import { plural, t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { useRewind } from '../rewind/useRewind.ts';
import { IconButton, LinkButton } from '../ui/controls.tsx';
import { totalFiles } from '../ui/totals.ts';
import { findFinishedTurn } from './findFinishedTurn.ts';

/** Changes and answer of the newest turn with their actions, at rest. */
export function TurnEndView() {
  const { store, act } = usePanel();
  const rewind = useRewind();
  const turn = useComputed(() => findFinishedTurn(store.session.value)).value;
  const isPending = useComputed(() => store.reviews.value.some(({ hunks }) => hunks.length > 0)).value;
  if (!turn) return null;
  const to: RewindTarget = { kind: 'turn', turnId: turn.id };
  const totals = totalFiles(turn.files);
  return (
    <div class="turn-end">
      {totals.files > 0 && (
        <>
          <span class="turn-end-files ellipsis">
            {plural(totals.files, 'one: {0} file | other: {0} files')} <ChangeCounts {...totals} />
          </span>
          {isPending && <LinkButton onClick={() => act({ type: 'changes.open' })}>{t('Review')}</LinkButton>}
          <LinkButton
            title={t('Restores the files as they were before this prompt')}
            onClick={() => act({ type: 'rewind.do', to, scope: 'files' })}
          >
            {t('Undo changes')}
          </LinkButton>
        </>
      )}
      <span class="turn-end-actions">
        {turn.answer !== '' && (
          <IconButton
            icon="copy"
            label={t('Copy the answer')}
            onPress={() => act({ type: 'text.copy', text: turn.answer })}
          />
        )}
        <IconButton icon="edit" label={t('Edit and resend')} onPress={() => rewind(to, 'resend')} />
      </span>
    </div>
  );
}
