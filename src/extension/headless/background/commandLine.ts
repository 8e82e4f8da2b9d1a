/* Command-line access to the background host: start, list, attach and stop. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackgroundOrder } from '../../../protocol/background.ts';
import { LocalizedError } from '../../base/errors.ts';
import { fromDefinedEntries } from '../../base/record.ts';
import { validateEvent } from '../../core/recording/parseEvent.ts';
import { findHome } from '../../node/homeFolder.ts';
import { type BackgroundRequest, type HeadlessArguments, RunRefusal, UsageError } from '../arguments.ts';
import { HostClient, type HostRequestConnection } from '../client/hostClient.ts';
import { readLines } from '../client/readLines.ts';
import { makeOutput, type Printer } from '../output.ts';

/** @param argv the original arguments, which the host parses. Throws `UsageError` and `RunRefusal`. */
export async function runBackgroundCommand(
  request: BackgroundRequest,
  { args, argv }: { readonly args: HeadlessArguments; readonly argv: readonly string[] },
  printer: Printer,
  interrupted: AbortSignal,
): Promise<void> {
  const home = findHome();
  if (home === undefined) throw new UsageError('There is no home folder. Set HOME to one.');
  const client = new HostClient(home, join(fileURLToPath(import.meta.url), '..', '..', 'headless.cjs'));
  try {
    switch (request.kind) {
      case 'run':
        return await run(argv, client, printer);
      case 'list':
        return await list(client, printer);
      case 'attach':
        return await attach(request.sessionId, args, client, printer, interrupted);
      case 'stop':
        return await stop(request.sessionId, client);
    }
  } catch (error) {
    throw error instanceof LocalizedError ? new RunRefusal(error.message) : error;
  }
}

/** Prints the id of the session, which runs independently of this process. */
async function run(args: readonly string[], client: HostClient, printer: Printer): Promise<void> {
  // Includes keys, which the host keeps in memory.
  const env = fromDefinedEntries(Object.entries(process.env));
  const order: BackgroundOrder = { type: 'run', args: [...args], cwd: process.cwd(), env };
  const connection = await client.connectOrStart(order);
  for (let reply = await connection.next(); reply; reply = await connection.next()) {
    if (reply.type !== 'opened') continue;
    printer.out(`${reply.sessionId}\n`);
    return connection.close();
  }
  throw new RunRefusal('The background host ended. Try it again.');
}

async function list(client: HostClient, printer: Printer): Promise<void> {
  const connection = await client.connect({ type: 'list' });
  const reply = await connection?.next();
  const known = reply?.type === 'sessions' ? reply.sessions : await interruptedOf(client);
  for (const { sessionId, status, title, worktree } of known) {
    const place = worktree === undefined ? '' : `  (worktree ${worktree})`;
    printer.out(`${sessionId}  ${status}  ${title}${place}\n`);
  }
  connection?.close();
}

/** Sessions of a killed host. */
async function interruptedOf({ folder }: HostClient) {
  const recorded = await folder.readRecord();
  return recorded.map(({ sessionId = '', title, worktree }) => ({
    sessionId,
    status: 'interrupted',
    title,
    worktree: worktree?.name,
  }));
}

/**
 * Prints past and new events until the session rests. With `--input-format stream-json`, forwards input lines to it.
 */
async function attach(
  sessionId: string,
  { output: format, streams }: HeadlessArguments,
  client: HostClient,
  printer: Printer,
  interrupted: AbortSignal,
): Promise<void> {
  const connection = await expectHost(client, { type: 'attach', sessionId });
  const output = makeOutput(format, printer);
  // Closes only the view; the session continues.
  interrupted.addEventListener('abort', () => connection.close(), { once: true });
  if (streams) void sendLines(connection);
  for (let reply = await connection.next(); reply; reply = await connection.next()) {
    if (reply.type === 'ended') return connection.close();
    if (reply.type === 'refused') printer.out(`${JSON.stringify({ ...reply, type: 'input.refused' })}\n`);
    const reported = reply.type === 'event' ? validateEvent(reply.event) : undefined;
    if (reported) output.event(reported);
  }
  if (!interrupted.aborted) throw new RunRefusal('The background host ended in the middle of it.');
}

async function sendLines(connection: HostRequestConnection): Promise<void> {
  process.stdin.setEncoding('utf8');
  for await (const line of readLines(process.stdin as AsyncIterable<string>)) connection.sendLine(line);
}

async function stop(sessionId: string, client: HostClient): Promise<void> {
  const isKnown = (await client.folder.readRecord()).some(each => each.sessionId === sessionId);
  const order: BackgroundOrder = { type: 'stop', sessionId };
  // A killed host left it, and only the next host may change it.
  const connection = isKnown ? await client.connectOrStart(order) : await expectHost(client, order);
  await connection.next();
  connection.close();
}

async function expectHost(client: HostClient, order: BackgroundOrder): Promise<HostRequestConnection> {
  const connection = await client.connect(order);
  if (!connection) throw new RunRefusal('No session runs in the background.');
  return connection;
}
