/*
 * Tests in VS Code's Test Explorer. The extension API neither lists tests nor returns results, but commands of the
 * window do: one lists a file's tests, one runs tests and returns results. VS Code's tool for models returns the
 * failures of the newest run.
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

  get isAvailable(): boolean {
    return this.isSettled;
  }

  /** Waits for the window's answer once. Later turns use the newest one, since a busy window is slow. */
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
    // The first name is that of the test provider.
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

/** Resolves with nothing in a window without the command. */
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

/** VS Code's state numbers. Other states mean that a test did not run. */
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

/** Returns display names, outermost first, without the test provider. */
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
