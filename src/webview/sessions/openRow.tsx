/* Parts of an open session's row besides its title: status and ask. */

import { useComputed } from '@preact/signals';
import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import { t } from '../../protocol/language.ts';
import type { OpenAsk, OpenSession, SessionEntry } from '../../protocol/panel/sessions.ts';
import { acceptLabels } from '../../protocol/words/askWords.ts';
import { usePanel } from '../panel/panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { Button } from '../ui/controls.tsx';
import { formatAgo } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { costFacts } from '../ui/totals.ts';
import { HighlightedText, splitByPattern, useSearchPattern } from './found.tsx';
import { statusWords } from './statusMark.tsx';

interface SecondLineProps {
  readonly entry: SessionEntry;
  readonly facts: OpenSession | undefined;
}

/**
 * Shows the match of a search, the status of an open session, or its chapters. In narrow panels the cost is omitted
 * first, then the text. It stays while the first line shows something else.
 */
export function SessionDetailLine({ entry, facts }: SecondLineProps) {
  const open = needsUser(facts) ? facts : undefined;
  const { worktree, container, driver } = facts ?? entry;
  const found = useSearchPattern();
  const isFound = (chapter: string) =>
    Number(found !== undefined && splitByPattern(chapter, found).length > 1);
  // A narrow row shows the beginning, so found chapters come first.
  const titles = entry.chapters.toSorted((one, other) => isFound(other) - isFound(one));
  // Isolates each title, so that right-to-left titles do not reorder the others.
  const chapters = open ? open.chapter : titles.map(chapter => `\u2068${chapter}\u2069`).join(' · ');
  const text = entry.found ?? chapters;
  if (!text && !worktree && !container && !driver && !open) return null;
  return (
    <span class="session-chapters session-facts">
      {open?.status === 'failed' && <span>{statusWords().failed}</span>}
      {driver && (
        <span
          class="session-worktree ellipsis"
          title={t('{0} runs this session with its own model.', driver)}
        >
          <bdi>
            <HighlightedText text={escapeInvisibleText(driver)} found={found} />
          </bdi>
        </span>
      )}
      {worktree && (
        <span class="session-worktree ellipsis" title={t('Worktree {0}', worktree)}>
          <Icon name="git-branch" /> <span class="sr-only">{t('Worktree')}</span>{' '}
          <bdi>
            <HighlightedText text={worktree} found={found} />
          </bdi>
        </span>
      )}
      {container && (
        <span class="session-worktree ellipsis" title={t('Its commands run in a container.')}>
          <Icon name="vm" /> {t('Container')}
        </span>
      )}
      {open?.pending && <ChangeCounts {...open.pending} />}
      {text && (
        <span class="session-words ellipsis" dir="auto" title={text}>
          <HighlightedText text={text} found={found} />
        </span>
      )}
      {open && <span>{costFacts(open)}</span>}
    </span>
  );
}

/** Returns true for an open session that needs the user, so it is listed before the days. */
export function needsUser(facts: OpenSession | undefined): facts is OpenSession {
  return facts !== undefined && facts.status !== 'resting';
}

/** Shows how long the status has lasted. Only this component renders again. */
export function TimeSince({ at, now }: { readonly at: number; readonly now: number }) {
  const { store } = usePanel();
  return <>{useComputed(() => formatAgo(at, Math.max(now, store.now.value))).value}</>;
}

/** Shows an ask: complete if it can be decided here, otherwise its beginning. */
export function AskLines({ text, reason, plain }: OpenAsk) {
  return (
    <>
      <span class={plain ? 'session-asked' : 'session-asked ellipsis'} dir="auto" title={text}>
        {escapeInvisibleText(text)}
      </span>
      {plain && (
        <span class="session-asked quiet ellipsis" title={reason}>
          {reason}
        </span>
      )}
    </>
  );
}

interface AskButtonsProps {
  readonly ask: OpenAsk | undefined;
  readonly isHeld: boolean;
  readonly onDecide: (kind: 'once' | 'deny') => void;
  readonly onShow: () => void;
}

export function AskButtons({ ask, isHeld, onDecide, onShow }: AskButtonsProps) {
  return (
    <div class="buttons session-buttons" aria-disabled={isHeld || undefined}>
      {ask?.plain ? (
        <>
          <Button kind="primary" keys="A" onPress={() => onDecide('once')}>
            {acceptLabels()[ask.plain.kind]}
          </Button>
          <Button keys="R" onPress={() => onDecide('deny')}>
            {t('Deny')}
          </Button>
        </>
      ) : (
        <Button onPress={onShow}>{t('Show')}</Button>
      )}
    </div>
  );
}
