import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { Question } from '../../protocol/questions.ts';
import { usePanel } from '../panel/panel.ts';
import type { AnswerDraft } from '../panel/webviewState.ts';
import { Button } from '../ui/controls.tsx';
import { isPlainKey } from '../ui/keys.ts';
import { acceptKeys } from '../ui/systemKeys.ts';
import { answerOf, emptyDraft } from './answers.ts';
import { type AskDecider, type DecideAsk, DecisionRow } from './decisionRow.tsx';
import { QuestionInput } from './questionInput.tsx';

interface QuestionFormProps {
  /** Unique per ask, since entries must not go to the next form of the call. */
  readonly formId: string;
  readonly decider: AskDecider;
  readonly questions: readonly Question[];
}

/** A form of questions. The store keeps entries, since the card unmounts with its chapter and page. */
export function QuestionForm({ formId, decider, questions }: QuestionFormProps) {
  const { store } = usePanel();
  const form = useRef<HTMLDivElement>(null);
  const drafts = useComputed(() => store.answers.value[formId]).value ?? [];
  const answers = questions.map((question, index) => answerOf(question, drafts[index] ?? emptyDraft));
  const open = answers.findIndex((answer, index) => answer.length === 0 && !questions[index]!.optional);
  const change = (index: number, draft: AnswerDraft) => {
    const next = questions.map((_, at) => (at === index ? draft : (drafts[at] ?? emptyDraft)));
    store.answers.value = { ...store.answers.peek(), [formId]: next };
  };
  const decide: DecideAsk = decision => {
    if (!decider.decide(decision, drafts.length > 0)) return;
    const { [formId]: _, ...others } = store.answers.peek();
    store.answers.value = others;
  };
  const send = () => decide({ kind: 'answers', answers });

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (!target.matches('input, textarea')) return;
    if (isPlainKey(event, 'Escape')) target.closest<HTMLElement>('[data-card]')?.focus();
    else if (!isPlainKey(event, 'Enter')) return;
    else if (open < 0) send();
    // Moves to the first unanswered question, as an incomplete form does.
    else
      form.current
        ?.querySelectorAll('fieldset')
        [open]?.querySelector<HTMLElement>('input, textarea')
        ?.focus();
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter in a field sends, as in every form. */}
      <div class="questions" ref={form} onKeyDown={onKeyDown}>
        {questions.map((question, index) => (
          <QuestionInput
            key={index}
            name={`${formId}-${index}`}
            question={question}
            draft={drafts[index] ?? emptyDraft}
            onChange={draft => change(index, draft)}
          />
        ))}
      </div>
      <DecisionRow
        decide={decide}
        verb={t('Skip')}
        label={t('Reason, optional')}
        placeholder={t('What Folio should know instead (optional)')}
      >
        <Button kind="primary" action="accept" keys={acceptKeys} disabled={open >= 0} onPress={send}>
          {t('Send')}
        </Button>
      </DecisionRow>
    </>
  );
}
