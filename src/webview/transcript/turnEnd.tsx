import { useComputed } from '@preact/signals';
import { countFile, standingFiles } from '../../protocol/fold/fileCounts.ts';
import type { RewindPoint } from '../../protocol/intentions.ts';
import { plural, t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pages.ts';
import type { PanelItem, PanelState } from '../../protocol/panel/panelState.ts';
import type { FileCounts } from '../../protocol/values.ts';
import { usePanel } from '../panel/panel.ts';
import { beginsTurn } from '../panel/turns.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { useRewind } from '../rewind/useRewind.ts';
import { IconButton, LinkButton } from '../ui/controls.tsx';
import { totalFiles } from '../ui/totals.ts';

/** Changes and answer of the newest turn with their actions, at rest. */
export function TurnEnd() {
  const { store, act } = usePanel();
  const rewind = useRewind();
  const turn = useComputed(() => readTurn(store.session.value)).value;
  const isPending = useComputed(() => store.reviews.value.some(({ hunks }) => hunks.length > 0)).value;
  if (!turn) return null;
  const to: RewindPoint = { kind: 'turn', turnId: turn.id };
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

interface Turn {
  readonly id: string;
  readonly files: readonly FileCounts[];
  readonly answer: string;
}

/** Returns `undefined` while the agent works, after a rewind, and if the turn is not fully loaded. */
function readTurn(session: PanelState | undefined): Turn | undefined {
  if (session?.activity.status !== 'resting' || session.rewound) return undefined;
  const items: PanelItem[] = [];
  for (const chapter of session.chapters.toReversed()) {
    if (chapter.unloaded !== undefined) return undefined;
    const own = [...iterate(chapter.items)];
    const start = own.findLastIndex(beginsTurn);
    items.unshift(...own.slice(Math.max(start, 0)));
    if (start >= 0) break;
  }
  const [prompt] = items;
  return prompt && beginsTurn(prompt)
    ? { id: prompt.id, files: filesOf(items), answer: answerOf(items) }
    : undefined;
}

function filesOf(items: readonly PanelItem[]): readonly FileCounts[] {
  const changes = items.flatMap(item => (item.type === 'call' ? standingFiles(item) : []));
  return changes.reduce(countFile, [] as readonly FileCounts[]);
}

/** Returns the text after the last call. */
function answerOf(items: readonly PanelItem[]): string {
  const last = items.findLastIndex(({ type }) => type === 'call');
  const texts = items.slice(last + 1).flatMap(item => (item.type === 'text' ? [item.text] : []));
  return texts.join('\n\n');
}
