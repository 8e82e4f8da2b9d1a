import type { z } from 'zod';
import { Emitter } from '../base/emitter.ts';
import type { publishDiagnosticsSchema, ServerProblem } from './answers.ts';
import type { OpenDocuments } from './openDocuments.ts';
import { toPath } from './places.ts';

interface Publication {
  /** Version of the document; absent if the server does not say. */
  readonly version: number | undefined;
  /** Number of project changes when it arrived. */
  readonly round: number;
  readonly problems: readonly ServerProblem[];
}

/**
 * Problems that a server publishes. It does not say when it is done, so this stores for each file the latest report and
 * the text it is about.
 */
export class PublishedProblems {
  private readonly spoke = new Emitter<void>();
  private readonly byPath = new Map<string, Publication>();
  private documents: Pick<OpenDocuments, 'find'> | undefined;
  private round = 0;
  readonly onDidSpeak = this.spoke.event;

  /** Discards the reports of an earlier process. */
  begin(documents: Pick<OpenDocuments, 'find'>): void {
    this.documents = documents;
    this.byPath.clear();
  }

  /** The project changed, so earlier reports may be outdated. */
  outdate(): void {
    this.round++;
  }

  hear({ uri, version, diagnostics }: z.output<typeof publishDiagnosticsSchema>): void {
    const path = toPath(uri);
    if (path === undefined) return;
    const reported = { version: version ?? undefined, round: this.round, problems: diagnostics };
    // A report on an older text may arrive after one on the newest.
    const isOlder = (reported.version ?? Infinity) < (this.byPath.get(path)?.version ?? -1);
    if (!isOlder) this.byPath.set(path, reported);
    this.spoke.fire();
  }

  /** Returns whether the server has reported since the project last changed, and on the file's current text. */
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

  /** Files whose latest report is not known to be outdated. */
  get paths(): readonly string[] {
    return [...this.byPath.keys()].filter(path => {
      const version = this.byPath.get(path)?.version;
      const document = this.documents?.find(path);
      return version === undefined || document === undefined || version === document.version;
    });
  }
}
