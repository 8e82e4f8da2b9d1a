/* The lines that the program of a script writes, read as unknown: a script may write any. */

import * as z from 'zod';
import { later } from '../../../protocol/later.ts';
import { tryParseJson } from '../../base/record.ts';

const message = later(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('call'),
      /** Counts from 1. */
      id: z.int().positive(),
      tool: z.string(),
      args: z.record(z.string(), z.unknown()),
    }),
    z.strictObject({ type: z.literal('print'), text: z.string() }),
    z.strictObject({ type: z.literal('returned'), text: z.string() }),
    z.strictObject({ type: z.literal('threw'), message: z.string(), line: z.int().positive().optional() }),
  ]),
);

export type ScriptMessage = z.infer<ReturnType<typeof message>>;

/** `undefined`: no program of ours wrote this line. */
export function parseScriptMessage(line: string): ScriptMessage | undefined {
  return message().safeParse(tryParseJson(line)).data;
}
