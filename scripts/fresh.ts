/* Runs the README's two commands like a newcomer, in a clone of the committed state. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getAnswerInBrowser } from './fresh/answerInBrowser.ts';
import { EnclosedCommand } from './fresh/enclosedCommand.ts';
import { makeNewcomer, type Newcomer } from './fresh/newcomer.ts';

const usage = `npm run test:fresh [-- OPTIONS]

Clones what is committed, and runs "npm ci && npm start" and "npm ci && npm test" there with an empty home and cache
and without the browsers and VS Codes of this machine. Starting counts once the panel has answered in a browser.

  --only start|test   one of the two commands
  --load N            N busy loops run beside them
  --times N           does all of it N times
  --help              says this`;

interface Outcome {
  readonly what: string;
  readonly seconds: number;
  /** Absent if the command succeeded. */
  readonly problem?: string;
  readonly says: string;
}

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    load: { type: 'string', default: '0' },
    times: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

if (flags.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const outcomes: Outcome[] = [];
  const loops = Array.from({ length: Number(flags.load) }, startBusyLoop);
  try {
    for (let time = 1; time <= Number(flags.times); time++) {
      const newcomer = await makeNewcomer();
      const stopWatching = disposeWhenInterrupted(newcomer);
      console.log(`\n══ ${time} of ${flags.times}, beside ${loops.length} busy loops. ${newcomer.hiding}`);
      try {
        if (flags.only !== 'test') outcomes.push(await measure('npm ci && npm start', () => start(newcomer)));
        if (flags.only !== 'start') outcomes.push(await measure('npm ci && npm test', () => test(newcomer)));
      } finally {
        stopWatching();
        await newcomer.dispose();
      }
    }
  } finally {
    for (const loop of loops) loop.stdin?.end();
  }
  console.log('');
  for (const { what, seconds, problem, says } of outcomes) {
    const time = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
    console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${what}  ${time}  ${problem ?? says}`);
  }
  if (outcomes.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
}

async function measure(what: string, work: () => Promise<string>): Promise<Outcome> {
  console.log(`\n── ${what}`);
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  try {
    return { what, says: await work(), seconds: seconds() };
  } catch (error) {
    return {
      what,
      says: '',
      seconds: seconds(),
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}

/** Returns a sentence about a successful start; throws otherwise. */
async function start(newcomer: Newcomer): Promise<string> {
  const script = 'npm ci && node scripts/fresh/interruptible.mjs npm start';
  const command = new EnclosedCommand(newcomer, script);
  try {
    await getAnswerInBrowser(await command.findInOutput(/(http:\/\/127\.0\.0\.1:\d+\/\S*)/));
  } finally {
    command.closeInput();
    await command.ended;
  }
  // Files left now would also be left by Ctrl+C.
  const left = (await readdir(newcomer.temporary)).filter(name => name.startsWith('folio-'));
  if (left.length > 0) throw new Error(`It left ${left.join(', ')} among the temporary files.`);
  return 'The panel answered in a browser, and nothing was left behind.';
}

async function test(newcomer: Newcomer): Promise<string> {
  const command = new EnclosedCommand(newcomer, 'npm ci && npm test');
  command.closeInput();
  const code = await command.ended;
  const counts = command.printed.match(/^\d+ passed, \d+ failed, \d+ skipped$/m)?.[0];
  if (counts === undefined) throw new Error(`It ended with code ${code}:\n${command.printed}`);
  if (code !== 0) throw new Error(counts);
  return `${counts}, ${command.printed.match(/^together\s+(.*)$/m)?.[1]} of it in tests`;
}

/** Removes the newcomer on Ctrl+C, too. The commands end with this process. */
function disposeWhenInterrupted(newcomer: Newcomer): () => void {
  const leave = () => void newcomer.dispose().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}

/** Starts a process that ends with its standard input, even if this process is killed. */
function startBusyLoop(): ChildProcess {
  const guard = join(import.meta.dirname, 'vscodeHost', 'guard.ts');
  return spawn(process.execPath, [guard, process.execPath, '-e', 'for (;;);'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}
