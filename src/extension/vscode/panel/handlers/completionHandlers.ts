import type { CompletionList } from '../../../../protocol/mentions.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { PromptCommands } from '../../features/slashCommands/promptCommands.ts';
import type { SomeHandlers } from './panelHandlers.ts';

/** @param query the text after `@`. Rejects with the signal's reason when it is aborted */
export type CompleteMention = (query: string, signal: AbortSignal) => Promise<CompletionList>;

/** Answers only the newest query, since results of earlier ones are no longer shown. */
export function completionHandlers(
  completeMention: CompleteMention,
  commands: Pick<PromptCommands, 'complete'>,
  log: Log,
) {
  let newest = new AbortController();
  return {
    'completion.ask': async ({ number, trigger, query }, { feed }) => {
      newest.abort();
      newest = new AbortController();
      const { signal } = newest;
      try {
        const completion = await (trigger === '@'
          ? completeMention(query, signal)
          : commands.complete(query));
        if (!signal.aborted) feed.notify({ type: 'completion.told', number, ...completion });
      } catch (error) {
        if (signal.aborted) return;
        // A message for every typed letter would be worse than an empty list.
        log.warn(`Nothing can be completed: ${messageOf(error)}`);
        feed.notify({ type: 'completion.told', number, choices: [], limited: false });
      }
    },
  } satisfies SomeHandlers;
}
