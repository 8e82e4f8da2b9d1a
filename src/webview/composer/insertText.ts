/** Puts text in place of a range as if it was typed, so that undo brings back what stood there. */
export function insertText(
  field: HTMLTextAreaElement,
  text: string,
  start = field.selectionStart,
  end = field.selectionEnd,
): void {
  field.focus();
  field.setSelectionRange(start, end);
  // The one way that the field's own undo knows of. Where it is refused, at least the text is right.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, start, end, 'end');
  reportInput(field);
}

/** Inserts words at the caret, apart from what stands before it. */
export function insertWords(field: HTMLTextAreaElement, words: string): void {
  const { value, selectionStart } = field;
  const isApart = selectionStart === 0 || /\s/.test(value[selectionStart - 1]!);
  insertText(field, isApart ? words : ` ${words}`);
}

/** For who follows the field, when the caret is somewhere else than where typing would have left it. */
export function reportInput(field: HTMLTextAreaElement): void {
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}
