import { t } from '../../protocol/language.ts';
import type { Question, QuestionOption } from '../../protocol/questions.ts';
import type { AnswerDraft } from '../panel/webviewState.ts';
import { toggleOption, toggleOther } from './answers.ts';

interface QuestionFieldProps {
  /** Unique name of the radio group. */
  readonly name: string;
  readonly question: Question;
  readonly draft: AnswerDraft;
  readonly onChange: (draft: AnswerDraft) => void;
}

export function QuestionInput(props: QuestionFieldProps) {
  const { header, text, field } = props.question;
  return (
    <fieldset class="question">
      <legend>
        {header && <span class="question-header">{header}</span>}
        {text}
      </legend>
      {field.kind === 'text' ? (
        <Words {...props} label={text} placeholder={field.placeholder} />
      ) : (
        <Options {...props} />
      )}
    </fieldset>
  );
}

const yesAndNo: readonly QuestionOption[] = [{ label: 'Yes' }, { label: 'No' }];

/** Translates our own labels for display. The model reads the English ones. */
function shownLabel(label: string, isChoice: boolean): string {
  if (isChoice) return label;
  return label === 'Yes' ? t('Yes') : t('No');
}

function Options(props: QuestionFieldProps) {
  const { name, question, draft, onChange } = props;
  const { field, text } = question;
  const isChoice = field.kind === 'choice';
  const type = isChoice && field.multiple ? 'checkbox' : 'radio';
  const view = type === 'radio' ? 'mark round' : 'mark';
  const options = isChoice ? field.options : yesAndNo;
  return (
    <div class={isChoice ? undefined : 'yes-no'}>
      {options.map(({ label, description }) => (
        <label key={label} class="choice">
          <input
            type={type}
            class={view}
            name={name}
            checked={draft.taken.includes(label)}
            onChange={() => onChange(toggleOption(question, draft, label))}
          />
          <span class="choice-words">
            {shownLabel(label, isChoice)}
            {description && <span class="quiet">{description}</span>}
          </span>
        </label>
      ))}
      {isChoice && (
        <label class="choice">
          <input
            type={type}
            class={view}
            name={name}
            checked={draft.isOther}
            onChange={() => onChange(toggleOther(question, draft))}
          />
          <span class="choice-words">{t('Other…')}</span>
        </label>
      )}
      {isChoice && draft.isOther && (
        <Words {...props} label={t('Other answer: {0}', text)} placeholder={t('In your own words')} />
      )}
    </div>
  );
}

interface WordsProps extends QuestionFieldProps {
  readonly label: string;
  readonly placeholder?: string;
}

function Words({ draft, onChange, label, placeholder }: WordsProps) {
  return (
    <textarea
      class="input growing"
      rows={1}
      aria-label={label}
      placeholder={placeholder}
      value={draft.words}
      onInput={event => onChange({ ...draft, words: event.currentTarget.value })}
    />
  );
}
