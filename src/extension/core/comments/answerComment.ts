import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { oneLine } from '../../base/text.ts';
import { defineReadTool, type Tool, ToolFailure } from '../tool.ts';
import type { Comments } from './comments.ts';

const input = lazySchema(() => z.object({ number: z.int(), text: z.string().trim().min(1) }));

/** The model sees this tool only while a comment needs an answer. */
export function answerComment(
  comments: Pick<Comments, 'areSent' | 'answer'>,
): Tool<z.infer<ReturnType<typeof input>>, undefined> {
  return defineReadTool({
    name: 'answer_comment',
    description: "Answers a comment of the user's, in its place.",
    input,
    effect: 'note',
    isOffered: () => comments.areSent,
    title: ({ number }) => t('Answer comment {0}', number),
    run: async ({ number, text }) => {
      if (!comments.answer(number, text)) {
        throw new ToolFailure(`There is no comment ${number} any more. Continue.`, () =>
          t('No such comment'),
        );
      }
      return { text: 'Answered.', display: { summary: () => oneLine(text, 200) } };
    },
  });
}
