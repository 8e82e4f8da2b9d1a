/* Converts answer parts of VS Code to Folio's events and to the complete message. */

import type { Message, Part } from '../../../protocol/events.ts';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import { headOf } from '../../base/text.ts';
import { hasVisibleText } from '../../base/visibleText.ts';
import { ModelError, type ModelEvent } from '../../core/model.ts';
import type { AnswerPart } from './languageModels.ts';

export class AnswerParts {
  private readonly parts: Part[] = [];
  private readonly newId: () => string;
  private readonly taken: Set<string>;

  /** @param taken ids of calls in the history, which must stay unique */
  constructor(newId: () => string, taken: ReadonlySet<string>) {
    this.newId = newId;
    this.taken = new Set(taken);
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  get message(): Message {
    return { role: 'model', parts: this.parts };
  }

  *addPart(part: AnswerPart): Generator<ModelEvent> {
    if (part.kind === 'call') return this.addCall(part);
    const { kind, text } = part;
    if (text === '') return;
    const last = this.parts.at(-1);
    if (last?.kind === kind) this.parts[this.parts.length - 1] = { kind, text: last.text + text };
    else this.parts.push({ kind, text });
    yield { type: kind, text };
  }

  /** Call when the answer is complete. VS Code reports no finish reason, so only the content can be classified. */
  findProblem(): ModelError | undefined {
    const text = this.parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
    if (this.parts.some(({ kind }) => kind === 'call') || hasVisibleText(text)) return undefined;
    return invalid(() =>
      this.isEmpty ? t('The model gave an empty answer.') : t('The model thought but did not answer.'),
    );
  }

  private addCall({ id, name, input }: Extract<AnswerPart, { kind: 'call' }>): void {
    const isFree = typeof id === 'string' && id !== '' && !this.taken.has(id);
    const own = isFree ? id : this.newId();
    this.taken.add(own);
    const args = input === undefined || input === null ? {} : input;
    this.parts.push({
      kind: 'call',
      id: own,
      name: typeof name === 'string' ? name : '',
      ...(isRecord(args)
        ? { args }
        : {
            args: {},
            unreadable: headOf(JSON.stringify(args), 100),
          }),
    });
  }
}

function invalid(what: LocalizedMessage): ModelError {
  const say = () => t('{0} Retry, or choose another model.', what());
  return new ModelError('invalidStream', say, { retryable: true });
}
