import { type ReadonlySignal, signal } from '@preact/signals';
import type { FromPageTab, ToPageTab } from '../../../protocol/panel/pageTab.ts';
import type { Host } from '../../panel/host.ts';

export type TabHost = Pick<Host<FromPageTab, ToPageTab>, 'act' | 'listen'>;

export interface PageLink {
  /** Absent before the first picture. */
  readonly shown: ReadonlySignal<Exclude<ToPageTab, { type: 'alive' }> | undefined>;
  /** False if the host crashed or hangs. VS Code leaves its tab open. */
  readonly isConnected: ReadonlySignal<boolean>;
}

const checkMs = 10_000;

/** Receives messages of the host, and checks whether it still answers. */
export function followPage(host: TabHost): PageLink {
  const shown = signal<PageLink['shown']['value']>(undefined);
  const isConnected = signal(true);
  let hasAnswered = true;
  host.listen(message => {
    hasAnswered = true;
    isConnected.value = true;
    if (message.type !== 'alive') shown.value = message;
  });
  setInterval(() => {
    isConnected.value = hasAnswered;
    hasAnswered = false;
    host.act({ type: 'alive' });
  }, checkMs);
  host.act({ type: 'ready' });
  return { shown, isConnected };
}
