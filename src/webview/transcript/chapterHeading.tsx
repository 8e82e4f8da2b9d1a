import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RewindTarget } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { iterateCalls } from '../panel/iterateCalls.ts';
import { usePanel } from '../panel/panel.ts';
import { RewindPanel } from '../rewind/rewindPanel.tsx';
import { useRewind } from '../rewind/useRewind.ts';
import { IconButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { isPlainKey } from '../ui/keys.ts';
import { Menu } from '../ui/menu.tsx';
import { TitleField } from '../ui/titleField.tsx';
import { PagePicture, pictureOf } from './calls/callPicture.tsx';
import { useChapterActions } from './chapterActions.ts';
import { ChapterFacts } from './chapterFacts.tsx';
import { ChapterMark, ChapterStatusWords } from './chapterStatus.tsx';

interface ChapterHeadingProps {
  readonly chapter: PanelChapter;
  readonly folded: boolean;
}

export function ChapterHeading({ chapter, folded }: ChapterHeadingProps) {
  const { act } = usePanel();
  const isRenaming = useSignal(false);
  const focus = useGivenBackFocus();
  const startRenaming = () => (isRenaming.value = true);
  const to: RewindTarget = { kind: 'chapter', chapterId: chapter.id };
  return (
    <div class="chapter-head" ref={focus.head}>
      <div class="chapter-line">
        <h2>
          {isRenaming.value ? (
            <ChapterTitleField
              number={chapter.number}
              title={chapter.title}
              onRename={title => act({ type: 'chapter.rename', chapterId: chapter.id, title })}
              onClose={by => {
                isRenaming.value = false;
                if (by === 'key') focus.giveBack();
              }}
            />
          ) : (
            <Toggle chapter={chapter} folded={folded} onRename={startRenaming} />
          )}
        </h2>
        {!isRenaming.value && <Actions chapter={chapter} to={to} onRename={startRenaming} />}
        <ChapterMark chapter={chapter} />
      </div>
      {folded && <FoldedLines chapter={chapter} />}
      <RewindPanel to={to} />
    </div>
  );
}

interface ToggleProps extends ChapterHeadingProps {
  readonly onRename: () => void;
}

function Toggle({ chapter, folded, onRename }: ToggleProps) {
  const { store, act } = usePanel();
  const toggle = () => {
    act({ type: 'chapter.folded', chapterId: chapter.id });
    store.folds.value = { ...store.folds.value, [chapter.id]: !folded };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainKey(event, 'F2')) return;
    event.preventDefault();
    onRename();
  };
  return (
    <button
      type="button"
      class="chapter-heading"
      data-chapter-heading
      aria-expanded={!folded}
      aria-keyshortcuts="F2"
      title={chapter.title}
      onClick={toggle}
      onKeyDown={onKeyDown}
    >
      <Icon name={folded ? 'chevron-right' : 'chevron-down'} class="twistie" />
      <span class="chapter-number">{chapter.number}</span>
      <span class="chapter-title ellipsis" dir="auto">
        {chapter.title}
      </span>
      <ChapterStatusWords chapter={chapter} />
    </button>
  );
}

interface ActionsProps {
  readonly chapter: PanelChapter;
  readonly to: RewindTarget;
  readonly onRename: () => void;
}

/** Buttons for frequent actions, and a menu for the rest, which saves space for the title. */
function Actions({ chapter, to, onRename }: ActionsProps) {
  const rewind = useRewind();
  const { copying, changing, accept } = useChapterActions(chapter);
  const goingBack = [{ label: t('Rewind to here…'), onPress: () => rewind(to, 'choose') }];
  return (
    <span class="hover-actions">
      {accept && <IconButton icon="check" label={t('Accept the changes of this chapter')} onPress={accept} />}
      <IconButton icon="edit" label={t('Rename (F2)')} onPress={onRename} />
      <Menu
        label={t('More actions of chapter {0}', chapter.number)}
        groups={[copying, changing, goingBack]}
      />
    </span>
  );
}

function FoldedLines({ chapter }: { readonly chapter: PanelChapter }) {
  return (
    <div class="chapter-folded">
      {chapter.summary && (
        <div class="two-lines" title={chapter.summary}>
          {chapter.summary}
        </div>
      )}
      <div class="chapter-facts">
        <ChapterFacts chapter={chapter} />
      </div>
      <Filmstrip items={chapter.items} />
    </div>
  );
}

/** Returns the focus to the heading after its title was edited. */
function useGivenBackFocus() {
  const head = useRef<HTMLDivElement>(null);
  const isDue = useRef(false);
  useLayoutEffect(() => {
    if (!isDue.current) return;
    isDue.current = false;
    head.current?.querySelector<HTMLElement>('[data-chapter-heading]')?.focus({ preventScroll: true });
  });
  const giveBack = () => (isDue.current = true);
  return { head, giveBack };
}

interface ChapterTitleFieldProps {
  readonly number: number;
  readonly title: string;
  readonly onRename: (title: string) => void;
  /** Called once, after `onRename` if that is called. */
  readonly onClose: (by: 'key' | 'leaving') => void;
}

/** Field in place of a heading while renaming. */
function ChapterTitleField({ number, title, onRename, onClose }: ChapterTitleFieldProps) {
  return (
    <span class="chapter-renaming">
      <span class="chapter-number">{number}</span>
      <TitleField
        label={t('Title of chapter {0}', number)}
        title={title}
        onRename={onRename}
        onClose={onClose}
      />
    </span>
  );
}

/** Maximum number of thumbnails, the newest ones. */
const shown = 12;

/** Thumbnails of browser pages of a folded chapter, in order. */
function Filmstrip({ items }: Pick<PanelChapter, 'items'>) {
  const pictures = [...iterateCalls(items)].flatMap(({ call }) => {
    const picture = pictureOf(call);
    return picture ? [{ call, picture }] : [];
  });
  if (pictures.length === 0) return null;
  return (
    <ul class="filmstrip" aria-label={t('Pictures of pages')}>
      {pictures.slice(-shown).map(({ call, picture }) => (
        <li key={call.id}>
          <PagePicture call={call} picture={picture} />
        </li>
      ))}
    </ul>
  );
}
