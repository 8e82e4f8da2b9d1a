/*
 * The journal of a very long session, the same at every run: what a user leaves behind who stays in one session for
 * weeks. Sizes follow real runs of the agent: files are read in pieces of up to 12 KB, commands print up to 8 KB, a
 * diff has 3 to 40 lines, an answer a few paragraphs, and a third of the lines has letters beyond Latin-1. Every
 * seventh prompt has a selection, every fortieth an image.
 */

import type { DiffLine, FileDiff } from '../../src/protocol/asks.ts';
import type { ReviewedFile } from '../../src/protocol/changes.ts';
import type { Part, SessionEventBody } from '../../src/protocol/events.ts';
import type { Attachment } from '../../src/protocol/intentions.ts';
import { randomFrom } from './folders.ts';

/** Lines of the journal. */
export const longSessionLines = 60_000;

const chapters = 120;
const stepsOfChapter = 28;
const turnEvery = 5;
const compressEvery = 20;
const rewindEvery = 40;

/** One line each, without its end. */
export function longSession(): readonly string[] {
  const writer = new JournalWriter();
  return writer.write();
}

class JournalWriter {
  private readonly random = randomFrom(11);
  private readonly lines: string[] = [];
  private seq = 0;
  private at = 1_760_000_000_000;
  private steps = 0;
  private turns = 0;
  private messages = 0;
  private turnId = '';

  write(): readonly string[] {
    this.add({
      type: 'session.started',
      sessionId: 'long',
      folders: ['/home/ann/invoices'],
      model: 'gemini-2.5-pro',
      mode: 'autoEdit',
    });
    for (let chapter = 0; chapter < chapters; chapter++) this.chapter(chapter);
    while (this.lines.length < longSessionLines) this.step(this.steps % turnEvery);
    this.endTurn();
    return this.lines.slice(0, longSessionLines);
  }

  private chapter(number: number): void {
    for (let step = 0; step < stepsOfChapter; step++) {
      if (step % turnEvery === 0) this.beginTurn();
      if (step === 1) this.topic(number);
      this.step(step);
    }
    if (number % compressEvery === compressEvery - 1) this.compress(number);
    if (number % rewindEvery === rewindEvery - 1) this.rewind();
  }

  private beginTurn(): void {
    this.endTurn();
    this.turnId = `turn-${++this.turns}`;
    const text = this.sentences(2 + this.random(6));
    const attachments = this.attachments();
    this.add({ type: 'turn.started', turnId: this.turnId, text, attachments });
    const image = attachments.flatMap((each): Part[] =>
      each.kind === 'image' ? [{ kind: 'blob', blob: each.blob }] : [],
    );
    this.say('user', [{ kind: 'text', text }, ...image]);
  }

  private endTurn(): void {
    const { turnId } = this;
    if (turnId !== '') this.add({ type: 'turn.ended', turnId, end: { kind: 'rested' } });
    this.turnId = '';
  }

  private topic(number: number): void {
    const title = `Chapter ${number + 1} about ${this.words(4)}`;
    this.add({
      type: 'chapter.started',
      chapterId: `chapter-${number}`,
      title,
      previousSummary: this.words(14),
    });
  }

  /** One answer with two calls; the second writes in every third step. */
  private step(place: number): void {
    const stepId = `step-${++this.steps}`;
    this.add({ type: 'step.started', stepId, number: place + 1, model: 'gemini-2.5-pro' });
    const thought = this.paragraph(1 + this.random(3), line => ({
      type: 'thought.appended',
      stepId,
      text: line,
    }));
    const text = this.paragraph(2 + this.random(5), line => ({ type: 'text.appended', stepId, text: line }));
    const usage = { prompt: 40_000 + this.random(90_000), cached: 30_000, output: 900, thoughts: 300 };
    this.add({ type: 'step.ended', stepId, usage, cost: 0.01, finish: 'STOP', citations: [] });
    const calls = [this.read(), this.steps % 3 === 0 ? this.edit() : this.command()];
    const asked = calls.map(
      ({ tool, args }, index): Part => ({
        kind: 'call',
        id: `${stepId}-${index}`,
        name: tool,
        args,
        ...(index === 0 && { signature: this.opaque(400) }),
      }),
    );
    this.say('model', [
      { kind: 'thought', text: thought } as const,
      { kind: 'text', text } as const,
      ...asked,
    ]);
    for (const [index, call] of calls.entries()) this.call(`${stepId}-${index}`, stepId, call);
    const results = calls.map(
      ({ tool, result }, index): Part => ({
        kind: 'result',
        id: `${stepId}-${index}`,
        name: tool,
        ok: true,
        text: result,
      }),
    );
    this.say('user', results);
  }

  private call(callId: string, stepId: string, { tool, effect, args, display, written }: MadeCall): void {
    this.add({
      type: 'call.requested',
      callId,
      stepId,
      tool,
      effect,
      title: `${tool} ${args.file_path ?? ''}`,
      args,
    });
    this.add({ type: 'call.started', callId });
    if (written !== undefined) this.written(written);
    this.add({ type: 'call.ended', callId, outcome: 'ok', display, durationMs: this.random(4000) });
  }

  private written(path: string): void {
    const [before, after] = [this.opaque(64), this.opaque(64)];
    this.add({ type: 'checkpoint.taken', path, before });
    this.add({ type: 'file.written', path, after, by: 'call' });
    const review = this.steps % 6 === 0 ? undefined : this.review(path, before, after);
    this.add({ type: 'review.changed', path, ...(review && { review }) });
  }

  private review(path: string, base: string, present: string): ReviewedFile {
    const place = { id: 1, status: 'pending', baseStart: 10, baseCount: 2, start: 10, count: 6 } as const;
    const chapterIds = [`chapter-${Math.floor(this.steps / stepsOfChapter)}`];
    const hunk = { ...place, touched: false, chapterIds, lines: this.diffLines(12), hiddenLines: 0 };
    return { path, shown: path.slice(19), base, present, change: 'modified', hunks: [hunk] };
  }

  private read(): MadeCall {
    const file_path = this.file();
    const result = this.code(2_000 + this.random(10_000));
    const display = { summary: `${result.split('\n').length} lines` };
    return { tool: 'read_file', effect: 'read', args: { file_path }, display, result };
  }

  private command(): MadeCall {
    const output = ` ✓ ${this.words(4)} (${this.random(40)} tests)\n${this.code(300 + this.random(7_700))}`;
    const detail = { kind: 'command', exitCode: 0, output } as const;
    const args = { command: `npm test -- ${this.words(2)}`, description: this.words(6) };
    const display = { summary: 'Exit code 0', detail };
    return { tool: 'run_shell_command', effect: 'run', args, display, result: `${output}\nExit code: 0` };
  }

  private edit(): MadeCall {
    const written = this.file();
    const lines = this.diffLines(3 + this.random(37));
    const added = lines.filter(({ kind }) => kind === 'added').length;
    const diff: FileDiff = {
      path: written.slice(19),
      change: 'modified',
      added,
      removed: lines.length - added,
      hunks: [{ oldStart: 10, newStart: 10, lines }],
      hiddenLines: 0,
    };
    const texts = { old_string: this.code(400), new_string: this.code(600) };
    const display = { summary: 'Edited', detail: { kind: 'diff', diff } } as const;
    const result = `${written} was changed:\n${texts.new_string}`;
    return {
      tool: 'replace',
      effect: 'edit',
      args: { file_path: written, ...texts },
      display,
      result,
      written,
    };
  }

  private compress(number: number): void {
    const compressionId = `compression-${number}`;
    const snapshot = `<state_snapshot>${this.sentences(60)}</state_snapshot>`;
    const replacement = [
      { role: 'user', parts: [{ kind: 'text', text: snapshot }] },
      { role: 'model', parts: [{ kind: 'text', text: 'Got it.' }] },
    ] as const;
    const parts = [{ chapterId: `chapter-${number - 1}`, summarised: 40_000, kept: 0, dropped: 0 }];
    const keptFrom = Math.max(0, this.messages - 40);
    const plan = {
      snapshot,
      replacement,
      keptFrom,
      cut: [],
      parts,
      tokens: { before: 500_000, after: 90_000 },
    };
    this.add({ type: 'compression.started', compressionId, trigger: 'automatic' });
    this.add({ type: 'compression.applied', compressionId, trigger: 'automatic', plan });
  }

  /** Back to before the newest prompt. */
  private rewind(): void {
    const to = { kind: 'turn', turnId: this.turnId } as const;
    this.endTurn();
    const keptMessages = this.messages - 2;
    this.messages = keptMessages;
    const rewindId = `rewind-${this.turns}`;
    const filesFrom = this.seq;
    this.add({
      type: 'session.rewound',
      rewindId,
      to,
      scope: 'conversation',
      filesFrom,
      keptMessages,
      todos: [],
      reviews: [],
      files: [],
    });
  }

  /** Lines as the recorder writes them; the whole text. */
  private paragraph(count: number, eventOf: (line: string) => SessionEventBody): string {
    let text = '';
    for (let line = 0; line < count; line++) {
      const words = `${this.sentences(2)}\n`;
      this.add(eventOf(words));
      text += words;
    }
    return text;
  }

  private say(role: 'user' | 'model', parts: readonly Part[]): void {
    this.messages++;
    this.add({ type: 'message.added', message: { role, parts } });
  }

  private add(body: SessionEventBody): void {
    this.at += this.random(3000);
    this.lines.push(JSON.stringify({ ...body, seq: ++this.seq, at: this.at }));
  }

  private attachments(): readonly Attachment[] {
    if (this.turns % 40 === 0) {
      const blob = { mimeType: 'image/png', data: this.opaque(200_000) };
      return [{ kind: 'image', name: 'screen.png', blob }];
    }
    if (this.turns % 7 !== 0) return [];
    return [{ kind: 'selection', path: 'src/a.ts', startLine: 1, endLine: 40, text: this.code(1_600) }];
  }

  private diffLines(count: number): readonly DiffLine[] {
    const kinds = ['context', 'added', 'added', 'removed'] as const;
    return Array.from({ length: count }, () => ({
      kind: kinds[this.random(4)]!,
      text: this.code(50).trimEnd(),
    }));
  }

  private file(): string {
    return `/home/ann/invoices/src/area${this.random(3)}/${words[this.random(words.length)]}${this.random(2)}.ts`;
  }

  private code(length: number): string {
    let text = '';
    while (text.length < length)
      text += `  const ${this.words(1)} = ${this.words(1)}(${this.random(1e6)}); // "${this.words(3)}"\n`;
    return text.slice(0, length);
  }

  private sentences(count: number): string {
    const mark = this.random(12) === 0 ? ' → “so”' : '';
    return `${Array.from({ length: count }, () => `The ${this.words(9)}.`).join(' ')}${mark}`;
  }

  private words(count: number): string {
    return Array.from({ length: count }, () => words[this.random(words.length)]).join(' ');
  }

  private opaque(length: number): string {
    let text = '';
    while (text.length < length) text += this.random(36 ** 5).toString(36);
    return text.slice(0, length);
  }
}

interface MadeCall {
  readonly tool: string;
  readonly effect: 'read' | 'edit' | 'run';
  readonly args: Readonly<Record<string, string>>;
  readonly display: Extract<SessionEventBody, { type: 'call.ended' }>['display'];
  /** What the model reads. */
  readonly result: string;
  /** The file that it changes, absolute. */
  readonly written?: string;
}

const words =
  'amount balance carry debit entry figure grand invoice journal kept ledger margin note order paid quarter rate sum tax unit value wage year zero'.split(
    ' ',
  );
