import { type ReadonlySignal, signal } from '@preact/signals';
import type { ToWebview } from '../../protocol/panel/messages.ts';
import type { Host } from './host.ts';

type Told<T extends ToWebview['type']> = Extract<ToWebview, { type: T }>;

/** Facts of pages that a user opens now and then; each is `undefined` until the host has told it. */
export interface PageFacts {
  readonly comparison: ReadonlySignal<Told<'comparison.told'> | undefined>;
  readonly statistics: ReadonlySignal<Told<'statistics.told'> | undefined>;
}

export function followPages(host: Pick<Host, 'listen'>): PageFacts {
  const comparison = signal<Told<'comparison.told'> | undefined>(undefined);
  const statistics = signal<Told<'statistics.told'> | undefined>(undefined);
  host.listen(fact => {
    if (fact.type === 'comparison.told') comparison.value = fact;
    if (fact.type === 'statistics.told') statistics.value = fact;
  });
  return { comparison, statistics };
}
