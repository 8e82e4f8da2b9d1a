import { describe, expect, it } from 'vitest';
import { keyInput, mouseInput, toPagePoint } from '../../src/webview/transcript/page/pageInput.ts';

const page = { width: 1280, height: 800 };
const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false };
const key = (name: string, held: object = {}) =>
  keyInput('keyDown', { ...none, key: name, code: '', keyCode: 0, ...held });

describe('input for a page that the user took over', () => {
  it.each([
    ['in its middle at half size', { width: 640, height: 400 }, [320, 200], { x: 0.5, y: 0.5 }],
    ['in its middle at twice the size', { width: 2560, height: 1600 }, [1280, 800], { x: 0.5, y: 0.5 }],
    ['beside which there is room', { width: 840, height: 400 }, [420, 100], { x: 0.5, y: 0.25 }],
    ['but not beside it', { width: 840, height: 400 }, [50, 100], undefined],
    ['and not below it', { width: 640, height: 700 }, [10, 500], undefined],
  ] as const)('hits the page %s', (_name, room, [offsetX, offsetY], place) => {
    expect(toPagePoint({ offsetX, offsetY }, room, page)).toEqual(place);
  });

  it('hits the nearest place of the page for a drag that leaves it', () => {
    const room = { width: 840, height: 400 };
    expect(toPagePoint({ offsetX: 50, offsetY: 500 }, room, page, 'nearest')).toEqual({ x: 0, y: 1 });
  });

  it.each([
    ['left', 1],
    ['right', 2],
    ['middle', 4],
    ['left', 3],
    ['none', 0],
  ])('moves with the button that is down: %s for %i', (button, buttons) => {
    const event = { ...none, offsetX: 640, offsetY: 400, button: 0, buttons, detail: 0 };
    expect(mouseInput('mouseMoved', event, page, page, 'inside')).toMatchObject({ button, buttons });
  });

  it.each([
    ['a letter', 'a', {}, { text: 'a', modifiers: 0 }],
    ['a modifier, which is no text', 'Shift', { shiftKey: true }, { text: undefined, modifiers: 8 }],
    ['Enter', 'Enter', {}, { text: '\r' }],
    ['a command that edits', 'a', { ctrlKey: true }, { text: undefined, modifiers: 2 }],
    ['a letter with AltGr', '@', { ctrlKey: true, altKey: true }, { text: '@', modifiers: 0 }],
  ])('sends %s', (_name, name, held, sent) => {
    expect(key(name, held)).toMatchObject({ kind: 'key', key: name, ...sent });
  });

  it.each([
    ['VS Code its commands', 'p', { ctrlKey: true }],
    ['VS Code its function keys', 'F1', {}],
    ['the field its paste', 'v', { metaKey: true }],
    ['the field what is still composed', 'Process', { isComposing: true }],
  ])('leaves %s', (_name, name, held) => {
    expect(key(name, held)).toBeUndefined();
  });
});
