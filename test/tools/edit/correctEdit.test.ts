/* An edit that is not in the file, and what another model says it means. */

import { describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../../src/extension/core/paths.ts';
import type { AskCheapModel } from '../../../src/extension/core/tool.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { replaceTool } from '../../../src/extension/tools/replace.ts';
import type { LocalizedMessage } from '../../../src/protocol/language.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { useTool, writingTo } from '../../support/useTool.ts';

const file = `export function greet(name: string, loud: boolean) {
  const text = 'Hello, ' + name;
  return loud ? text.toUpperCase() : text;
}

export function part(name: string) {
  return 'Bye, ' + name;
}
`;

/** As a model misremembers it: too far off for what the tool itself puts up with. */
const old_string = 'const text = "Hello " + name\n  return text';
const new_string = 'const text = "Welcome " + name\n  return text';
const right = {
  search: "  const text = 'Hello, ' + name;\n  return loud ? text",
  replacement: "  const text = 'Welcome, ' + name;\n  return loud ? text",
};

function says({ search, replacement } = right): string {
  return `<search>\n${search}\n</search>\n<replace>\n${replacement}\n</replace>`;
}

interface PromptEntryPoints {
  readonly path?: string;
  readonly text?: string;
  readonly to?: string;
  readonly answer?: string | ((files: MemoryFileSystem) => Promise<string>);
}

async function run({ path = 'a.ts', text = file, to = new_string, answer }: PromptEntryPoints) {
  const files = new MemoryFileSystem({ [`/w/${path}`]: text });
  const asked: { readonly system: string; readonly text: string }[] = [];
  const sideQuery: AskCheapModel = async question => {
    asked.push(question);
    return typeof answer === 'function' ? answer(files) : answer;
  };
  const tool = writingTo(files, replaceTool({ files, paths: new WorkspacePaths(files, ['/w']), sideQuery }));
  const input = { file_path: path, instruction: 'Welcome people', old_string, new_string: to };
  const result = await useTool(tool, input).catch((error: Error) => error);
  return { asked, result, written: files.bytes(`/w/${path}`)?.toString() };
}

describe('an edit whose text is not in the file', () => {
  test('is made as another model says that it is meant, and both model and user are told', async () => {
    const { asked, result, written } = await run({ answer: `Here it is:\n${says()}` });
    expect(written).toBe(file.replace('Hello', 'Welcome'));
    expect(result).toMatchObject({
      text: expect.stringContaining('Another model corrected both texts'),
      display: { summary: '+1 −1, corrected' },
    });
    expect(asked).toHaveLength(1);
    for (const part of ['Welcome people', old_string, new_string, file])
      expect(asked[0]?.text).toContain(part);
  });

  test('keeps the line endings of the file', async () => {
    const { written } = await run({ text: file.replaceAll('\n', '\r\n'), answer: says() });
    expect(written).toBe(file.replace('Hello', 'Welcome').replaceAll('\n', '\r\n'));
  });

  const refused: readonly (readonly [string, PromptEntryPoints])[] = [
    ['there is no answer', { answer: undefined }],
    ['the answer is that nothing is meant', { answer: '<none/>' }],
    ['the answer cannot be read', { answer: 'Sorry. <search>a</search>' }],
    ['its text is not in the file', { answer: says({ ...right, search: `${right.search} ` }) }],
    ['its text is there twice', { answer: says(), text: `${file}${file}` }],
    [
      'its text is another piece of the file',
      { answer: says({ ...right, search: "return 'Bye, ' + name;" }) },
    ],
    [
      'it writes something else',
      {
        answer: says({
          ...right,
          replacement: `${right.search}\nimport('evil').then(x => x.steal(process.env.HOME, process.argv, text));`,
        }),
      },
    ],
    [
      'it leaves code out',
      { answer: says({ ...right, replacement: `${right.replacement}\n// ... rest of the code ...` }) },
    ],
    ['it deletes what was to be replaced', { answer: says({ ...right, replacement: '' }) }],
    [
      'the file changed while it was asked',
      {
        answer: async files => {
          await files.writeText('/w/a.ts', `${file}// later\n`, utf8Format, file);
          return says();
        },
      },
    ],
  ];

  test.each(refused)('fails as ever when %s', async (_when, intents) => {
    const { asked, result } = await run(intents);
    expect(result).toMatchObject({
      name: 'ToolFailure',
      summary: expect.toSatisfy((say: LocalizedMessage) => say() === 'old_string not found'),
    });
    expect(asked).toHaveLength(1);
  });

  test.each<readonly [string, PromptEntryPoints]>([
    ['JSON', { path: 'a.json' }],
    ['a file whose reading would be asked about', { path: '.env' }],
    ['a long file', { text: `${file}${'// more\n'.repeat(20_000)}` }],
  ])('is not shown to another model in %s', async (_where, intents) => {
    const { asked, result, written } = await run({ ...intents, answer: says() });
    expect([asked, written]).toEqual([[], intents.text ?? file]);
    expect(result).toBeInstanceOf(Error);
  });

  test('ends with the stop of the call', async () => {
    const files = new MemoryFileSystem({ '/w/a.ts': file });
    const sideQuery: AskCheapModel = async (_question, signal) => signal.throwIfAborted() as undefined;
    const tool = writingTo(
      files,
      replaceTool({ files, paths: new WorkspacePaths(files, ['/w']), sideQuery }),
    );
    const signal = AbortSignal.abort(new DOMException('Stopped', 'AbortError'));
    const input = { file_path: 'a.ts', instruction: '', old_string, new_string };
    await expect(useTool(tool, input, { signal })).rejects.toThrow('Stopped');
  });
});
