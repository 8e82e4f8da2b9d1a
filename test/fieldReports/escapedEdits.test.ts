import { expect, it } from 'vitest';
import type { replaceTool } from '../../src/extension/tools/replace.ts';
import { PolicyWorld } from '../support/policyWorld.ts';
import { fc } from '../support/properties.ts';
import { toolBench } from '../support/toolBench.ts';
import { useTool } from '../support/useTool.ts';

interface Language {
  readonly name: string;
  readonly lines: readonly string[];
  readonly replacement: string;
}

/** Lines with what models like to escape in each language. */
const languages: readonly Language[] = [
  {
    name: 'ts',
    lines: ['const greeting = `Hello ${name}`;', 'say("hi");'],
    replacement: 'const bye = `Bye ${name}`;',
  },
  {
    name: 'js',
    lines: ["import a from 'a';", 'const cost = `$${price}`;'],
    replacement: 'const cost = `€${price}`;',
  },
  {
    name: 'sh',
    lines: ['echo "$VALUE" > out', 'cd "$(dirname "$0")"'],
    replacement: 'echo "${VALUE:-none}"',
  },
  { name: 'php', lines: ['<?php', '$total = $price * 2;', "echo 'a';"], replacement: '$total = $price * 3;' },
  {
    name: 'md',
    lines: ['* **bold** and `code`', '# Title (draft)', '1. [link](a.md)'],
    replacement: '* _thin_ and `code`',
  },
  { name: 'py', lines: ['print(f"{name}\'s")', "x = {'a': 1}"], replacement: 'print(f"{name}!")' },
  { name: 'html', lines: ['<a href="x">It\'s</a>', '<p>a & b</p>'], replacement: '<a href="y">Here</a>' },
  {
    name: 'sql',
    lines: ["select `id` from t where n = 'x';", 'select 1;'],
    replacement: "select `id` from t where n = 'y';",
  },
];

const escaping =
  (signs: RegExp) =>
  (text: string): string =>
    text.replace(signs, '\\$&');

const habits: Readonly<Record<string, (text: string) => string>> = {
  templates: escaping(/[`$]/g),
  quotes: escaping(/["'`]/g),
  shell: escaping(/["'`$]/g),
  markdown: escaping(/[*_`#[\]()]/g),
  punctuation: escaping(/[^\w\s]/g),
  json: text => JSON.stringify(text).slice(1, -1),
};

it('an edit that is escaped once too often gives what the plain one gives', async () => {
  const world = await PolicyWorld.make();
  const bench = toolBench(world);
  const tool = bench.tools.find(each => each.name === 'replace') as ReturnType<typeof replaceTool>;
  const textAfter = async (file: string, old_string: string, new_string: string) => {
    await world.write(file === '' ? {} : { 'workspace/file.txt': file });
    let after: string | undefined;
    await useTool(
      { ...tool, run: async () => ({ text: '', display: { summary: () => '' } }) },
      { file_path: 'file.txt', instruction: 'i', old_string, new_string },
      {
        decide: ({ proposal }) => {
          after = proposal?.after;
          return undefined;
        },
      },
    );
    return after;
  };
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...languages),
        fc.constantFrom(...Object.keys(habits)),
        fc.nat(2),
        async ({ lines, replacement }, habit, at) => {
          const old = lines[at % lines.length]!;
          const escapeText = habits[habit]!;
          const file = `first\n${lines.join('\n')}\nlast\n`;
          fc.pre(escapeText(old) !== old);
          expect(await textAfter(file, escapeText(old), escapeText(replacement))).toBe(
            file.replace(old, () => replacement),
          );
        },
      ),
    );
  } finally {
    await bench.dispose();
    await world.dispose();
  }
});
