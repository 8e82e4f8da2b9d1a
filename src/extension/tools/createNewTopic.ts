import * as z from 'zod';
import { t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { oneLine, sanitiseLine } from '../base/text.ts';
import { defineReadTool, type Tool, ToolFailure } from '../core/tool.ts';

const titleLimit = 80;
const summaryLimit = 1_000;

export interface TopicPorts {
  /** False if the user has disabled chapters. */
  readonly hasChapters: () => boolean;
  /** Starts a chapter. `summary` describes the ending one. Returns false if the title is already active. */
  readonly startTopic: (title: string, summary: string | undefined) => boolean;
}

const input = lazySchema(() =>
  z.object({
    title: z.string().describe('What comes next, e.g. "Researching the auth flow"'),
    summary: z.string().optional().describe('What the phase before came to, one or two sentences'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

export function createNewTopicTool(ports: TopicPorts): Tool<Input, undefined> {
  const tool = defineReadTool<Input>({
    name: 'create_new_topic',
    description:
      'Starts a chapter when the work enters a new phase; its title heads what follows. Never repeat the active title.',
    input,
    effect: 'note',
    title: ({ title }) => t('Chapter: {0}', oneLine(title, titleLimit)),
    run: async given => {
      if (!ports.hasChapters())
        throw new ToolFailure('No chapters are kept here. Continue with the work.', () => t('No chapters'));
      const title = sanitiseLine(given.title, titleLimit);
      if (title === '')
        throw new ToolFailure(() => t('The title is empty. Name the phase that starts in a few words.'));
      const summary = sanitiseLine(given.summary ?? '', summaryLimit) || undefined;
      if (!ports.startTopic(title, summary)) {
        return {
          text: `The topic "${title}" is already active. Continue with the work.`,
          display: { summary: () => t('Already active') },
        };
      }
      return { text: `Topic changed to: "${title}"`, display: { summary: () => title } };
    },
  });
  return { ...tool, first: true, isOffered: ports.hasChapters };
}
