import type { SessionEventBody } from '../../../protocol/events.ts';
import { type EmittedEvent, eventOf, isAgentEvent } from '../../../protocol/fold/agents.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { formatList, plural, t } from '../../../protocol/language.ts';
import { formatBytes, sanitiseLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore, SessionStore } from '../../platform/storage.ts';
import type { Policy } from '../policy/policy.ts';
import type { Verdict } from '../policy/verdict.ts';
import { maskEvent } from '../recording/maskEvent.ts';
import { formatAgentLine } from '../recording/parseEvent.ts';
import { type ImportedChange, type ImportedSession, importLimit } from './importedSession.ts';
import { applyChanges, type LocatedChange, locateChanges, reviewEventsOf } from './locatedChanges.ts';

/** The needed part of a session's environment. */
interface ImportPlace {
  readonly storage: {
    readonly sessions: Pick<SessionStore, 'openJournal'>;
    readonly blobs: BlobStore;
  };
  readonly workspace: { readonly files: FileSystem; readonly homeFolders: readonly string[] };
  readonly policy: Pick<Policy, 'classify'>;
  readonly clock: Pick<Clock, 'now' | 'newId'>;
  readonly log: Pick<Log, 'error'>;
}

interface Beginning {
  readonly model: string;
  readonly mode: ApprovalMode;
}

type Timed = SessionEventBody & { readonly at: number };

/** Files named in a note. */
const namedFiles = 5;

export class SessionImporter {
  private readonly place: ImportPlace;
  private readonly beginning: Beginning;

  /** @param beginning of a new session here */
  constructor(place: ImportPlace, beginning: Beginning) {
    this.place = place;
    this.beginning = beginning;
  }

  /** Classifies reading this URL, like a call of `web_fetch`. */
  classifyAddress(url: string): Promise<Verdict> {
    const target = { kind: 'urls', urls: [url] } as const;
    const { mode } = this.beginning;
    const query = { tool: 'web_fetch', effect: 'fetch', target, args: { prompt: url }, mode } as const;
    return this.place.policy.classify(query);
  }

  findChanges(changes: readonly ImportedChange[]): Promise<readonly LocatedChange[]> {
    const { files, homeFolders: folders } = this.place.workspace;
    return locateChanges(changes, { files, folders });
  }

  applyChanges(changes: readonly LocatedChange[]): Promise<readonly LocatedChange[]> {
    return applyChanges(changes, this.place.workspace.files);
  }

  /** @returns the id of the new session, which is not open yet */
  async bring(imported: ImportedSession, changes: readonly LocatedChange[]): Promise<string> {
    const { storage, workspace, clock, log } = this.place;
    const { blobs, sessions } = storage;
    const folders = [...workspace.homeFolders];
    const reviews = await reviewEventsOf(changes, { blobs, log, folder: folders[0] });
    const sessionId = clock.newId();
    const at = imported.events.map(eventOf)[0]?.at ?? clock.now();
    const end = clock.now();
    const before: readonly Timed[] = [
      { type: 'session.started', sessionId, folders, ...this.beginning, at },
      { type: 'notice.shown', level: 'info', text: noteOf(imported, changes), at },
    ];
    const { from, agent, unreadable, title } = imported;
    const derived = { type: 'session.derived', from, agent, unreadable, at: end } as const;
    const named: readonly Timed[] =
      title === '' ? [] : [{ type: 'session.renamed', title: sanitiseLine(title, 80), at: end }];
    const after: readonly Timed[] = [derived, ...named, ...reviews.map(each => ({ ...each, at: end }))];
    const journal = await sessions.openJournal(sessionId);
    try {
      let seq = 0;
      for (const each of before) journal.append(JSON.stringify(maskEvent({ ...each, seq: ++seq })));
      for (const each of imported.events) journal.append(lineOf(each, ++seq, end));
      for (const each of after) journal.append(JSON.stringify(maskEvent({ ...each, seq: ++seq })));
      await journal.flush();
    } finally {
      await journal.close();
    }
    return sessionId;
  }
}

/** @param end time of import, which no imported event may exceed */
function lineOf(reported: EmittedEvent, seq: number, end: number): string {
  const numbered = { ...eventOf(reported), seq, at: Math.min(eventOf(reported).at, end) };
  // Its file changes must not be undone.
  const event = maskEvent(numbered.type === 'session.rewound' ? { ...numbered, filesFrom: seq } : numbered);
  return isAgentEvent(reported) ? formatAgentLine({ ...reported, event }) : JSON.stringify(event);
}

/** Describes the origin, and what is missing, at the start of the session. */
function noteOf(
  { agent, place, unreadable, withoutTexts, isCut }: ImportedSession,
  changes: readonly LocatedChange[],
): string {
  const from = sanitiseLine(withoutKeys(place), 300);
  const origin =
    agent === undefined
      ? t('This session was opened from {0}.', from)
      : t('This session with {0} is from {1}.', agent, from);
  const with_ = (status: LocatedChange['status']) => changes.filter(each => each.status === status);
  return [
    origin,
    t('The conversation and tool calls were imported, but not permissions, settings or costs.'),
    unreadable > 0 &&
      plural(
        unreadable,
        'one: {0} line was not understood and is left out. | other: {0} lines were not understood and are left out.',
      ),
    isCut && t('Only the first {0} of this session were read.', formatBytes(importLimit)),
    withoutTexts > 0 &&
      plural(
        withoutTexts,
        'one: The text of {0} changed file is missing. | other: The text of {0} changed files is missing.',
      ),
    describeFiles(with_('applicable'), names =>
      t('Not changed here: {0}. You can review these changes once the files contain them.', names),
    ),
    describeFiles(with_('conflict'), names =>
      t("These files differ from the session's, so they have no changes to review: {0}.", names),
    ),
    describeFiles(with_('unavailable'), names => t('Protected or outside the workspace: {0}.', names)),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Removes credentials, which URLs of CI often contain. */
function withoutKeys(place: string): string {
  const url = URL.parse(place);
  return url?.protocol === 'https:' ? `${url.origin}${url.pathname}` : place;
}

function describeFiles(changes: readonly LocatedChange[], say: (names: string) => string): string | false {
  if (changes.length === 0) return false;
  const names = changes.slice(0, namedFiles).map(({ change }) => sanitiseLine(change.name, 120));
  return say(formatList(changes.length > namedFiles ? [...names, '…'] : names));
}
