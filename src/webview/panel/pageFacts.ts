import { type ReadonlySignal, signal } from '@preact/signals';
import type { AppPromptText, ToWebview } from '../../protocol/panel/messages.ts';
import type { HostPort } from './host.ts';

type Told<T extends ToWebview['type']> = Extract<ToWebview, { type: T }>;

/** Facts of rarely used pages; `undefined` until the host has sent them. */
export interface PageFacts {
  readonly comparison: ReadonlySignal<Told<'comparison.told'> | undefined>;
  readonly statistics: ReadonlySignal<Told<'statistics.told'> | undefined>;
  readonly plan: ReadonlySignal<Told<'plan.told'> | undefined>;
  /** Newest `picture.told` by call. */
  readonly pictures: ReadonlySignal<Readonly<Record<string, Told<'picture.told'>>>>;
  /** Newest `app.told` by call. */
  readonly apps: ReadonlySignal<Readonly<Record<string, Told<'app.told'>>>>;
  /** Newest `app.answered`, a new object each time. */
  readonly appAnswer: ReadonlySignal<Told<'app.answered'> | undefined>;
  /** Texts that MCP pages add to the next prompt. */
  readonly appAdditions: ReadonlySignal<readonly AppPromptText[]>;
}

export function collectPageFacts(host: Pick<HostPort, 'listen'>): PageFacts {
  const comparison = signal<Told<'comparison.told'> | undefined>(undefined);
  const statistics = signal<Told<'statistics.told'> | undefined>(undefined);
  const plan = signal<Told<'plan.told'> | undefined>(undefined);
  const pictures = signal<Readonly<Record<string, Told<'picture.told'>>>>({});
  const apps = signal<Readonly<Record<string, Told<'app.told'>>>>({});
  const appAnswer = signal<Told<'app.answered'> | undefined>(undefined);
  const appAdditions = signal<readonly AppPromptText[]>([]);
  host.listen(fact => {
    // Another session may have calls with the same ids.
    if (fact.type === 'session.shown') {
      pictures.value = {};
      apps.value = {};
      appAdditions.value = [];
    }
    if (fact.type === 'picture.told') pictures.value = { ...pictures.value, [fact.callId]: fact };
    if (fact.type === 'app.told') apps.value = { ...apps.value, [fact.callId]: fact };
    if (fact.type === 'app.answered') appAnswer.value = fact;
    if (fact.type === 'app.adds') appAdditions.value = fact.additions;
    if (fact.type === 'comparison.told') comparison.value = fact;
    if (fact.type === 'statistics.told') statistics.value = fact;
    if (fact.type === 'plan.told') plan.value = fact;
  });
  return { comparison, statistics, plan, pictures, apps, appAnswer, appAdditions };
}
