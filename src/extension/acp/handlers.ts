/* Forwards the agent's requests to the client's port. */

import { type ClientApp, client, methods, RequestError } from '@agentclientprotocol/sdk';
import { englishMessageOf } from '../base/errors.ts';
import { fieldsOf } from '../base/record.ts';
import { tailWithinBytes } from '../base/text.ts';
import {
  type ExternalClient,
  type ExternalTerminal,
  MissingFileError,
} from '../core/external/externalAgent.ts';
import { sessionUpdateMethod } from './lineStream.ts';
import { parseExternalOptions, parseToolCall, parseUpdate } from './parseUpdate.ts';

/** @param isHeard returns false for updates to ignore */
export function createClientApp(port: ExternalClient, isHeard: (update: unknown) => boolean): ClientApp {
  const { fs, session } = methods.client;
  const app = client({ name: 'folio' })
    .onNotification(sessionUpdateMethod, fieldsOf, ({ params }) => {
      const update = isHeard(params.update) ? parseUpdate(params.update) : undefined;
      if (update) port.update(update);
    })
    .onRequest(session.requestPermission, fieldsOf, async ({ params }) => {
      const call = parseToolCall(params.toolCall);
      if (!call) throw RequestError.invalidParams('There is no toolCall.');
      const optionId = await answered(port.ask(call, parseExternalOptions(params.options)));
      return {
        outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
      };
    })
    .onRequest(fs.readTextFile, async ({ params: { path, line, limit } }) => {
      const range = { line: line ?? undefined, limit: limit ?? undefined };
      return { content: await answered(port.readFile(path, range)) };
    })
    .onRequest(fs.writeTextFile, async ({ params: { path, content } }) => {
      await answered(port.writeFile(path, content));
      return {};
    });
  return withTerminals(app, port);
}

function withTerminals(app: ClientApp, port: ExternalClient): ClientApp {
  const terminals = new Map<string, { readonly terminal: ExternalTerminal; readonly limit: number }>();
  let made = 0;
  const { terminal } = methods.client;
  const find = (id: string) => {
    const found = terminals.get(id);
    if (!found) throw RequestError.invalidParams(undefined, `There is no terminal ${id}.`);
    return found;
  };
  return app
    .onRequest(
      terminal.create,
      async ({ params: { command, args = [], env = [], cwd, outputByteLimit } }) => {
        const wanted = { command, args, env, cwd: cwd ?? undefined };
        const terminalId = `terminal-${++made}`;
        terminals.set(terminalId, {
          terminal: await answered(port.run(wanted)),
          limit: outputByteLimit ?? Number.POSITIVE_INFINITY,
        });
        return { terminalId };
      },
    )
    .onRequest(terminal.output, ({ params }) => {
      const { terminal: found, limit } = find(params.terminalId);
      const { output, exit } = found;
      const text = tailWithinBytes(output, limit);
      const truncated = found.isCut || text !== output;
      return { output: text, truncated, exitStatus: exit && exitStatus(exit.code) };
    })
    .onRequest(terminal.waitForExit, async ({ params }) =>
      exitStatus((await find(params.terminalId).terminal.exited).code),
    )
    .onRequest(terminal.kill, ({ params }) => {
      find(params.terminalId).terminal.stop();
      return {};
    })
    .onRequest(terminal.release, ({ params }) => {
      const found = find(params.terminalId).terminal;
      if (!found.exit) found.stop();
      terminals.delete(params.terminalId);
      return {};
    });
}

function exitStatus(exitCode: number | null) {
  return { exitCode, signal: exitCode === null ? 'SIGTERM' : null };
}

/** Reports the reason to the agent, which can continue. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MissingFileError) throw RequestError.resourceNotFound(error.path);
    throw new RequestError(-32_000, englishMessageOf(error));
  }
}
