import { type AgentRun, runAgent } from '../agentRun.ts';
import { type Benchmark, runAlternately } from '../bench.ts';
import type { Contestant } from '../contestants.ts';
import { inTempFolder, noteAt, randomFrom, writeNotes } from '../folders.ts';
import type { Script } from '../server.ts';
import { type Measurement, median, type Unit } from '../statistics.ts';

const steps = 300;
const edge = 50;
const maxRuns = 5;

/** Steps of a chapter. */
const chapterSteps = 20;

/**
 * Share of about a million tokens at which Folio compresses. Old results are masked in batches between 50,000 and
 * 80,000 tokens, whatever the limit is. With a share slightly above that, masking and compression both act in a session
 * of this length; with the usual half only masking would.
 */
const threshold = 0.09;

const snapshot = `<scratchpad>Notes were read.</scratchpad>
<state_snapshot>
<overall_goal>Read all notes and say what they have in common.</overall_goal>
<key_knowledge>${'Each note says that the quick brown fox jumps over the lazy dog. '.repeat(60)}</key_knowledge>
<task_state>Reading continues with the next note.</task_state>
</state_snapshot>`;

/** Measures what grows with a session, and what must not. */
export const session: Benchmark = {
  name: 'session',
  about: `request size and overhead over ${steps} steps that read 2 to 40 KB, first ${edge} against last ${edge}`,
  run: setting =>
    inTempFolder(async workspace => {
      const random = randomFrom(7);
      await writeNotes(workspace, steps, () => 2_000 + random(38_000));
      const contestants = setting.contestants.filter(who => who.maxSteps > steps);
      const collected = await runAlternately(
        { ...setting, contestants },
        Math.min(setting.runs, maxRuns),
        async who => {
          const requests = steps + 1;
          const settings = { 'folio.compressionThreshold': threshold };
          const script = scriptOf(who);
          const run = await runAgent(who, { script, workspace, requests, settings, summary: snapshot });
          if (who.name === 'Folio') checkBothActed(run);
          return run;
        },
      );
      return [...collected].flatMap(([who, runs]) => measurementsOf(who, runs));
    }),
};

/** Returns the script. The loop has no chapters, so it reads a file where Folio begins one. */
function scriptOf(who: Contestant): Script {
  return step => {
    if (step >= steps) return { kind: 'text', chunks: ['Done.'] };
    if (who.name === 'Folio' && step % chapterSteps === 0) {
      const title = `Notes from ${step} on`;
      return { kind: 'call', name: 'create_new_topic', args: { title, summary: 'They are alike.' } };
    }
    return { kind: 'call', name: 'read_file', args: { file_path: noteAt(step) }, saying: sayingAt(step) };
  };
}

/** Returns about 500 characters, different at each step, so that loop detection does not stop it. */
function sayingAt(step: number): string {
  const random = randomFrom(step);
  const sentence = () => `Line ${random(500)} is like line ${random(500)} of note ${random(steps)}. `;
  return Array.from({ length: 12 }, sentence).join('');
}

/** Checks that masking and compression, with two requests each, happened. Otherwise a small size proves nothing. */
function checkBothActed({ exchanges, summaries }: AgentRun): void {
  const masked = exchanges.filter(({ isMasked }) => isMasked).length;
  if (summaries >= 4 && masked > edge) return;
  throw new Error(`Folio asked for ${summaries} summaries and masked results in ${masked} requests only.`);
}

function measurementsOf(who: Contestant, runs: readonly AgentRun[]): Measurement[] {
  const isFolio = who.name === 'Folio';
  const make = (
    what: string,
    unit: Unit,
    of: (run: AgentRun) => number,
    more: Partial<Measurement> = {},
  ): Measurement => ({ benchmark: 'session', what, who: who.name, unit, samples: runs.map(of), ...more });
  const beside = { against: 'minimal loop' };
  return [
    make(`bytes of a request, first ${edge}`, 'bytes', run => median(sizes(run, 'first')), beside),
    make(`bytes of a request, last ${edge}`, 'bytes', run => median(sizes(run, 'last')), beside),
    make(
      'bytes of the largest request',
      'bytes',
      run => Math.max(...run.exchanges.map(({ bytes }) => bytes)),
      {
        ...beside,
        ...(isFolio && { limit: { kind: 'median', atMost: 500_000 } }),
      },
    ),
    make(`overhead, first ${edge}`, 'ms', run => median(overheads(run, 'first')), beside),
    make(`overhead, last ${edge}`, 'ms', run => median(overheads(run, 'last')), beside),
    make(
      `overhead, last ${edge} as a multiple of first ${edge}`,
      '×',
      run => median(overheads(run, 'last')) / median(overheads(run, 'first')),
      isFolio ? { limit: { kind: 'median', atMost: 1.5 } } : {},
    ),
    make('longest overhead of a step', 'ms', run => Math.max(...overheads(run, 'all')), beside),
    ...(isFolio ? [make('questions for a summary', 'times', run => run.summaries)] : []),
  ];
}

type Stretch = 'first' | 'last' | 'all';

/** Returns the samples of a stretch, without the first step, which is the start of the process. */
function stretch<T>(all: readonly T[], which: Stretch): readonly T[] {
  const later = all.slice(1);
  if (which === 'all') return later;
  return which === 'first' ? later.slice(0, edge) : later.slice(-edge);
}

function sizes({ exchanges }: AgentRun, which: Stretch): readonly number[] {
  return stretch(exchanges, which).map(({ bytes }) => bytes);
}

/** Returns the times from the end of an answer to the next request, including side requests. */
function overheads({ exchanges }: AgentRun, which: Stretch): readonly number[] {
  const all = exchanges.map(({ askedAt }, step) => askedAt - (exchanges[step - 1]?.answeredAt ?? askedAt));
  return stretch(all, which);
}
