import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchSetting } from '../bench.ts';
import { inTempFolder, noteAt } from '../folders.ts';
import { longSession } from '../longSession.ts';
import { type BenchServer, type Script, startServer } from '../server.ts';
import { type Limit, type Measurement, median } from '../statistics.ts';
import {
  type IdleSamples,
  measureIdle,
  measurePanel,
  type PanelBench,
  type PanelDriver,
  type PanelSamples,
} from '../window/measurePanel.ts';
import { type BenchWindow, noteCount, openWindow } from '../window/openWindow.ts';
import { type BenchPanel, bare, folio } from '../window/panels.ts';
import { readActivationCost, readContributionCost } from '../window/startCost.ts';

const longSessions = 3;
const maxRuns = 10;
const starts = 3;
const noPanel = 'no panel';
const noFolio = 'without Folio';

/** Measures Folio in a real VS Code, compared with a minimal webview that does the same. */
export const window: Benchmark = {
  name: 'window',
  about:
    'how quickly the panel answers in a real VS Code, what it costs at rest, and what it adds to a start',
  run: setting =>
    inTempFolder(async folder => {
      let script: Script = () => ({ kind: 'text', chunks: ['Hello.'] });
      const server = await startServer((...asked) => script(...asked));
      try {
        const play = (next: Script) => {
          script = next;
        };
        return await measureWindows(setting, server, play, folder);
      } finally {
        await server.close();
      }
    }),
};

async function measureWindows(
  { runs, say }: BenchSetting,
  server: BenchServer,
  play: (script: Script) => void,
  folder: string,
): Promise<Measurement[]> {
  say('starts without Folio');
  const startsBefore = await measureStarts(server, 'bareOnly');
  say('starts with Folio');
  const startsAfter = await measureStarts(server, 'withFolio');
  say('a window with Folio');
  await using bench = await openWindow(server.url, 'withFolio');
  const paths = await writeLongSessions(await bench.sessionsFolder(), folder);
  const setting = { server, play, bench, runs: Math.min(runs, maxRuns), longSessions };
  const panelOf = (panel: BenchPanel, ways: PanelDriver): Promise<PanelSamples> =>
    measurePanel({ ...setting, panel, ways, say: line => say(`${panel.name}: ${line}`) });
  say('idle, no panel');
  const idle = await measureIdle();
  const samples = { [bare.name]: await panelOf(bare, barePanel(bench, paths)) };
  samples[folio.name] = await panelOf(folio, folioPanel(setting));
  say('activations');
  const activations = [];
  for (let start = 0; start < starts; start++) {
    await bench.window.reload();
    activations.push(await readActivationCost(bench.window, folio));
  }
  return [
    ...Object.entries(samples).flatMap(([who, all]) => panelRows(who, all)),
    ...idleRows(noPanel, idle),
    ...addedIdle(samples[folio.name]!.idle, idle),
    row(contributions, noFolio, startsBefore),
    row(contributions, folio.name, startsAfter, { against: noFolio }),
    row('start: added by Folio', folio.name, [median(startsAfter) - median(startsBefore)], { atMost: 5 }),
    row(
      'activation: loading the code',
      folio.name,
      activations.map(({ load }) => load),
    ),
    row(
      'activation: until it is done',
      folio.name,
      activations.map(({ activate }) => activate),
    ),
  ];
}

const contributions = 'start: handling what all extensions contribute';

/** In a VS Code with its own extensions, as users have it: the first setting of all is much slower than each further one. */
async function measureStarts(
  server: BenchServer,
  which: 'withFolio' | 'bareOnly',
): Promise<readonly number[]> {
  await using bench = await openWindow(server.url, which, 'all');
  const samples = [];
  for (let start = 0; start < starts; start++) {
    await bench.window.reload();
    samples.push(await readContributionCost(bench.window));
  }
  return samples;
}

/** Writes one journal for each opening, since a session stays in memory. Returns copies for the bare webview. */
async function writeLongSessions(sessions: string, folder: string): Promise<readonly string[]> {
  const lines = longSession();
  const paths = [];
  for (let number = 0; number < longSessions; number++) {
    // Its id, which the panel waits for, the title of the session and those of its chapters.
    const own = lines.map(line => {
      if (line.startsWith('{"type":"session.started"'))
        return line.replace('"sessionId":"long"', `"sessionId":"long${number}"`);
      if (line.startsWith('{"type":"chapter.started"'))
        return line.replace('"title":"', `"title":"${nameOf(number)} `);
      return line.startsWith('{"type":"turn.started"')
        ? line.replace('"text":"', `"text":"${nameOf(number)} `)
        : line;
    });
    const text = `${own.join('\n')}\n`;
    await mkdir(join(sessions, `long${number}`), { recursive: true });
    await writeFile(join(sessions, `long${number}`, 'journal.jsonl'), text);
    const path = join(folder, `long${number}.jsonl`);
    await writeFile(path, text);
    paths.push(path);
  }
  return paths;
}

function nameOf(number: number): string {
  return `Long session ${number}`;
}

function barePanel({ window }: BenchWindow, paths: readonly string[]): PanelDriver {
  return {
    async fill(_, steps) {
      await window.evaluate('executeCommand', 'bare.fill', steps, 'x'.repeat(1000));
    },
    async openLong(panel, number) {
      const shown = panel.whenAnswered(nameOf(number));
      const begunAt = Date.now();
      await window.evaluate('executeCommand', 'bare.open', paths[number], nameOf(number));
      return (await shown) - begunAt;
    },
  };
}

function folioPanel({ bench, server, play }: Pick<PanelBench, 'bench' | 'server' | 'play'>): PanelDriver {
  const { evaluate } = bench.window;
  return {
    async fill(panel, steps) {
      await evaluate('executeCommand', 'folio.newSession');
      await panel.frame.getByText('Describe a task.').waitFor();
      const begun = server.exchanges.length;
      play(step =>
        step < begun + steps
          ? { kind: 'call', name: 'read_file', args: { file_path: noteAt(step - begun) } }
          : { kind: 'text', chunks: ['All is read.'] },
      );
      await panel.ask('Read all notes.');
      await panel.whenAnswered('All is read.');
      const made = server.exchanges.length - begun;
      if (made !== steps + 1) throw new Error(`Folio made ${made} requests for ${steps} steps.`);
      await sleep(1000);
    },
    async openLong(panel, number) {
      await evaluate('executeCommand', 'folio.showHistory');
      const name = nameOf(number);
      const row = panel.frame.locator('button.session', { hasText: name });
      await row.first().waitFor();
      await sleep(1000);
      const wanted = { selector: '[data-chapter]', text: name };
      return await panel.clickUntil(`button.session:has-text("${name}")`, wanted);
    },
  };
}

function panelRows(who: string, all: PanelSamples): Measurement[] {
  const one = (what: string, samples: readonly number[], atMost?: number) =>
    row(what, who, samples, { against: bare.name, ...(who === folio.name && atMost && { atMost }) });
  return [
    one('key to a field in the opened panel', all.opening, 300),
    one('Enter to request, few steps', all.enterFew, 30),
    one(`Enter to request, ${noteCount} steps`, all.enterMany, 30),
    one('chunk to screen at 200 a second, median of each answer', all.chunkMedian, 17),
    one('chunk to screen at 200 a second, 95 % of each answer', all.chunk95),
    one('key to screen while it streams, median of each answer', all.keyMedian, 16),
    one('key to screen while it streams, 95 % of each answer', all.key95),
    one('switching between open sessions', all.switching, 100),
    one('opening a session of 60,000 lines', all.longSession, 1500),
    ...idleRows(who, all.idle),
  ];
}

/** Returns the cost of an idle panel without that of the window. */
function addedIdle(idle: IdleSamples, without: IdleSamples): Measurement[] {
  return (Object.keys(idle) as (keyof IdleSamples)[]).map(part =>
    row(
      `idle for a minute: added to the ${part}`,
      folio.name,
      idle[part].map(sample => sample - median(without[part])),
      { unit: '%', atMost: 0.5 },
    ),
  );
}

function idleRows(who: string, idle: IdleSamples): Measurement[] {
  return Object.entries(idle).map(([part, samples]) =>
    row(`idle for a minute: ${part}`, who, samples, { unit: '%' }),
  );
}

interface RowOptions {
  readonly unit?: Measurement['unit'];
  readonly against?: string;
  /** Limit of the median. */
  readonly atMost?: number;
}

function row(what: string, who: string, samples: readonly number[], options: RowOptions = {}): Measurement {
  const { unit = 'ms', against, atMost } = options;
  const limit: Limit | undefined = atMost === undefined ? undefined : { kind: 'median', atMost };
  return {
    benchmark: 'window',
    what,
    who,
    unit,
    samples,
    ...(against && { against }),
    ...(limit && { limit }),
  };
}
