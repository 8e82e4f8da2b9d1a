/*
 * Servers without a field for reasoning put it at the start of the answer, between `<think>` and `</think>`. Separates
 * the two while they stream; a tag may be split between chunks.
 */

export interface AnswerChunk {
  readonly kind: 'text' | 'thought';
  readonly text: string;
  /** The member of the server's message that held the thought. Omitted if it was part of the text. */
  readonly member?: ThoughtMember;
}

/** `thinking` is a content chunk of that type. */
type ThoughtMember = 'reasoning_content' | 'reasoning' | 'thinking';

const opening = '<think>';
const closing = '</think>';

export class InlineThoughtParser {
  private state: 'start' | 'thinking' | 'answering' = 'start';
  /** Buffered text that may still turn out to be text or thought. */
  private held = '';

  addText(text: string): readonly AnswerChunk[] {
    if (this.state === 'answering') return text === '' ? [] : [{ kind: 'text', text }];
    this.held += text;
    return this.state === 'start' ? this.begin() : this.think();
  }

  /** Returns the rest of the buffer. */
  end(): readonly AnswerChunk[] {
    const { held, state } = this;
    this.held = '';
    if (held === '') return [];
    return [{ kind: state === 'thinking' ? 'thought' : 'text', text: held }];
  }

  private begin(): readonly AnswerChunk[] {
    const start = this.held.trimStart();
    if (start.startsWith(opening)) {
      this.state = 'thinking';
      this.held = start.slice(opening.length);
      return this.think();
    }
    return opening.startsWith(start) ? [] : this.answer(this.held);
  }

  private think(): readonly AnswerChunk[] {
    const at = this.held.indexOf(closing);
    if (at >= 0) {
      const thought = this.held.slice(0, at);
      const rest = this.answer(this.held.slice(at + closing.length).trimStart());
      return thought === '' ? rest : [{ kind: 'thought', text: thought }, ...rest];
    }
    const kept = tornLength(this.held);
    const text = this.held.slice(0, this.held.length - kept);
    this.held = this.held.slice(this.held.length - kept);
    return text === '' ? [] : [{ kind: 'thought', text }];
  }

  private answer(text: string): readonly AnswerChunk[] {
    this.state = 'answering';
    this.held = '';
    return this.addText(text);
  }
}

/** Length of the longest suffix that may be the start of the closing tag. */
function tornLength(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(closing.slice(0, length))) return length;
  }
  return 0;
}
