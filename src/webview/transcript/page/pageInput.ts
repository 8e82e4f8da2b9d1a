/* Converts events over the picture of a page to input of the page. */

import type { PageInput } from '../../../protocol/panel/pageTab.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

type Modified = Pick<MouseEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;
type Pointed = Modified & Pick<MouseEvent, 'offsetX' | 'offsetY' | 'button' | 'buttons' | 'detail'>;
type Pressed = Modified & Pick<KeyboardEvent, 'key' | 'code' | 'keyCode' | 'isComposing'>;

const buttons = ['left', 'middle', 'right', 'back', 'forward'] as const;
/** Keys that edit text with Control or Command. VS Code gets all others. */
const editing = /^(?:[acxyz]|Arrow\w+|Home|End|Backspace|Delete|Enter|Control|Meta|Shift|Alt)$/i;

export type MouseKind = Extract<PageInput, { kind: 'mouse' }>['type'];

/**
 * Converts a point of the tab to one of the page, which is fitted and centred at the top. Beside it: `undefined`.
 *
 * @param reach `nearest`: returns the nearest point of the page instead
 */
export function toPagePoint(
  { offsetX, offsetY }: Pick<MouseEvent, 'offsetX' | 'offsetY'>,
  room: Size,
  page: Size,
  reach: 'inside' | 'nearest' = 'inside',
): { readonly x: number; readonly y: number } | undefined {
  const scale = Math.min(room.width / page.width, room.height / page.height);
  const x = (offsetX - (room.width - page.width * scale) / 2) / (page.width * scale);
  const y = offsetY / (page.height * scale);
  const inside = { x: Math.min(Math.max(x, 0), 1), y: Math.min(Math.max(y, 0), 1) };
  return reach === 'nearest' || (x === inside.x && y === inside.y) ? inside : undefined;
}

export function mouseInput(
  type: MouseKind,
  event: Pointed,
  room: Size,
  page: Size,
  reach: 'inside' | 'nearest',
): PageInput | undefined {
  const place = toPagePoint(event, room, page, reach);
  const button = type === 'mouseMoved' ? heldOf(event.buttons) : (buttons[event.button] ?? 'none');
  const clickCount = type === 'mouseMoved' ? 0 : Math.min(Math.max(event.detail, 1), 3);
  const modifiers = modifiersOf(event);
  return (
    place && { kind: 'mouse', type, ...place, button, buttons: event.buttons & 31, clickCount, modifiers }
  );
}

export function wheelInput(event: WheelEvent, room: Size, page: Size): PageInput | undefined {
  const place = toPagePoint(event, room, page);
  // Wheels may report lines or pages instead of pixels.
  const unit = [1, 16, page.height][event.deltaMode] ?? 1;
  const [deltaX, deltaY] = [event.deltaX * unit, event.deltaY * unit];
  return place && { kind: 'wheel', ...place, deltaX, deltaY, modifiers: modifiersOf(event) };
}

/** Converts a key. Returns `undefined` for keys of VS Code and of input methods. */
export function keyInput(type: 'keyDown' | 'keyUp', event: Pressed): PageInput | undefined {
  const { key, code, keyCode } = event;
  if (event.isComposing || key === 'Process' || key === 'Dead' || /^F\d+$/.test(key)) return undefined;
  // On Windows AltGr reports Control and Alt.
  const isLetter = event.ctrlKey && event.altKey && [...key].length === 1;
  const isCommand = (event.ctrlKey || event.metaKey) && !isLetter;
  if (isCommand && !editing.test(key)) return undefined;
  const typed = key === 'Enter' ? '\r' : [...key].length === 1 && !isCommand ? key : undefined;
  const text = type === 'keyDown' ? typed : undefined;
  const modifiers = isLetter ? 0 : modifiersOf(event);
  return { kind: 'key', type, key, code, keyCode: keyCode & 255, modifiers, text };
}

/** Returns the held button, which moves must report for selecting and dragging. */
function heldOf(down: number): (typeof buttons)[number] | 'none' {
  if (down & 1) return 'left';
  if (down & 4) return 'middle';
  return down & 2 ? 'right' : 'none';
}

function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: Modified): number {
  return Number(altKey) + 2 * Number(ctrlKey) + 4 * Number(metaKey) + 8 * Number(shiftKey);
}
