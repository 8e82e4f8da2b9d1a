import type { Ask, AskSubject } from '../../protocol/asks.ts';
import type { CallItem } from '../../protocol/state.ts';
import { Card } from '../ui/card.tsx';
import { QuestionForm } from './questionForm.tsx';

export interface QuestionCardProps {
  readonly call: CallItem;
  readonly ask: Ask;
  readonly subject: Extract<AskSubject, { kind: 'questions' }>;
}

/** What the agent wants to know. It can be answered or skipped; the work waits meanwhile. */
export function QuestionCard({ call, ask, subject }: QuestionCardProps) {
  const count = subject.questions.length;
  return (
    <Card class="ask" name={`${call.title}, needs your answer. ${ask.reason}`} ask={call.id}>
      <div class="ask-title">{count === 1 ? 'Folio asks' : `Folio asks ${count} questions`}</div>
      <QuestionForm callId={call.id} questions={subject.questions} />
    </Card>
  );
}
