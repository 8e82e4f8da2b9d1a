import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { CompletionChoice } from '../../protocol/mentions.ts';
import { Icon } from '../ui/icon.tsx';
import { kindIcons } from '../ui/kindIcons.ts';
import { memo } from '../ui/memo.ts';
import type { CompletionController } from './completionController.ts';

export const completionListId = 'completion-list';

export function completionOptionId(index: number): string {
  return `completion-${index}`;
}

/** List of completions. The field keeps the focus and passes its keys on. */
export function CompletionList({ completing }: { readonly completing: CompletionController }) {
  const state = completing.state.value;
  if (state.status === 'closed') return null;
  const { reported, number, active, place } = state;
  const isPending = reported?.number !== number;
  const choices = reported?.choices ?? [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field, without which the list goes.
    <div class="completion" onMouseDown={event => event.preventDefault()}>
      {choices.length > 0 && (
        <Choices choices={choices} active={active} trigger={place.trigger} completing={completing} />
      )}
      {isPending ? (
        <div class="completion-foot completion-late" role="status" key={number}>
          <Icon name="loading" class="spin" />
          {t('Searching…')}
        </div>
      ) : choices.length === 0 ? (
        <div class="completion-foot" role="status">
          {place.query === '' ? t('Nothing to offer here.') : t('Nothing found for “{0}”.', place.query)}
        </div>
      ) : (
        reported?.limited && <div class="completion-foot">{t('More: keep typing')}</div>
      )}
    </div>
  );
}

interface ChoicesProps {
  readonly choices: readonly CompletionChoice[];
  readonly active: number;
  readonly trigger: '@' | '/';
  readonly completing: CompletionController;
}

function Choices({ choices, active, trigger, completing }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [choices, active]);
  return (
    <div
      ref={list}
      class="completion-list"
      role="listbox"
      id={completionListId}
      aria-label={trigger === '@' ? t('Context') : t('Commands')}
    >
      {choices.map((choice, index) => (
        <Row key={index} choice={choice} index={index} isActive={index === active} completing={completing} />
      ))}
    </div>
  );
}

interface RowProps {
  readonly choice: CompletionChoice;
  readonly index: number;
  readonly isActive: boolean;
  readonly completing: CompletionController;
}

/** Memoised, so a step in a long list renders two rows. */
const Row = memo(function Row({ choice, index, isActive, completing }: RowProps) {
  const { kind, label, detail, hint, source, ignored } = choice;
  // Paths are cut at their start, since their end matters most. The row that explains `@symbol:` is a sentence.
  const isPath = kind === 'file' || kind === 'folder' || (kind === 'symbol' && !label.endsWith(':'));
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has focus and keys.
    <div
      role="option"
      id={completionOptionId(index)}
      class={ignored ? 'completion-row ignored' : 'completion-row'}
      aria-selected={isActive}
      title={[hint ? `${label} ${hint}` : label, detail, source].filter(Boolean).join(' · ')}
      onClick={() => completing.accept(index)}
    >
      <Icon name={kindIcons[kind]} />
      <span class="completion-words">
        <Shortened class="completion-label" text={label} from={isPath ? 'start' : 'end'} />
        {hint && <Shortened class="completion-hint" text={hint} from="end" />}
        {detail && <Shortened class="completion-detail" text={detail} from={isPath ? 'start' : 'end'} />}
      </span>
      {source && <span class="completion-source">{source}</span>}
      {ignored && <span class="completion-note">{t('ignored')}</span>}
    </div>
  );
});

interface ShortenedProps {
  readonly class: string;
  readonly text: string;
  /** Side at which a long text is cut. */
  readonly from: 'start' | 'end';
}

function Shortened({ class: name, text, from }: ShortenedProps) {
  return (
    <span class={`${name} cut-${from}`}>
      <bdi dir="ltr">{text}</bdi>
    </span>
  );
}
