/** Returns true for the key without modifiers, outside of input methods. */
export function isPlainKey(event: KeyboardEvent, key: string): boolean {
  return event.key === key && !event.isComposing && !hasModifier(event) && !event.shiftKey;
}

/** Returns true with Ctrl, Alt or Command. Shift does not count. */
export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/**
 * Moves the focus among `elements` in page order: from the innermost element that contains it, otherwise from its
 * position between them. At the ends it goes to the first or last.
 */
export function moveFocus(elements: readonly HTMLElement[], step: 1 | -1): void {
  const at = elements.findLastIndex(each => each.contains(document.activeElement));
  const next = at < 0 ? besideFocus(elements, step) : at + step;
  const element = elements[Math.min(Math.max(next, 0), elements.length - 1)];
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
}

function besideFocus(elements: readonly HTMLElement[], step: 1 | -1): number {
  const focused = document.activeElement;
  const isOn = (side: number) => (each: HTMLElement) =>
    focused !== null && !focused.contains(each) && (focused.compareDocumentPosition(each) & side) !== 0;
  if (step > 0) return Math.max(elements.findIndex(isOn(Node.DOCUMENT_POSITION_FOLLOWING)), 0);
  const before = elements.findLastIndex(isOn(Node.DOCUMENT_POSITION_PRECEDING));
  return before < 0 ? elements.length - 1 : before;
}
