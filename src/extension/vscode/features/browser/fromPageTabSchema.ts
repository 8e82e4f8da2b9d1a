/* Validates messages of the tab in which the user controls a page. */

import * as z from 'zod';
import type { FromPageTab } from '../../../../protocol/panel/pageTab.ts';

/** A fraction of the picture's width or height. */
const part = z.number().min(0).max(1);
/** Bit mask of the DevTools protocol: Alt 1, Control 2, Meta 4, Shift 8. */
const modifiers = z.int().min(0).max(15);

const input = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('mouse'),
    type: z.enum(['mousePressed', 'mouseReleased', 'mouseMoved']),
    x: part,
    y: part,
    button: z.enum(['none', 'left', 'middle', 'right', 'back', 'forward']),
    buttons: z.int().min(0).max(31),
    clickCount: z.int().min(0).max(10),
    modifiers,
  }),
  z.object({
    kind: z.literal('wheel'),
    x: part,
    y: part,
    deltaX: z.number(),
    deltaY: z.number(),
    modifiers,
  }),
  z.object({
    kind: z.literal('key'),
    type: z.enum(['keyDown', 'keyUp']),
    key: z.string().max(50),
    code: z.string().max(50),
    keyCode: z.int().min(0).max(255),
    modifiers,
    text: z.string().max(10).optional(),
  }),
  z.object({ kind: z.literal('text'), text: z.string().max(100_000) }),
]);

export const fromPageTabSchema: z.ZodType<FromPageTab> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('drawn') }),
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('input'), input }),
  z.object({ type: z.literal('giveBack') }),
]);
