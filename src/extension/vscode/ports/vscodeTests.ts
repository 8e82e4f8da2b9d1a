/*
 * Tests of VS Code's Testing. Extensions may neither list tests nor read results there, but commands of the window can:
 * it says which tests a file has, it runs those of a place and returns how each ended, and the tool that it offers to
 * models tells what failed in the newest run.
 */

import { commands, LanguageModelTextPart, lm, Uri } from 'vscode';
import * as z from 'zod';
import { abortable } from '../../base/abort.ts';
import type { EditorTests, TestOutcome } from '../../platform/editorTests.ts';
import { parseFailures, type ReportedFailure } from './testFailures.ts';

const failureTool = 'testFailure';

export class VscodeTests implements EditorTests {
  private isSettled = false;
  private isOffered = false;
  private asked: Promise<void> | undefined;

  get isThere(): boolean {
    return this.isSettled;
  }

  /** Waits for the window's answer once; later turns go by the newest one, since a busy window takes its time. */
  async settle(): Promise<void> {
    const asking = this.askWindow();
    this.asked ??= asking;
    await this.asked;
    this.isSettled = this.isOffered;
  }

  private async askWindow(): Promise<void> {
    const found = await ask('vscode.testing.getControllersWithTests');
    this.isOffered = Array.isArray(found) && found.length > 0;
  }

  async list(path: string): Promise<readonly (readonly string[])[]> {
    const found = z
      .array(z.array(z.string()))
      .safeParse(await ask('vscode.testing.getTestsInFile', Uri.file(path)));
    // The first of the names is that of who offers them.
    return (found.data ?? []).map(names => names.slice(1));
  }

  async run(path: string, signal: AbortSignal): Promise<readonly TestOutcome[] | undefined> {
    const running = Promise.resolve(commands.executeCommand('testing.run.uri', Uri.file(path)));
    try {
      const result = resultSchema.safeParse(await abortable(running, signal)).data;
      if (!result) return undefined;
      const hasFailed = result.items.some(item => outcomeOf(item) === 'failed');
      const reported = hasFailed ? await readFailures(signal) : [];
      return result.items.flatMap(item => toOutcome(item, result.items, reported));
    } catch (error) {
      if (signal.aborted) await ask('testing.cancelRun');
      throw error;
    }
  }
}

/** A window that lacks the command says nothing. */
async function ask(command: string, ...args: readonly unknown[]): Promise<unknown> {
  try {
    return await commands.executeCommand(command, ...args);
  } catch {
    return undefined;
  }
}

const itemSchema = z.object({
  item: z.object({
    extId: z.string(),
    label: z.string(),
    uri: z.object({ fsPath: z.string().optional(), path: z.string() }).nullish(),
    range: z.object({ startLineNumber: z.number() }).nullish(),
  }),
  ownComputedState: z.number(),
});
type Item = z.infer<typeof itemSchema>;
const resultSchema = z.object({ items: z.array(itemSchema) });

/** VS Code's numbers of states; the others are those of tests that did not run. */
function outcomeOf({ ownComputedState: state }: Item): TestOutcome['result'] | undefined {
  if (state === 3) return 'passed';
  if (state === 5) return 'skipped';
  return state === 4 || state === 6 ? 'failed' : undefined;
}

function toOutcome(
  item: Item,
  all: readonly Item[],
  reported: readonly ReportedFailure[],
): readonly TestOutcome[] {
  const result = outcomeOf(item);
  if (result === undefined) return [];
  const { extId, uri, range } = item.item;
  const name = namesOf(extId, all).join(' > ');
  const place = uri
    ? {
        path: uri.fsPath ?? Uri.from({ scheme: 'file', path: uri.path }).fsPath,
        line: range?.startLineNumber,
      }
    : undefined;
  const failure =
    result === 'failed' ? reported.find(({ id }) => extId.split('\0').slice(1).join('\0') === id) : undefined;
  return [{ name, result, message: failure?.message, place: failure?.place ?? place }];
}

/** As people read them, outermost first, without the one who offers the tests. */
function namesOf(extId: string, all: readonly Item[]): readonly string[] {
  const ids = extId.split('\0');
  return ids.slice(1).map((id, at) => {
    const known = all.find(({ item }) => item.extId === ids.slice(0, at + 2).join('\0'));
    return known?.item.label ?? id;
  });
}

async function readFailures(signal: AbortSignal): Promise<readonly ReportedFailure[]> {
  if (!lm.tools.some(({ name }) => name === failureTool)) return [];
  const asking = lm.invokeTool(failureTool, { input: {}, toolInvocationToken: undefined });
  const { content } = await abortable(Promise.resolve(asking), signal);
  return parseFailures(
    content.map(part => (part instanceof LanguageModelTextPart ? part.value : '')).join(''),
  );
}
