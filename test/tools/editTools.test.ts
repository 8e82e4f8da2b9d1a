import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failedOutcome } from '../../src/extension/core/calls/call.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import {
  type AnyTool,
  type EditProposal,
  type PrepareResult,
  ToolFailure,
} from '../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { replaceTool } from '../../src/extension/tools/replace.ts';
import { writeFileTool } from '../../src/extension/tools/writeFile.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { fc } from '../support/properties.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { useTool, writingTo } from '../support/useTool.ts';

function make(contents: Record<string, string | Uint8Array> = {}) {
  const files = new MemoryFileSystem(contents);
  files.makeDirectory('/w');
  const ports = { files, paths: new WorkspacePaths(files, ['/w']) };
  return {
    files,
    replace: writingTo(files, replaceTool(ports)),
    writeFile: writingTo(files, writeFileTool(ports)),
  };
}

const edit = (old_string: string, new_string: string, more: Record<string, unknown> = {}) => ({
  file_path: 'a.ts',
  instruction: 'Change it',
  old_string,
  new_string,
  ...more,
});

/** The proposal as a user who accepts it with changes hands it back. */
const changedTo = (after: string) => (prepared: PrepareResult<unknown>) =>
  ({ ...prepared.proposal!, after, agentText: prepared.proposal!.after }) satisfies EditProposal;

describe('an edit', () => {
  test('with half of a character is refused before anybody is asked', async () => {
    const { files, writeFile } = make();
    await expect(useTool(writeFile, { file_path: 'a.ts', content: 'a\ud800' })).rejects.toThrow('half');
    expect(files.changes).toEqual([]);
  });

  test.each([
    ['write_file', { file_path: 'a.ts', content: 'one' }],
    ['replace', edit('one  ', 'one')],
  ] as const)('by %s that the file has already is marked as no change', async (name, input) => {
    const { replace, writeFile } = make({ '/w/a.ts': 'one' });
    const failure = useTool(name === 'replace' ? replace : writeFile, input);
    const { message, summary } = await failure.then(
      () => expect.fail('It was written'),
      (error: ToolFailure) => error,
    );
    const outputs = { limit: 1000 } as Parameters<typeof failedOutcome>[2]['outputs'];
    expect(failedOutcome(message, summary, { outputs })).toMatchObject({
      kind: 'failed',
      display: { unchanged: true },
    });
    expect(failedOutcome(message, () => 'Not found', { outputs }).display.unchanged).toBeUndefined();
  });

  test('does not follow a folder that became a link while the user was asked', async () => {
    const root = await temporaryFolder('folio-edit-');
    await mkdir(join(root, 'w', 'sub'), { recursive: true });
    await mkdir(join(root, 'outside'));
    const files = new NodeFileSystem();
    const paths = new WorkspacePaths(files, [join(root, 'w')]);
    const tool = writingTo(files, writeFileTool({ files, paths }));
    const call = await RecordingCall.make();
    const input = { file_path: 'sub/a.ts', content: 'x' };
    const { plan } = await tool.prepare(input, call);
    await rm(join(root, 'w', 'sub'), { recursive: true });
    await symlink(join(root, 'outside'), join(root, 'w', 'sub'));
    await expect(tool.run(input, plan, call)).rejects.toThrow('outside the workspace');
    expect(await readdir(join(root, 'outside'))).toEqual([]);
    await call.dispose();
  });
});

describe('a file that .geminiignore leaves out', () => {
  const contents = { '/w/.geminiignore': 'kept/\n', '/w/kept/a.ts': 'const word = "swordfish";\n' };

  test('is neither edited nor overwritten, and nothing of it is told', async () => {
    const { files, replace, writeFile } = make(contents);
    const attempts = [
      useTool(replace, edit('const word', 'let word', { file_path: 'kept/a.ts' })),
      useTool(replace, edit('const ward', 'let word', { file_path: 'kept/a.ts' })),
      useTool(writeFile, { file_path: 'kept/a.ts', content: 'x' }),
    ];
    for (const attempt of attempts) {
      const failure: unknown = await attempt.catch((error: unknown) => error);
      expect(String(failure)).toContain('kept/a.ts is not for agents to read: .geminiignore leaves it out');
      expect(String(failure)).not.toContain('swordfish');
    }
    expect(files.changes).toEqual([]);
  });

  test('is edited where the setting says that it does not count', async () => {
    const files = new MemoryFileSystem(contents);
    const ports = { files, paths: new WorkspacePaths(files, ['/w']), heedsGeminiIgnore: () => false };
    await useTool(
      writingTo(files, replaceTool(ports)),
      edit('const word', 'let word', { file_path: 'kept/a.ts' }),
    );
    expect(files.bytes('/w/kept/a.ts')?.toString()).toBe('let word = "swordfish";\n');
  });
});

describe('what was escaped once too often', () => {
  test('is put right before anybody is asked, and the model is told', async () => {
    const { files, replace } = make({ '/w/a.ts': 'say("one");\r\nsay("two");\r\n' });
    const given = edit('say(\\"one\\");\\nsay(\\"two\\");', 'say(\\"both\\\\n\\");');
    const result = await useTool(replace, given, {
      decide: prepared => void expect(prepared.proposal?.after).toBe('say("both\\n");\r\n'),
    });
    expect(files.bytes('/w/a.ts')?.toString()).toBe('say("both\\n");\r\n');
    expect(result.text).toContain('old_string and new_string came escaped once too often');
  });

  test('is put right in a whole file, by either tool', async () => {
    const { files, replace, writeFile } = make();
    const content = 'export const say = () => {\\n  return \\"a\\\\tb\\";\\n};\\n';
    const written = await useTool(writeFile, { file_path: 'a.ts', content });
    const made = await useTool(replace, { ...edit('', content), file_path: 'b.ts' });
    for (const path of ['/w/a.ts', '/w/b.ts'])
      expect(files.bytes(path)?.toString()).toBe('export const say = () => {\n  return "a\\tb";\n};\n');
    expect([written.text, made.text].join()).toMatch(/content came escaped.*new_string came escaped/s);
  });

  test('is written as it is where it may be meant, with a word about it', async () => {
    const { files, writeFile } = make();
    const { text } = await useTool(writeFile, { file_path: 'a.md', content: 'One\\nTwo\\nThree' });
    expect(files.bytes('/w/a.md')?.toString()).toBe('One\\nTwo\\nThree');
    expect(text).toContain('If these were meant as line breaks');
  });
});

describe('replace', () => {
  test('says what changed, shows the place, and names the file that was written', async () => {
    const { files, replace } = make({ '/w/a.ts': 'one\ntwo\nthree\n' });
    const result = await useTool(replace, edit('two', '2'));
    expect(files.bytes('/w/a.ts')?.toString()).toBe('one\n2\nthree\n');
    expect(result.text).toBe('Changed a.ts: 1 line added, 1 removed.\nLines 1-3 now read:\none\n2\nthree');
    expect(result.wrote).toBe('/w/a.ts');
    expect(result.display.summary).toBe('+1 −1');
    expect(result.display.detail).toMatchObject({
      kind: 'diff',
      diff: { path: 'a.ts', added: 1, removed: 1 },
    });
  });

  test('offers a diff, a path and a proposal before anything is written', async () => {
    const { files, replace } = make({ '/w/a.ts': 'one\n' });
    await useTool(replace, edit('one', 'two'), {
      decide: prepared => {
        expect(prepared.subject).toMatchObject({ kind: 'edit', diff: { change: 'modified' } });
        expect(prepared.target).toEqual({ kind: 'paths', paths: ['/w/a.ts'], access: 'write' });
        const proposal = { path: '/w/a.ts', before: 'one\n', after: 'two\n', format: utf8Format };
        expect(prepared.proposal).toEqual(proposal);
        expect(files.bytes('/w/a.ts')?.toString()).toBe('one\n');
        return undefined;
      },
    });
    expect(files.changes).toEqual(['/w/a.ts']);
  });

  test('says how the text was found when it was not exact', async () => {
    const { replace } = make({ '/w/a.ts': '    a();\n    b();\n' });
    const result = await useTool(replace, edit('a();\nb();', 'c();'));
    expect(result.text).toContain('differed from the file in whitespace');
    const many = await useTool(
      make({ '/w/a.ts': 'x\nx\n' }).replace,
      edit('x', 'y', { allow_multiple: true }),
    );
    expect(many.text).toContain('2 places replaced.');
  });

  test('writes what the user made of the proposal and tells the model', async () => {
    const { files, replace } = make({ '/w/a.ts': 'one\ntwo\nthree\n' });
    const result = await useTool(replace, edit('two', '2'), { decide: changedTo('one\n2.0\nthree\n') });
    expect(files.bytes('/w/a.ts')?.toString()).toBe('one\n2.0\nthree\n');
    expect(result.text).toContain('The user changed your proposal');
    expect(result.text).toContain('@@ line 1 @@\n one\n-2\n+2.0\n three');
    expect(result.display.detail).toMatchObject({ diff: { added: 1, removed: 1 } });
  });

  test('fails when the file changed meanwhile and leaves it as it stands', async () => {
    const { files, replace } = make({ '/w/a.ts': 'one\n' });
    const failing = useTool(replace, edit('one', 'two'), {
      decide: async () => {
        await files.writeText('/w/a.ts', 'one, by the user\n', utf8Format);
        return undefined;
      },
    });
    await expect(failing).rejects.toThrow('nothing was written. Read it again');
    await expect(failing).rejects.toBeInstanceOf(ToolFailure);
    expect(files.bytes('/w/a.ts')?.toString()).toBe('one, by the user\n');
  });

  test('creates a missing file from an empty old_string, and no other', async () => {
    const { files, replace } = make({ '/w/full.ts': 'x\n', '/w/empty.ts': '' });
    const result = await useTool(replace, edit('', 'new\r\nfile\r\n', { file_path: 'deep/new.ts' }));
    expect(files.bytes('/w/deep/new.ts')?.toString()).toBe('new\nfile\n');
    expect(result.text).toBe('Created deep/new.ts with 2 lines.');
    await useTool(replace, edit('', 'y\n', { file_path: 'empty.ts' }));
    expect(files.bytes('/w/empty.ts')?.toString()).toBe('y\n');
    await expect(useTool(replace, edit('', 'y', { file_path: 'full.ts' }))).rejects.toThrow('exists already');
  });

  test('a file that came into being after the proposal is not overwritten', async () => {
    const { files, replace } = make();
    const failing = useTool(replace, edit('', 'mine\n'), {
      decide: async () => {
        await files.writeText('/w/a.ts', 'theirs\n', utf8Format);
        return undefined;
      },
    });
    await expect(failing).rejects.toThrow('nothing was written');
    expect(files.bytes('/w/a.ts')?.toString()).toBe('theirs\n');
  });

  test('names near files when there is none', async () => {
    const { replace } = make({ '/w/b.ts': '', '/w/invoice.ts': '' });
    const failing = useTool(replace, edit('x', 'y', { file_path: 'invioce.ts' }));
    await expect(failing).rejects.toThrow('nearest names in .: invoice.ts');
  });

  test('refuses placeholders unless the old text has them', async () => {
    const { replace } = make({ '/w/a.ts': 'a\n// ... rest of code ...\n' });
    await expect(useTool(replace, edit('a', 'b\n// ... existing code ...'))).rejects.toThrow(
      'leaves code out',
    );
    const kept = edit('a\n// ... rest of code ...', 'b\n// ... rest of code ...');
    expect((await useTool(replace, kept)).wrote).toBe('/w/a.ts');
  });

  test('writes through a link inside of the workspace and never outside of it', async () => {
    const { files, replace } = make({ '/w/real.ts': 'one\n', '/else/x.ts': 'one\n' });
    files.symlink('/w/real.ts', '/w/a.ts');
    files.symlink('/else/x.ts', '/w/out.ts');
    await useTool(replace, edit('one', 'two'));
    expect(files.bytes('/w/real.ts')?.toString()).toBe('two\n');
    await expect(useTool(replace, edit('one', 'two', { file_path: 'out.ts' }))).rejects.toThrow('outside');
    expect(files.bytes('/else/x.ts')?.toString()).toBe('one\n');
  });
});

describe('write_file', () => {
  test('creates a file with its folders and plain line feeds', async () => {
    const { files, writeFile } = make();
    const result = await useTool(writeFile, { file_path: 'src/new.ts', content: 'a\r\nb\n' });
    expect(files.bytes('/w/src/new.ts')?.toString()).toBe('a\nb\n');
    expect(result.text).toBe('Created src/new.ts with 2 lines.');
    expect(result.display.detail).toMatchObject({ diff: { change: 'created', added: 2 } });
  });

  test('keeps the line endings of the file that it overwrites', async () => {
    const { files, writeFile } = make({ '/w/a.ts': 'a\r\nb\r\n' });
    await useTool(writeFile, { file_path: 'a.ts', content: 'a\nnew\nb\n' });
    expect(files.bytes('/w/a.ts')?.toString()).toBe('a\r\nnew\r\nb\r\n');
  });

  test('refuses folders, binary files, placeholders and content that is there already', async () => {
    const { files, writeFile } = make({
      '/w/src/x': '',
      '/w/a.bin': Uint8Array.from([0, 1]),
      '/w/a.ts': 'a\r\n',
    });
    const write = (file_path: string, content: string) => useTool(writeFile, { file_path, content });
    await expect(write('src', 'x')).rejects.toThrow('is a folder');
    await expect(write('a.bin', 'x')).rejects.toThrow('binary');
    await expect(write('new.ts', 'a\n// ... rest of code ...\n')).rejects.toThrow('leaves code out');
    await expect(write('a.ts', 'a\n')).rejects.toThrow('no change');
    await expect(write('../out.ts', 'a\n')).rejects.toThrow('outside the workspace');
    await expect(write('src/x/y', 'a\n')).rejects.toBeInstanceOf(ToolFailure);
    expect(files.changes).toEqual([]);
  });

  test('a large rewrite shows the model a bounded part', async () => {
    const { writeFile } = make({ '/w/a.ts': 'old\n'.repeat(1000) });
    const result = await useTool(writeFile, { file_path: 'a.ts', content: 'new\n'.repeat(1000) });
    expect(result.text.split('\n').length).toBeLessThan(110);
    expect(result.text).toContain('more lines of the change not shown');
  });
});

describe('both', () => {
  const tools: readonly ['replace' | 'writeFile', Record<string, unknown>][] = [
    ['replace', edit('two', '2')],
    ['writeFile', { file_path: 'a.ts', content: 'one\n2\n' }],
  ];

  test.each(tools)('%s keeps encoding and byte-order mark', async (name, args) => {
    const text = 'one\r\ntwo\r\n';
    const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
    const formats: readonly [Buffer, (text: string) => Buffer][] = [
      [Buffer.from([0xef, 0xbb, 0xbf]), text => Buffer.from(text)],
      [Buffer.from([0xff, 0xfe]), text => Buffer.from(text, 'utf16le')],
      [Buffer.from([0xfe, 0xff]), text => swapped(Buffer.from(text, 'utf16le'))],
    ];
    for (const [mark, encode] of formats) {
      const made = make({ '/w/a.ts': Buffer.concat([mark, encode(text)]) });
      await useTool(made[name] as AnyTool, args);
      expect(made.files.bytes('/w/a.ts')).toEqual(Buffer.concat([mark, encode('one\r\n2\r\n')]));
    }
  });

  test.each(tools)('%s that fails on writing leaves the bytes', async (name, args) => {
    for (const [kind, words] of [
      ['denied', 'denied'],
      ['noSpace', 'No space'],
      ['changed', 'changed since'],
      ['other', 'cannot be used'],
    ] as const) {
      const made = make({ '/w/a.ts': 'one\r\ntwo' });
      made.files.failNextWrite = kind;
      const failing = useTool(made[name] as AnyTool, args);
      await expect(failing).rejects.toThrow(words);
      await expect(failing).rejects.toBeInstanceOf(ToolFailure);
      expect(made.files.bytes('/w/a.ts')?.toString()).toBe('one\r\ntwo');
    }
  });

  test.each(tools)('%s that is stopped before writing leaves the bytes', async (name, args) => {
    const made = make({ '/w/a.ts': 'one\ntwo\n' });
    const stop = new AbortController();
    const stopped = useTool(made[name] as AnyTool, args, {
      signal: stop.signal,
      decide: () => {
        stop.abort();
        return undefined;
      },
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(made.files.changes).toEqual([]);
  });

  test('a user who takes everything back leaves the file as it was', async () => {
    const { files, replace } = make({ '/w/a.ts': 'one\n' });
    const result = await useTool(replace, edit('one', 'two'), { decide: changedTo('one\n') });
    expect(files.bytes('/w/a.ts')?.toString()).toBe('one\n');
    expect(result.text).toContain('a.ts stands as before.');
    expect(result.text).toContain('-two\n+one');
  });

  test('whatever is asked, either the outcome is as proposed or the bytes stay', async () => {
    const someText = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '  c', ''), fc.constantFrom('\n', '\r\n')), { maxLength: 8 })
      .map(lines => lines.map(line => line.join('')).join(''));
    const piece = fc.constantFrom('a', 'b\n', 'c\na', '', 'zzz', '// ... existing code ...');
    await fc.assert(
      fc.asyncProperty(someText, piece, piece, fc.boolean(), async (text, from, to, allow_multiple) => {
        const { files, replace } = make({ '/w/a.ts': text });
        let wanted = text;
        const using = useTool(replace, edit(from, to, { allow_multiple }), {
          decide: prepared => {
            wanted = prepared.proposal!.after;
            return undefined;
          },
        });
        const failure = await using.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (failure !== undefined) expect(failure).toBeInstanceOf(ToolFailure);
        expect(files.bytes('/w/a.ts')?.toString()).toBe(failure === undefined ? wanted : text);
      }),
    );
  });
});

describe('what the model is told of the file tools', () => {
  test('titles make sense alone', () => {
    const { replace, writeFile } = make();
    expect(replace.title(edit('a', 'b'))).toBe('Edit a.ts');
    expect(writeFile.title({ file_path: `${'deep/'.repeat(30)}a.ts`, content: '' })).toMatch(
      /^Write deep\/.*…\/deep\/.*a\.ts$/,
    );
  });
});
