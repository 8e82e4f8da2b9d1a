/* Commands in sed and awk scripts. */

import type { Word } from './analysis.ts';
import {
  type InnerCommands,
  innerCommandIn,
  joinInnerCommands,
  opaqueCommands,
  optionValues,
} from './innerCommands.ts';
import { plainValue, plainWord } from './words.ts';

export function sedInnerCommands(args: readonly Word[]): InnerCommands | undefined {
  const given = optionValues(args, ['-e', '--expression']);
  const operand = args.find(word => !plainValue(word)?.startsWith('-'));
  const scripts = given.length > 0 ? given : operand ? [operand] : [];
  // A variable in a script is taken literally.
  const text = scripts.flatMap(word => plainValue(word) ?? []).join('\n');
  const found = linesOfSed(text);
  return found.inner.length > 0 || found.isOpaque ? found : undefined;
}

const addresses = new RegExp(
  [
    String.raw`^(?:(?:\d+(?:~\d+)?|\$|\/(?:\\.|[^\\/])*\/[IM]*|\\(.)(?:\\.|(?!\1).)*\1[IM]*)\s*`,
    String.raw`(?:,\s*(?:\d+|\$|[+~]\d+|\/(?:\\.|[^\\/])*\/[IM]*|\\(.)(?:\\.|(?!\2).)*\2[IM]*)\s*)?)?!?\s*`,
  ].join(''),
  's',
);

/** Returns the lines that `e` runs, and marks `s` with flag `e`, which runs its result. */
function linesOfSed(script: string): InnerCommands {
  const found: InnerCommands[] = [];
  for (let rest = script; rest !== ''; ) {
    rest = rest.replace(/^[\s;{}]+/, '');
    rest = rest.slice(addresses.exec(rest)?.[0].length ?? 0);
    const command = rest[0] ?? '';
    if (command === '') break;
    if (command === 's' || command === 'y') {
      const parts = /^.(.)(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1/s.exec(rest)?.[0];
      if (parts === undefined) break;
      const flags = /^(?:[gpiIMme\d]*(?:w[^\n]*)?)/.exec(rest.slice(parts.length))?.[0] ?? '';
      if (command === 's' && /^[^w]*e/.test(flags)) found.push(opaqueCommands);
      rest = rest.slice(parts.length + flags.length);
    } else if (/[aicrRwWe#]/.test(command)) {
      const line = /^.((?:\\.|[^\n\\])*)/s.exec(rest)!;
      const text = line[1]!.trim();
      if (command === 'e') found.push(text === '' ? opaqueCommands : innerCommandIn(plainWord(text)));
      rest = rest.slice(line[0].length);
    } else if (/[:btT]/.test(command)) rest = rest.replace(/^[^;\n}]*/, '');
    else rest = rest.replace(/^.\s*\d*/s, '');
  }
  return joinInnerCommands(found);
}

const literal = String.raw`"((?:[^"\\]|\\.)*)"`;

export function awkInnerCommands(args: readonly Word[]): InnerCommands | undefined {
  const at = args.findIndex(word => !plainValue(word)?.startsWith('-'));
  const before = plainValue(args[at - 1]);
  const word = before !== undefined && /^-[Fv]$/.test(before) ? args[at + 1] : args[at];
  if (!word) return undefined;
  const program = word.kind === 'unknown' ? word.text : word.value;
  const patterns = [
    String.raw`\bsystem\s*\(\s*${literal}\s*\)`,
    String.raw`\|&?\s*${literal}`,
    String.raw`${literal}\s*\|&?\s*getline`,
  ];
  const found = patterns.flatMap(pattern =>
    [...program.matchAll(new RegExp(pattern, 'gs'))].map(match =>
      innerCommandIn(plainWord(match[1]!.replace(/\\(.)/gs, '$1'))),
    ),
  );
  const rest = patterns
    .reduce((text, pattern) => text.replace(new RegExp(pattern, 'gs'), ' '), program)
    .replace(new RegExp(literal, 'gs'), '""')
    .replace(/\/(?:[^/\\\n]|\\.)*\//g, '//');
  const isOpen = /\bsystem\s*\(|(?<!\|)\|(?!\|)/.test(rest);
  if (found.length === 0 && !isOpen) return undefined;
  return joinInnerCommands([...found, isOpen ? opaqueCommands : undefined]);
}
