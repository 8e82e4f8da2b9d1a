import type { SessionEventBody } from '../../../protocol/events.ts';
import type { AskSurroundings } from '../answers/ask.ts';
import type { Routing } from '../routing/routing.ts';
import type { ConversationPorts } from './conversation.ts';

/** What asks the model beside the conversation, and tells the journal what each answer took. @param routing knows who answers when a light model cannot */
export function sideQuestions(
  { models, clock, limits }: Pick<ConversationPorts, 'models' | 'clock' | 'limits'>,
  purpose: SessionEventBody<'side.asked'>['purpose'],
  emit: (event: SessionEventBody) => void,
  routing?: Pick<Routing, 'insteadOf'>,
): AskSurroundings {
  return {
    provider: () => models.provider(),
    clock,
    maxAttempts: () => limits.current.maxAttempts,
    insteadOf: routing && ((model, error) => routing.insteadOf(model, error)),
    spent: (model, usage) =>
      emit({ type: 'side.asked', purpose, model, usage, cost: models.costOf(model, usage) }),
  };
}
