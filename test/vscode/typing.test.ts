import { expect, test } from 'vitest';
import { Emitter } from '../../src/extension/base/emitter.ts';
import type { ProcessInput } from '../../src/extension/platform/processes.ts';
import {
  findInputTerminals,
  type InputTerminal,
  makeInputForwarder,
} from '../../src/extension/vscode/features/typing.ts';

function desk(noTerminal?: string) {
  const seen = { sent: [] as string[], shown: '', ended: 0, stopped: 0 };
  const keyboard: ProcessInput = {
    noTerminal,
    echo: async () => 'shown',
    shell: async () => undefined,
    onDidChangeWaiting: new Emitter<boolean>().event,
    write: text => {
      seen.sent.push(text);
    },
    end: () => {
      seen.ended += 1;
    },
    resize: () => {},
  };
  const show = (text: string) => {
    seen.shown += text;
  };
  const stop = () => {
    seen.stopped += 1;
  };
  return { seen, type: makeInputForwarder(keyboard, show, stop) };
}

test('a terminal gets every key, Ctrl+C and arrows among them, and echoes automatically', () => {
  const { seen, type } = desk();
  for (const key of ['a', '\u001b[A', '\u0003', '\r']) type(key);
  expect(seen).toEqual({ sent: ['a', '\u001b[A', '\u0003', '\r'], shown: '', ended: 0, stopped: 0 });
});

test('a pipe gets whole lines, corrected before, which are shown while they are typed', () => {
  const { seen, type } = desk('No terminal.');
  for (const key of ['n', 'p', '\u007f', 'o', '\u001b[D', '\r', 'two\rthree\r']) type(key);
  expect(seen.sent).toEqual(['no\n', 'two\n', 'three\n']);
  expect(seen.shown).toBe('np\b \bo\r\ntwo\r\nthree\r\n');
});

test('on a pipe, Ctrl+C stops the command and Ctrl+D says that no more follows', () => {
  const { seen, type } = desk('No terminal.');
  type('\u0003');
  type('\u0004');
  expect(seen).toMatchObject({ sent: [], ended: 1, stopped: 1 });
});

test('the terminal of the call that is meant, and no other; where none is meant, those that wait, then all that may be answered', () => {
  const tab = (callId: string, isWaiting: boolean, isAnswerable = true): InputTerminal => ({
    callId,
    isWaiting,
    isAnswerable,
  });
  const find = (tabs: readonly InputTerminal[], callId?: string) =>
    findInputTerminals(tabs, each => each, callId).map(each => each.callId);
  const tabs = [tab('plain', false, false), tab('busy', false), tab('first', true), tab('second', true)];
  expect(find(tabs, 'second')).toEqual(['second']);
  expect(find(tabs, 'busy')).toEqual(['busy']);
  expect(find(tabs, 'plain')).toEqual([]);
  expect(find(tabs, 'gone')).toEqual([]);
  expect(find(tabs)).toEqual(['first', 'second']);
  expect(find([tab('busy', false), tab('idle', false)])).toEqual(['busy', 'idle']);
  expect(find([tab('plain', true, false)], 'plain')).toEqual([]);
});
