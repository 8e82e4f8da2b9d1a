/* Debugging by VS Code in a real extension host; the adapter is the one of the test extension for clients. */

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { VscodeDebugger } from '../../src/extension/vscode/vscodeDebugger.ts';
import { contractLaunchFile, type DebugWorld, debuggerContract } from '../support/debuggerContract.ts';
import type { ApiCase } from './cases.ts';

export const vscodeDebuggerCases: readonly ApiCase[] = [
  ...debuggerContract,
  {
    name: "the user's program is read where it stands in view, and no longer once it went on",
    async run({ debugger: made, write }: DebugWorld) {
      const path = await write('main.txt', 'count = 41\nprint hello\nwait');
      assert.equal(made.users!(), undefined);
      const place = new vscode.Location(vscode.Uri.file(path), new vscode.Position(1, 0));
      const point = new vscode.SourceBreakpoint(place);
      vscode.debug.addBreakpoints([point]);
      try {
        await vscode.debug.startDebugging(vscode.workspace.workspaceFolders![0], 'Program');
        const users = await untilViewed(() => made.users!());
        assert.equal(users.name, 'Program');
        const { stackFrames } = await users.ask('stackTrace', { threadId: users.threadId });
        assert.ok(Array.isArray(stackFrames));
        assert.deepEqual([stackFrames[0].line, stackFrames[0].source.path], [2, path]);
        const value = await users.ask('evaluate', { expression: 'count', context: 'watch' });
        assert.equal(value.result, '41');
        await vscode.commands.executeCommand('workbench.action.debug.continue');
        await untilViewed(() => made.users!() === undefined || undefined);
        await assert.rejects(users.ask('stackTrace', { threadId: users.threadId }), { name: 'DebugError' });
      } finally {
        await vscode.debug.stopDebugging(vscode.debug.activeDebugSession);
        vscode.debug.removeBreakpoints([point]);
      }
    },
  },
  {
    name: "a program of the agent's is none of the user's",
    async run({ debugger: made, write }: DebugWorld) {
      const path = await write('main.txt', 'count = 41\nwait');
      const [configuration] = await made.configurations();
      const { signal } = new AbortController();
      const request = {
        configuration: configuration!,
        breakpoints: [{ path, line: 1 }],
        stopsAtCaught: false,
      };
      await made.start(request, () => {}, signal);
      await untilViewed(() => vscode.debug.activeStackItem);
      assert.equal(made.users!(), undefined);
    },
  },
].map(({ name, run }) => ({
  name: `VS Code's debugger: ${name}`,
  run: () => withDebugger(run),
}));

/** Milliseconds; only what hangs takes so long. */
const patience = 60_000;

async function untilViewed<Found>(find: () => Found | undefined): Promise<Found> {
  const late = AbortSignal.timeout(patience);
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise<void>((resolve, reject) => {
      const listener = vscode.debug.onDidChangeActiveStackItem(() => {
        listener.dispose();
        resolve();
      });
      late.addEventListener('abort', () => {
        listener.dispose();
        reject(new Error(`This is in view: ${vscode.debug.activeStackItem?.session.name}`));
      });
    });
  }
}

/** In the folder that is open, which is as before afterwards. */
async function withDebugger(run: (world: DebugWorld) => Promise<void>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const made = new VscodeDebugger();
  await mkdir(join(folder, '.vscode'), { recursive: true });
  // In a file that an editor shows, breakpoints would move with the text of the next case.
  const programs = await mkdtemp(join(folder, 'programs-'));
  await writeFile(
    join(folder, '.vscode', 'launch.json'),
    contractLaunchFile(`$\{workspaceFolder}/${basename(programs)}`),
  );
  const write = async (name: string, text: string) => {
    await writeFile(join(programs, name), text);
    return join(programs, name);
  };
  try {
    await untilThere(made, true);
    await run({ debugger: made, write });
  } finally {
    await made.close();
    await rm(programs, { recursive: true });
    await rm(join(folder, '.vscode', 'launch.json'));
    await untilThere(made, false);
  }
}

/** VS Code notices a file in its own time. */
async function untilThere(made: VscodeDebugger, isThere: boolean): Promise<void> {
  while (made.isAvailable() !== isThere)
    await new Promise<void>(resolve => {
      const listener = vscode.workspace.onDidChangeConfiguration(() => {
        listener.dispose();
        resolve();
      });
    });
}
