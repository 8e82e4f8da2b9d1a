import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sessionPlans } from '../../src/extension/core/plan/plans.ts';
import type { PrepareResult } from '../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { enterPlanModeTool } from '../../src/extension/tools/enterPlanMode.ts';
import { exitPlanModeTool } from '../../src/extension/tools/exitPlanMode.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { ApprovalMode } from '../../src/protocol/intentions.ts';
import { emptySession } from '../../src/protocol/state.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { useTool } from '../support/useTool.ts';

let folder: string;
let mode: ApprovalMode;
let events: SessionEventBody[];

beforeEach(async () => {
  folder = await temporaryFolder('folio-plans-');
  mode = 'plan';
  events = [];
});

function tools(interactive = true) {
  const transcript = {
    get state() {
      return { ...emptySession, mode };
    },
    emit: (event: SessionEventBody) => void events.push(event),
  };
  const plans = sessionPlans(new NodeFileSystem(), () => join(folder, 'plans'), transcript);
  const setMode = (next: ApprovalMode) => {
    mode = next;
  };
  const ports = { interactive, mode: () => mode, setMode, plans };
  return { enter: enterPlanModeTool(ports), exit: exitPlanModeTool(ports) };
}

const plan = { title: 'Rename alpha', plan: '1. Write beta.\n2. Run the tests.\n' };
const approvedPlan = { mode: 'autoEdit' } as const;
const files = async () => (await readdir(join(folder, 'plans'))).sort();
const fileOf = (name: string) => join(folder, 'plans', name);

/** Presents the plan; the user does something with its file, and approves it. */
function approve(change: (path: string) => Promise<void> = async () => {}, input = plan) {
  const decide = async ({ subject }: PrepareResult<unknown>) => {
    if (subject?.kind === 'plan') await change(subject.path);
    return undefined;
  };
  return useTool(tools().exit, input, { decide, said: { approvedPlan } });
}

async function sendBack(said: string | undefined, change: (path: string) => Promise<void> = async () => {}) {
  const call = {
    callId: 'c',
    signal: new AbortController().signal,
    write: () => {},
    saveOutput: async () => undefined,
  };
  const { subject, declined } = await tools().exit.prepare(plan, call);
  if (subject?.kind === 'plan') await change(subject.path);
  return declined!(said);
}

describe('the tools of plan mode', () => {
  test('each is offered only in the modes that it leads out of', () => {
    const offered = (given: ApprovalMode) => {
      mode = given;
      const { enter, exit } = tools();
      return [enter.isOffered?.(), exit.isOffered?.()];
    };
    expect(offered('default')).toEqual([true, false]);
    expect(offered('autoEdit')).toEqual([true, false]);
    expect(offered('plan')).toEqual([false, true]);
    expect(offered('yolo')).toEqual([false, false]);
  });

  test('without a user neither is offered, and a plan is refused before it is written', async () => {
    const { enter, exit } = tools(false);
    expect([enter.isOffered?.(), exit.isOffered?.()]).toEqual([false, false]);
    await expect(useTool(exit, plan)).rejects.toThrow(/Nobody is there/);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('enter_plan_mode', () => {
  test('switches once the user agrees', async () => {
    mode = 'default';
    const result = await useTool(tools().enter, { reason: 'Many files.' });
    expect(mode).toBe('plan');
    expect(result.text).toContain('exit_plan_mode');
  });

  test('is refused in plan mode', async () => {
    await expect(useTool(tools().enter, { reason: 'Again.' })).rejects.toThrow(/on already/);
  });
});

describe('exit_plan_mode', () => {
  test('writes the plan into a file of its own that is told and shown', async () => {
    await approve();
    expect(await files()).toEqual(['1-rename-alpha.md']);
    const text = '# Rename alpha\n\n1. Write beta.\n2. Run the tests.\n';
    expect(await readFile(fileOf('1-rename-alpha.md'), 'utf8')).toBe(text);
    expect(events[0]).toEqual({
      type: 'plan.written',
      path: fileOf('1-rename-alpha.md'),
      title: 'Rename alpha',
    });
  });

  test('an approved plan that nobody changed is not said again', async () => {
    const { text, display } = await approve();
    expect(mode).toBe('autoEdit');
    expect(text).toContain('They changed nothing in it.');
    expect(text).not.toContain('Write beta');
    expect(display.summary).toBe('Approved');
    expect(events.at(-1)).toMatchObject({ type: 'plan.decided', approved: true });
  });

  test('what the user changed in the file is what counts', async () => {
    const { text, display } = await approve(path =>
      writeFile(path, '# Rename alpha\r\n\r\n1. Write gamma.\r\n2. Run the tests.\r\n'),
    );
    expect(text).toContain(
      '<approved_plan>\n# Rename alpha\n\n1. Write gamma.\n2. Run the tests.\n</approved_plan>',
    );
    expect(text).toContain('- 1. Write beta.\n+ 1. Write gamma.');
    expect(text).not.toContain('- 2.');
    expect(display.summary).toBe('Approved with changes');
  });

  test('an editor that changes only line breaks has changed nothing', async () => {
    const { text } = await approve(async path => {
      const written = await readFile(path, 'utf8');
      await writeFile(path, `${written.replaceAll('\n', '\r\n')}\r\n`);
    });
    expect(text).toContain('They changed nothing in it.');
  });

  test.each([
    ['emptied', (path: string) => writeFile(path, ' \n')],
    ['deleted', (path: string) => rm(path)],
  ])('a plan whose file was %s is not approved, and plan mode stays on', async (_how, change) => {
    await expect(approve(change)).rejects.toThrow(/present the plan again/);
    expect(mode).toBe('plan');
    expect(events.at(-1)).toMatchObject({ type: 'plan.decided', approved: false });
  });

  test('sent back, the model reads the remarks and what was typed into the plan', async () => {
    const { reason, summary } = await sendBack('Test it too.', path =>
      writeFile(path, '# Rename alpha\n\n1. Write beta.\n2. Run ALL tests.\n'),
    );
    expect(mode).toBe('plan');
    expect(reason).toContain('They said: Test it too.');
    expect(reason).toContain('- 2. Run the tests.\n+ 2. Run ALL tests.');
    expect(summary()).toBe('Sent back: Test it too.');
    expect(events.at(-1)).toMatchObject({ type: 'plan.decided', approved: false });
  });

  test('sent back after the user left plan mode, the model is not told to present it again', async () => {
    const { reason } = await sendBack('Just do it.', async () => {
      mode = 'autoEdit';
    });
    expect(reason).toContain('They said: Just do it.');
    expect(reason).toContain('switched plan mode off');
    expect(reason).not.toMatch(/stays on|present the whole plan/);
  });

  test('sent back without a word, or with the file gone, is no change of the plan', async () => {
    const { reason } = await sendBack(undefined, path => rm(path));
    expect(reason).toContain('They said nothing');
    expect(reason).not.toContain('also changed');
  });

  test('each presentation has a file of its own, so that nothing typed is lost', async () => {
    await sendBack('No.', path => writeFile(path, 'mine'));
    await approve(undefined, { title: '  Größe & <b>\n', plan: '# Own heading\n\nText.' });
    expect(await files()).toEqual(['1-rename-alpha.md', '2-größe-b.md']);
    expect(await readFile(fileOf('1-rename-alpha.md'), 'utf8')).toBe('mine');
    expect(await readFile(fileOf('2-größe-b.md'), 'utf8')).toBe('# Own heading\n\nText.\n');
  });

  test('a title cannot lead out of the folder', async () => {
    await approve(undefined, { title: '../../etc/passwd', plan: 'x' });
    mode = 'plan';
    await approve(undefined, { title: '///', plan: 'x' });
    expect(await files()).toEqual(['1-etc-passwd.md', '2-plan.md']);
  });

  test('is refused outside of plan mode, without a plan and with too long a one', async () => {
    await expect(useTool(tools().exit, { title: 'A', plan: ' ' })).rejects.toThrow(/is empty/);
    await expect(useTool(tools().exit, { title: 'A', plan: 'x'.repeat(31_000) })).rejects.toThrow(/30000/);
    mode = 'default';
    await expect(useTool(tools().exit, plan)).rejects.toThrow(/Plan mode is off/);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a consent that names no mode approves nothing', async () => {
    await expect(useTool(tools().exit, plan)).rejects.toThrow(/was not decided/);
    expect(mode).toBe('plan');
  });

  test('a folder that cannot be written is said to the model', async () => {
    await writeFile(join(folder, 'plans'), 'in the way');
    await expect(approve()).rejects.toMatchObject({ name: 'ToolFailure' });
  });
});
