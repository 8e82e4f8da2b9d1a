/*
 * Reads what a prompt mentions before its first request, so that the model need not ask for it. Everything is read
 * concurrently, then cut in prompt order to what fits. Failures are reported to the user.
 */

import type { Part } from '../../../protocol/events.ts';
import type { Attachment } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import { mediaLimitBytes } from '../../../protocol/mediaLimit.ts';
import type { Mention } from '../../../protocol/mentions.ts';
import { abortable } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { cutToFit, type PromptSpace } from './cutToFit.ts';
import { type ParsedMention, parseMentions } from './parseMentions.ts';
import { readDiff, readPage, readProblems, readSymbol, readTerminal } from './readNearby.ts';
import { readAttached, readPath } from './readPlaces.ts';
import { readResource } from './readResource.ts';
import { findResource, type ResourceMention } from './resources.ts';
import type { MentionContent, MentionSources } from './sources.ts';

interface MentionsOutcome {
  readonly parts: readonly Part[];
  readonly mentions: readonly Mention[];
}

/** Characters of all mentions together, about a twentieth of a large model's context. */
const textLimit = 200_000;
/** More mentions come from pasted text, not from the user. */
const maxThings = 100;

/** Never rejects. On abort, reports what was not read. */
export async function readMentions(
  sources: MentionSources,
  text: string,
  attachments: readonly Attachment[],
  signal: AbortSignal,
): Promise<MentionsOutcome> {
  const files = attachments.filter(attachment => attachment.kind === 'file');
  const servers = sources.servers?.();
  const things = parseMentions(text).map((thing): Thing => findResource(thing, servers) ?? thing);
  const works = [
    ...files.map(({ path }) => settled(sources, path, 'file', readAttached(sources, path, signal), signal)),
    ...things
      .slice(0, maxThings)
      .map(thing =>
        settled(sources, textOf(thing), kindOf(thing), readThing(sources, thing, signal), signal),
      ),
  ];
  const found = withoutRepeats((await Promise.all(works)).filter(named => named !== undefined));
  const room = { characters: textLimit, bytes: mediaLimitBytes - imageBytes(attachments) };
  return fitAll([...found, ...leftOut(things.slice(maxThings))], room);
}

/** Reports omitted mentions in one line, without those that may be decorators. */
function leftOut(things: readonly Thing[]): readonly Named[] {
  const meant = things.filter(thing => thing.kind !== 'path' || thing.deliberate);
  const [first] = meant;
  if (!first) return [];
  const detail = t('Not read, with {0} more: a prompt can have {1} mentions', meant.length - 1, maxThings);
  return [{ text: textOf(first), reading: { outcome: 'failed', kind: kindOf(first), detail } }];
}

type Thing = ParsedMention | ResourceMention;

interface Named {
  /** As it stands in the prompt. */
  readonly text: string;
  readonly reading: MentionContent;
}

function textOf(thing: Thing): string {
  return thing.kind === 'path' ? thing.readings.at(-1)!.text : thing.text;
}

function kindOf(thing: Thing): Mention['kind'] {
  return thing.kind === 'path' ? 'file' : thing.kind;
}

/** Returns `undefined` for a plain word that needs no report. */
function readThing(
  sources: MentionSources,
  thing: Thing,
  signal: AbortSignal,
): Promise<Named | MentionContent | undefined> {
  switch (thing.kind) {
    case 'path':
      return readPath(sources, thing, signal);
    case 'symbol':
      return readSymbol(sources, thing.name, signal);
    case 'problems':
      return readProblems(sources);
    case 'terminal':
      return readTerminal(sources);
    case 'diff':
      return readDiff(sources, signal);
    case 'url':
      return readPage(sources, thing.url, signal);
    case 'resource':
      return readResource(sources, thing, signal);
  }
}

async function settled(
  { log }: MentionSources,
  text: string,
  kind: Mention['kind'],
  work: Promise<Named | MentionContent | undefined>,
  signal: AbortSignal,
): Promise<Named | undefined> {
  try {
    const read = await abortable(work, signal);
    return read === undefined || 'reading' in read ? read : { text, reading: read };
  } catch (error) {
    const stopped = signal.aborted;
    if (!stopped) log.warn(`${text} could not be read: ${messageOf(error)}`);
    const detail = stopped ? t('Stopped before it was read') : oneLine(messageOf(error), 200);
    return { text, reading: { outcome: 'failed', kind, detail } };
  }
}

/** Sends the same content only once if it has two names. */
function withoutRepeats(found: readonly Named[]): readonly Named[] {
  const sent = new Set<string>();
  return found.filter(({ reading }) => {
    if (!('pieces' in reading) || reading.path === undefined) return true;
    const what = JSON.stringify([reading.path, reading.pieces.map(({ heading }) => heading)]);
    if (sent.has(what)) return false;
    sent.add(what);
    return true;
  });
}

function imageBytes(attachments: readonly Attachment[]): number {
  const sizes = attachments.map(each => (each.kind === 'image' ? each.blob.data.length * 0.75 : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function fitAll(found: readonly Named[], room: PromptSpace): MentionsOutcome {
  let left = room;
  const parts: Part[] = [];
  const mentions: Mention[] = [];
  for (const { text, reading } of found) {
    const fitted = cutToFit(reading, left);
    left = fitted.left;
    parts.push(...fitted.parts);
    const { kind, path } = reading;
    mentions.push({
      text,
      kind,
      outcome: fitted.outcome,
      detail: fitted.detail,
      path,
    });
  }
  return { parts, mentions };
}
