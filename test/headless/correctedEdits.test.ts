import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, finish, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
let path: string;

beforeEach(async () => {
  path = join(world.workspace, 'a.ts');
  await writeFile(path, "const greeting = 'Hello, ' + name;\nshow(greeting);\n");
});

const edit = call('replace', {
  file_path: 'a.ts',
  instruction: 'Welcome people',
  old_string: 'const greeting = "Hello " + name\nprint(greeting)',
  new_string: 'const greeting = "Welcome " + name\nprint(greeting)',
});
const correction =
  "<search>\nconst greeting = 'Hello, ' + name;\nshow(greeting);\n</search>\n<replace>\nconst greeting = 'Welcome, ' + name;\nshow(greeting);\n</replace>";

async function run(folio: object) {
  const settings = join(world.folder, 'settings.json');
  await writeFile(settings, JSON.stringify({ folio }));
  const result = await world.run([
    '--prompt',
    'go',
    '--settings',
    settings,
    '--model',
    'gemini-2.5-pro',
    '--approval-mode',
    'yolo',
    '--output-format',
    'stream-json',
  ]);
  expect(result).toMatchObject({ code: 0, error: '' });
  return eventsOf(result.out);
}

describe('an edit that is not in its file', () => {
  it('is corrected once by the cheap model, which is counted', async () => {
    const usage = { promptTokenCount: 500, candidatesTokenCount: 60 };
    world.server.script([edit], [text(correction), finish('STOP', usage)], [text('Done.')]);
    const events = await run({ cheapModel: 'gemini-2.5-flash-lite' });
    expect(world.server.requests.map(({ model }) => model)).toEqual([
      'gemini-2.5-pro',
      'gemini-2.5-flash-lite',
      'gemini-2.5-pro',
    ]);
    expect(world.server.requests[1]?.body.tools).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe("const greeting = 'Welcome, ' + name;\nshow(greeting);\n");
    expect(JSON.stringify(lastResults(world.server.requests[2]!))).toContain(
      'Another model corrected both texts',
    );
    expect(events.find(({ type }) => type === 'side.asked')).toMatchObject({
      purpose: 'edit',
      model: 'gemini-2.5-flash-lite',
      cost: expect.any(Number),
      usage: { prompt: 500, output: 60 },
    });
  });

  it('fails as it did when nobody is to be asked, or knows', async () => {
    world.server.script([edit], [text('Done.')]);
    await run({ correctEdits: false });
    expect(world.server.requests).toHaveLength(2);
    world.server.script([edit], [text('<none/>')], [text('Done.')]);
    const events = await run({});
    expect(world.server.requests).toHaveLength(5);
    expect(events.find(({ type }) => type === 'call.ended')).toMatchObject({
      outcome: 'failed',
      display: { summary: 'old_string not found' },
    });
    expect(await readFile(path, 'utf8')).toContain('Hello');
  });
});
