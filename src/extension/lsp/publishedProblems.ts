import type { z } from 'zod';
import { Emitter } from '../base/emitter.ts';
import type { published, ServerProblem } from './answers.ts';
import type { Documents } from './documents.ts';
import { toPath } from './places.ts';

interface Publication {
  /** The document had this version; absent: the server does not say. */
  readonly version: number | undefined;
  /** How often the project had changed when it came. */
  readonly round: number;
  readonly problems: readonly ServerProblem[];
}

/**
 * Problems that a server reports automatically. It does not say when it is done, so this keeps for each file what it
 * said last, and about which text.
 */
export class PublishedProblems {
  private readonly spoke = new Emitter<void>();
  private readonly byPath = new Map<string, Publication>();
  private documents: Pick<Documents, 'find'> | undefined;
  private round = 0;
  readonly onDidSpeak = this.spoke.event;

  /** Nothing counts that an earlier process said. */
  begin(documents: Pick<Documents, 'find'>): void {
    this.documents = documents;
    this.byPath.clear();
  }

  /** The project changed: what was said before may not hold any more. */
  outdate(): void {
    this.round++;
  }

  hear({ uri, version, diagnostics }: z.output<typeof published>): void {
    const path = toPath(uri);
    if (path === undefined) return;
    const reported = { version: version ?? undefined, round: this.round, problems: diagnostics };
    // An answer to an older text may come after that to the newest.
    const isOlder = (reported.version ?? Infinity) < (this.byPath.get(path)?.version ?? -1);
    if (!isOlder) this.byPath.set(path, reported);
    this.spoke.fire();
  }

  /** The server has spoken about the file since the project last changed, and about the text that it has now. */
  isCurrent(path: string): boolean {
    const publication = this.byPath.get(path);
    if (!publication) return false;
    const document = this.documents?.find(path);
    const { version, round } = publication;
    return version === undefined ? round === this.round : version === document?.version;
  }

  of(path: string): readonly ServerProblem[] {
    return this.byPath.get(path)?.problems ?? [];
  }

  /** Files of which it has said something that is not known to be about an older text. */
  get paths(): readonly string[] {
    return [...this.byPath.keys()].filter(path => {
      const version = this.byPath.get(path)?.version;
      const document = this.documents?.find(path);
      return version === undefined || document === undefined || version === document.version;
    });
  }
}
