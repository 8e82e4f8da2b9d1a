import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchServer, Script } from '../server.ts';
import { median, percentile } from '../statistics.ts';
import { type BenchWindow, noteCount } from './openWindow.ts';
import { type BenchPanel, openByKey, WatchedPanel } from './panels.ts';
import { type Part, readProcessorTime } from './processes.ts';

/** Samples in milliseconds, except `idle`. */
export interface PanelSamples {
  readonly opening: readonly number[];
  /** From Enter to the request, in a session of few steps; below, of many. */
  readonly enterFew: readonly number[];
  readonly enterMany: readonly number[];
  /** Median of each answer. */
  readonly chunkMedian: readonly number[];
  readonly chunk95: readonly number[];
  readonly keyMedian: readonly number[];
  readonly key95: readonly number[];
  readonly switching: readonly number[];
  readonly longSession: readonly number[];
  /** Percent of a core. */
  readonly idle: IdleSamples;
}

export type IdleSamples = Readonly<Record<Part, readonly number[]>>;

/** Actions that differ between the panels. */
export interface PanelDriver {
  /** Begins another session and runs `steps` steps. */
  readonly fill: (panel: WatchedPanel, steps: number) => Promise<void>;
  /** Opens a recorded long session. Returns the time until its end is drawn. */
  readonly openLong: (panel: WatchedPanel, number: number) => Promise<number>;
}

export interface PanelBench {
  readonly server: BenchServer;
  /** Sets the script of the model server. */
  readonly play: (script: Script) => void;
  readonly bench: BenchWindow;
  readonly panel: BenchPanel;
  readonly ways: PanelDriver;
  readonly runs: number;
  readonly longSessions: number;
  readonly say: (line: string) => void;
}

const chunksPerSecond = 200;
const chunks = 1000;
const answers = 3;
const keyPause = 120;
const idleSeconds = 60;
const idleSamples = 3;

export async function measurePanel(setting: PanelBench): Promise<PanelSamples> {
  const { bench, panel, ways, runs, say } = setting;
  say('opening');
  const opening = await repeat(runs, () => openByKey(bench.window, panel));
  const watched = await WatchedPanel.of(bench.window, panel);
  say('prompts in a short session');
  const enterFew = await measureEnters(setting, watched, 'few');
  say('answers');
  const chunkTimes = await repeat(answers, () => measureChunks(setting, watched));
  say('keys while an answer comes');
  const keyTimes = await repeat(answers, () => measureKeys(setting, watched));
  await answer(setting, watched, 'The end of few.');
  say('prompts in a long session');
  await ways.fill(watched, noteCount);
  const enterMany = await measureEnters(setting, watched, 'many');
  say('switching');
  const switching = await measureSwitching(setting, watched);
  say('a session of 60,000 lines');
  const longSession = await repeat(
    setting.longSessions,
    number => ways.openLong(watched, number),
    'measureAll',
  );
  // A page that nobody watches.
  await openByKey(bench.window, panel);
  say(`${idleSeconds} idle seconds`);
  return {
    opening,
    enterFew,
    enterMany,
    chunkMedian: chunkTimes.map(median),
    chunk95: chunkTimes.map(times => percentile(times, 0.95)),
    keyMedian: keyTimes.map(median),
    key95: keyTimes.map(times => percentile(times, 0.95)),
    switching,
    longSession,
    idle: await measureIdle(),
  };
}

/** Returns percent of a core after the window has settled, since heights of long sessions are measured when idle. */
export async function measureIdle(): Promise<IdleSamples> {
  await sleep(30_000);
  const samples: Record<Part, number[]> = { 'extension host': [], renderer: [] };
  for (let sample = 0; sample < idleSamples; sample++) {
    const begunAt = performance.now();
    const before = await readBoth();
    await sleep((idleSeconds / idleSamples) * 1000);
    const after = await readBoth();
    const seconds = (performance.now() - begunAt) / 1000;
    for (const [index, part] of parts.entries())
      samples[part].push(((after[index]! - before[index]!) / seconds) * 100);
  }
  return samples;
}

const parts: readonly Part[] = ['extension host', 'renderer'];

function readBoth(): Promise<readonly number[]> {
  return Promise.all(parts.map(readProcessorTime));
}

/** Repeats work, without counting the first run unless requested. */
async function repeat<T>(
  count: number,
  measure: (number: number) => Promise<T>,
  how: 'warmUp' | 'measureAll' = 'warmUp',
): Promise<readonly T[]> {
  const samples: T[] = [];
  if (how === 'warmUp') await measure(-1);
  for (let number = 0; number < count; number++) samples.push(await measure(number));
  return samples;
}

/** Sends a prompt, and waits until the whole answer is drawn. */
async function answer({ play }: PanelBench, panel: WatchedPanel, text: string): Promise<void> {
  play(() => ({ kind: 'text', chunks: [text] }));
  await panel.ask('hello');
  await panel.whenAnswered(text);
  // The end of the turn comes after the last word of the answer.
  await sleep(500);
}

async function measureEnters(
  setting: PanelBench,
  panel: WatchedPanel,
  name: string,
): Promise<readonly number[]> {
  const { exchanges } = setting.server;
  return await repeat(setting.runs, async number => {
    const index = exchanges.length;
    await answer(setting, panel, `Answer ${number} of ${name}.`);
    const { enters } = await panel.readNotes();
    return wallTime(exchanges[index]!.askedAt) - enters.at(-1)!;
  });
}

/** Returns the time from each sent chunk to the frame that shows it or a later one. */
async function measureChunks(setting: PanelBench, panel: WatchedPanel): Promise<readonly number[]> {
  const { exchanges } = setting.server;
  const index = exchanges.length;
  const { length } = (await panel.readNotes()).painted;
  await stream(setting, panel);
  const painted = (await panel.readNotes()).painted.slice(length);
  return exchanges[index]!.sentAt.slice(0, -1).map((sentAt, chunk) => {
    const shown = painted.find(([newest]) => newest >= chunk);
    if (!shown) throw new Error(`Chunk ${chunk} was never shown.`);
    return shown[1] - wallTime(sentAt);
  });
}

async function measureKeys(setting: PanelBench, panel: WatchedPanel): Promise<readonly number[]> {
  const { length } = (await panel.readNotes()).keys;
  const field = panel.frame.locator('textarea');
  const streaming = { done: false };
  const streamed = stream(setting, panel).finally(() => {
    streaming.done = true;
  });
  const typed = (async () => {
    await sleep(500);
    for (let index = 0; !streaming.done; index++) {
      await field.press('abcdefghij'[index % 10]!);
      await sleep(keyPause);
    }
  })();
  await Promise.all([streamed, typed]);
  await field.fill('');
  // Of the prompt, which came at once.
  return (await panel.readNotes()).keys.slice(length + 1, -1);
}

let streams = 0;

/** Streams numbered words in paragraphs of twenty. Returns when the last is drawn. */
async function stream({ play }: PanelBench, panel: WatchedPanel): Promise<void> {
  const ending = `The end of stream ${++streams}.`;
  const texts = Array.from({ length: chunks }, (_, index) => `w${index} ${index % 20 === 19 ? '\n\n' : ''}`);
  play(() => ({ kind: 'text', chunks: [...texts, ending], pace: chunksPerSecond }));
  await panel.ask('Tell me everything.');
  await panel.whenAnswered(ending);
  await sleep(500);
}

/** Switches between the short and the long session, which is shown at the start. */
async function measureSwitching(setting: PanelBench, panel: WatchedPanel): Promise<readonly number[]> {
  const ends = ['The end of few.', `Answer ${setting.runs - 1} of many.`];
  let shown = 0;
  return await repeat(setting.runs, async () => {
    const text = ends[shown++ % 2]!;
    const time = await panel.clickUntil(setting.panel.switchSelector, { selector: '.answer', text });
    await sleep(500);
    return time;
  });
}

function wallTime(at: number): number {
  return performance.timeOrigin + at;
}
