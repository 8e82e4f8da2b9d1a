import { type AnyMessage, methods, type Stream } from '@agentclientprotocol/sdk';
import { isRecord, tryParseJson } from '../base/record.ts';
import { oneLine } from '../base/text.ts';
import type { ServerProcess } from '../platform/serverProcesses.ts';

/** A file that an agent writes goes through one message. */
const maxLineLength = 64 * 1024 * 1024;

/** Updates come under a name of Folio's own: under theirs the library refuses kinds that it does not know. */
export const updateMethod = 'folio/session_update';

/** Messages as lines of a process. @param log hears of lines that are none */
export function lineStream(process: ServerProcess, log: (line: string) => void): Stream {
  const decoder = new TextDecoder();
  let rest = '';
  let isSkipping = false;
  let isClosed = false;
  const readable = new ReadableStream<AnyMessage>({
    start: controller => {
      const take = (line: string) => {
        if (line.trim() === '') return;
        const message = tryParseJson(line);
        if (isClosed) return;
        if (isRecord(message) && message.jsonrpc === '2.0') controller.enqueue(renamed(message));
        else log(`It printed what is no message: ${oneLine(line, 200)}`);
      };
      process.onDidRead(bytes => {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        if (isSkipping && lines.length > 0) {
          lines.shift();
          isSkipping = false;
        }
        for (const line of lines) take(line);
        if (rest.length <= maxLineLength) return;
        log('A message that was too long was left out.');
        rest = '';
        isSkipping = true;
      });
      void process.exit.then(() => {
        take(rest);
        if (!isClosed) controller.close();
        isClosed = true;
      });
    },
    cancel: () => {
      isClosed = true;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: message => process.write(`${JSON.stringify(message)}\n`),
  });
  return { readable, writable };
}

function renamed(message: Readonly<Record<string, unknown>>): AnyMessage {
  const isUpdate = message.method === methods.client.session.update;
  return (isUpdate ? { ...message, method: updateMethod } : message) as AnyMessage;
}
