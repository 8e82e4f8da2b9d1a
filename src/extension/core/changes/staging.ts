import type { GitEntries, GitEntry, StagingArea } from '../../platform/versionControl.ts';
import type { FileReview } from '../../review/hunk.ts';
import { changesInGit, type GitFile, needsObjectId } from '../../review/hunksInText.ts';
import type { GitCommandTracker } from './gitCommandTracker.ts';
import type { ReviewLedger } from './ledger.ts';

/** Ids of a file's hunks that the last scan found in Git's index or in a commit. */
export interface HunksInGit {
  readonly staged: readonly number[];
  readonly committed: readonly number[];
}

/** The part of a session's changes that staging decides on. */
export interface StagingPorts {
  readonly ledger: ReviewLedger;
  readonly gitTracker: GitCommandTracker;
}

export type MakeStagingWatcher = (changes: StagingPorts) => Promise<StagingWatcher>;

interface Known {
  readonly entries: GitEntries;
  readonly hunks: HunksInGit;
  /** Count of Git uses by the agent at that time. */
  readonly gitUses: number;
}

/**
 * Accepts changes that the user stages or commits, whoever staged them. Content that Git had before the change does not
 * count, nor does content added while a command that names Git, or a server's tool, ran.
 */
export class StagingWatcher {
  private readonly ledger: ReviewLedger;
  private readonly gitTracker: GitCommandTracker;
  private readonly git: StagingArea;
  private readonly known = new Map<string, Known>();

  constructor(ledger: ReviewLedger, gitTracker: GitCommandTracker, git: StagingArea) {
    this.ledger = ledger;
    this.gitTracker = gitTracker;
    this.git = git;
  }

  /** Hunks that Git had at the last scan, by path. */
  get held(): ReadonlyMap<string, HunksInGit> {
    return new Map([...this.known].map(([path, { hunks }]) => [path, hunks]));
  }

  knows(path: string): boolean {
    return this.known.has(path);
  }

  /** @param pending files with pending changes; others are forgotten */
  keep(pending: readonly string[]): void {
    for (const path of this.known.keys()) if (!pending.includes(path)) this.known.delete(path);
  }

  /**
   * Asks Git for all files at once, and for contents that changed.
   * @param root of the repository
   * @param before what Git had before this object knew the file; `undefined`: unknown, so nothing is decided
   */
  async scan(
    root: string,
    paths: readonly string[],
    before: (path: string) => HunksInGit | undefined,
  ): Promise<void> {
    const now = await this.git.readEntries(root, paths);
    const changed = [...now].filter(([path, entries]) => !this.isKnown(path, entries));
    const contents = await this.readContents(root, changed);
    const { count: gitUses, isRunning } = this.gitTracker;
    for (const [path, entries] of changed) {
      const review = this.ledger.review(path);
      if (!review) continue;
      const blob = needsObjectId(review) ? await this.git.readObjectId(path) : undefined;
      const known = this.known.get(path);
      const hunks = heldHunks(review, entries, contents, blob);
      const earlier = known ? heldHunks(review, known.entries, contents, blob) : before(path);
      this.known.set(path, { entries, hunks, gitUses });
      const mayBeAgents = isRunning || (known !== undefined && known.gitUses !== gitUses);
      if (!mayBeAgents && earlier) this.accept(path, hunks, earlier);
    }
    for (const path of now.keys()) {
      const known = this.known.get(path);
      if (known) this.known.set(path, { ...known, gitUses });
    }
  }

  private isKnown(path: string, entries: GitEntries): boolean {
    const known = this.known.get(path)?.entries;
    return known !== undefined && isSame(known.index, entries.index) && isSame(known.commit, entries.commit);
  }

  private accept(path: string, { staged, committed }: HunksInGit, earlier: HunksInGit): void {
    const fresh = [
      ...staged.filter(id => !earlier.staged.includes(id)),
      ...committed.filter(id => !earlier.committed.includes(id)),
    ];
    for (const hunkId of new Set(fresh)) this.ledger.accept({ path, hunkId });
  }

  /** Returns contents of this scan and the last, by Git's object name. */
  private async readContents(
    root: string,
    changed: readonly (readonly [path: string, entries: GitEntries])[],
  ): Promise<Contents> {
    const pathOf = new Map(
      changed.flatMap(([path, now]) => {
        const before = this.known.get(path)?.entries;
        const entries = [now.index, now.commit, before?.index, before?.commit];
        return entries.flatMap(entry => (entry?.content ? [[entry.content, path] as const] : []));
      }),
    );
    const read = await this.git.readCommitted(root, [...pathOf.keys()], new AbortController().signal);
    const texts = [...read].map(async ([name, bytes]) => {
      const file = await this.ledger.decode(pathOf.get(name)!, bytes);
      return [name, file?.text] as const;
    });
    return new Map(await Promise.all(texts));
  }
}

/** Texts by Git's name; `undefined`: no text. */
type Contents = ReadonlyMap<string, string | undefined>;

function heldHunks(
  review: FileReview,
  { index, commit }: GitEntries,
  contents: Contents,
  blob: string | undefined,
): HunksInGit {
  const idsIn = (entry: GitEntry | null) => {
    const file: GitFile | null = entry && { ...entry, text: entry.content && contents.get(entry.content) };
    return changesInGit(review, file, blob).map(({ id }) => id);
  };
  return { staged: idsIn(index), committed: idsIn(commit) };
}

function isSame(one: GitEntry | null, other: GitEntry | null): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob && one?.content === other?.content;
}
