/*
 * Serves the agent over the Agent Client Protocol: JSON-RPC on standard input and output, one message per line. Each
 * session has its own agent, since it has its own folder, servers and client capabilities.
 */

import { Readable, Writable } from 'node:stream';
import { type AgentApp, agent, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import type { HeadlessArguments } from '../arguments.ts';
import { AcpSessions } from './acpSessions.ts';
import { logOut } from './authentication.ts';

/** Resolves when the client has disconnected, or on abort, after everything has ended. */
export async function serveAcp(
  args: HeadlessArguments,
  notify: (sentence: string) => void,
  ended: AbortSignal,
): Promise<void> {
  const sessions = new AcpSessions(args, notify);
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = appOver(sessions).connect(ndJsonStream(Writable.toWeb(process.stdout), input));
  const close = () => connection.close();
  ended.addEventListener('abort', close, { once: true });
  if (ended.aborted) close();
  await connection.closed;
  await sessions.dispose(ended);
}

function appOver(sessions: AcpSessions): AgentApp {
  const { initialize, authenticate, logout, session } = methods.agent;
  return agent({ name: 'folio' })
    .onRequest(initialize, ({ params }) => sessions.initialize(params))
    .onRequest(authenticate, ({ params }) => sessions.authenticate(params.methodId))
    .onRequest(logout, () => logOut())
    .onRequest(session.new, ({ params, client }) => sessions.begin(params, client))
    .onRequest(session.load, ({ params, client }) => sessions.load(params, client))
    .onRequest(session.resume, ({ params, client }) => sessions.resume(params, client))
    .onRequest(session.list, ({ params }) => sessions.list(params))
    .onRequest(session.close, ({ params }) => sessions.close(params.sessionId))
    .onRequest(session.delete, ({ params }) => sessions.remove(params.sessionId))
    .onRequest(session.setMode, ({ params }) => sessions.find(params.sessionId).setMode(params.modeId))
    .onRequest(session.setConfigOption, async ({ params: { sessionId, configId, value }, signal }) => ({
      configOptions: [...(await sessions.setOption(sessionId, { id: configId, value }, signal))],
    }))
    .onRequest(session.prompt, ({ params, signal }) =>
      sessions.prompt(params.sessionId, params.prompt, signal),
    )
    .onNotification(session.cancel, ({ params }) => sessions.find(params.sessionId).cancel());
}
