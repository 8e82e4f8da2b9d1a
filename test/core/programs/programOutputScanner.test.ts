import { expect, test } from 'vitest';
import { ProgramOutputScanner } from '../../../src/extension/core/programs/programOutputScanner.ts';

const read = (...pieces: readonly string[]) => {
  const output = new ProgramOutputScanner();
  for (const piece of pieces) output.add(piece);
  return { address: output.address, errors: output.takeErrors() };
};

test.each([
  [
    '  \u001b[32m➜\u001b[39m  Local:   \u001b[36mhttp://localhost:\u001b[1m5173\u001b[22m/\u001b[39m',
    'http://localhost:5173/',
  ],
  ['Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...', 'http://localhost:8000/'],
  ['Listening on http://[::]:3000', 'http://localhost:3000'],
  ['Now listening on: https://127.0.0.1:7001.', 'https://127.0.0.1:7001'],
  ['App listening on port 3000', 'http://localhost:3000'],
  ['server is listening at :8080', 'http://localhost:8080'],
  ['http://shop.localhost:4200/admin?x=1', 'http://shop.localhost:4200/admin?x=1'],
  ['see https://example.com/port 80', undefined],
  ['listening on port 99999', undefined],
  ['http://localhost.evil.example/', undefined],
])('of %j the address is %j', (line, address) => {
  expect(read(`${line}\n`).address).toBe(address);
});

test('the first address counts, also one that comes in pieces', () => {
  expect(read('Local: http://local', 'host:51', '73/\nNetwork: http://127.0.0.1:9/\n').address).toBe(
    'http://localhost:5173/',
  );
});

test.each([
  ['Found 0 errors. Watching for file changes.', false],
  ['compiled without errors', false],
  ["src/a.ts(3,7): error TS2304: Cannot find name 'x'.", true],
  ['TypeError: x is not a function', true],
  ['java.lang.NullPointerException', true],
  ['Traceback (most recent call last):', true],
  ['thread main panicked at src/main.rs:3', true],
  ['Error: listen EADDRINUSE: address already in use :::3000', true],
  ['GET /terrors 200', false],
])('%j is an error: %j', (line, isError) => {
  expect(read(`${line}\n`).errors).toEqual(isError ? [line] : []);
});

test('an error is told once, with its stack, however often it comes and at whatever time', () => {
  const error = (at: number) =>
    `[12:00:${at}] Error: boom\n    at a (a.js:1:${at})\n    at b (b.js:2:2)\nGET / 500\n`;
  expect(read(error(10), error(11), error(12)).errors).toEqual([
    '[12:00:10] Error: boom',
    '    at a (a.js:1:10)',
    '    at b (b.js:2:2)',
  ]);
});

test('a flood of different errors and an endless line are read in bounds', () => {
  const output = new ProgramOutputScanner();
  const word = (at: number) => String.fromCharCode(97 + (at % 26), 97 + ((at / 26) % 26), 97 + at / 676);
  for (let at = 0; at < 2000; at++) output.add(`Error: ${word(at)}\n`);
  output.add('x'.repeat(5_000_000));
  output.add(' error\n');
  expect(output.errors).toBe(500);
  expect(output.takeErrors()).toHaveLength(500);
});
