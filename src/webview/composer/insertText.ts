/** Replaces a range as if typed, so that undo works. */
export function insertText(
  field: HTMLTextAreaElement,
  text: string,
  start = field.selectionStart,
  end = field.selectionEnd,
): void {
  field.focus();
  field.setSelectionRange(start, end);
  // The only call that the field's undo supports. If it fails, the text is replaced without undo.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, start, end, 'end');
  dispatchInputEvent(field);
}

/** Inserts text at the caret, separated by a space. */
export function insertSpacedText(field: HTMLTextAreaElement, words: string): void {
  const { value, selectionStart } = field;
  const isApart = selectionStart === 0 || /\s/.test(value[selectionStart - 1]!);
  insertText(field, isApart ? words : ` ${words}`);
}

/** Emits `input`, for a caret that typing would have left elsewhere. */
export function dispatchInputEvent(field: HTMLTextAreaElement): void {
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}
