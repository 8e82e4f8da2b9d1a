import type { TextItem } from '../../protocol/state.ts';
import { Answer } from './answer/answer.tsx';
import { PinButton } from './pinButton.tsx';

/** An answer, with what can be done to it. */
export function Said({ item }: { readonly item: TextItem }) {
  return (
    <div class="said">
      <PinButton id={item.stepId} what="answer" />
      <Answer text={item.text} />
    </div>
  );
}
