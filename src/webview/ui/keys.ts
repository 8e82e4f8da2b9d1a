/** The key alone: no modifier, and not a keystroke that an input method still composes. */
export function isPlainKey(event: KeyboardEvent, key: string): boolean {
  return event.key === key && !event.isComposing && !hasModifier(event) && !event.shiftKey;
}

export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** Moves the focus among `elements`, from the innermost that contains it; without one, to the first or last. */
export function moveFocus(elements: readonly HTMLElement[], step: 1 | -1): void {
  const at = elements.findLastIndex(each => each.contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : elements.length - 1) : at + step;
  const element = elements[Math.min(Math.max(next, 0), elements.length - 1)];
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
}
