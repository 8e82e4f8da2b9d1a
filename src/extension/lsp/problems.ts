/*
 * Current problems of files. Newer servers are asked per file and answer for the text sent last. Others publish on
 * their own in several rounds (syntax, then types). They have settled once they reported on the current version and
 * then stayed silent.
 */

import { abortable } from '../base/abort.ts';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import type { Clock } from '../platform/clock.ts';
import { diagnosticReportSchema, hasProvider, type ServerProblem } from './answers.ts';
import { LanguageServerRefusal } from './connection.ts';
import type { RunningServer } from './languageServer.ts';
import { toPath } from './places.ts';

type ProblemsByPath = ReadonlyMap<string, readonly ServerProblem[]>;

/** Returns the problems known now; `undefined` if the server has not reported on the current text. */
export async function requestProblems(
  server: RunningServer,
  path: string,
  signal: AbortSignal,
): Promise<readonly ServerProblem[] | undefined> {
  const document = await server.documents.show(path);
  if (!document) return undefined;
  if (!pullsProblems(server)) return server.published.isCurrent(path) ? server.published.of(path) : undefined;
  return (await pullProblems(server, path, document.uri, signal)).get(path);
}

/** Returns whether the server is asked for problems instead of publishing them. */
export function pullsProblems({ capabilities }: RunningServer): boolean {
  return hasProvider(capabilities, 'diagnosticProvider');
}

/** Requests the problems of an open file. The answer may include those of other files. */
export async function pullProblems(
  { connection }: RunningServer,
  path: string,
  uri: string,
  signal: AbortSignal,
): Promise<ProblemsByPath> {
  const found = new Map<string, readonly ServerProblem[]>();
  try {
    const params = { textDocument: { uri } };
    const report = await connection.request(
      'textDocument/diagnostic',
      params,
      diagnosticReportSchema,
      signal,
    );
    for (const [other, { items }] of Object.entries(report.relatedDocuments ?? {})) {
      const otherPath = toPath(other);
      if (otherPath !== undefined && items) found.set(otherPath, items);
    }
    if (report.items) found.set(path, report.items);
  } catch (error) {
    if (!(error instanceof LanguageServerRefusal)) throw error;
  }
  return found;
}

/** Milliseconds. Servers report in several rounds, and have settled after `quiet` without one. */
const quiet = 400;
const limit = 2_500;

/** Waits, with a limit, until a publishing server has settled. Returns false if it has not reported on the file. */
export async function waitUntilSettled(
  { published, documents }: RunningServer,
  path: string,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
): Promise<boolean> {
  await documents.show(path);
  const store = new DisposableStore();
  const done = new Promise<void>(resolve => {
    let stopQuiet = () => {};
    const restart = () => {
      stopQuiet();
      if (published.isCurrent(path)) stopQuiet = clock.after(quiet, resolve);
    };
    store.add(toDisposable(clock.after(limit, resolve)));
    store.add(toDisposable(() => stopQuiet()));
    store.add(published.onDidSpeak(restart));
    restart();
  });
  try {
    await abortable(done, signal);
  } finally {
    store.dispose();
  }
  return published.isCurrent(path);
}
