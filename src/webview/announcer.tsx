/*
 * Screen reader announcements. The transcript is not a live region, since streamed text would be read in fragments. An
 * answer is announced when its turn has ended.
 */

import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../protocol/language.ts';
import { iterate, type PagedList } from '../protocol/pagedList.ts';
import type { AnnouncementSettings, ModelChoice } from '../protocol/panel/messages.ts';
import type { PanelItem, PanelState } from '../protocol/panel/panelState.ts';
import { newestChapter } from '../protocol/state.ts';
import { headOf } from '../protocol/words/cutText.ts';
import { compressionNews } from './compression/compressionWords.ts';
import { modelLabel, whyRouted } from './models/modelNames.ts';
import { iterateCalls } from './panel/iterateCalls.ts';
import { usePanel } from './panel/panel.ts';
import { type PathLabels, usePathLabels } from './panel/pathLabels.ts';
import { newestTurnId } from './panel/turns.ts';
import { describeRestored, describeRewound } from './rewind/rewinding.ts';

export function Announcer() {
  const { store } = usePanel();
  const urgent = useSignal(nothingSaid);
  const quiet = useSignal(nothingSaid);
  const labels = usePathLabels();
  const seen = useRef<PanelState>(undefined);
  useSignalEffect(() => {
    const next = store.session.value;
    const before = seen.current;
    seen.current = next;
    if (!next || !before || before.sessionId !== next.sessionId) return;
    const { models, spoken } = store.environment.peek() ?? {};
    if (spoken?.asks ?? true)
      urgent.value = said(urgent.peek(), [newAsk(before, next, labels), newChoice(before, next)]);
    const reported = newRewind(before, next) ?? newWork(before, next, spoken);
    quiet.value = said(quiet.peek(), [newFallback(before, next, models), reported]);
  });
  return (
    <>
      <div class="sr-only" role="alert" data-announcer="urgent">
        <span key={urgent.value.number}>{urgent.value.text}</span>
      </div>
      <div class="sr-only" role="status" data-announcer="quiet">
        <span key={quiet.value.number}>{quiet.value.text}</span>
      </div>
    </>
  );
}

/** Announced text. The number makes a repeated text a new element, which screen readers announce again. */
interface Said {
  readonly number: number;
  readonly text: string;
}

const nothingSaid: Said = { number: 0, text: '' };

/** Adds all news since the last frame. */
function said(before: Said, news: readonly (string | undefined)[]): Said {
  const text = news.filter(Boolean).join(' ');
  return text === '' ? before : { number: before.number + 1, text };
}

/** Announces an ask once, when the wait begins. */
function newAsk(before: PanelState, next: PanelState, labels: PathLabels): string | undefined {
  if (next.activity.status !== 'waiting') return undefined;
  const { callId } = next.activity;
  if (before.activity.status === 'waiting' && before.activity.callId === callId) return undefined;
  const found = [...iterateCalls(newestChapter(next).items)].find(({ call }) => call.id === callId);
  if (found?.call.status.kind !== 'asking') return undefined;
  const { ask } = found.call.status;
  return t('{0} asks: {1}. {2}', found.agent ?? 'Folio', labels.titleOf(found.call), ask.reason);
}

function newChoice(before: PanelState, { activity }: PanelState): string | undefined {
  if (activity.status !== 'choosing' || before.activity.status === 'choosing') return undefined;
  return t('Folio asks how to continue. {0}', activity.failure.message);
}

/** Announces a fallback in its first turn only. */
function newFallback(
  before: PanelState,
  { routed }: PanelState,
  models: readonly ModelChoice[] | undefined,
): string | undefined {
  if (routed?.by !== 'fallback') return undefined;
  if (before.routed?.by === 'fallback' && before.routed.model === routed.model) return undefined;
  return t('{0} continues. {1}', modelLabel(routed.model, models), whyRouted(routed));
}

/** Announces work since the last frame. Without `progress` only summaries and the end of a turn. */
function newWork(before: PanelState, next: PanelState, spoken?: AnnouncementSettings): string | undefined {
  const progress = (spoken?.progress ?? true) ? [newChapter(before, next), newRetry(before, next)] : [];
  const news = [compressionNews(before, next), ...progress, newRest(before, next)];
  return news.filter(Boolean).join('. ') || undefined;
}

function newChapter(before: PanelState, next: PanelState): string | undefined {
  const { id, number, title } = newestChapter(next);
  return id === newestChapter(before).id ? undefined : t('Chapter {0}: {1}', number, title);
}

function newRetry(before: PanelState, { activity }: PanelState): string | undefined {
  if (activity.status !== 'retrying' || before.activity.status === 'retrying') return undefined;
  return t('Waiting to try again: {0}', activity.reason);
}

function newRewind(before: PanelState, { rewound, activity }: PanelState): string | undefined {
  if (rewound && rewound !== before.rewound)
    return `${describeRewound(rewound.scope, rewound.to, rewound.chapters)}. ${describeRestored(rewound.files)}`;
  return before.rewound && !rewound && activity.status === 'resting' ? t('The rewind was undone') : undefined;
}

function newRest(before: PanelState, next: PanelState): string | undefined {
  if (next.activity.status !== 'resting') return undefined;
  // A quick turn may begin and end in one frame.
  if (before.activity.status === 'resting' && newestTurnId(before) === newestTurnId(next)) return undefined;
  const { items } = newestChapter(next);
  const last = items.pages.at(-1)?.at(-1);
  if (last?.type !== 'end') return [t('Folio has finished'), answerIn(items)].filter(Boolean).join('. ');
  return last.end.kind === 'failed' ? last.end.trouble.message : t('Folio has stopped');
}

/** Maximum characters of an announced answer. The transcript has all of it. */
const maxSaid = 600;

/** Returns the last text of the turn, without Markdown characters that a screen reader would spell. */
function answerIn(items: PagedList<PanelItem>): string {
  let text = '';
  for (const item of iterate(items)) {
    if (item.type === 'prompt') text = '';
    if (item.type === 'text') text = item.text;
  }
  const plain = text
    .replace(/^[ \t]*(?:```.*|#{1,6} |> ?|[-*+] |\|?[ \t:|-]+\|?$)/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= maxSaid) return plain;
  const whole = plain.slice(0, plain.lastIndexOf(' ', maxSaid)) || headOf(plain, maxSaid);
  return t('{0}… The rest is in the transcript.', whole);
}
