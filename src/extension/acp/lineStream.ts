import { type AnyMessage, methods, type Stream } from '@agentclientprotocol/sdk';
import { isRecord, tryParseJson } from '../base/record.ts';
import { formatBytes, oneLine } from '../base/text.ts';
import { LineSplitter } from '../platform/framing/lineSplitter.ts';
import type { ServerProcess } from '../platform/serverProcesses.ts';

/** A file that an agent writes is sent in one message. */
const maxMessageBytes = 64 * 1024 * 1024;

/** Updates get a method name of Folio's own: under the original name the library rejects unknown kinds. */
export const sessionUpdateMethod = 'folio/session_update';

/** Converts the lines of a process to messages. @param log called with lines that are no messages */
export function lineStream(process: ServerProcess, log: (line: string) => void): Stream {
  let isClosed = false;
  const readable = new ReadableStream<AnyMessage>({
    start: controller => {
      const lines = new LineSplitter(maxMessageBytes, {
        line: bytes => {
          const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
          if (line.trim() === '' || isClosed) return;
          const message = tryParseJson(line);
          if (isRecord(message) && message.jsonrpc === '2.0') controller.enqueue(renamed(message));
          else log(`It printed what is no message: ${oneLine(line, 200)}`);
        },
        tooLong: ({ bytes }) => log(`A message of ${formatBytes(bytes)} was left out.`),
      });
      process.onDidRead(bytes => lines.add(bytes));
      void process.exit.then(() => {
        lines.finish();
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
  return (isUpdate ? { ...message, method: sessionUpdateMethod } : message) as AnyMessage;
}
