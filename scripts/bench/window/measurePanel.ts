import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchServer, Script } from '../server.ts';
import { median, percentile } from '../statistics.ts';
import { type BenchWindow, noteCount } from './openWindow.ts';
import { type BenchPanel, openByKey, WatchedPanel } from './panels.ts';
import { type Part, readProcessorTime } from './processes.ts';

/** Milliseconds, but for what an idle panel costs. */
export interface PanelSamples {
  readonly opening: readonly number[];
  /** From Enter to the request at the model's server, in a session of few and of many steps. */
  readonly enterFew: readonly number[];
  readonly enterMany: readonly number[];
  /** Of each answer. */
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

/** What only one of the panels can. */
export interface PanelDriver {
  /** Leaves the session for another, which has so many steps then. */
  readonly fill: (panel: WatchedPanel, steps: number) => Promise<void>;
  /** Opens a long session that is on the disk only; the time until its end is on the screen. */
  readonly openLong: (panel: WatchedPanel, number: number) => Promise<number>;
}

export interface PanelBench {
  readonly server: BenchServer;
  /** From now on the model's server plays this. */
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

/** Percent of a core, once the window has come to rest: the heights of a long session are measured while it idles. */
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

/** The first of them is not measured, unless all are to be. */
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

/** Asks, and waits until the whole answer is on the screen. */
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

/** From each chunk that left the server to the frame that shows it, or more than it. */
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

/** Words with numbers, in paragraphs of twenty; returns when the last one is on the screen. */
async function stream({ play }: PanelBench, panel: WatchedPanel): Promise<void> {
  const ending = `The end of stream ${++streams}.`;
  const texts = Array.from({ length: chunks }, (_, index) => `w${index} ${index % 20 === 19 ? '\n\n' : ''}`);
  play(() => ({ kind: 'text', chunks: [...texts, ending], pace: chunksPerSecond }));
  await panel.ask('Tell me everything.');
  await panel.whenAnswered(ending);
  await sleep(500);
}

/** Back and forth between the short session and the long one, which is shown now. */
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
