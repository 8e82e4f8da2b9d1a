/* Parses failures from VS Code's test tool for models: blocks between tags on their own lines, without escaping. */

import type { TestLocation } from '../../platform/editorTests.ts';

export interface ReportedFailure {
  /** Ids of the test and its suites, outermost first, separated by NUL. */
  readonly id: string;
  readonly message: string;
  readonly place?: TestLocation;
}

export function parseFailures(text: string): readonly ReportedFailure[] {
  return text
    .split(/^(?=<testFailure )/m)
    .filter(block => block.startsWith('<testFailure '))
    .map(parseFailure);
}

function parseFailure(block: string): ReportedFailure {
  const [, name = '""', path = '""'] =
    /^<testFailure name=("(?:[^"\\]|\\.)*") path=("(?:[^"\\]|\\.)*")>/.exec(block) ?? [];
  const around = unquote(path);
  const said = [...block.matchAll(/^<message>\n([\s\S]*?)\n<\/message>$/gm)].map(([, words]) => `${words}`);
  const expected = /^<expectedOutput>\n([\s\S]*?)\n<\/expectedOutput>$/m.exec(block)?.[1];
  const actual = /^<actualOutput>\n([\s\S]*?)\n<\/actualOutput>$/m.exec(block)?.[1];
  const diff = expected === undefined ? [] : [`Expected: ${expected}`, `Received: ${actual ?? ''}`];
  return {
    id: [...(around === '' ? [] : around.split(' > ')), unquote(name)].join('\0'),
    message: [...said, ...diff].join('\n'),
    place: findPlace(block),
  };
}

function findPlace(block: string): TestLocation | undefined {
  const [, path, line] = /^<(?:location|stackFrame) path="([^"]+)" line="(\d+)"/m.exec(block) ?? [];
  return path === undefined ? undefined : { path, line: Number(line) };
}

function unquote(text: string): string {
  return String(JSON.parse(text));
}
