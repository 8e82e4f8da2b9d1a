/* Announcements of a screen reader. The transcript is silent: streamed text would be read in shreds. */

import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ModelChoice } from '../protocol/panel/messages.ts';
import type { PanelState } from '../protocol/panel/panelState.ts';
import { liveChapter } from '../protocol/state.ts';
import { compressionNews } from './compression/compressionWords.ts';
import { nameModel, whyRouted } from './models/modelNames.ts';
import { everyCall } from './panel/everyCall.ts';
import { usePanel } from './panel/panel.ts';
import { describeRestored, describeRewound } from './rewind/rewinding.ts';

export function Announcer() {
  const { store } = usePanel();
  const urgent = useSignal('');
  const quiet = useSignal('');
  const seen = useRef<PanelState>(undefined);
  useSignalEffect(() => {
    const next = store.session.value;
    const before = seen.current;
    seen.current = next;
    if (!next || !before || before.sessionId !== next.sessionId) return;
    const models = store.surroundings.peek()?.models;
    const ask = newAsk(before, next) ?? newChoice(before, next);
    if (ask) urgent.value = ask;
    const news = newFallback(before, next, models) ?? whatHappened(before, next);
    if (news) quiet.value = news;
  });
  return (
    <>
      <div class="sr-only" role="alert" data-announcer="urgent">
        {urgent}
      </div>
      <div class="sr-only" role="status" data-announcer="quiet">
        {quiet}
      </div>
    </>
  );
}

/** An ask is said once, when the waiting for it begins. */
function newAsk(before: PanelState, next: PanelState): string | undefined {
  if (next.activity.status !== 'waiting') return undefined;
  const { callId } = next.activity;
  if (before.activity.status === 'waiting' && before.activity.callId === callId) return undefined;
  const found = [...everyCall(liveChapter(next).items)].find(({ call }) => call.id === callId);
  if (found?.call.status.kind !== 'asking') return undefined;
  const { title, status } = found.call;
  return `${found.agent ?? 'Folio'} asks: ${title}. ${status.ask.reason}`;
}

function newChoice(before: PanelState, { activity }: PanelState): string | undefined {
  if (activity.status !== 'choosing' || before.activity.status === 'choosing') return undefined;
  return `Folio asks how to go on. ${activity.failure.message}`;
}

/** The turns after it go on with the same model: that is no news. */
function newFallback(
  before: PanelState,
  { routed }: PanelState,
  models: readonly ModelChoice[] | undefined,
): string | undefined {
  if (routed?.by !== 'fallback') return undefined;
  if (before.routed?.by === 'fallback' && before.routed.model === routed.model) return undefined;
  return `${nameModel(routed.model, models)} goes on. ${whyRouted(routed)}`;
}

function whatHappened(before: PanelState, next: PanelState): string | undefined {
  const chapter = liveChapter(next);
  const { rewound } = next;
  if (rewound && rewound !== before.rewound)
    return `${describeRewound(rewound.scope, rewound.to, rewound.chapters)}. ${describeRestored(rewound.files)}`;
  if (before.rewound && !rewound && next.activity.status === 'resting') return 'The rewind was undone';
  const compression = compressionNews(before, next);
  if (compression) return compression;
  if (chapter.id !== liveChapter(before).id) return `Chapter ${chapter.number}: ${chapter.title}`;
  if (before.activity.status === next.activity.status) return undefined;
  if (next.activity.status === 'retrying') return `Waiting to try again: ${next.activity.reason}`;
  if (next.activity.status !== 'resting') return undefined;
  const last = chapter.items.pages.at(-1)?.at(-1);
  if (last?.type !== 'end') return 'Folio has finished';
  return last.end.kind === 'failed' ? last.end.trouble.message : 'Folio has stopped';
}
