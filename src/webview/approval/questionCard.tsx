import { showHidden } from '../../extension/base/hiddenText.ts';
import type { Ask, AskSubject } from '../../protocol/asks.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { Card } from '../ui/card.tsx';
import { useDecide } from './decisionRow.tsx';
import { QuestionForm } from './questionForm.tsx';

interface QuestionCardProps {
  readonly call: PanelCall;
  readonly ask: Ask;
  readonly subject: Extract<AskSubject, { kind: 'questions' }>;
}

/** A question of the agent. It can be answered or skipped; the work waits meanwhile. */
export function QuestionCard({ call, ask, subject }: QuestionCardProps) {
  const { from } = subject;
  const deciding = useDecide(call, ask);
  const count = subject.questions.length;
  return (
    <Card
      class="ask"
      name={`${call.title}, needs your answer. ${ask.reason}`}
      ask={call.id}
      held={deciding.isHeld}
    >
      <div class="ask-title">
        <bdi>{from ? `The server ${showHidden(from.server)}` : 'Folio'}</bdi>
        {count === 1 ? ' asks' : ` asks ${count} questions`}
      </div>
      {from?.message && <p class="ask-message">{showHidden(from.message)}</p>}
      <QuestionForm formId={ask.id ?? call.id} deciding={deciding} questions={subject.questions} />
    </Card>
  );
}
