/*
 * Two sessions, commands, a server's tool and a user write the same files by turns, and everything is compared with a
 * model. Each writer has lines of its own in each file, apart from those of the others, so that the model is exact:
 *
 *     user's lines │ fixed lines │ the first session's │ fixed lines │ the second's │ fixed lines
 */

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type CallWriter, ChangeTracker } from '../../../src/extension/core/changes/changeTracker.ts';
import { ConcurrentRuns } from '../../../src/extension/core/changes/concurrentRuns.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { presentText } from '../../../src/extension/review/fileReview.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import { emptySession } from '../../../src/protocol/state.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';
import { UserEditor } from '../../support/userEditor.ts';
import {
  type OpenRepository,
  openCopies,
  openGit,
  type Repository,
} from '../../support/writtenRepository.ts';

const names = ['a.ts', 'crlf.txt'] as const;
type Name = (typeof names)[number];
const zones = ['person', 'first', 'second'] as const;
type Zone = (typeof zones)[number];
type Text = Readonly<Record<Zone, readonly string[]>>;

interface Step {
  readonly does:
    | 'call'
    | 'command'
    | 'tool'
    | 'commit'
    | 'mode'
    | 'type'
    | 'save'
    | 'foreign'
    | 'accept'
    | 'reject'
    | 'kill'
    | 'branch'
    | 'visit'
    | 'killedCommand'
    | 'together'
    | 'link';
  readonly by: 'first' | 'second';
  readonly name: Name;
  /** What is done to the lines. */
  readonly edits: readonly { readonly kind: 'insert' | 'delete' | 'replace'; readonly at: number }[];
  /** Something happens between two writes of a command. */
  readonly meanwhile: 'nothing' | 'save' | 'type' | 'call' | 'visit';
  /** The window tells the sessions of typing. */
  readonly reported: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(
    ...([
      'call',
      'command',
      'command',
      'command',
      'tool',
      'commit',
      'type',
      'type',
      'save',
      'foreign',
    ] as const),
    ...([
      'mode',
      'accept',
      'reject',
      'kill',
      'branch',
      'visit',
      'killedCommand',
      'together',
      'link',
    ] as const),
  ),
  by: fc.constantFrom('first', 'second'),
  name: fc.constantFrom(...names),
  edits: fc.array(fc.record({ kind: fc.constantFrom('insert', 'delete', 'replace'), at: fc.nat(5) }), {
    minLength: 1,
    maxLength: 3,
  }),
  meanwhile: fc.constantFrom('nothing', 'save', 'type', 'call', 'visit'),
  reported: fc.boolean(),
});

const once = { edits: [{ kind: 'insert', at: 0 }], meanwhile: 'nothing', reported: false } as const;

/** Counterexamples of earlier days. */
const found: [Step[]][] = [
  // A session had not heard of the other one's write when its command began.
  [
    [
      { ...once, does: 'call', by: 'second', name: 'crlf.txt', edits: [{ kind: 'insert', at: 3 }] },
      { ...once, does: 'call', by: 'first', name: 'crlf.txt' },
      {
        does: 'command',
        by: 'second',
        name: 'crlf.txt',
        edits: [
          { kind: 'delete', at: 3 },
          { kind: 'insert', at: 0 },
        ],
        meanwhile: 'save',
        reported: true,
      },
    ],
  ],
  // What the user took away led by chance to a text that had stood there before the newest command.
  [
    [
      {
        ...once,
        does: 'command',
        by: 'second',
        name: 'crlf.txt',
        edits: [{ kind: 'insert', at: 3 }],
        meanwhile: 'save',
      },
      { ...once, does: 'accept', by: 'second', name: 'a.ts' },
      {
        ...once,
        does: 'commit',
        by: 'second',
        name: 'crlf.txt',
        edits: [{ kind: 'delete', at: 3 }],
        meanwhile: 'save',
      },
    ],
  ],
  // A file became executable whose link had been undone.
  [
    [
      { ...once, does: 'link', by: 'first', name: 'crlf.txt' },
      { ...once, does: 'together', by: 'first', name: 'a.ts' },
      { ...once, does: 'mode', by: 'first', name: 'crlf.txt' },
      { ...once, does: 'call', by: 'first', name: 'a.ts' },
    ],
  ],
  // A command and another session's call led by chance to a text of which a rejected hunk was remembered.
  [
    [
      { ...once, does: 'together', by: 'second', name: 'a.ts', edits: [{ kind: 'delete', at: 0 }] },
      {
        ...once,
        does: 'command',
        by: 'first',
        name: 'a.ts',
        edits: [{ kind: 'delete', at: 0 }],
        meanwhile: 'call',
      },
    ],
  ],
  // The same, where the command wrote nothing after the call.
  [
    [
      { ...once, does: 'together', by: 'second', name: 'a.ts', edits: [{ kind: 'delete', at: 0 }] },
      {
        ...once,
        does: 'commit',
        by: 'first',
        name: 'a.ts',
        edits: [{ kind: 'delete', at: 0 }],
        meanwhile: 'call',
      },
      { ...once, does: 'killedCommand', by: 'first', name: 'a.ts' },
    ],
  ],
  // Another session wrote by chance what had been rejected, while nothing waited in the file.
  [
    [
      { ...once, does: 'together', by: 'second', name: 'a.ts', edits: [{ kind: 'delete', at: 0 }] },
      { ...once, does: 'link', by: 'second', name: 'a.ts' },
      {
        ...once,
        does: 'call',
        by: 'second',
        name: 'a.ts',
        edits: [
          { kind: 'delete', at: 0 },
          { kind: 'insert', at: 1 },
        ],
      },
      { ...once, does: 'mode', by: 'first', name: 'a.ts' },
      { ...once, does: 'call', by: 'first', name: 'a.ts' },
    ],
  ],
  // The same, where what waited had been away with another branch.
  [
    [
      { ...once, does: 'together', by: 'second', name: 'a.ts', edits: [{ kind: 'delete', at: 1 }] },
      { ...once, does: 'call', by: 'first', name: 'crlf.txt' },
      {
        does: 'tool',
        by: 'second',
        name: 'crlf.txt',
        edits: [
          { kind: 'delete', at: 1 },
          { kind: 'insert', at: 0 },
        ],
        meanwhile: 'visit',
        reported: true,
      },
      { ...once, does: 'call', by: 'first', name: 'a.ts' },
    ],
  ],
  // The same before a call, with no command in between.
  [
    [
      { ...once, does: 'call', by: 'second', name: 'a.ts' },
      { ...once, does: 'together', by: 'second', name: 'a.ts', edits: [{ kind: 'delete', at: 3 }] },
      { ...once, does: 'call', by: 'second', name: 'a.ts', edits: [{ kind: 'delete', at: 3 }] },
      { ...once, does: 'call', by: 'first', name: 'a.ts' },
    ],
  ],
];

const begin: Text = {
  person: ['p1', 'p2', 'p3'],
  first: ['f1', 'f2', 'f3'],
  second: ['s1', 's2', 's3'],
};

function write(name: Name, text: Text): string {
  const lines = zones.flatMap((zone, at) => [...text[zone], `== ${at}`, `-- ${at}`]);
  return lines.map(line => line + (name === 'crlf.txt' ? '\r\n' : '\n')).join('');
}

/** A session of the window, which can be killed and read back. */
class Session {
  private readonly events: SessionEvent[] = [];
  private readonly make: (emit: (body: SessionEventBody) => void) => ChangeTracker;
  changes: ChangeTracker;

  constructor(make: Session['make']) {
    this.make = make;
    this.changes = this.begin();
  }

  async kill(): Promise<void> {
    const { reviews, shelved } = this.events.reduce(reduce, emptySession);
    this.changes = this.begin();
    for (const event of this.events) this.changes.fold(event);
    await this.changes.resume(reviews, shelved);
  }

  private begin(): ChangeTracker {
    const changes: ChangeTracker = this.make(body => {
      // What a killed one still says reaches nobody.
      if (this.changes !== changes) return;
      const event: SessionEvent = { ...body, seq: this.events.length + 1, at: 0 };
      this.events.push(event);
      changes.fold(event);
    });
    return changes;
  }
}

class World {
  private readonly repository: Repository;
  private readonly user: UserEditor;
  private readonly sessions: Readonly<Record<Step['by'], Session>>;
  /** The text in the editor, and on the disk. */
  private readonly shown = new Map<Name, Text>(names.map(name => [name, begin]));
  private readonly unsaved = new Set<Name>();
  /** Files that can be run, and whether a rejection makes a file one of them. */
  private readonly executable = new Set<Name>();
  private readonly wantedModes = new Map<Name, boolean>();
  /** A rejection brings this back, of the lines of one session in one file. */
  private readonly wanted = new Map<string, readonly string[]>();
  private lines = 0;

  constructor(repository: Repository) {
    const { root, versionControl } = repository;
    this.repository = repository;
    this.user = new UserEditor(repository.disk);
    const concurrentRuns = new ConcurrentRuns(undefined, this.user);
    const blobs = new MemoryBlobStore();
    const session = () => {
      const own = concurrentRuns.beside();
      return new Session(
        emit =>
          new ChangeTracker({
            folders: [root],
            files: this.user,
            blobs,
            versionControl,
            clock: new ManualClock(),
            log,
            concurrentRuns: own,
            emit,
            recorded: async () => {},
            chapterId: () => 'chapter',
          }),
      );
    };
    this.sessions = { first: session(), second: session() };
  }

  async take(step: Step): Promise<void> {
    const { changes } = this.sessions[step.by];
    switch (step.does) {
      case 'call':
        return this.call(step);
      case 'command':
      case 'commit':
      case 'branch':
      case 'tool':
        return this.command(step);
      case 'killedCommand':
        return this.killedCommand(step);
      case 'visit':
        return this.visit(step, 'mayBeKilled');
      case 'together':
        return this.together(step);
      case 'link':
        return this.link(step);
      case 'mode':
        return this.changeMode(step.name);
      case 'type':
        return this.type(step);
      case 'save':
        return this.save(step.name);
      case 'foreign':
        return this.foreign(step);
      case 'accept':
        return this.accept(step.by);
      case 'reject':
        expect(await changes.ledger.reject({})).toEqual([]);
        return this.rejected(step.by);
      case 'kill':
        await changes.ledger.flush();
        return this.sessions[step.by].kill();
    }
  }

  /** Everything is put back, in the end by going back to the beginning. */
  async end(): Promise<void> {
    for (const by of ['second', 'first'] as const) {
      expect(await this.sessions[by].changes.ledger.reject({})).toEqual([]);
      this.rejected(by);
      await this.compare();
    }
    for (const name of names) await this.save(name);
    for (const by of ['first', 'second'] as const) {
      const results = await this.sessions[by].changes.restorer.restore({ from: 0, reviews: [] });
      expect(results.filter(({ result }) => result === 'conflict' || result === 'lost')).toEqual([]);
      for (const name of names) this.set(name, { [by]: begin[by] });
      if (by === 'first') this.executable.clear();
      await this.compare();
    }
  }

  async compare(): Promise<void> {
    for (const name of names) {
      const text = write(name, this.shown.get(name)!);
      expect((await this.user.readText(this.at(name))).text).toBe(text);
      expect((await this.user.stat(this.at(name)))?.executable ?? false).toBe(this.executable.has(name));
      if (this.unsaved.has(name)) continue;
      expect(Buffer.from(await this.user.readSaved(this.at(name))).toString()).toBe(text);
    }
  }

  private async call({ by, name, edits }: Step): Promise<void> {
    this.begins(by, name);
    this.set(name, { [by]: this.edited(by, name, edits) });
    const writer = { kind: 'call', callId: by, words: 'Write' } as const;
    const files = this.sessions[by].changes.filesOf(writer, 'unseen');
    await files.writeText(this.at(name), write(name, this.shown.get(name)!), utf8Format);
    this.unsaved.delete(name);
  }

  private async command(step: Step): Promise<void> {
    const { by, does, edits, meanwhile } = step;
    const { changes } = this.sessions[by];
    // An editor asks before it saves over what a command wrote beneath it: that has a test of its own.
    for (const name of names) await this.save(name);
    const writer: CallWriter =
      does === 'tool'
        ? { kind: 'call', callId: by, words: 'jira: create_file' }
        : { kind: 'command', callId: by, line: 'sed' };
    const written = does === 'commit' || does === 'branch' ? names : [step.name];
    for (const name of written) this.begins(by, name);
    await changes.watch(runOf(changes, writer), async () => {
      const write = async (name: Name) => {
        this.set(name, { [by]: this.edited(by, name, edits) });
        await this.writePast(name);
      };
      const writeAll = async () => {
        for (const name of written) await write(name);
      };
      if (does === 'branch') return this.repository.branchOff(writeAll);
      await writeAll();
      if (meanwhile === 'save' || meanwhile === 'type') await this.type(step);
      if (meanwhile === 'save') await this.save(step.name);
      if (meanwhile === 'visit') await this.visit(step);
      if (meanwhile === 'call') await this.call({ ...step, by: by === 'first' ? 'second' : 'first' });
      if (does === 'commit') await this.repository.commit();
      else if (meanwhile !== 'nothing' && meanwhile !== 'type') await write(step.name);
    });
    // Whoever wrote last, the review is in step.
    for (const name of written) {
      const review = changes.ledger.review(this.at(name));
      if (review?.by === 'lines') expect(presentText(review)).toBe(write(name, this.shown.get(name)!));
    }
  }

  /** Nobody hears any more what it wrote, so that is taken for the user's. */
  private async killedCommand({ by, name, edits }: Step): Promise<void> {
    const { changes } = this.sessions[by];
    await this.save(name);
    await changes.watch(runOf(changes, { kind: 'command', callId: by, line: 'sed' }), async () => {
      this.set(name, { person: this.edited('person', name, edits) });
      await this.writePast(name);
      await changes.ledger.flush();
      await this.sessions[by].kill();
    });
  }

  /** Two commands at once: nobody can say which of them wrote, but all of it waits once and goes back. */
  private async together({ by, edits }: Step): Promise<void> {
    const other = by === 'first' ? 'second' : 'first';
    for (const each of [by, other] as const) await this.accept(each);
    for (const name of names) await this.save(name);
    const before = new Map(this.shown);
    const run = (each: Step['by'], work: () => Promise<void>) => {
      const { changes } = this.sessions[each];
      return changes.watch(runOf(changes, { kind: 'command', callId: each, line: 'sed' }), work);
    };
    await run(by, () =>
      run(other, async () => {
        for (const name of names)
          for (const each of [by, other] as const) {
            this.set(name, { [each]: this.edited(each, name, edits) });
            await this.writePast(name);
          }
      }).then(() => undefined),
    );
    await this.compare();
    for (const each of [by, other] as const)
      expect(await this.sessions[each].changes.ledger.reject({})).toEqual([]);
    for (const [name, text] of before) this.shown.set(name, text);
  }

  /** A command puts a link in the place of a file, which is undone. */
  private async link({ by, name }: Step): Promise<void> {
    if (process.platform === 'win32') return;
    for (const each of ['first', 'second'] as const) await this.accept(each);
    await this.save(name);
    const { changes } = this.sessions[by];
    await changes.watch(runOf(changes, { kind: 'command', callId: by, line: 'ln' }), async () => {
      await this.repository.disk.writeLink(this.at(name), '../elsewhere');
    });
    expect(changes.ledger.review(this.at(name))).toMatchObject({ by: 'file' });
    expect(await changes.ledger.reject({})).toEqual([]);
  }

  /** The user views a branch without what waits for review, and comes back; Folio may be killed there. */
  private async visit({ by, edits, reported }: Step, kill?: 'mayBeKilled'): Promise<void> {
    for (const name of names) await this.save(name);
    const before = new Map(this.shown);
    await this.repository.branchOff(async () => {
      for (const name of names) {
        for (const by of ['first', 'second'] as const) this.set(name, this.wantedOf(by, name));
        this.set(name, { person: this.edited('person', name, edits) });
        await this.writePast(name);
      }
    });
    if (reported) for (const name of names) this.notify(name);
    if (kill && reported && edits.length > 1) {
      await this.sessions[by].changes.ledger.flush();
      await this.sessions[by].kill();
    }
    await this.repository.goBack();
    for (const [name, text] of before) this.shown.set(name, text);
    if (reported) for (const name of names) this.notify(name);
  }

  private wantedOf(by: Step['by'], name: Name): Partial<Text> {
    const lines = this.wanted.get(`${by} ${name}`);
    return lines ? { [by]: lines } : {};
  }

  private async accept(by: Step['by']): Promise<void> {
    const { ledger } = this.sessions[by].changes;
    // The window reports what stands there, before anybody decides.
    for (const name of names) await ledger.catchUp(this.at(name));
    ledger.accept({});
    for (const name of names) this.wanted.delete(`${by} ${name}`);
    if (by === 'first') this.wantedModes.clear();
  }

  /** A command of the first session, since two cannot each have a mode of their own. */
  private async changeMode(name: Name): Promise<void> {
    if (process.platform === 'win32') return;
    const { changes } = this.sessions.first;
    const wasExecutable = this.executable.has(name);
    if (!this.wantedModes.has(name)) this.wantedModes.set(name, wasExecutable);
    this.setMode(name, !wasExecutable);
    const work = () => this.repository.disk.setExecutable(this.at(name), !wasExecutable);
    await changes.watch(runOf(changes, { kind: 'command', callId: 'first', line: 'chmod' }), work);
  }

  private setMode(name: Name, executable: boolean): void {
    if (executable) this.executable.add(name);
    else this.executable.delete(name);
  }

  private async type({ name, edits, reported }: Step): Promise<void> {
    this.set(name, { person: this.edited('person', name, edits, '  ') });
    this.unsaved.add(name);
    await this.user.type(this.at(name), () => write(name, this.shown.get(name)!));
    if (reported) this.notify(name);
  }

  private async save(name: Name): Promise<void> {
    if (!this.unsaved.delete(name)) return;
    const isTyped = (line: string) => line.startsWith('  ');
    const { person: user } = this.shown.get(name)!;
    this.set(name, { person: user.map(line => (isTyped(line) ? `${line.trim()};` : line)) });
    await this.user.save(this.at(name), () => write(name, this.shown.get(name)!));
  }

  /** Another program writes between two calls: that is taken for the user. */
  private async foreign({ name, edits }: Step): Promise<void> {
    await this.save(name);
    this.set(name, { person: this.edited('person', name, edits) });
    await this.writePast(name);
  }

  private async writePast(name: Name): Promise<void> {
    await this.repository.write(this.at(name), write(name, this.shown.get(name)!));
  }

  private notify(name: Name): void {
    for (const { changes } of Object.values(this.sessions))
      changes.ledger.follow(this.at(name), write(name, this.shown.get(name)!));
  }

  private begins(by: Step['by'], name: Name): void {
    const key = `${by} ${name}`;
    if (!this.wanted.has(key)) this.wanted.set(key, this.shown.get(name)![by]);
  }

  private rejected(by: Step['by']): void {
    if (by === 'first') {
      for (const [name, executable] of this.wantedModes) this.setMode(name, executable);
      this.wantedModes.clear();
    }
    for (const name of names) {
      const lines = this.wanted.get(`${by} ${name}`);
      if (!lines) continue;
      // A text that is written by Folio is saved.
      if (lines.join() !== this.shown.get(name)![by].join()) this.unsaved.delete(name);
      this.set(name, { [by]: lines });
      this.wanted.delete(`${by} ${name}`);
    }
  }

  private set(name: Name, change: Partial<Text>): void {
    this.shown.set(name, { ...this.shown.get(name)!, ...change });
  }

  private edited(zone: Zone, name: Name, edits: Step['edits'], indent = ''): readonly string[] {
    let lines = this.shown.get(name)![zone];
    for (const { kind, at } of edits) {
      const line = `${indent}${zone} ${++this.lines}`;
      const from = Math.min(at, lines.length);
      lines = lines.toSpliced(from, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : [line]));
    }
    return lines;
  }

  private at(name: Name): string {
    return `${this.repository.root}/${name}`;
  }
}

function runOf(changes: ChangeTracker, writer: CallWriter) {
  const files = changes.filesOf(writer, 'unseen');
  return { effect: 'run', files, reads: false, signal: new AbortController().signal } as const;
}

const log = { debug() {}, info() {}, warn() {}, error() {} };

async function check(open: OpenRepository, steps: readonly Step[]): Promise<void> {
  const repository = await open(Object.fromEntries(names.map(name => [name, write(name, begin)])));
  try {
    const world = new World(repository);
    for (const each of steps) {
      await world.take(each);
      await world.compare();
    }
    await world.end();
  } finally {
    await repository.dispose();
  }
}

const hasTools = process.platform !== 'win32' && spawnSync('git', ['--version']).status === 0;

describe('hunks of two sessions, commands, tools of servers and a user', () => {
  const limit = 4 * 60 * 60 * 1000;
  const steps = fc.array(step, { minLength: 1, maxLength: 14 });

  test(
    'give exactly the bytes of the model after every step, every decision, a kill and going back',
    () =>
      fc.assert(
        fc.asyncProperty(steps, each => check(openCopies, each)),
        {
          numRuns: runSize({ test: 80, prove: 10_000 }),
          examples: found,
        },
      ),
    limit,
  );

  test.skipIf(!hasTools)(
    'do so in a real repository, where a real shell writes',
    () =>
      fc.assert(
        fc.asyncProperty(steps, each => check(openGit, each)),
        {
          numRuns: runSize({ test: 2, prove: 200 }),
        },
      ),
    limit,
  );
});
