import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { notebookSamples } from '../support/notebookSamples.ts';
import { schemaFaults } from '../support/notebookSchema.ts';

const { text: sample } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;

const world = eachTest(() => HeadlessWorld.make());

const place = () => join(world.workspace, 'tides.ipynb');
const edit = (...operations: readonly object[]) =>
  call('edit_notebook', { file_path: 'tides.ipynb', operations });
const read = call('read_file', { file_path: 'tides.ipynb' });

function declared(at: number): readonly string[] {
  return [...JSON.stringify(world.server.requests[at]).matchAll(/"name":"(edit_notebook|replace)"/g)].map(
    ([, name]) => name!,
  );
}

describe('a notebook, without a window,', () => {
  it('is read by its cells and edited by them, and every other byte stays', async () => {
    await writeFile(place(), sample);
    world.server.script([read]);
    world.server.script([
      edit(
        { op: 'edit', cell: 2, old_string: 'tides.read()', new_string: 'tides.load()' },
        { op: 'insert', after: 6, kind: 'markdown', new_string: 'The end.' },
      ),
    ]);
    world.server.script([text('Done.')]);
    expect(await world.run(['--prompt', 'go', '--approval-mode', 'autoEdit'])).toMatchObject({ code: 0 });
    const [, second, third] = world.server.requests;
    expect(lastResults(second!)[0]!.output).toMatch(
      /\[Cell 2, code, id \S+\]\nimport tides\nsea = tides\.read\(\)/,
    );
    expect(lastResults(third!)[0]!.output).toContain('Cell 7 is new (markdown).');
    const after = await readFile(place(), 'utf8');
    expect(schemaFaults(after)).toEqual([]);
    const [changed] = after
      .replace('tides.load()', 'tides.read()')
      .split(',\n  {\n   "cell_type": "markdown",\n   "id": "');
    expect(sample.startsWith(changed!.slice(0, changed!.lastIndexOf('}')))).toBe(true);
    expect(JSON.parse(after).cells.at(-1)).toMatchObject({ cell_type: 'markdown', source: ['The end.'] });
  });

  it.each(['default', 'plan'])('is not written unasked in the mode %s', async mode => {
    await writeFile(place(), sample);
    world.server.script([edit({ op: 'delete', cell: 1 })]);
    world.server.script([text('Done.')]);
    await world.run(['--prompt', 'go', '--approval-mode', mode]);
    expect(await readFile(place(), 'utf8')).toBe(sample);
  });

  it('has a tool of its own, which is declared where there is one, and not within a turn', async () => {
    world.server.script([call('write_file', { file_path: 'tides.ipynb', content: sample })]);
    world.server.script([text('Done.')]);
    await world.run(['--prompt', 'go', '--approval-mode', 'autoEdit']);
    expect([declared(0), declared(1)]).toEqual([['replace'], ['replace']]);
    world.server.script([text('Done.')]);
    await world.run(['--prompt', 'go', '--approval-mode', 'autoEdit']);
    expect(declared(2)).toEqual(['replace', 'edit_notebook']);
  });
});
