/*
 * Problems of files as they stand now. Servers tell of them in two ways: newer ones are asked for each file, and their
 * answer is about the text that they were told last; the others speak automatically, in several rounds (syntax, then
 * types), and have settled when they spoke about the present version and were quiet then.
 */

import { abortable } from '../base/abort.ts';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import type { Clock } from '../platform/clock.ts';
import { offers, problemReport, type ServerProblem } from './answers.ts';
import { ServerRefusal } from './connection.ts';
import type { RunningServer } from './languageServer.ts';
import { toPath } from './places.ts';

type ProblemsByPath = ReadonlyMap<string, readonly ServerProblem[]>;

/** As far as they are known at once; `undefined`: the server has not spoken about the file as it stands. */
export async function askProblems(
  server: RunningServer,
  path: string,
  signal: AbortSignal,
): Promise<readonly ServerProblem[] | undefined> {
  const document = await server.documents.show(path);
  if (!document) return undefined;
  if (!pulls(server)) return server.published.isCurrent(path) ? server.published.of(path) : undefined;
  return (await pull(server, path, document.uri, signal)).get(path);
}

/** The server is asked, and speaks of no file automatically. */
export function pulls({ capabilities }: RunningServer): boolean {
  return offers(capabilities, 'diagnosticProvider');
}

/** Asks about an open file. Those of other files that go along with the answer are among what it gives. */
export async function pull(
  { connection }: RunningServer,
  path: string,
  uri: string,
  signal: AbortSignal,
): Promise<ProblemsByPath> {
  const found = new Map<string, readonly ServerProblem[]>();
  try {
    const params = { textDocument: { uri } };
    const report = await connection.request('textDocument/diagnostic', params, problemReport, signal);
    for (const [other, { items }] of Object.entries(report.relatedDocuments ?? {})) {
      const otherPath = toPath(other);
      if (otherPath !== undefined && items) found.set(otherPath, items);
    }
    if (report.items) found.set(path, report.items);
  } catch (error) {
    if (!(error instanceof ServerRefusal)) throw error;
  }
  return found;
}

/** Milliseconds. Servers report in several rounds: one has settled when nothing came for `quiet`. */
const quiet = 400;
const limit = 2_500;

/**
 * Waits until a server that speaks automatically has settled, with a limit. False: it has not spoken about the file.
 */
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
