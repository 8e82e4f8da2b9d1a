import { showHidden } from '../../extension/base/hiddenText.ts';
import type { Ask, AskSubject } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { Card } from '../ui/card.tsx';
import { withElements } from '../ui/words.tsx';
import { useDecide } from './decisionRow.tsx';
import { QuestionForm } from './questionForm.tsx';

interface QuestionCardProps {
  readonly call: PanelCall;
  readonly ask: Ask;
  readonly subject: Extract<AskSubject, { kind: 'questions' }>;
}

/** Questions of the agent or a server, to answer or skip. */
export function QuestionCard({ call, ask, subject }: QuestionCardProps) {
  const { from } = subject;
  const deciding = useDecide(call, ask);
  const count = subject.questions.length;
  return (
    <Card
      class="ask"
      name={t('{0}, needs your answer. {1}', call.title, ask.reason)}
      ask={call.id}
      held={deciding.isHeld}
    >
      <div class="ask-title">
        {withElements(
          count === 1 ? t('{0} asks') : t('{0} asks {1} questions', '{0}', count),
          <bdi>{from ? t('The server {0}', showHidden(from.server)) : 'Folio'}</bdi>,
        )}
      </div>
      {from?.message && <p class="ask-message">{showHidden(from.message)}</p>}
      <QuestionForm formId={ask.id ?? call.id} deciding={deciding} questions={subject.questions} />
    </Card>
  );
}
